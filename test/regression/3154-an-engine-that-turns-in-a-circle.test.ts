// An order that was recorded and never sent is given up after 15 s. A full disk cannot record that, so the change is undone, and the order
// is the last of those that the sweep goes through. The sweep came to it again and again, and the engine did nothing else (simulation,
// seed 3 017 445).

import { expect, it } from 'vitest';
import { createOrder } from '../../src/domain/order.ts';
import { StoreError } from '../../src/store/store-error.ts';
import { ACTOR, POD, Rig, YES_BUY } from '../orders/orders-rig.ts';

const TRIES_MAX = 10;

it('a sweep tries once what cannot be recorded, and the next one again', async () => {
  const rig = new Rig('venue_b');
  const names = { orderId: rig.id(), podId: POD, actorId: ACTOR, keyId: 'key', idempotencyKey: 'one' };
  const order = createOrder({ ...names, request: YES_BUY, at: rig.timers.now() });
  rig.store.change(step => step.putOrder({ order, intent: null, refusedAs: null }));
  rig.store.isFull = true;
  let tries = 0;
  const rehearse = rig.store.rehearse.bind(rig.store);
  rig.store.rehearse = work => {
    tries += 1;
    if (tries > TRIES_MAX) throw new Error('the sweep does not end');
    return rehearse(work);
  };
  // The account cannot be read either.
  await expect(rig.sweep(16_000)).rejects.toThrow(StoreError);
  expect([tries, rig.order().status]).toEqual([1, 'PENDING']);
  rig.store.isFull = false;
  await rig.sweep();
  expect(rig.order().status).toBe('REJECTED');
});
