// Callers who wait for an order look again when it changes, and at no other time.

import { beforeEach, describe, expect, it } from 'vitest';
import type { Order } from '../../../src/core/domain/order.ts';
import { cancel } from '../../../src/orders/life/cancel.ts';
import { firstResult } from '../../../src/orders/life/order-waiters.ts';
import { submit } from '../../support/submitted.ts';
import { RESTS, Rig } from './orders-rig.ts';

const WAIT_MS = 1_000;

let rig: Rig;
beforeEach(async () => {
  rig = new Rig();
  await rig.submit(RESTS);
});

/** Waits for the end of the order. `looks` counts how often the waiter looked at the order. */
function ended(waitMs = WAIT_MS) {
  const seen = { looks: 0, order: undefined as Order | null | undefined, error: null as unknown };
  const look = (): Order | null => {
    seen.looks += 1;
    return rig.order().status === 'CANCELLED' ? rig.order() : null;
  };
  firstResult(rig.ledger.waiters, rig.id(), { timers: rig.timers, waitMs }, look).then(
    order => {
      seen.order = order;
    },
    error => {
      seen.error = error;
    },
  );
  return seen;
}

it('a wait ends with the change, and leaves nothing behind', async () => {
  const { pending } = rig.timers;
  const seen = ended();
  rig.hear({ type: 'fill', fill: rig.fill('f', 4) });
  await rig.timers.settle();
  expect([seen.looks, seen.order]).toEqual([2, undefined]);
  rig.hear({ type: 'order', order: rig.venueOrder({ state: 'gone' }) });
  await rig.timers.settle();
  expect([seen.looks, seen.order]).toEqual([3, rig.order()]);
  rig.hear({ type: 'fill', fill: rig.fill('g', 1) });
  await rig.timers.settle();
  expect([seen.looks, rig.timers.pending]).toEqual([3, pending]);
});

it('other orders, and steps that change none, wake no waiter', async () => {
  const seen = ended();
  await rig.submit({ ...RESTS, venueOrderId: 'v-2' }, { idempotencyKey: 'two' });
  rig.ledger.change(({ transaction }) => transaction.putMark('name', 'value'));
  await rig.timers.settle();
  expect(seen.looks).toBe(1);
});

it('a change that is only rehearsed wakes no waiter', async () => {
  const seen = ended();
  rig.store.isFull = true;
  const end = { type: 'ends', at: rig.timers.now(), venueOrderId: null, stated: null } as const;
  rig.ledger.lenient().change(entry => entry.apply(rig.id(), [end]));
  await rig.timers.settle();
  expect([seen.looks, seen.order]).toEqual([1, undefined]);
});

it('a wait ends with null once its time is up, or at once without a wait', async () => {
  const [seen, late] = [ended(), ended(0)];
  await rig.timers.settle();
  expect([seen.order, late.order]).toEqual([undefined, null]);
  await rig.timers.settle(WAIT_MS);
  expect([seen.order, seen.looks]).toEqual([null, 1]);
});

it('a wait rejects with what a look throws', async () => {
  const fault = new Error('cannot be read');
  let isBroken = false;
  const look = () => {
    if (isBroken) throw fault;
    return null;
  };
  const wait = firstResult(rig.ledger.waiters, rig.id(), { timers: rig.timers, waitMs: WAIT_MS }, look);
  isBroken = true;
  rig.hear({ type: 'fill', fill: rig.fill('f', 4) });
  await expect(wait).rejects.toBe(fault);
});

describe('without a pause', () => {
  it('a repeated request is answered when the first is', async () => {
    const { answer, say } = rig.start({ idempotencyKey: 'two' });
    await rig.timers.settle();
    const twin = submit(rig.parts, rig.submission({ idempotencyKey: 'two' }));
    await rig.timers.settle();
    say({ ...RESTS, venueOrderId: 'v-2' });
    expect(await twin).toEqual({ ...(await answer), isReplayed: true });
  });

  it('a cancel is answered when the private stream tells the end', async () => {
    rig.venue.cancels = [{ type: 'unknown', message: 'no answer' }];
    rig.venue.lookUps = [{ type: 'unavailable', message: 'down' }];
    const answer = cancel(rig, rig.venue, rig.stored(), rig.deadline());
    await rig.timers.settle();
    rig.hear({ type: 'order', order: rig.venueOrder({ state: 'gone' }) });
    expect(await answer).toMatchObject({ type: 'cancelled' });
    expect(rig.venue.calls).toEqual(['submit SUBMITTED', 'cancel', 'lookUp']);
  });
});
