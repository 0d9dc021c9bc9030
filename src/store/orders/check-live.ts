// Whether what a start reads anyway is sound: orders that are open or in flight, with their fills and lists, counters, positions, armed
// switches and marks. What has ended is not read: there may be millions of it, and only `crossbook store check` reads all. The owner's
// thread, before anybody uses the store.

import { limits } from '../../limits.ts';
import type { Reader } from '../durable/tables.ts';
import { StoreError } from '../store-error.ts';
import { rowChecks } from './check.ts';
import { damaged } from './codec.ts';
import { listKey, type OrderTable, orderIdAtEnd } from './keys.ts';
import { OrderReader } from './order-reader.ts';

const LISTS = ['inFlight', 'openOrders', 'wantedCancels'] as const;
const LIVE = [...LISTS, 'openCounts', 'cancelAfters', 'marks', 'positions', 'eventFloor'] as const;

/** The first fault, in words; null if there is none among the first `storeLiveRowsMax` rows of each table. */
export function liveFault(reader: Reader<OrderTable>): string | null {
  const orders = new OrderReader(reader);
  const checks = rowChecks(reader, orders);
  try {
    for (const table of LIVE) {
      const isList = LISTS.some(it => it === table);
      let left = limits.storeLiveRowsMax;
      for (const row of orders.rows(table)) {
        if (left-- === 0) break;
        checks[table](row);
        if (!isList) continue;
        const { order } = orders.order(orderIdAtEnd(row.key))!;
        const key = listKey(order.actorId, order.request.venue, null, null, order);
        const value = reader.get('orders', key);
        if (value === undefined) throw damaged('order', key, 'is missing');
        checks.orders({ key, value });
      }
    }
    return null;
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return error.message;
  }
}
