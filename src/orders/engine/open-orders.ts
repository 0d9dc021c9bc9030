// Tells main of all open orders at the start. Engine thread.

import type { Account, LedgerStore, StoredOrder } from '../../core/store/order-records.ts';
import { limits } from '../../limits.ts';
import { type FromEngine, type OpenOrder, openOrderOf } from './engine-messages.ts';

interface PostParts {
  readonly store: Pick<LedgerStore, 'openOrders'>;
  readonly accounts: readonly Account[];
  readonly post: (message: FromEngine) => void;
  readonly defer: (task: () => void) => void;
}

/**
 * Tells main a page of the open orders, and later the next page. Each page shows the orders as they are at that moment, and main hears
 * later events of these orders after the page.
 */
export function postOpenOrders(parts: PostParts, rest: Iterator<StoredOrder> = openOrders(parts)): void {
  const orders: OpenOrder[] = [];
  while (orders.length < limits.ordersPerPageMax) {
    const next = rest.next();
    if (next.done === true) break;
    const { order, intent } = next.value;
    orders.push(openOrderOf(order, order.venueOrderId ?? intent?.venueOrderId ?? null));
  }
  if (orders.length === 0) return;
  parts.post({ type: 'open-orders', orders });
  parts.defer(() => postOpenOrders(parts, rest));
}

function* openOrders({ store, accounts }: PostParts): Generator<StoredOrder, void> {
  for (const { podId, venue } of accounts) yield* store.openOrders({ podId, venue });
}
