// What the rows of the order store mean, by version; older stores are brought up to date one version at a time. The owner's thread.
//
//   1   the first
//   2   wantedCancels lists the orders in the book that are to be cancelled

import { isToBeCancelled } from '../../domain/order.ts';
import type { Migrated, Schema } from '../durable/schema.ts';
import { NOTHING, type OrderTable, orderIdAtEnd } from './keys.ts';
import { OrderReader } from './order-reader.ts';

/** Raised when rows come to mean something else; a new form of a record alone needs no more than its version. */
export const ORDER_SCHEMA: Schema<OrderTable> = {
  version: 2,
  migrate(from, store) {
    if (from === 1) listWantedCancels(store);
  },
};

function listWantedCancels(store: Migrated<OrderTable>): void {
  const orders = new OrderReader(store);
  for (const { key } of orders.rows('openOrders')) {
    const order = orders.order(orderIdAtEnd(key))?.order;
    if (order === undefined || !isToBeCancelled(order)) continue;
    store.transact(transaction => transaction.put('wantedCancels', key, NOTHING));
  }
}
