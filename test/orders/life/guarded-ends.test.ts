// The end reason of an order that the guard has cancelled while the engine did not answer: the first cancel request counts, recorded or
// not.

import { describe, expect, it } from 'vitest';
import type { UnixMillis } from '../../../src/core/domain/numbers.ts';
import type { CancelReason } from '../../../src/core/domain/order.ts';
import type { ProtectionTerms } from '../../../src/core/domain/protection.ts';
import { limits } from '../../../src/limits.ts';
import { recordCancelRequest } from '../../../src/orders/life/cancel-requests.ts';
import { recordGuardReason } from '../../../src/orders/life/guarded-ends.ts';
import { ProtectionWatch } from '../../../src/orders/life/protection-watch.ts';
import { ACTOR, EVERYWHERE, found, listed, NOT_SENT, OWNER, RESTS, Rig, shares, TIMEOUT } from './orders-rig.ts';

const explain = (rig: Rig, reason: CancelReason, at: UnixMillis) =>
  recordGuardReason(rig.ledger, { orderId: rig.id(), reason, at });
const stop = (rig: Rig) => rig.ledger.change(entry => recordCancelRequest(entry, rig.id(), 'STOP'));
const gone = (rig: Rig, reason: 'VENUE' | 'SELF_TRADE' = 'VENUE') =>
  rig.hear({ type: 'order', order: rig.venueOrder({ state: 'gone', reason }) });

it.each([
  ['the stop, the end, then the guard’s report', [stop, gone], null, 'REQUESTED'],
  ['the end, then the guard’s report', [gone], null, 'REQUESTED'],
  ['the stop, the guard’s report, then the end', [stop], gone, 'REQUESTED'],
  ['the guard’s report, then the end', [], gone, 'REQUESTED'],
] as const)('4030: an order cancelled by request in a freeze says so: %s', async (_, before, after, reason) => {
  const rig = await Rig.submitted(RESTS);
  const at = rig.timers.now();
  rig.timers.advance(1_000);
  for (const step of before) step(rig);
  expect(explain(rig, 'REQUESTED', at)).toBe(after === null ? null : true);
  if (after !== null) after(rig);
  expect(rig.order()).toMatchObject({ status: 'CANCELLED', cancelReason: reason });
});

it('4030: a request that was recorded before the freeze stands', async () => {
  const rig = await Rig.submitted(RESTS);
  stop(rig);
  rig.timers.advance(1_000);
  explain(rig, 'REQUESTED', rig.timers.now());
  gone(rig);
  explain(rig, 'REQUESTED', rig.timers.now());
  expect(rig.order().cancelReason).toBe('STOP');
});

it('4030: the venue’s own reason stands', async () => {
  const rig = await Rig.submitted(RESTS);
  gone(rig, 'SELF_TRADE');
  expect(explain(rig, 'REQUESTED', rig.timers.now())).toBeNull();
  expect(rig.order().cancelReason).toBe('SELF_TRADE');
});

// Noticed in a review. A protection that triggered while nothing could be recorded never forgot the orders whose cancels it had requested.
// An order that is sent again under its key has the same id. So at the next trigger that order was not cancelled.
describe('3217: cancels asked for and never forgotten', () => {
  const ONE_FILL: ProtectionTerms = { fillsMax: 1, sharesMax: null, windowMs: 1_000 };

  /** Two fills of the order trigger the protection. From then on the disk takes no writes. */
  async function triggered(rig: Rig, key: string): Promise<void> {
    const clientOrderId = null;
    for (const part of ['1', '2']) {
      rig.hear({ type: 'fill', fill: rig.fill(`${key}-${part}`, 1, { venueOrderId: `v-${key}`, clientOrderId }) });
    }
    rig.store.isFull = true;
    await rig.pass(100);
  }

  const cancels = (rig: Rig): number => rig.venue.calls.filter(call => call === 'cancel').length;
  const resting = (key: string) => ({ ...RESTS, venueOrderId: `v-${key}` });

  it('an order that was sent again is cancelled by a protection that triggers again, unrecorded both times', async () => {
    const rig = new Rig();
    rig.protections.start();
    rig.protections.set(OWNER, EVERYWHERE, ONE_FILL);
    await rig.submit(resting('two'), { idempotencyKey: 'two' });
    const { answer, say } = rig.start();
    await rig.pass(50);
    expect(rig.order().status).toBe('SUBMITTED');
    await triggered(rig, 'two');
    expect(cancels(rig)).toBe(1);
    rig.store.isFull = false;
    say(NOT_SENT);
    expect(await answer).toMatchObject({ kind: 'unavailable' });
    await rig.sweep(5_000);
    rig.protections.reset({ ...EVERYWHERE, actorId: ACTOR });

    expect(await rig.submit(resting('one'))).toMatchObject({ status: 'OPEN' });
    await rig.submit(resting('four'), { idempotencyKey: 'four' });
    const before = cancels(rig);
    await triggered(rig, 'four');
    expect(cancels(rig) - before).toBe(2);
  });

  it('a cancel is asked for once, however long nothing can be recorded', async () => {
    const rig = new Rig();
    rig.protections.set(OWNER, EVERYWHERE, ONE_FILL);
    await rig.submit(resting('two'), { idempotencyKey: 'two' });
    await triggered(rig, 'two');
    const asked: unknown[] = [];
    const watch = new ProtectionWatch({
      ...{ ledger: rig.ledger, timers: rig.timers, onChange: () => {}, storeFailed: () => {} },
      onUnwanted: (_protection, orderIds, isRecorded) => asked.push([orderIds, isRecorded]),
    });
    watch.start();
    await rig.pass(5_000);
    watch.stop();
    expect(asked).toEqual([[[rig.id('two')], false]]);
  });
});

// After the clock was set back, each new fill was earlier than the fills that a protection had counted. Until the clock had caught up, such
// a fill came too late to count. The protection was armed, and protected nothing. Now the counted fills count as executed at that moment.
describe('3300: a protection after the clock was set back', () => {
  const HOUR_MS = 3_600_000;
  const WINDOW_MS = 1_000;

  async function counted(): Promise<Rig> {
    const rig = await Rig.submitted({ ...RESTS, venueOrderId: 'v-one' });
    rig.protections.set(OWNER, EVERYWHERE, { fillsMax: 2, sharesMax: null, windowMs: WINDOW_MS });
    fill(rig, 'before');
    rig.timers.setClock(-HOUR_MS);
    return rig;
  }

  function fill(rig: Rig, fillId: string): void {
    rig.hear({ type: 'fill', fill: rig.fill(fillId, 1, { venueOrderId: 'v-one' }) });
  }

  const triggered = (rig: Rig) => rig.store.protections(ACTOR).map(it => it.triggered?.fills ?? null);

  it('triggers as before', async () => {
    const rig = await counted();
    await rig.pass(2 * WINDOW_MS);
    for (const fillId of ['one', 'two', 'three']) fill(rig, fillId);
    expect(triggered(rig)).toEqual([3]);
  });

  it('counts what it had counted for one window more', async () => {
    const rig = await counted();
    fill(rig, 'one');
    expect(triggered(rig)).toEqual([null]);
    await rig.pass(2 * WINDOW_MS);
    for (const fillId of ['two', 'three']) fill(rig, fillId);
    expect(triggered(rig)).toEqual([null]);
    fill(rig, 'four');
    expect(triggered(rig)).toEqual([3]);
  });

  it('says the same after a restart', async () => {
    const rig = await counted();
    fill(rig, 'one');
    expect(rig.restarted().protections(ACTOR)).toEqual(rig.store.protections(ACTOR));
  });
});

// The machine's clock was an hour ahead, then set back. The mark of an account's reading carried that time. The next readings came an hour
// late and asked for fills from the future. So what the private stream had missed was never read. Orders with an unknown outcome were not
// looked up meanwhile, and a dead man's switch fired an hour late.
describe('0017: readings after the clock was set back', () => {
  const HOUR_MS = 3_600_000;

  /** Returns a rig whose executions have read everything while the clock stood an hour ahead. */
  async function readAhead(): Promise<Rig> {
    const rig = new Rig();
    rig.timers.setClock(HOUR_MS);
    rig.executions.start();
    await rig.pass(10, 5);
    return rig;
  }

  it('fills are read from before the clock was set back, and soon', async () => {
    const rig = await readAhead();
    await rig.submit(RESTS);
    rig.venue.open = [rig.venueOrder()];
    rig.timers.setClock(-HOUR_MS);
    const missed = rig.fill('missed', 4);
    // Like a venue, returns the fills since the given time.
    rig.venue.fillsSince = (since: UnixMillis) => Promise.resolve(listed(missed.executedAt >= since ? [missed] : []));
    await rig.pass(2 * limits.accountReadMs, 500);
    expect(rig.position()).toBe(shares(4));
    rig.executions.stop();
  });

  it('after a start, however long nobody was there', async () => {
    const rig = await readAhead();
    rig.executions.stop();
    await rig.submit(RESTS);
    const missed = rig.fill('missed', 4, { executedAt: (rig.timers.now() - HOUR_MS) as UnixMillis });
    rig.timers.setClock(-HOUR_MS / 2);
    rig.venue.fillsSince = (since: UnixMillis) => Promise.resolve(listed(missed.executedAt >= since ? [missed] : []));
    const next = new Rig('venue_b', rig.restarted());
    next.timers.setClock(rig.timers.now() - next.timers.now());
    next.venue.fillsSince = rig.venue.fillsSince;
    next.executions.start();
    await next.pass(10, 5);
    expect(next.position()).toBe(shares(4));
    next.executions.stop();
  });

  it('an order with an unknown outcome is looked at soon', async () => {
    const rig = await readAhead();
    await rig.submit(TIMEOUT);
    rig.timers.setClock(-HOUR_MS);
    rig.venue.lookUps = [found('rests')];
    await rig.pass(2 * limits.lookPauseMs, 500);
    expect(rig.order().status).toBe('OPEN');
    rig.executions.stop();
  });

  it('a switch that could not have been set so late has fallen due', () => {
    const rig = new Rig();
    rig.timers.setClock(HOUR_MS);
    rig.switched.set(OWNER, limits.cancelAfterMsMax);
    rig.timers.setClock(-HOUR_MS);
    rig.switched.check();
    expect(rig.store.cancelAfters()).toEqual([]);
  });
});

// After the clock was set back by some minutes, the orders of a dead bot stayed in the books for as long.
describe('0179: a switch after the clock was set back', () => {
  const MINUTES_MS = 300_000;

  async function armed(): Promise<Rig> {
    const rig = await Rig.submitted(RESTS);
    rig.switched.start();
    rig.switched.set(OWNER, 5_000);
    rig.timers.advance(1_000);
    rig.timers.setClock(-MINUTES_MS);
    return rig;
  }

  it('fires after the requested time', async () => {
    const rig = await armed();
    await rig.timers.settle(3_900);
    expect(rig.fired).toEqual([]);
    await rig.timers.settle(100);
    expect(rig.fired).toEqual([rig.id()]);
    expect(rig.store.cancelAfters()).toEqual([]);
  });

  it('a switch that is set anew lasts from then on', async () => {
    const rig = await armed();
    rig.switched.set(OWNER, 5_000);
    await rig.timers.settle(4_900);
    expect(rig.fired).toEqual([]);
    await rig.timers.settle(100);
    expect(rig.fired).toEqual([rig.id()]);
  });
});
