// Checks that the tables of the order store agree: records and index rows match, counters are right, and filled sums equal the
// fills. Reads one snapshot from end to end; for the command line.

import { limits } from '../../../limits.ts';
import { isOver } from '../../domain/wallet-action.ts';
import { StoreError } from '../store-error.ts';
import type { Reader } from '../tables.ts';
import { checkFilled, checksOfFills } from './check-fills.ts';
import { damaged, type RowCheck } from './codec.ts';
import {
  accountKey,
  answerAgeKey,
  eventsPrefix,
  idKey,
  isSameBytes,
  listKey,
  numberAtEnd,
  ORDER_TABLES,
  type OrderTable,
  orderIdAtEnd,
  readAnswerAgeKey,
  readEventActor,
  readTextKey,
} from './keys.ts';
import { indexRows, isSameRow, venueOrderIdOf } from './order-index.ts';
import { OrderReader } from './order-reader.ts';
import { orderCodec } from './order-record.ts';
import {
  actionCodec,
  bookedCodec,
  cancelAfterCodec,
  counterCodec,
  eventCodec,
  idempotencyCodec,
  markCodec,
  positionCodec,
  protectionCodec,
} from './records.ts';

interface OrderCheck {
  /** The number of rows read, by table. */
  readonly rows: Readonly<Record<OrderTable, number>>;
  /** The number of faults. */
  readonly faultsTotal: number;
  /** The first faults, each naming its record. */
  readonly faults: readonly string[];
}

/** The check of each table's rows. */
function rowChecks(reader: Reader<OrderTable>, orders: OrderReader): Readonly<Record<OrderTable, RowCheck>> {
  return {
    ...checksOfOrders(reader, orders),
    ...checksOfFills(reader, orders),
    ...checksOfPromises(reader, orders),
    ...checksOfEvents(orders),
    positions: ({ key, value }) => void positionCodec.decode(value, key),
    bookedChanges: ({ key, value }) => void bookedCodec.decode(value, key),
    marks: ({ key, value }) => void markCodec.decode(value, key),
    cancelAfters: ({ key, value }) => void cancelAfterCodec.decode(value, key),
    protections: ({ key, value }) => void protectionCodec.decode(value, key),
    ...checksOfActions(reader, orders),
    eventFloor: ({ key, value }) => void counterCodec.decode(value, key),
  };
}

/** `passed`: called with the bytes of each row. */
export function checkOrders(reader: Reader<OrderTable>, passed: (bytes: number) => void = () => {}): OrderCheck {
  const orders = new OrderReader(reader);
  const checks = rowChecks(reader, orders);
  const rows = Object.fromEntries(Object.keys(ORDER_TABLES).map(table => [table, 0])) as Record<OrderTable, number>;
  const faults: string[] = [];
  let faultsTotal = 0;

  for (const table of Object.keys(ORDER_TABLES) as OrderTable[]) {
    for (const row of orders.rows(table)) {
      rows[table] += 1;
      passed(row.key.length + row.value.length);
      try {
        checks[table](row);
      } catch (error) {
        if (!(error instanceof StoreError)) throw error;
        faultsTotal += 1;
        if (faults.length < limits.orderFaultsReportedMax) faults.push(error.message);
      }
    }
  }
  return { rows, faultsTotal, faults };
}

type TablesOfOrders =
  | 'inFlight'
  | 'orders'
  | 'submissions'
  | 'ordersByMarket'
  | 'ordersByStatus'
  | 'ordersByMarketAndStatus'
  | 'openOrders'
  | 'awaited'
  | 'venueOrders';

/** Orders, their submissions and their list entries against each other. */
function checksOfOrders(reader: Reader<OrderTable>, orders: OrderReader): Readonly<Record<TablesOfOrders, RowCheck>> {
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
      const name = venueOrderIdOf(stored);
      const isDue =
        stored !== null &&
        name !== null &&
        isSameBytes(value, idKey(stored.order.orderId)) &&
        isSameBytes(key, accountKey({ podId: stored.order.podId, venue: stored.order.request.venue }, name));
      if (!isDue) throw damaged('venueOrders', key, 'names an order that is not so called');
    },
  };
}

/** Idempotency entries against the expiry queue of their answers. */
function checksOfPromises(
  reader: Reader<OrderTable>,
  orders: OrderReader,
): Readonly<Record<'idempotency' | 'answerAges', RowCheck>> {
  return {
    idempotency({ key, value }) {
      const { answer, orderId } = idempotencyCodec.decode(value, key);
      if (answer === null) return;
      if (reader.get('answerAges', answerAgeKey(answer.at, key)) === undefined) {
        throw damaged('idempotency', key, 'has an answer that does not grow old');
      }
      if (orders.order(orderId) === null) throw damaged('idempotency', key, `answers for ${orderId}, which is missing`);
    },
    answerAges({ key }) {
      const { at, idempotencyKey } = readAnswerAgeKey(key);
      const found = reader.get('idempotency', idempotencyKey);
      const entry = found === undefined ? null : idempotencyCodec.decode(found, idempotencyKey);
      if (entry?.answer?.at !== at) throw damaged('answerAges', key, 'is of no answer');
    },
  };
}

/** Actions of wallets against their places. */
function checksOfActions(
  reader: Reader<OrderTable>,
  orders: OrderReader,
): Readonly<Record<'actions' | 'actionPlaces' | 'openActions', RowCheck>> {
  return {
    actions({ key, value }) {
      const action = actionCodec.decode(value, key);
      const id = idKey(action.actionId);
      const place = reader.get('actionPlaces', id);
      if (place === undefined || !isSameBytes(place, key)) throw damaged('action', key, 'is out of place');
      if ((reader.get('openActions', id) === undefined) !== isOver(action)) {
        throw damaged('action', key, `is ${action.status}, and listed otherwise`);
      }
    },
    actionPlaces({ key }) {
      const actionId = orderIdAtEnd(key);
      if (orders.action(actionId)?.actionId !== actionId) throw damaged('actionPlaces', key, 'is of another action');
    },
    openActions({ key }) {
      if (orders.action(orderIdAtEnd(key)) === null) throw damaged('openActions', key, 'lists no action');
    },
  };
}

/** Events against the spans that are kept. */
function checksOfEvents(orders: OrderReader): Readonly<Record<'events' | 'eventSpans', RowCheck>> {
  return {
    events({ key, value }) {
      eventCodec.decode(value, key);
      const { first, last } = orders.eventSpan(readEventActor(key));
      const cursor = numberAtEnd(key);
      const isKept = cursor >= first && cursor <= last;
      // Events from before a loss may still wait for pruning.
      if (!isKept && cursor > orders.eventFloor()) throw damaged('event', key, `is not among ${first} to ${last}`);
    },
    eventSpans({ key }) {
      const actorId = readTextKey(key);
      const { first, last } = orders.eventSpan(actorId);
      let expected = first;
      for (const row of orders.rows('events', eventsPrefix(actorId))) {
        if (numberAtEnd(row.key) <= orders.eventFloor()) continue;
        if (numberAtEnd(row.key) !== expected) throw damaged('event', row.key, `is not number ${expected}`);
        expected += 1;
      }
      if (expected !== last + 1) throw damaged('event span', key, `ends at ${last}, and events at ${expected - 1}`);
    },
  };
}
