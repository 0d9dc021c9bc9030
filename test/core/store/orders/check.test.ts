// A check finds every row that is lost, left over or wrong: each row of a store is taken away, doubled or changed in turn.

import { afterEach, beforeEach, expect, it } from 'vitest';
import type { MicroDollars } from '../../../../src/core/domain/numbers.ts';
import type { OrderStatus } from '../../../../src/core/domain/order.ts';
import type { Filled } from '../../../../src/core/domain/order-sums.ts';
import { noPosition } from '../../../../src/core/domain/position.ts';
import type { IdempotencyEntry, StoredOrder } from '../../../../src/core/store/order-records.ts';
import { checkOrders } from '../../../../src/core/store/orders/check.ts';
import { damaged } from '../../../../src/core/store/orders/codec.ts';
import {
  accountKey,
  eventKey,
  fillKey,
  idKey,
  listKey,
  NOTHING,
  ORDER_TABLES,
  type OrderTable,
  scopedKey,
} from '../../../../src/core/store/orders/keys.ts';
import { indexRows } from '../../../../src/core/store/orders/order-index.ts';
import { OrderReader } from '../../../../src/core/store/orders/order-reader.ts';
import { orderCodec } from '../../../../src/core/store/orders/order-record.ts';
import { counterCodec, idempotencyCodec } from '../../../../src/core/store/orders/records.ts';
import type { Transaction } from '../../../../src/core/store/tables.ts';
import { limits } from '../../../../src/limits.ts';
import type { HistoryTables } from '../../../../src/orders/history/tables.ts';
import { testFolder } from '../../../support/test-folder.ts';
import { at, fillOf, OrderTables, orderIdOf, storedOrder } from './order-rig.ts';

const POD_A = { podId: 'pod', venue: 'venue_a' } as const;
const POD_B = { podId: 'pod', venue: 'venue_b' } as const;
/** The first cursor of a store that has lost rows before it had events. */
const FLOOR = limits.orderEventsLostMax;
const PROMISE: IdempotencyEntry = {
  orderId: orderIdOf(1),
  bodySha256Hex: '00'.repeat(32),
  answer: { outcome: 'made', status: 'OPEN', message: '', at: at(1) },
};
const STATUSES: readonly OrderStatus[] = ['PENDING', 'SUBMITTED', 'OPEN', 'FILLED', 'CANCELLED', 'REJECTED'];
let folder: string;
let store: HistoryTables;

beforeEach(() => {
  folder = testFolder();
  const orders = new OrderTables(folder);
  store = orders.tables;
  store.change(to => to.put('eventFloor', NOTHING, counterCodec.encode(FLOOR)));
  orders.change(to => {
    const intent = { payload: Buffer.from('signed'), venueOrderId: null, clientOrderId: 'c' };
    to.putOrder(storedOrder({ number: 1 }, { status: 'SUBMITTED' }));
    const fill = fillOf('f1');
    const filled = { size: fill.size, cost: BigInt(fill.size) * BigInt(fill.price), fees: fill.fee };
    to.putOrder(
      storedOrder({ number: 2, intent }, { status: 'OPEN', venueOrderId: 'v2', filled, cancelRequestedAt: at(1) }),
    );
    to.addFill(POD_B, { fill, orderId: orderIdOf(2) });
    to.addFill(POD_B, { fill: fillOf('f2', { settlement: 'FAILED' }), orderId: orderIdOf(2) });
    to.addFill(POD_B, { fill: fillOf('f3'), orderId: null });
    to.putIdempotency('alice', 'venue_b', 'k', PROMISE);
    for (const time of [1, 2, 3]) {
      to.appendEvent({
        actorId: 'alice',
        event: 'STATUS',
        order: to.order(orderIdOf(1))!.order,
        fill: null,
        at: at(time),
      });
    }
    to.putIdempotency('alice', 'venue_b', 'not answered', { ...PROMISE, answer: null });
    to.putOrder(storedOrder({ number: 3 }, { status: 'CANCELLED' }));
    to.putOrder(storedOrder({ number: 4 }, { status: 'OPEN' }));
    const expected = { ...intent, venueOrderId: 'v5' };
    to.putOrder(storedOrder({ number: 5, actorId: 'bob', intent: expected }));
    const error = { code: 'UNKNOWN', message: null } as const;
    to.putOrder(storedOrder({ number: 7, actorId: 'carol' }, { status: 'REJECTED', closedAt: at(7), error }));
    // These two fills had no order. The second fill still has none.
    for (const fillId of ['f1', 'f4']) to.addFill(POD_A, { fill: fillOf(fillId), orderId: null });
    to.putOrder(storedOrder({ number: 6, venue: 'venue_a' }, { status: 'OPEN', filled }));
    to.claimFill(POD_A, { fill, orderId: orderIdOf(6) });
    const before = noPosition('venue_b', 'TICKER', at(1));
    to.putPosition('alice', before);
    to.putBooked('alice', {
      number: 1,
      fillId: 'f1',
      change: fill.size,
      addressPrice: fill.price,
      fee: fill.fee,
      before,
    });
    to.putMark('m', 'v');
    const owner = { actionId: orderIdOf(9), podId: 'pod', actorId: 'alice', idempotencyKey: 'k', createdAt: at(1) };
    to.putAction({
      ...{ ...owner, bodySha256Hex: '00'.repeat(32), kind: 'REDEEM', tokenId: '1', complementId: '2', turn: 1 },
      ...{ isOfWallet: true, shares: fill.size, amount: 0 as MicroDollars, payout: null, status: 'PENDING' },
      ...{ intent: null, excess: [fill.size, fill.size], isNonceUsed: false, transactionId: null },
      ...{ transactionHash: null, updatedAt: at(1), error: null, notAfter: null },
    });
    to.putCancelAfter({ keyId: 'key', actorId: 'alice', podId: 'pod', deadline: at(1) });
    to.putProtection({
      ...{ actorId: 'alice', podId: 'pod', venue: 'venue_b', address: null, fillsMax: 3, sharesMax: null },
      ...{ windowMs: 1_000, setAt: at(1), triggered: null, counted: [{ executedAt: at(1), size: fill.size }] },
    });
  });
});
afterEach(() => store.close());

const TABLES = Object.keys(ORDER_TABLES) as OrderTable[];
/** Tables with rows that no other table names. */
const ALONE: readonly OrderTable[] = [
  'positions',
  'bookedChanges',
  'marks',
  'cancelAfters',
  'protections',
  'idempotency',
  'eventFloor',
];
const faults = (): readonly string[] => checkOrders(store).faults;
const orderOf = (number: number): StoredOrder => new OrderReader(store).order(orderIdOf(number))!;
const longer = (bytes: Uint8Array): Uint8Array => Buffer.concat([Buffer.of(0), bytes]);

function orderKey(number: number): Uint8Array {
  return idKey(orderIdOf(number));
}

const faultsTotal = (): number => checkOrders(store).faultsTotal;

it('a check finds nothing in a sound store whose every table has rows', () => {
  const { rows, faults } = checkOrders(store);
  expect(faults).toEqual([]);
  expect(TABLES.filter(table => rows[table] === 0)).toEqual([]);
});

it.each(TABLES)('a check finds a missing row of %s', table => {
  const rows = store.range(table, { limit: 100 });
  // No other row shows that the first or the last event is missing.
  for (const { key, value } of table === 'events' ? rows.slice(1, -1) : rows) {
    store.change(to => to.delete(table, key));
    if (!ALONE.includes(table)) expect(faultsTotal()).toBeGreaterThan(0);
    store.change(to => to.put(table, key, value));
    expect(faultsTotal()).toBe(0);
  }
});

it.each(TABLES)('a check finds a row of %s that is not a record', table => {
  for (const { key, value } of store.range(table, { limit: 100 })) {
    store.change(to => to.put(table, key, Buffer.concat([value, Buffer.of(1)])));
    if (value.length > 0) expect(faultsTotal()).toBeGreaterThan(0);
    store.change(to => to.put(table, key, value));
  }
});

it.each(TABLES.filter(table => !ALONE.includes(table)))('a check finds a row of %s in the wrong place', table => {
  const { key, value } = store.range(table, { limit: 1 })[0]!;
  const wrong = Buffer.from(key);
  wrong[wrong.length - 1]! ^= 0x40;
  store.change(to => to.put(table, wrong, value));
  expect(faultsTotal()).toBeGreaterThan(0);
});

it('a check finds a list with an order that has left it, or has not come into it', () => {
  for (const number of [1, 2, 3, 4]) {
    const { order } = orderOf(number);
    const rows = STATUSES.flatMap(status =>
      [null, at(1)].flatMap(cancelRequestedAt => indexRows({ ...order, status, cancelRequestedAt })),
    );
    for (const { table, key, value } of rows) {
      if (store.get(table, key) !== undefined) continue;
      store.change(to => to.put(table, key, value));
      expect(faults()).toContainEqual(damaged(table, key, 'lists no order').message);
      store.change(to => to.delete(table, key));
    }
  }
  expect(faults()).toEqual([]);
});

it.each<keyof Filled>(['size', 'cost', 'fees'])(
  'a check finds an order that has not filled the %s that its fills add up to',
  what => {
    const { order, ...stored } = orderOf(2);
    const filled: Filled = { ...order.filled, [what]: what === 'cost' ? 7n : 7 };
    const { size, cost, fees } = filled;
    const key = orderKey(2);
    store.change(to => to.put('orders', key, orderCodec.encode({ order: { ...order, filled }, ...stored })));
    const sums = 'its fills are size 1000000, cost 5000000000, fees 100';
    expect(faults()).toEqual([
      damaged('order', key, `has filled size ${size}, cost ${cost}, fees ${fees}; ${sums}`).message,
    ]);
  },
);

const EVENTS = [1, 2, 3].map(number => eventKey('alice', FLOOR + number)) as [Uint8Array, Uint8Array, Uint8Array];
const PROMISED = scopedKey('alice', 'venue_b', 'k');
const NAMED = accountKey(POD_B, 'v2');
const ENDED = listKey('alice', 'venue_b', 'TICKER', 'CANCELLED', { createdAt: at(3), orderId: orderIdOf(3) });
const WORKING = listKey('alice', 'venue_b', null, 'OPEN', { createdAt: at(4), orderId: orderIdOf(4) });
const FILLS = [1, 2].map(place => fillKey(POD_B, orderIdOf(2), place)) as [Uint8Array, Uint8Array];

/** The damage, the record that it concerns, and the words about this record and about others. */
const HARMS: readonly (readonly [
  fault: string,
  harm: (to: Transaction<OrderTable>) => void,
  kind: string,
  key: () => Uint8Array,
])[] = [
  ['is missing in endedOfMarket', to => to.delete('endedOfMarket', ENDED), 'order', () => orderKey(3)],
  ['lists no order', to => to.put('working', WORKING, Buffer.from('another market')), 'working', () => WORKING],
  [
    "is not found by the venue's id v2",
    to => to.put('venueOrders', NAMED, idKey(orderIdOf(1))),
    'order',
    () => orderKey(2),
  ],
  [
    'names an order that is not so called',
    to => to.put('venueOrders', NAMED, idKey(orderIdOf(1))),
    'venueOrders',
    () => NAMED,
  ],
  [
    'names an order that is not so called',
    to => to.put('venueOrders', NAMED, longer(idKey(orderIdOf(2)))),
    'venueOrders',
    () => NAMED,
  ],
  [
    'is out of place',
    to => to.put('orders', longer(orderKey(1)), to.get('orders', orderKey(1))!),
    'order',
    () => longer(orderKey(1)),
  ],
  [`is of order ${orderIdOf(2)}, which is missing`, to => to.delete('orders', orderKey(2)), 'fill', () => FILLS[0]],
  [
    'is out of place',
    to => to.put('fills', fillKey(POD_B, orderIdOf(1), 1), to.get('fills', FILLS[0])!),
    'fill',
    () => fillKey(POD_B, orderIdOf(1), 1),
  ],
  ['follows none', to => to.delete('fills', FILLS[0]), 'fill', () => FILLS[1]],
  [
    `answers for ${orderIdOf(99)}, which is missing`,
    to => to.put('idempotency', PROMISED, idempotencyCodec.encode({ ...PROMISE, orderId: orderIdOf(99) })),
    'idempotency',
    () => PROMISED,
  ],
  [`does not follow number ${FLOOR + 2}`, to => to.delete('events', EVENTS[1]), 'event', () => EVENTS[2]],
  ['is pruned, and an earlier event is not', to => to.put('events', EVENTS[1], NOTHING), 'event', () => EVENTS[1]],
];

it.each(HARMS)('a check finds a record that %s', (fault, harm, kind, key) => {
  store.change(harm);
  expect(faults()).toContainEqual(damaged(kind, key(), fault).message);
});

it('a check finds a floor of events that is not a record, in a store without events', () => {
  store.change(to => {
    for (const { key } of to.range('events', { limit: 100 })) to.delete('events', key);
    to.put('eventFloor', NOTHING, Buffer.of(0));
  });
  expect(faults()).toEqual([expect.stringContaining('counter')]);
});

it('a check finds nothing in events of before a loss, which wait to be pruned', () => {
  store.change(to => {
    for (const cursor of [FLOOR - 1, FLOOR]) to.put('events', eventKey('alice', cursor), to.get('events', EVENTS[0])!);
  });
  expect(faults()).toEqual([]);
});

it('a check says that there are more faults than orderFaultsReportedMax, and counts all of them', () => {
  const faulty = limits.orderFaultsReportedMax + 1;
  store.change(to => {
    for (let number = 0; number < faulty; number++) to.put('marks', Buffer.from(`m${number}`), Buffer.of(0xff));
  });
  const { faults, faultsTotal } = checkOrders(store);
  expect([faults.length, faultsTotal]).toEqual([limits.orderFaultsReportedMax, faulty]);
});
