// Rates of an actor: which requests pass in any period, over restarts and changes. A refusal leaves no trace.

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { NO_LIMITS } from '../../../src/core/domain/identity.ts';
import { ActorRates, cancelRateOf } from '../../../src/orders/life/actor-rates.ts';
import { VirtualTimers } from '../../support/virtual-timers.ts';
import { RESTS, Rig } from './orders-rig.ts';

const limits = { ...NO_LIMITS, orderRateMax: 2, orderBurstMax: 3 };
const alice = { actorId: 'alice', limits };

it('lets a burst through, then as many as come back; another actor has its own', () => {
  const timers = new VirtualTimers();
  const rates = new ActorRates(timers);
  timers.advance(10_000);
  const ask = () => rates.countOrder(alice) === null;
  expect([ask(), ask(), ask(), ask()]).toEqual([true, true, true, false]);
  timers.advance(499);
  expect(ask()).toBe(false);
  timers.advance(1);
  expect([ask(), ask()]).toEqual([true, false]);
  expect(rates.countOrder({ actorId: 'bob', limits })).toBeNull();
  expect(rates.countOrder({ actorId: 'alice', limits: NO_LIMITS })).toBeNull();
  expect(rates.countOrder(alice)).toEqual({
    message: 'the actor is beyond its orderRateMax (2 a second, 3 at once)',
    retryAfterS: 1,
  });
});

it('has as large a burst as its rate if none is set; a rate of 0 lets nothing through', () => {
  const timers = new VirtualTimers();
  const rates = new ActorRates(timers);
  timers.advance(10_000);
  const passed = (orderRateMax: number): number => {
    const own = { actorId: `of ${orderRateMax}`, limits: { ...NO_LIMITS, orderRateMax } };
    return Array.from({ length: 9 }, () => rates.countOrder(own)).filter(it => it === null).length;
  };
  expect([0, 1, 5].map(passed)).toEqual([0, 1, 5]);
});

it('counts cancels beside orders', () => {
  const timers = new VirtualTimers();
  const rates = new ActorRates(timers);
  timers.advance(10_000);
  const rate = cancelRateOf({ ...NO_LIMITS, cancelRateMax: 1 });
  expect([rates.countCancel('alice', rate), rates.countCancel('alice', null)]).toEqual([null, null]);
  expect(rates.countCancel('alice', rate)).toMatchObject({
    message: expect.stringContaining('cancelRateMax (1 a second'),
  });
  expect(rates.countOrder(alice)).toBeNull();
  expect(cancelRateOf(NO_LIMITS)).toBeNull();
});

it('in no time lets more through than burst and rate, over restarts and changes of the burst', () => {
  const step = fc.record({
    waitMs: fc.integer({ min: 0, max: 900 }),
    restarts: fc.boolean(),
    burst: fc.integer({ min: 1, max: 4 }),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), steps => {
      const timers = new VirtualTimers();
      let rates = new ActorRates(timers);
      const passed: number[] = [];
      for (const { waitMs, restarts, burst } of steps) {
        timers.advance(waitMs);
        if (restarts) rates = new ActorRates(timers);
        const own = { actorId: 'alice', limits: { ...limits, orderBurstMax: burst } };
        if (rates.countOrder(own) === null) passed.push(timers.elapsed());
      }
      for (const [last, end] of passed.entries())
        for (const [first, begin] of passed.slice(0, last + 1).entries())
          expect(last - first + 1).toBeLessThanOrEqual(4 + (2 * (end - begin)) / 1_000);
    }),
  );
});

it('an order beyond its rate has no record, and its key is free', async () => {
  const rig = new Rig();
  rig.timers.advance(10_000);
  const own = { limits: { ...NO_LIMITS, orderRateMax: 1 } };
  expect(await rig.submit(RESTS, own)).toMatchObject({ type: 'made' });
  const next = { ...own, idempotencyKey: 'next' };
  const outcome = { ...RESTS, venueOrderId: 'v-2' };
  expect(await rig.submit(outcome, next)).toMatchObject({ kind: 'unavailable', reason: null, retryAfterS: 1 });
  expect(rig.store.order(rig.id('next'))).toBeNull();
  // Requests that have been answered before do not count.
  expect(await rig.submit(RESTS, own)).toMatchObject({ type: 'made', isReplayed: true });
  rig.timers.advance(1_000);
  expect(await rig.submit(outcome, next)).toMatchObject({ type: 'made' });
});
