// Checks orders, their submissions and their list entries against each other. Part of a check.

import type { Reader } from '../tables.ts';
import { checkFilled } from './check-fills.ts';
import { damaged, type RowCheck } from './codec.ts';
import { accountKey, idKey, isSameBytes, listKey, type OrderTable, orderIdAtEnd } from './keys.ts';
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
  | 'awaited'
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
      checkFilled(orders, order, key);
    },
    submissions({ key }) {
      const orderId = orderIdAtEnd(key);
      if (!isSameBytes(key, idKey(orderId))) throw damaged('submission', key, 'is out of place');
      // Throws unless the submission leads to its record.
      orders.order(orderId);
    },
    inFlight: listed('inFlight'),
    ordersByMarket: listed('ordersByMarket'),
    ordersByStatus: listed('ordersByStatus'),
    ordersByMarketAndStatus: listed('ordersByMarketAndStatus'),
    openOrders: listed('openOrders'),
    awaited: listed('awaited'),
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
