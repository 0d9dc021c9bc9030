// An actor's open orders for a snapshot, in parts that are read on demand: nothing waits for a long list, and no order is left
// out. An order that changes meanwhile may come twice, in both states. Main thread.

import { VENUES } from '../../domain/market.ts';
import type { Order } from '../../domain/order.ts';
import { OPEN_STATUSES } from '../../domain/order-lists.ts';
import { limits } from '../../limits.ts';
import type { OrderQuery } from '../../store/order-records.ts';
import type { OpenOrdersPart } from './order-feed.ts';

export type ListOrders = (query: OrderQuery) => Promise<readonly Order[]>;

/** At least one part; all but the last are full. */
export async function* openOrdersOf(list: ListOrders, actorId: string): AsyncGenerator<OpenOrdersPart, undefined> {
  const rowsMax = limits.ordersPerSnapshotMax;
  let orders: Order[] = [];
  for await (const page of pagesOf(list, actorId, rowsMax)) {
    for (const order of page) {
      if (orders.length === rowsMax) {
        yield { orders, hasMore: true };
        orders = [];
      }
      orders.push(order);
    }
  }
  yield { orders, hasMore: false };
}

async function* pagesOf(list: ListOrders, actorId: string, rowsMax: number): AsyncIterable<readonly Order[]> {
  for (const venue of VENUES) {
    for (const status of OPEN_STATUSES) {
      let after: Order | null = null;
      for (let isMore = true; isMore; ) {
        const page: readonly Order[] = await list({ actorId, venue, address: null, status, after, rowsMax });
        yield page;
        isMore = page.length === rowsMax;
        after = page.at(-1) ?? null;
      }
    }
  }
}
