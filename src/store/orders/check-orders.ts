// Orders, how they were submitted, and every list that they must be in, against each other. Part of a check.

import { isTerminal } from '../../domain/order.ts';
import type { Reader } from '../tables.ts';
import { counterCodec } from './account-records.ts';
import { checkFilled } from './check-fills.ts';
import { damaged, type RowCheck } from './codec.ts';
import {
  accountKey,
  idKey,
  isSameBytes,
  listKey,
  listPrefix,
  type OrderTable,
  orderIdAtEnd,
  readScope,
} from './keys.ts';
import { indexRows, isSameRow, venueOrderIdOf } from './order-index.ts';
import type { OrderReader } from './order-reader.ts';
import { orderCodec } from './order-record.ts';

type Tables =
  | 'inFlight'
  | 'orders'
  | 'submissions'
  | 'ordersByMarket'
  | 'ordersByStatus'
  | 'ordersByMarketAndStatus'
  | 'openOrders'
  | 'wantedCancels'
  | 'awaited'
  | 'openCounts'
  | 'venueOrders';

export function checksOfOrders(reader: Reader<OrderTable>, orders: OrderReader): Readonly<Record<Tables, RowCheck>> {
  const listed =
    (table: OrderTable): RowCheck =>
    ({ key }) => {
      const stored = orders.order(orderIdAtEnd(key));
      const isDue = stored !== null && indexRows(stored.order).some(row => isSameRow(row, { table, key }));
      if (!isDue) throw damaged(table, key, 'lists no order');
    };

  return {
    orders({ key, value }) {
      const { order } = orderCodec.decode(value, key);
      const { actorId, podId, request, orderId } = order;
      const { venue } = request;
      if (!isSameBytes(key, listKey(actorId, venue, null, null, order))) throw damaged('order', key, 'is out of place');
      const stored = orders.order(orderId);
      if (stored === null) throw damaged('order', key, 'was never submitted');
      for (const row of indexRows(order)) {
        if (reader.get(row.table, row.key) === undefined) throw damaged('order', key, `is missing in ${row.table}`);
      }
      const name = venueOrderIdOf(stored);
      if (name !== null && orders.orderOfVenue({ podId, venue }, name) !== orderId) {
        throw damaged('order', key, `is not found by the venue's id ${name}`);
      }
      if (!isTerminal(order.status) && orders.openCount(actorId, venue) === 0) {
        throw damaged('order', key, 'is open and not counted');
      }
      checkFilled(orders, order, key);
    },
    submissions({ key }) {
      const orderId = orderIdAtEnd(key);
      if (!isSameBytes(key, idKey(orderId))) throw damaged('submission', key, 'is out of place');
      // It leads to its record, or reading that throws.
      orders.order(orderId);
    },
    inFlight: listed('inFlight'),
    ordersByMarket: listed('ordersByMarket'),
    ordersByStatus: listed('ordersByStatus'),
    ordersByMarketAndStatus: listed('ordersByMarketAndStatus'),
    openOrders: listed('openOrders'),
    wantedCancels: listed('wantedCancels'),
    awaited: listed('awaited'),
    /** Counted in the lists, which are right if their own checks are. */
    openCounts({ key, value }) {
      const { owner, venue } = readScope(key);
      let open = 0;
      for (const _ of orders.rows('inFlight', key)) open += 1;
      for (const _ of orders.rows('ordersByStatus', listPrefix(owner, venue, null, 'OPEN'))) open += 1;
      const count = counterCodec.decode(value, key);
      if (count !== open) throw damaged('counter', key, `is ${count}, and ${open} orders are open`);
    },
    venueOrders({ key, value }) {
      const stored = orders.order(orderIdAtEnd(value));
      const name = stored === null ? null : venueOrderIdOf(stored);
      const isDue =
        stored !== null &&
        name !== null &&
        isSameBytes(value, idKey(stored.order.orderId)) &&
        isSameBytes(key, accountKey({ podId: stored.order.podId, venue: stored.order.request.venue }, name));
      if (!isDue) throw damaged('venueOrders', key, 'names an order that is not so called');
    },
  };
}
