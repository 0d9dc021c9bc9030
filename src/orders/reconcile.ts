// What is not known is found out (contract §4.7): an order is looked up at its venue, what is there is applied, and absence is
// believed only when the venue says that it looks far enough. A cancel that is wanted is made as soon as there is something to
// cancel. Executions thread, and order workers for their own order.

import type { UnixMillis } from '../domain/numbers.ts';
import type { Order } from '../domain/order.ts';
import { isTerminal } from '../domain/order.ts';
import { unreachable } from '../domain/result.ts';
import { limits } from '../limits.ts';
import type { StoredOrder } from '../store/order-records.ts';
import type { LookUp, VenueTrading } from '../venues/venue.ts';
import { applyEvidence } from './evidence.ts';
import type { Ledger } from './ledger.ts';

export interface ReconcileParts {
  readonly ledger: Ledger;
  readonly now: () => UnixMillis;
}

/** The order as it is known after one look; still not terminal if more looks are needed. */
export async function reconcile(
  parts: ReconcileParts,
  venue: VenueTrading,
  stored: StoredOrder,
  deadline: UnixMillis,
): Promise<Order> {
  if (stored.intent === null || isTerminal(stored.order.status)) return stored.order;
  const found = await venue.lookUp(stored.order, stored.intent, deadline);
  const order = applyLookUp(parts, stored.order, found);
  return order.status === 'OPEN' && order.cancelRequestedAt !== null
    ? cancelFound(parts, venue, order, deadline)
    : order;
}

function applyLookUp({ ledger, now }: ReconcileParts, order: Order, found: LookUp): Order {
  switch (found.type) {
    case 'found':
      return ledger.change(entry => applyEvidence(entry, order, found));
    case 'absent':
      return ledger.change(entry => {
        const known = entry.transaction.order(order.orderId)?.order ?? order;
        if (!found.isCurrent) return known;
        // It was there: what the venue lists no more is over.
        if (known.venueOrderId !== null && known.status === 'OPEN') {
          return entry.apply(order.orderId, [{ type: 'ends', at: entry.at, venueOrderId: null, stated: null }]);
        }
        if (known.status !== 'SUBMITTED' || now() - (known.sentAt ?? 0) < limits.absenceProvenMs) return known;
        const error = { code: 'UNKNOWN', message: 'no trace at the venue' } as const;
        const given = { type: 'refused', at: entry.at, error, isReleased: false } as const;
        return entry.apply(order.orderId, [given], 'invalid');
      });
    case 'unavailable':
      return order;
    default:
      return unreachable(found);
  }
}

async function cancelFound(
  { ledger }: ReconcileParts,
  venue: VenueTrading,
  order: Order,
  deadline: UnixMillis,
): Promise<Order> {
  const outcome = await venue.cancel(order, deadline);
  if (outcome.type !== 'cancelled') return ledger.store.order(order.orderId)?.order ?? order;
  return ledger.change(entry =>
    entry.apply(order.orderId, [{ type: 'ends', at: entry.at, venueOrderId: null, stated: null }]),
  );
}
