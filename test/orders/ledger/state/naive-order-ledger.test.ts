// The twin that the engine and the history are held against: steps, lists and cursors as the ports promise them.

import { expect, it } from 'vitest';
import type { Order } from '../../../../src/core/domain/order.ts';
import { at, fillOf, orderIdOf, storedOrder } from '../../../core/store/orders/order-rig.ts';
import { NaiveOrderLedger } from '../../../support/naive-order-ledger.ts';

const POD_B = { podId: 'pod', venue: 'venue_b' } as const;
const reported = (order: Order, actorId = 'alice') =>
  ({ actorId, event: 'STATUS', order, fill: null, at: at(1) }) as const;

function put(twin: NaiveOrderLedger, number: number, createdAt: number): Order {
  const stored = storedOrder({ number, createdAt });
  twin.change(step => step.putOrder(stored));
  return stored.order;
}

it('undoes everything when its work throws', () => {
  const twin = new NaiveOrderLedger();
  const order = put(twin, 1, 1);
  const work = () =>
    twin.change(step => {
      step.putOrder({ ...storedOrder({ number: 1 }), order: { ...order, venueOrderId: 'v' } });
      step.addFill(POD_B, { fill: fillOf('f'), orderId: order.orderId });
      step.appendEvent(reported(order));
      step.putMark('m', '1');
      expect(step.orderOfVenue(POD_B, 'v')).toBe(order.orderId);
      throw new Error('no');
    });
  expect(work).toThrow('no');
  expect(twin.order(order.orderId)?.order).toBe(order);
  expect([twin.orderOfVenue(POD_B, 'v'), twin.fill(POD_B, 'f'), twin.mark('m')]).toEqual([null, null, null]);
  expect([twin.fills(order.orderId, 0, 9), twin.lastCursor('alice')]).toEqual([[], 0]);
});

it('lists newest first by time and id, page by page', () => {
  const twin = new NaiveOrderLedger();
  for (const [number, createdAt] of [
    [1, 1],
    [3, 2],
    [2, 2],
    [4, 3],
  ] as const)
    put(twin, number, createdAt);
  const query = { actorId: 'alice', venue: 'venue_b', address: null, status: null, rowsMax: 2 } as const;
  const ids = (orders: readonly Order[]) => orders.map(({ orderId }) => orderId);
  const first = twin.orders({ ...query, after: null });
  expect(ids(first)).toEqual([orderIdOf(4), orderIdOf(3)]);
  expect(ids(twin.orders({ ...query, after: first[1]! }))).toEqual([orderIdOf(2), orderIdOf(1)]);
  expect(twin.orders({ ...query, after: null, status: 'OPEN' })).toEqual([]);
  expect(ids(twin.openOrders(POD_B).map(({ order }) => order))).toEqual([1, 2, 3, 4].map(orderIdOf));
});

it('numbers events for each actor, and has none of a cursor that it has not given', () => {
  const twin = new NaiveOrderLedger();
  const order = put(twin, 1, 1);
  for (const actorId of ['alice', 'alice', 'alice', 'bob'])
    twin.change(step => step.appendEvent(reported(order, actorId)));
  expect([twin.lastCursor('alice'), twin.lastCursor('bob')]).toEqual([3, 1]);
  expect(twin.events('alice', 4, 9)).toBeNull();
  expect(twin.events('alice', 1, 9)?.map(({ cursor }) => cursor)).toEqual([2, 3]);
  expect(twin.events('alice', 3, 9)).toEqual([]);
  expect(twin.events('alice', 4, 9)).toBeNull();
});
