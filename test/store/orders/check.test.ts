// A check finds every row that is lost, left over or wrong: each row of a store is taken away, doubled or changed in turn.

import { afterEach, beforeEach, expect, it } from 'vitest';
import { noPosition } from '../../../src/domain/position.ts';
import { limits } from '../../../src/limits.ts';
import { type DurableStore, openDurableStore } from '../../../src/store/durable/durable-store.ts';
import { leapOverLostEvents } from '../../../src/store/orders/after-loss.ts';
import { checkOrders } from '../../../src/store/orders/check.ts';
import { ORDER_TABLES, type OrderTable } from '../../../src/store/orders/keys.ts';
import { ORDER_SCHEMA } from '../../../src/store/orders/order-schema.ts';
import { realTimers, removeFolder, temporaryFolder } from '../durable/store-rig.ts';
import { at, fillOf, openOrders, orderIdOf, storedOrder } from './order-rig.ts';

const POD_B = { podId: 'pod', venue: 'venue_b' } as const;
let folder: string;
let store: DurableStore<OrderTable>;

function openTables(): Promise<DurableStore<OrderTable>> {
  return openDurableStore({
    folder,
    mode: 'process-safe',
    role: 'owner',
    tables: ORDER_TABLES,
    schema: ORDER_SCHEMA,
    timers: realTimers,
  });
}

beforeEach(async () => {
  folder = temporaryFolder();
  const before = await openTables();
  before.transact(leapOverLostEvents);
  await before.close();
  const orders = await openOrders(folder);
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
    const answer = { outcome: 'made', status: 'OPEN', message: '', at: at(1) } as const;
    const promise = { orderId: orderIdOf(1), bodySha256Hex: '00'.repeat(32), answer };
    to.putIdempotency('alice', 'venue_b', 'k', promise);
    for (const time of [1, 2, 3]) {
      to.appendEvent({
        actorId: 'alice',
        event: 'STATUS',
        order: to.order(orderIdOf(1))!.order,
        fill: null,
        at: at(time),
      });
    }
    const before = noPosition('venue_b', 'TICKER', at(1));
    to.putPosition('alice', before);
    to.addBooked('alice', { fillId: 'f1', change: fill.size, addressPrice: fill.price, fee: fill.fee, before });
    to.putMark('m', 'v');
    to.putCancelAfter({ keyId: 'key', actorId: 'alice', podId: 'pod', deadline: at(1) });
  });
  await orders.close();
  store = await openTables();
});
afterEach(async () => {
  await store.close();
  removeFolder(folder);
});

const TABLES = Object.keys(ORDER_TABLES) as OrderTable[];
/** Whose rows nothing else tells of. */
const ALONE: readonly OrderTable[] = [
  'positions',
  'bookedChanges',
  'marks',
  'cancelAfters',
  'idempotency',
  'eventFloor',
];
const faultsTotal = (): number => store.read(checkOrders).faultsTotal;

it('nothing in a sound store, whose every table has rows', () => {
  const { rows, faults } = store.read(checkOrders);
  expect(faults).toEqual([]);
  expect(TABLES.filter(table => rows[table] === 0)).toEqual([]);
});

it.each(TABLES)('that %s lacks a row', table => {
  for (const { key, value } of store.range(table, { limit: 100 })) {
    store.transact(to => to.delete(table, key));
    if (!ALONE.includes(table)) expect(faultsTotal()).toBeGreaterThan(0);
    store.transact(to => to.put(table, key, value));
    expect(faultsTotal()).toBe(0);
  }
});

it.each(TABLES)('that %s has a row that is not a record', table => {
  for (const { key, value } of store.range(table, { limit: 100 })) {
    store.transact(to => to.put(table, key, Buffer.concat([value, Buffer.of(1)])));
    if (value.length > 0) expect(faultsTotal()).toBeGreaterThan(0);
    store.transact(to => to.put(table, key, value));
  }
});

it.each(TABLES.filter(table => !ALONE.includes(table)))('that %s has a row in the wrong place', table => {
  const { key, value } = store.range(table, { limit: 1 })[0]!;
  const wrong = Buffer.from(key);
  wrong[wrong.length - 1]! ^= 0x40;
  store.transact(to => to.put(table, wrong, value));
  expect(faultsTotal()).toBeGreaterThan(0);
});

it('that an order has not filled what its fills add up to', () => {
  const [row] = store.range('fills', { limit: 100 }).filter(({ key }) => key[0] === 1);
  store.transact(to => to.delete('fills', row!.key));
  expect(store.read(checkOrders).faults.join()).toContain('its fills are size 0, cost 0, fees 0');
});

it('that there are more faults than orderFaultsToldMax, counting all of them', () => {
  const faulty = limits.orderFaultsToldMax + 1;
  store.transact(to => {
    for (let number = 0; number < faulty; number++) to.put('marks', Buffer.from(`m${number}`), Buffer.of(0xff));
  });
  const { faults, faultsTotal } = store.read(checkOrders);
  expect([faults.length, faultsTotal]).toEqual([limits.orderFaultsToldMax, faulty]);
});
