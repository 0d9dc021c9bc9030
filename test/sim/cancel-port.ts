// The outcome of one item of a cancel, as the adapters read the venues' answers (venue-a.md §3.3, venue-b.md §5.5). An item may be
// refused while the others are done, or be missing from the answer.

import type { MicroShares } from '../../src/core/domain/numbers.ts';
import type { CancelOutcome, CancelTarget } from '../../src/venues/venue.ts';
import { openSize } from './true-order.ts';
import type { Wire } from './wire.ts';

const REFUSAL = 'refused for a reason of its own';

export function cancelItem(wire: Wire, { venueOrderId, request }: CancelTarget): CancelOutcome {
  const { exchange, venue } = wire;
  if (venueOrderId === null) return { type: 'not-found', message: 'not found' };
  if (wire.chance(0.12)) return venue === 'venue_a' ? refusedByA(wire) : refusedByB(wire);
  if (wire.chance(0.15)) exchange.tradeBefore(venueOrderId);
  const order = exchange.byVenueId(venueOrderId);
  const reducedBy = order === null ? 0 : openSize(order);
  const type = exchange.cancel(venueOrderId);
  if (wire.chance(0.03)) return { type: 'unknown', message: 'an answer about other orders' };
  if (type !== 'cancelled') return { type, message: type };
  const size = 'size' in request ? request.size : reducedBy;
  const isLess = venue === 'venue_b' && reducedBy < size;
  return isLess ? { type, filled: (size - reducedBy) as MicroShares } : { type };
}

/** Returns a refusal by venue A. No reason says more than that the order was not cancelled. */
function refusedByA(wire: Wire): CancelOutcome {
  const isDelayed = wire.schedule.random.chance(0.3);
  return { type: isDelayed ? 'not-now' : 'not-found', message: REFUSAL };
}

function refusedByB({ schedule: { random } }: Wire): CancelOutcome {
  const type = random.pick(['not-found', 'refused', 'not-sent', 'unknown'] as const);
  if (type === 'refused') return { type, kind: 'invalid', message: REFUSAL };
  return type === 'not-sent' ? { type, message: REFUSAL, retryAfterS: 1 } : { type, message: REFUSAL };
}
