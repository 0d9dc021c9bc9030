// An actor's open orders for a snapshot, read as they are told: nobody waits for all of many, and none is left out. An order that
// changes meanwhile may come twice, as it was and as it is. Main thread.

import { VENUES } from '../../domain/market.ts';
import type { Order } from '../../domain/order.ts';
import { OPEN_STATUSES } from '../../domain/order-lists.ts';
import { limits } from '../../limits.ts';
import type { OrderReads } from '../../store/order-records.ts';

export function* openOrdersOf(reads: Pick<OrderReads, 'orders'>, actorId: string): Generator<Order, void> {
  const rowsMax = limits.ordersPerSnapshotMax;
  for (const venue of VENUES) {
    for (const status of OPEN_STATUSES) {
      let after: Order | null = null;
      for (let isMore = true; isMore; ) {
        const page: readonly Order[] = reads.orders({ actorId, venue, address: null, status, after, rowsMax });
        yield* page;
        isMore = page.length === rowsMax;
        after = page.at(-1) ?? null;
      }
    }
  }
}
