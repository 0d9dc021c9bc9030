// The twin that the life of orders is tested on: transactions, ranges, cursors and crashes as the port promises them.

import { describe, expect, it } from 'vitest';
import type { UnixMillis } from '../../../src/domain/numbers.ts';
import { createOrder, type Order, type OrderId } from '../../../src/domain/order.ts';
import { ACTOR, POD, Rig, YES_BUY } from '../../orders/orders-rig.ts';
import { NaiveOrderStore } from '../../support/naive-order-store.ts';

const at = (ms: number): UnixMillis => ms as UnixMillis;

function put(store: NaiveOrderStore, id: string, createdAt: number): Order {
  const order = createOrder({
    orderId: id as OrderId,
    podId: POD,
    actorId: ACTOR,
    keyId: 'key',
    request: YES_BUY,
    at: at(createdAt),
  });
  store.change(transaction => transaction.putOrder({ order, intent: null, idempotencyKey: id, refusedAs: null }));
  return order;
}

it('undoes everything when its work throws', () => {
  const store = new NaiveOrderStore();
  const order = put(store, 'a', 1);
  const fill = new Rig().fill('f', 1);
  const account = { podId: POD, venue: 'venue_b' } as const;
  const work = () =>
    store.change(transaction => {
      transaction.putOrder({
        order: { ...order, venueOrderId: 'v' },
        intent: null,
        idempotencyKey: 'a',
        refusedAs: null,
      });
      transaction.addFill(account, { fill, orderId: order.orderId });
      transaction.appendEvent({ actorId: ACTOR, event: 'STATUS', order, fill: null, at: at(1) });
      transaction.putMark('m', '1');
      expect(transaction.orderOfVenue(account, 'v')).toBe('a');
      throw new Error('no');
    });
  expect(work).toThrow('no');
  expect(store.order('a' as OrderId)?.order).toBe(order);
  expect([store.orderOfVenue(account, 'v'), store.fill(account, 'f'), store.mark('m')]).toEqual([null, null, null]);
  expect([store.fills('a' as OrderId, 0, 9), store.lastCursor(ACTOR)]).toEqual([[], 0]);
});

it('lists newest first by time and id, page by page', () => {
  const store = new NaiveOrderStore();
  for (const [id, createdAt] of [
    ['a', 1],
    ['c', 2],
    ['b', 2],
    ['d', 3],
  ] as const)
    put(store, id, createdAt);
  const query = { actorId: ACTOR, venue: 'venue_b', address: null, status: null, rowsMax: 2 } as const;
  const first = store.orders({ ...query, after: null });
  expect(first.map(({ orderId }) => orderId)).toEqual(['d', 'c']);
  expect(store.orders({ ...query, after: first[1]! }).map(({ orderId }) => orderId)).toEqual(['b', 'a']);
  expect(store.orders({ ...query, after: null, status: 'OPEN' })).toEqual([]);
  const open = store.openOrders({ podId: POD, venue: 'venue_b' }).map(({ order }) => order.orderId);
  expect(open).toEqual(['a', 'b', 'c', 'd']);
});

describe('events', () => {
  it('are numbered for each actor, and what was forgotten is said to be', () => {
    const store = new NaiveOrderStore({ eventsKeptMax: 2 });
    const order = put(store, 'a', 1);
    for (const actorId of [ACTOR, ACTOR, ACTOR, 'bob']) {
      store.change(it => it.appendEvent({ actorId, event: 'STATUS', order, fill: null, at: at(1) }));
    }
    expect([store.lastCursor(ACTOR), store.lastCursor('bob')]).toEqual([3, 1]);
    expect(store.events(ACTOR, 0, 9)).toBeNull();
    expect(store.events(ACTOR, 1, 9)?.map(({ cursor }) => cursor)).toEqual([2, 3]);
    expect(store.events(ACTOR, 3, 9)).toEqual([]);
    expect(store.events(ACTOR, 4, 9)).toBeNull();
  });
});

describe('commits', () => {
  it('that wait share a turn, each undone by itself', async () => {
    const store = new NaiveOrderStore();
    const [one, bad, two] = [
      store.commit(it => it.putMark('one', '1')),
      store.commit(() => {
        throw new Error('no');
      }),
      store.commit(it => it.mark('one')),
    ];
    expect(store.mark('one')).toBeNull();
    await expect(bad).rejects.toThrow('no');
    await one;
    expect(await two).toBe('1');
  });

  it('that wait when it crashes never happen', async () => {
    const store = new NaiveOrderStore();
    put(store, 'a', 1);
    void store.commit(it => it.putMark('one', '1'));
    store.crash();
    await new Promise(resolve => setImmediate(resolve));
    expect([store.mark('one'), store.allOrders().length]).toEqual([null, 1]);
  });
});
