// What the rows of the order store mean, by version; older stores are brought up to date one version at a time. The owner's thread.
//
//   1   the first
//   2   wantedCancels lists the orders in the book that are to be cancelled
//   3   bookedChanges keeps what moved a position until its trades have settled
//   4   awaited lists the orders that have ended and may have fills that are not told yet

import { isToBeCancelled } from '../../domain/order.ts';
import type { Migrated, Schema } from '../durable/schema.ts';
import { NOTHING, type OrderTable, orderIdAtEnd } from './keys.ts';
import { indexRows } from './order-index.ts';
import { OrderReader } from './order-reader.ts';
import { orderCodec } from './order-record.ts';

/**
 * Raised with every new table and every new form of a record, too: an older program would open the store, leave the table as it is, and find
 * out about the record in the midst of trading.
 */
export const ORDER_SCHEMA: Schema<OrderTable> = {
  version: 4,
  migrate(from, store) {
    if (from === 1) listWantedCancels(store);
    if (from === 3) listAwaited(store);
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

function listAwaited(store: Migrated<OrderTable>): void {
  const orders = new OrderReader(store);
  for (const { key, value } of orders.rows('orders')) {
    const row = indexRows(orderCodec.decode(value, key).order).find(({ table }) => table === 'awaited');
    if (row !== undefined) store.transact(transaction => transaction.put(row.table, row.key, NOTHING));
  }
}
