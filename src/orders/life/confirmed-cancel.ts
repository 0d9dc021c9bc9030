// Ends an order whose cancel the venue has confirmed. All callers come here, so that no fill is lost that the venue's answer counts. Engine
// thread.

import type { UnixMillis } from '../../core/domain/numbers.ts';
import { isTerminal, type Order, type OrderEvent, type OrderId } from '../../core/domain/order.ts';
import type { Intent } from '../../core/domain/order-request.ts';
import { traded } from '../../core/domain/order-sums.ts';
import type { StoredOrder } from '../../core/store/order-records.ts';
import type { CancelOutcome, VenueTrading } from '../../venues/venue.ts';
import { applyFound } from './evidence.ts';
import type { Ledger } from './ledger.ts';
import type { LedgerEntry } from './ledger-entry.ts';

export type Confirmed = Extract<CancelOutcome, { readonly type: 'cancelled' }>;

/**
 * Ends the order and returns it. Returns null if the venue's answer counts more fills than are known here, so that a look-up must end the
 * order. Until then the order counts as open, with everything that it may have traded.
 */
export function endCancelled(ledger: Ledger, order: Order, confirmed: Confirmed): Order | null {
  const { orderId } = order;
  // The private stream may have reported more fills meanwhile, or the end of the order.
  const known = ledger.store.order(orderId)?.order ?? order;
  if (isTerminal(known.status)) return known;
  if (isMissingFills(known, confirmed)) return null;
  return ledger.change(entry => entry.apply(orderId, [cancelEvent(entry, orderId)]));
}

/**
 * Ends an order that was given up here but rested at the venue, after its cancel there. It ends with its cumulative quantity. Returns
 * whether nothing is left to do.
 */
export async function endGivenUp(
  ledger: Ledger,
  venue: VenueTrading,
  { order, intent }: Pick<StoredOrder, 'order' | 'intent'>,
  venueOrderId: string,
  { outcome, deadline }: { readonly outcome: CancelOutcome; readonly deadline: UnixMillis },
): Promise<boolean> {
  if (outcome.type !== 'cancelled' && outcome.type !== 'not-found') return false;
  const { orderId } = order;
  const found = await venue.lookUp({ ...order, venueOrderId }, intentFor(orderId, intent, venueOrderId), deadline);
  if (found.type === 'found' && found.state === 'gone') applyFound(ledger, order, found);
  else if (outcome.type === 'not-found' || isMissingFills(ledger.store.order(orderId)?.order ?? order, outcome))
    return false;
  ledger.change(entry => {
    const isGivenUp = entry.order(orderId).status === 'REJECTED';
    if (isGivenUp) entry.apply(orderId, [{ type: 'ends', at: entry.at, venueOrderId, stated: null }]);
  });
  return true;
}

/** Returns the ids of an order for a look-up. They are in the order's own intent, if it is kept. */
export function intentFor(orderId: OrderId, intent: Intent | null, venueOrderId: string): Intent {
  return intent ?? { payload: new Uint8Array(), venueOrderId, clientOrderId: orderId };
}

function isMissingFills(known: Order, { filled }: Confirmed): boolean {
  return (filled ?? 0) > traded(known).size;
}

/** Returns the event that ends the order. If the cancel request could not be recorded, the caller's request is the reason. */
function cancelEvent(entry: LedgerEntry, orderId: OrderId): OrderEvent {
  const reason = entry.order(orderId).cancelReason ?? 'REQUESTED';
  return { type: 'ends', at: entry.at, venueOrderId: null, stated: null, reason };
}
