// Checks that the tables of the order store agree: records match index rows, counters are right, and filled sums equal the fills. Reads one
// read snapshot from end to end; for the command line.

import { limits } from '../../../limits.ts';
import { isOver } from '../../domain/wallet-action.ts';
import { StoreError } from '../store-error.ts';
import type { Reader } from '../tables.ts';
import { checkFilled, checksOfFills } from './check-fills.ts';
import { damaged, type RowCheck } from './codec.ts';
import {
  accountKey,
  eventKey,
  idKey,
  isSameBytes,
  numberAtEnd,
  ORDER_TABLES,
  type OrderTable,
  orderIdAtEnd,
  readEventActor,
} from './keys.ts';
import { type IndexRow, indexRows, venueOrderIdOf } from './order-index.ts';
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
  readonly faultsTotal: number;
  /** The first faults. Each names its record. */
  readonly faults: readonly string[];
}

/** Returns the check of each table's rows. */
function rowChecks(reader: Reader<OrderTable>, orders: OrderReader): Readonly<Record<OrderTable, RowCheck>> {
  return {
    ...checksOfOrders(reader, orders),
    ...checksOfFills(reader, orders),
    idempotency: checkOfKeys(orders),
    ...checksOfEvents(reader, orders),
    positions: ({ key, value }) => void positionCodec.decode(value, key),
    bookedChanges: ({ key, value }) => void bookedCodec.decode(value, key),
    marks: ({ key, value }) => void markCodec.decode(value, key),
    cancelAfters: ({ key, value }) => void cancelAfterCodec.decode(value, key),
    protections: ({ key, value }) => void protectionCodec.decode(value, key),
    ...checksOfActions(reader, orders),
    eventFloor: ({ key, value }) => void counterCodec.decode(value, key),
  };
}

/** Checks all tables. `onRow` is called with the number of bytes of each row. */
export function checkOrders(reader: Reader<OrderTable>, onRow: (bytes: number) => void = () => {}): OrderCheck {
  const orders = new OrderReader(reader);
  const checks = rowChecks(reader, orders);
  const rows = Object.fromEntries(Object.keys(ORDER_TABLES).map(table => [table, 0])) as Record<OrderTable, number>;
  const faults: string[] = [];
  let faultsTotal = 0;

  for (const table of Object.keys(ORDER_TABLES) as OrderTable[]) {
    for (const row of orders.rows(table)) {
      rows[table] += 1;
      onRow(row.key.length + row.value.length);
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

type TablesOfOrders = 'orders' | 'working' | 'ended' | 'endedOfMarket' | 'awaited' | 'venueOrders';

/** Checks orders against their list entries. */
function checksOfOrders(reader: Reader<OrderTable>, orders: OrderReader): Readonly<Record<TablesOfOrders, RowCheck>> {
  const listed =
    (table: OrderTable): RowCheck =>
    ({ key, value }) => {
      const stored = orders.order(orderIdAtEnd(key));
      const isDue = stored !== null && indexRows(stored.order).some(row => isSameRow(row, { table, key, value }));
      if (!isDue) throw damaged(table, key, 'lists no order');
    };

  return {
    orders({ key, value }) {
      const stored = orderCodec.decode(value, key);
      const { podId, request, orderId } = stored.order;
      if (!isSameBytes(key, idKey(orderId))) throw damaged('order', key, 'is out of place');
      for (const row of indexRows(stored.order)) {
        if (reader.get(row.table, row.key) === undefined) throw damaged('order', key, `is missing in ${row.table}`);
      }
      const name = venueOrderIdOf(stored);
      if (name !== null && orders.orderOfVenue({ podId, venue: request.venue }, name) !== orderId) {
        throw damaged('order', key, `is not found by the venue's id ${name}`);
      }
      checkFilled(orders, stored.order, key);
    },
    working: listed('working'),
    ended: listed('ended'),
    endedOfMarket: listed('endedOfMarket'),
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

function isSameRow(one: IndexRow, other: IndexRow): boolean {
  return one.table === other.table && isSameBytes(one.key, other.key) && isSameBytes(one.value, other.value);
}

function checkOfKeys(orders: OrderReader): RowCheck {
  return ({ key, value }) => {
    const { answer, orderId } = idempotencyCodec.decode(value, key);
    if (answer !== null && orders.order(orderId) === null)
      throw damaged('idempotency', key, `answers for ${orderId}, which is missing`);
  };
}

/** Checks the actions of wallets against their places. */
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

/** Checks the events of an actor against each other. */
function checksOfEvents(reader: Reader<OrderTable>, orders: OrderReader): Readonly<Record<'events', RowCheck>> {
  return {
    events({ key, value }) {
      const [actorId, cursor, floor] = [readEventActor(key), numberAtEnd(key), orders.eventFloor()];
      const gte = eventKey(actorId, floor + 1);
      const isFirst = (): boolean => reader.range('events', { gte, lt: key, limit: 1 }).length === 0;
      if (value.length > 0) eventCodec.decode(value, key);
      else if (!isFirst()) throw damaged('event', key, 'is pruned, and an earlier event is not');
      // Events up to the floor no longer count: they are from before a loss, and wait to be pruned.
      if (cursor <= floor) return;
      if (reader.get('events', eventKey(actorId, cursor - 1)) === undefined && !isFirst())
        throw damaged('event', key, `does not follow number ${cursor - 1}`);
    },
  };
}
