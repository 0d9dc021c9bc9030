// Orders by awkward ids and names: an id that ends in the highest byte, names at the venue that change hands, rows that end.

import { afterEach, beforeEach, expect, it } from 'vitest';
import type { OrderId } from '../../../../src/core/domain/order.ts';
import { AssertionFailure } from '../../../../src/core/domain/result.ts';
import { checkOrders } from '../../../../src/core/store/orders/check.ts';
import { testFolder } from '../../../support/test-folder.ts';
import { fillOf, OrderTables, orderIdOf, storedOrder } from './order-rig.ts';

const POD_B = { podId: 'pod', venue: 'venue_b' } as const;

let folder: string;
let store: OrderTables;
beforeEach(async () => {
  folder = testFolder();
  store = new OrderTables(folder);
});
afterEach(() => store.close());

it.each(['00000000-0000-8000-8000-0000000000ff', 'ffffffff-ffff-8fff-bfff-ffffffffffff'])(
  'all fills of order %s are kept and found, also where the last bytes of its id are the highest',
  id => {
    const orderId = id as OrderId;
    store.change(to => {
      for (const fillId of ['a', 'b', 'c']) to.addFill(POD_B, { fill: fillOf(fillId), orderId });
    });
    expect(store.fills(orderId, 0, 10).map(it => it.fillId)).toEqual(['a', 'b', 'c']);
    expect(store.fills(orderId, 1, 1).map(it => it.fillId)).toEqual(['b']);
  },
);

it('the 256th fill follows the 255th', () => {
  store.change(to => {
    for (let fill = 1; fill <= 260; fill++) to.addFill(POD_B, { fill: fillOf(`f${fill}`), orderId: orderIdOf(1) });
  });
  const found = store.fills(orderIdOf(1), 0, 300).map(it => it.fillId);
  expect(found).toEqual(Array.from({ length: 260 }, (_, it) => `f${it + 1}`));
});

it('the venue’s own name of an order counts before an expected one, and a name that another order has by now stays there', () => {
  const intent = { payload: Buffer.from('signed'), venueOrderId: 'expected', clientOrderId: 'c' };
  const first = storedOrder({ number: 1, intent });
  store.change(to => to.putOrder(first));
  store.change(to => to.putOrder(storedOrder({ number: 2, intent })));
  expect(store.orderOfVenue(POD_B, 'expected')).toBe(orderIdOf(2));
  store.change(to => to.putOrder({ ...first, order: { ...first.order, venueOrderId: 'given' } }));
  expect(store.orderOfVenue(POD_B, 'given')).toBe(orderIdOf(1));
  expect(store.orderOfVenue(POD_B, 'expected')).toBe(orderIdOf(2));
});

it('a name at the venue has the order that got it last, also within one transaction', () => {
  const [one, other] = [storedOrder({ number: 1 }), storedOrder({ number: 2 })];
  const named = ({ order, ...rest }: typeof one, venueOrderId: string | null) => ({
    ...rest,
    order: { ...order, venueOrderId },
  });
  store.change(to => {
    for (const it of [one, other, named(other, 'v'), named(one, 'v')]) to.putOrder(it);
  });
  expect(store.orderOfVenue(POD_B, 'v')).toBe(orderIdOf(1));
  store.change(to => {
    for (const it of [named(one, 'w'), named(other, 'x'), named(other, 'w'), named(one, null)]) to.putOrder(it);
  });
  expect(store.orderOfVenue(POD_B, 'w')).toBe(orderIdOf(2));
  store.change(to => {
    for (const it of [named(one, 'w'), named(one, null)]) to.putOrder(it);
  });
  expect(['v', 'w', 'x'].map(name => store.orderOfVenue(POD_B, name))).toEqual([null, null, null]);
});

it('the latest record says how an order was submitted, also if only a part of it has changed', () => {
  const intent = { payload: Buffer.from('signed'), venueOrderId: 'v', clientOrderId: 'c' };
  const stored = storedOrder({ number: 1, intent });
  const changes = [
    { intent: { ...intent, payload: Buffer.from('SIGNED') } },
    { intent: { ...intent, clientOrderId: 'd' } },
    { intent: { ...intent, venueOrderId: 'w' } },
    { intent: null },
    { order: { ...stored.order, idempotencyKey: 'another' } },
  ];
  for (const change of changes) {
    store.change(to => to.putOrder(stored));
    store.change(to => to.putOrder({ ...stored, ...change }));
    const { intent: kept, order } = store.order(orderIdOf(1))!;
    const wanted = { ...stored, ...change };
    expect(order.idempotencyKey).toBe(wanted.order.idempotencyKey);
    expect(kept === null ? null : { ...kept, payload: Buffer.from(kept.payload) }).toEqual(wanted.intent);
  }
});

it('an order stays in its pod, and in the list of open ones while it is open', () => {
  for (const status of ['OPEN', 'CANCELLED', 'OPEN', 'REJECTED', 'OPEN', 'FILLED'] as const) {
    store.change(to => to.putOrder(storedOrder({ number: 1 }, { status })));
    expect(checkOrders(store.tables).rows.working).toBe(status === 'OPEN' ? 1 : 0);
  }
  expect(() => store.change(to => to.putOrder(storedOrder({ number: 1 }, { podId: 'other' })))).toThrow(
    AssertionFailure,
  );
});
