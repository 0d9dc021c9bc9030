// The history thread, asked from the main thread: pages for callers, events and orders for streams. And its death.

import { existsSync, renameSync } from 'node:fs';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Metrics } from '../../../src/core/metrics/metrics.ts';
import { monotonicUs } from '../../../src/core/runtime/clock.ts';
import { silentLog } from '../../../src/core/runtime/log.ts';
import { type Timers, wallTimers } from '../../../src/core/runtime/timers.ts';
import { StoreError } from '../../../src/core/store/store-error.ts';
import { limits } from '../../../src/limits.ts';
import { HistoryLink } from '../../../src/orders/history/history-link.ts';
import { HistoryTables } from '../../../src/orders/history/tables.ts';
import { at, fillOf, orderIdOf, storedOrder } from '../../core/store/orders/order-rig.ts';
import { VirtualTimers } from '../../support/virtual-timers.ts';
import { LedgerRig } from './history-rig.ts';

const caller = { podId: 'pod', actorId: 'alice', keyId: 'key' };
const query = { actorId: 'alice', venue: 'venue_b', address: null, status: null, after: null, rowsMax: 10 } as const;
const list = { name: 'list', venue: 'venue_b', caller, path: '/orders', query: new Map() } as const;

let ledger: LedgerRig;
let link: HistoryLink;
beforeEach(async () => {
  ledger = new LedgerRig();
  // The owner of the folder has opened the tables before any thread reads them.
  await HistoryTables.open(ledger.historyFolder).close();
  link = open();
  // On a busy machine the start of the thread may take longer than a question waits.
  await expect.poll(() => link.lastCursor('alice').catch(() => null)).toBe(0);
});
afterEach(async () => {
  await link.close();
  await ledger.remove();
});

function open(timers: Timers = wallTimers): HistoryLink {
  const { folder, positions } = ledger;
  const pods = [{ podId: 'pod', secretHex: '00'.repeat(32) }];
  const metrics = new Metrics({ operations: [] });
  return new HistoryLink({ folder, pods, positions, metrics, log: silentLog, timers });
}

function put(number: number): void {
  ledger.step(it => {
    const stored = storedOrder({ number });
    it.putOrder(stored);
    it.appendEvent({ actorId: 'alice', event: 'STATUS', order: stored.order, fill: null, at: at(number) });
  });
}

const operate = async (operation: Parameters<HistoryLink['operate']>[0]) => {
  const { status, body, headers } = await link.operate(operation, monotonicUs());
  return { status, body: JSON.parse(body), headers: Object.fromEntries(headers) };
};

it('answers with what was appended before it was asked', async () => {
  for (let number = 1; number <= 5; number++) {
    put(number);
    const [orders, cursor, events] = await Promise.all([
      link.orders(query),
      link.lastCursor('alice'),
      link.events('alice', 0, 10),
    ]);
    expect(orders).toHaveLength(number);
    expect(orders[0]).toEqual(storedOrder({ number }).order);
    expect(cursor).toBe(number);
    expect(events!.map(it => it.cursor)).toEqual(Array.from({ length: number }, (_, index) => index + 1));
  }
  expect(await link.events('alice', 6, 10)).toBeNull();
});

it('4026: begins no other history where its folder was moved, and answers again once that is back', async () => {
  put(1);
  expect(await link.orders(query)).toHaveLength(1);
  await expect.poll(() => ledger.positions.followed).toBe(ledger.positions.appended);
  renameSync(ledger.folder, `${ledger.folder}.away`);
  await link.kill();
  expect((await operate(list)).status).toBe(503);
  expect(existsSync(ledger.folder)).toBe(false);
  renameSync(`${ledger.folder}.away`, ledger.folder);
  await expect.poll(() => link.orders(query).catch(() => [])).toHaveLength(1);
});

it('lists orders and fills a page at a time, with how long it took', async () => {
  for (let number = 1; number <= 3; number++) put(number);
  const fills = ['one', 'two'].map(name => fillOf(name));
  const orderId = orderIdOf(1);
  ledger.step(it => {
    for (const fill of fills) it.addFill({ podId: 'pod', venue: 'venue_b' }, { orderId, fill });
  });
  const first = await operate({ ...list, query: new Map([['pageSize', '2']]) });
  expect(first.status).toBe(200);
  expect(first.body.orders.map((it: { orderId: string }) => it.orderId)).toEqual([orderIdOf(3), orderIdOf(2)]);
  expect(first.headers['Server-Timing']).toMatch(/^total;dur=/);
  const next = await operate({ ...list, query: new Map([['pageToken', first.body.nextPageToken]]) });
  expect(next.body.orders.map((it: { orderId: string }) => it.orderId)).toEqual([orderId]);
  const page = await operate({ ...list, name: 'fills', orderId });
  expect(page.body.fills.map((it: { fillId: string }) => it.fillId)).toEqual(['one', 'two']);
  const older = await operate({ name: 'older-orders', caller, path: '/older', query: new Map() });
  expect(older.body.orders).toHaveLength(3);
});

it.each([
  ['another actor', { caller: { ...caller, actorId: 'bob' } }],
  ['the other venue', { venue: 'venue_a' }],
  ['no order', { orderId: 'none' }],
] as const)('has no fills of an order for %s', async (_who, changes) => {
  put(1);
  const { status } = await operate({ ...list, name: 'fills', orderId: orderIdOf(1), ...changes });
  expect(status).toBe(404);
});

it('has nothing for a pod without an account', async () => {
  const { status, body } = await operate({ ...list, caller: { ...caller, podId: 'other' } });
  expect([status, body.error.message]).toEqual([500, expect.stringContaining('the pod other has no account')]);
});

it('answers as unavailable while its thread is gone, and goes on with another', async () => {
  put(1);
  expect(await link.orders(query)).toHaveLength(1);
  // A thread that is ended within a transaction would keep LMDB's lock.
  await expect.poll(() => ledger.positions.followed).toBe(ledger.positions.appended);
  await link.kill();
  expect((await operate(list)).status).toBe(503);
  await expect(link.lastCursor('alice')).rejects.toThrow(StoreError);
  put(2);
  await expect.poll(() => link.orders(query).catch(() => [])).toHaveLength(2);
});

it('answers as unavailable past the deadline', async () => {
  await link.close();
  const timers = new VirtualTimers();
  link = open(timers);
  const reply = link.operate(list, monotonicUs());
  timers.advance(limits.historyAnswerMs);
  expect((await reply).status).toBe(503);
  const late = expect(link.lastCursor('alice')).rejects.toThrow('historyAnswerMs');
  timers.advance(limits.historyAnswerMs);
  await late;
});

it('fails what it cannot know: a record that is missing', async () => {
  put(1);
  ledger.positions.appended += 1;
  await expect(link.lastCursor('alice')).rejects.toThrow('record 2 is missing');
  expect((await operate(list)).status).toBe(503);
});
