// The tables of orders, beyond the tests of the history's twin: the bounds on kept rows, the longest keys, and pages of lists.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Order, OrderId } from '../../../../src/core/domain/order.ts';
import { AssertionFailure } from '../../../../src/core/domain/result.ts';
import type { OrderQuery } from '../../../../src/core/store/order-records.ts';
import { checkOrders } from '../../../../src/core/store/orders/check.ts';
import type { RetentionBounds } from '../../../../src/core/store/orders/prune.ts';
import { limits } from '../../../../src/limits.ts';
import { testFolder } from '../../../support/test-folder.ts';
import { at, fillOf, OrderTables, orderIdOf, storedOrder } from './order-rig.ts';

const POD_B = { podId: 'pod', venue: 'venue_b' } as const;
const ALL: OrderQuery = {
  actorId: 'alice',
  venue: 'venue_b',
  address: null,
  status: null,
  after: null,
  rowsMax: 100,
};
const RETENTION: RetentionBounds = {
  orderEventsKeptMax: 1_000,
  orderEventsKeptMs: 10,
  orderRowsPrunedMax: 3,
};

let folder: string;
let store: OrderTables;

beforeEach(async () => {
  folder = testFolder();
  store = new OrderTables(folder, RETENTION);
});
afterEach(() => store.close());

const idsOf = (orders: Iterable<Order>): OrderId[] => Array.from(orders, it => it.orderId);
const putOrders = (numbers: readonly number[], changes: Partial<Order> = {}): void =>
  store.change(to => {
    for (const number of numbers) to.putOrder(storedOrder({ number }, changes));
  });

describe('lists', () => {
  it('are newest first, and of one time by id from the last', () => {
    store.change(to => {
      for (const [number, createdAt] of [
        [1, 5],
        [2, 7],
        [3, 5],
        [4, 2 ** 40],
      ] as const) {
        to.putOrder(storedOrder({ number, createdAt }));
      }
    });
    expect(idsOf(store.orders(ALL))).toEqual([4, 2, 3, 1].map(orderIdOf));
  });

  it('have no row twice and none missing, with rows added between two pages', () => {
    putOrders([10, 20, 30, 40]);
    const first = store.orders({ ...ALL, rowsMax: 2 });
    putOrders([35, 50, 15]);
    const second = store.orders({ ...ALL, rowsMax: 10, after: first.at(-1)! });
    expect(idsOf([...first, ...second])).toEqual([40, 30, 20, 15, 10].map(orderIdOf));
  });

  it('hold an order once while it goes from in flight to its end', () => {
    for (const status of ['PENDING', 'SUBMITTED', 'OPEN', 'FILLED', 'OPEN', 'CANCELLED'] as const) {
      putOrders([1], { status });
      const lists = [null, 'TICKER'].flatMap(address =>
        [null, 'PENDING', 'SUBMITTED', 'OPEN', 'FILLED', 'CANCELLED', 'REJECTED'].flatMap(it =>
          store.orders({ ...ALL, address, status: it as never }).map(order => [address, it, order.status]),
        ),
      );
      expect(lists).toEqual([null, 'TICKER'].flatMap(address => [null, status].map(it => [address, it, status])));
    }
  });

  it('go page by page through what is in flight', () => {
    putOrders([5, 1, 4, 2, 3], { status: 'SUBMITTED' });
    putOrders([6], { status: 'PENDING' });
    for (const address of [null, 'TICKER']) {
      const query: OrderQuery = { ...ALL, address, status: 'SUBMITTED', rowsMax: 2 };
      const first = store.orders(query);
      expect(idsOf(first)).toEqual([5, 4].map(orderIdOf));
      expect(idsOf(store.orders({ ...query, after: first[1]! }))).toEqual([3, 2].map(orderIdOf));
    }
  });

  it('do not mix actors or markets of which one name begins with the other', () => {
    store.change(to => {
      to.putOrder(storedOrder({ number: 1, actorId: 'al', address: 'X' }));
      to.putOrder(storedOrder({ number: 2, actorId: 'alice', address: 'X' }));
      to.putOrder(storedOrder({ number: 3, actorId: 'alice', address: 'XX' }));
    });
    expect(idsOf(store.orders({ ...ALL, actorId: 'al' }))).toEqual([orderIdOf(1)]);
    expect(idsOf(store.orders({ ...ALL, address: 'X' }))).toEqual([orderIdOf(2)]);
  });
});

describe('open orders', () => {
  it('are oldest first, in flight or in the book', () => {
    putOrders([3, 9], { status: 'OPEN' });
    putOrders([1, 5], { status: 'SUBMITTED' });
    putOrders([2, 4], { status: 'FILLED' });
    expect(idsOf(Array.from(store.openOrders(POD_B), it => it.order))).toEqual([1, 3, 5, 9].map(orderIdOf));
  });

  it('are found by the venue id that an intent expects, and by the one that the venue gave', () => {
    const intent = { payload: Buffer.from('signed'), venueOrderId: '0xdigest', clientOrderId: 'c' };
    store.change(to => to.putOrder(storedOrder({ number: 1, intent })));
    expect(store.orderOfVenue(POD_B, '0xdigest')).toBe(orderIdOf(1));
    store.change(to => {
      const stored = to.order(orderIdOf(1))!;
      to.putOrder({ ...stored, intent: null, order: { ...stored.order, venueOrderId: 'v-1' } });
    });
    expect(store.orderOfVenue(POD_B, '0xdigest')).toBeNull();
    expect(store.orderOfVenue(POD_B, 'v-1')).toBe(orderIdOf(1));
    expect(store.orderOfVenue({ ...POD_B, podId: 'other' }, 'v-1')).toBeNull();
  });
});

it('gives nothing for what is no order id', () => {
  expect(store.order('x' as OrderId)).toBeNull();
  expect(store.fills('../../etc/passwd' as OrderId, 0, 10)).toEqual([]);
});

it('keeps an order where it is: owner, market and time do not change', () => {
  putOrders([1]);
  expect(() => putOrders([1], { actorId: 'bob' })).toThrow(AssertionFailure);
  expect(() => putOrders([1], { createdAt: at(7) })).toThrow(AssertionFailure);
  expect(checkOrders(store.tables).faults).toEqual([]);
});

it("makes nobody's fill an order's, as the last of its fills", () => {
  const filled = { size: fillOf('f').size, cost: 5_000_000_000n, fees: fillOf('f').fee };
  store.change(to => {
    to.addFill(POD_B, { fill: fillOf('nobodys'), orderId: null });
    to.addFill(POD_B, { fill: fillOf('failed', { settlement: 'FAILED' }), orderId: orderIdOf(1) });
    to.putOrder(storedOrder({ number: 1 }, { status: 'OPEN', filled }));
    to.claimFill(POD_B, { fill: fillOf('nobodys'), orderId: orderIdOf(1) });
  });
  expect(store.fills(orderIdOf(1), 0, 10).map(it => it.fillId)).toEqual(['failed', 'nobodys']);
  expect(store.fills(orderIdOf(1), 1, 10).map(it => it.fillId)).toEqual(['nobodys']);
  expect(store.fill(POD_B, 'nobodys')?.orderId).toBe(orderIdOf(1));
  expect(checkOrders(store.tables).faults).toEqual([]);
  expect(() => store.change(to => to.claimFill(POD_B, { fill: fillOf('nobodys'), orderId: orderIdOf(1) }))).toThrow(
    AssertionFailure,
  );
});

it('takes the longest ids that there are', () => {
  const longest = { actorId: `unattributed:${'p'.repeat(64)}`, address: '9'.repeat(128), venue: 'venue_a' as const };
  const stored = storedOrder({ number: 1, ...longest });
  const account = { podId: 'p'.repeat(64), venue: 'venue_a' } as const;
  const fill = fillOf('f'.repeat(300), { settlement: 'FAILED' });
  const key = '~'.repeat(limits.idempotencyKeyBytesMax);
  const answer = { outcome: 'made', status: 'OPEN', message: '', at: at(1) } as const;
  store.change(to => {
    to.putOrder({ ...stored, order: { ...stored.order, podId: account.podId, venueOrderId: `0x${'f'.repeat(64)}` } });
    to.addFill(account, { fill, orderId: orderIdOf(1) });
    to.putIdempotency(longest.actorId, 'venue_a', key, {
      orderId: orderIdOf(1),
      bodySha256Hex: '00'.repeat(32),
      answer,
    });
  });
  expect(store.orders({ ...ALL, ...longest, status: 'PENDING' })).toHaveLength(1);
  expect(store.fill(account, fill.fillId)?.fill).toEqual(fill);
  expect(store.idempotency(longest.actorId, 'venue_a', key)?.answer).toEqual(answer);
  expect(checkOrders(store.tables).faults).toEqual([]);
});

describe('events', () => {
  const append = (actorId: string, times: readonly number[]) =>
    store.change(to => {
      for (const time of times) {
        to.appendEvent({ actorId, event: 'STATUS', order: storedOrder({ number: 1 }).order, fill: null, at: at(time) });
      }
    });
  const cursors = (actorId: string, after: number) => store.events(actorId, after, 100)?.map(it => it.cursor) ?? null;

  it('are numbered for each actor without a gap', () => {
    append('alice', [1, 1, 1]);
    append('bob', [1]);
    append('alice', [1]);
    expect([cursors('alice', 0), cursors('bob', 0), cursors('alice', 4)]).toEqual([[1, 2, 3, 4], [1], []]);
    expect(cursors('alice', 5)).toBeNull();
    expect(cursors('nobody', 0)).toEqual([]);
  });

  it('are not numbered anew when all of them are pruned', () => {
    append('alice', [1, 2]);
    while (store.prune(at(1_000)));
    expect([cursors('alice', 0), cursors('alice', 1), cursors('alice', 2)]).toEqual([null, null, []]);
    append('alice', [2_000]);
    expect([store.lastCursor('alice'), cursors('alice', 2)]).toEqual([3, [3]]);
  });

  it('are pruned by age in slices, of many actors', () => {
    const actors = Array.from({ length: 9 }, (_, it) => `actor${it}`);
    for (const actor of actors) append(actor, [1, 2, 100, 3]);
    let slices = 1;
    while (store.prune(at(60))) slices += 1;
    expect(slices).toBeGreaterThan(5);
    for (const actor of actors) expect(store.events(actor, 2, 100)?.map(it => it.at)).toEqual([100, 3]);
    for (const actor of actors) expect(cursors(actor, 1)).toBeNull();
  });

  it('are kept up to a number, and a lower one is reached', async () => {
    append('alice', [50, 50, 50, 50, 50, 50]);
    await store.close();
    store = new OrderTables(folder, { ...RETENTION, orderEventsKeptMax: 2 });
    append('alice', [50]);
    expect(cursors('alice', 0)).toEqual([1, 2, 3, 4, 5, 6, 7]);
    while (store.prune(at(51)));
    expect(cursors('alice', 4)).toBeNull();
    expect(cursors('alice', 5)).toEqual([6, 7]);
    expect(checkOrders(store.tables).faults).toEqual([]);
  });
});

it('undoes everything of a transaction that throws', () => {
  putOrders([1], { status: 'OPEN' });
  const before = checkOrders(store.tables).rows;
  const fails = () =>
    store.change(to => {
      to.putOrder(storedOrder({ number: 2 }));
      to.addFill(POD_B, { fill: fillOf('f'), orderId: orderIdOf(2) });
      to.appendEvent({
        actorId: 'alice',
        event: 'STATUS',
        order: to.order(orderIdOf(2))!.order,
        fill: null,
        at: at(1),
      });
      throw new Error('no');
    });
  expect(fails).toThrow('no');
  expect(checkOrders(store.tables).rows).toEqual(before);
});
