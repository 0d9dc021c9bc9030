// The outcome of an order at a venue, as a promise.

import type { UnixMillis } from '../../src/core/domain/numbers.ts';
import type { Order } from '../../src/core/domain/order.ts';
import type { Intent } from '../../src/core/domain/order-request.ts';
import type { SubmitOutcome, VenueTrading } from '../../src/venues/venue.ts';

export function outcomeOf(
  trading: Pick<VenueTrading, 'submit'>,
  order: Order,
  intent: Intent,
  deadline: UnixMillis,
  notAfter: UnixMillis | null = null,
): Promise<SubmitOutcome> {
  return new Promise((resolve, reject) =>
    trading.submit({ order, intent }, deadline, notAfter, { answered: resolve, failed: reject }),
  );
}
