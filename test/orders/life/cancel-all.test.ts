// Many orders cancelled together (contract §4.11): by one request, or by a dead man's switch.

import { describe, expect, it } from 'vitest';
import type { LedgerTransaction } from '../../../src/core/store/order-records.ts';
import { limits } from '../../../src/limits.ts';
import { readEvents } from '../../../src/orders/ledger/events.ts';
import { cancelAll as cancelAllOrders } from '../../../src/orders/life/cancel-all.ts';
import type { CancelOutcome, LookUp } from '../../../src/venues/venue.ts';
import { MemoryLedger } from '../../support/memory-ledger.ts';
import { ACTOR, found, OWNER, RESTS, Rig, TIMEOUT, YES_BUY } from './orders-rig.ts';

const cancelAll = async (...asked: Parameters<typeof cancelAllOrders>) => (await cancelAllOrders(...asked)).results;

const CANCELLED: CancelOutcome = { type: 'cancelled' };
const NOT_FOUND: CancelOutcome = { type: 'not-found', message: 'not found' };
const UNKNOWN: CancelOutcome = { type: 'unknown', message: 'no answer' };
const UNAVAILABLE: LookUp = { type: 'unavailable', message: 'down' };

/** Tells how many orders each step has put. */
class CountedLedger extends MemoryLedger {
  readonly changed: number[] = [];

  override change<T>(work: (transaction: LedgerTransaction) => T): T {
    const { length } = this.log.records;
    const value = super.change(work);
    const events = this.log.records.slice(length).flatMap(record => readEvents(record));
    this.changed.push(events.filter(({ type }) => type === 'order-moved').length);
    return value;
  }
}

describe('a cancel of all orders', () => {
  const meant = { actorId: ACTOR, venue: 'venue_b', address: null, keyId: null } as const;

  async function many(count: number, ledger = new MemoryLedger()): Promise<Rig> {
    const rig = new Rig('venue_b', ledger);
    for (let number = 0; number < count; number += 1) {
      await rig.submit({ ...RESTS, venueOrderId: `v-${number}` }, { idempotencyKey: `${number}` });
    }
    return rig;
  }

  async function several(): Promise<Rig> {
    const rig = new Rig();
    for (const idempotencyKey of ['one', 'two', 'three']) {
      const request = idempotencyKey === 'three' ? { ...YES_BUY, ticker: 'KXOTHER' } : YES_BUY;
      const outcome = { ...RESTS, venueOrderId: `v-${idempotencyKey}` };
      await rig.submit(outcome, { idempotencyKey, request, keyId: idempotencyKey === 'two' ? 'other' : 'key' });
      rig.timers.advance(1);
    }
    await rig.submit(RESTS, { idempotencyKey: 'bobs', actorId: 'bob' });
    return rig;
  }

  it('ends those of the actor, and of no other, each with its outcome', async () => {
    const rig = await several();
    rig.venue.cancels = [CANCELLED, { type: 'refused', kind: 'fault', message: 'no' }, NOT_FOUND];
    const fill = rig.fill('f', 10, { venueOrderId: 'v-three', clientOrderId: null, address: 'KXOTHER' });
    rig.venue.lookUps = [found('gone', [fill])];
    expect(await cancelAll(rig, rig.venue, meant, rig.deadline())).toEqual([
      { orderId: rig.id('one'), outcome: 'CANCELLED' },
      { orderId: rig.id('two'), outcome: 'RECONCILE' },
      { orderId: rig.id('three'), outcome: 'NOT_CANCELLABLE' },
    ]);
    expect(rig.order(rig.id('two')).cancelRequestedAt).not.toBeNull();
    expect(rig.store.openCount('bob', 'venue_b')).toBe(1);
  });

  it('ends orders that may be there, and orders that were never sent', async () => {
    const rig = await Rig.submitted(TIMEOUT);
    rig.putUnsent('unsent');
    rig.venue.lookUps = [found('rests')];
    const results = cancelAll(rig, rig.venue, meant, rig.deadline());
    await rig.pass(limits.venueAnswerTimeoutMs);
    expect(new Set(await results)).toEqual(
      new Set([
        { orderId: rig.id(), outcome: 'CANCELLED' },
        { orderId: rig.id('unsent'), outcome: 'CANCELLED' },
      ]),
    );
    expect(rig.order(rig.id('unsent'))).toMatchObject({ status: 'CANCELLED', sentAt: null });
  });

  it('keeps within one deadline, however many they are', async () => {
    const rig = await many(3 * limits.cancelsInFlightMax);
    rig.venue.cancels = [UNKNOWN];
    rig.venue.lookUps = [UNAVAILABLE];
    const results = cancelAll(rig, rig.venue, meant, rig.deadline());
    await rig.pass(limits.venueAnswerTimeoutMs);
    const late = rig.timers.settle().then(() => 'late');
    const outcomes = await Promise.race([results.then(all => new Set(all.map(({ outcome }) => outcome))), late]);
    expect(outcomes).toEqual(new Set(['RECONCILE']));
    expect(rig.store.allOrders().every(({ order }) => order.cancelRequestedAt !== null)).toBe(true);
  });

  it('begins no cancel once the deadline is over', async () => {
    const rig = await many(limits.cancelsInFlightMax + 1);
    const { promise, resolve } = Promise.withResolvers<CancelOutcome>();
    rig.venue.cancels = [promise];
    rig.venue.lookUps = [UNAVAILABLE];
    const results = cancelAll(rig, rig.venue, meant, rig.deadline());
    await rig.pass(limits.venueAnswerTimeoutMs);
    resolve(UNKNOWN);
    expect(new Set((await results).map(({ outcome }) => outcome))).toEqual(new Set(['RECONCILE']));
    expect(rig.venue.calls.filter(call => call === 'cancel')).toHaveLength(limits.cancelsInFlightMax);
  });

  it('ends those of one market', async () => {
    const rig = await several();
    const results = await cancelAll(rig, rig.venue, { ...meant, address: 'KXOTHER' }, rig.deadline());
    expect(results).toEqual([{ orderId: rig.id('three'), outcome: 'CANCELLED' }]);
  });

  it('ends those of a signing key that has not reported in time; a restart does not matter', async () => {
    const rig = await several();
    const set = () => ({ deadline: rig.timers.now() + 5_000, isRecorded: true, hasRecord: true });
    expect(rig.switched.set(OWNER, 5_000)).toEqual(set());
    rig.switched.start();
    rig.timers.advance(4_900);
    expect(rig.switched.set(OWNER, 5_000)).toEqual(set());
    rig.timers.advance(4_900);
    expect(rig.fired).toEqual([]);
    rig.switched.stop();
    rig.timers.advance(60_000);
    expect(rig.fired).toEqual([]);
    const second = rig.cancelAfterWatch();
    second.start();
    await rig.timers.settle();
    expect(rig.fired).toEqual([rig.id('one'), rig.id('three')]);
    expect(rig.store.cancelAfters()).toEqual([]);
    second.stop();
    rig.venue.lookUps = [found('rests')];
    await rig.sweep();
    expect(rig.order(rig.id('two')).status).toBe('OPEN');
    expect(rig.store.openCount(ACTOR, 'venue_b')).toBe(1);
  });

  it('of a signing key with very many orders holds up no other step', async () => {
    const ledger = new CountedLedger();
    const count = limits.ordersPerPageMax + 1;
    const rig = await many(count, ledger);
    rig.switched.set(OWNER, 1_000);
    rig.timers.advance(1_000);
    ledger.changed.length = 0;
    for (let times = 0; times < 2; times += 1) rig.switched.check();
    expect(rig.store.cancelAfters()).toHaveLength(1);
    await rig.timers.settle();
    expect(ledger.changed).toEqual([limits.ordersPerPageMax, 1, 0]);
    expect([rig.fired.length, rig.store.cancelAfters()]).toEqual([count, []]);
    ledger.changed.length = 0;
    rig.venue.cancels = [CANCELLED];
    const all = cancelAll(rig, rig.venue, meant, rig.deadline());
    await rig.pass(100);
    expect(await all).toHaveLength(count);
    expect(Math.max(...ledger.changed)).toBeLessThanOrEqual(limits.ordersPerPageMax);
  });

  it('by a switch that is set anew while it fires ends nothing', async () => {
    const rig = await many(limits.ordersPerPageMax + 1);
    rig.switched.set(OWNER, 1_000);
    rig.timers.advance(1_000);
    rig.switched.check();
    rig.switched.set(OWNER, 1_000);
    await rig.timers.settle();
    expect([rig.fired.length, rig.store.cancelAfters().length]).toEqual([limits.ordersPerPageMax, 1]);
    const wanted = rig.store.allOrders().filter(({ order }) => order.cancelRequestedAt !== null);
    expect(wanted).toHaveLength(limits.ordersPerPageMax);
  });

  it('ends those of a signing key each time that it has not reported', async () => {
    const rig = new Rig();
    for (const idempotencyKey of ['one', 'two']) {
      await rig.submit({ ...RESTS, venueOrderId: `v-${idempotencyKey}` }, { idempotencyKey });
      rig.switched.set(OWNER, 1_000);
      rig.timers.advance(1_000);
      rig.switched.check();
      await rig.timers.settle();
      await rig.cancel(rig.id(idempotencyKey));
    }
    expect(rig.fired).toEqual([rig.id('one'), rig.id('two')]);
  });

  it('by a switch that is taken away ends nothing', async () => {
    const rig = await several();
    rig.switched.set(OWNER, 1_000);
    expect(rig.switched.set(OWNER, 0)).toEqual({ deadline: null, isRecorded: true, hasRecord: false });
    rig.timers.advance(10_000);
    rig.switched.check();
    await rig.timers.settle();
    expect([rig.fired, rig.store.cancelAfters()]).toEqual([[], []]);
  });
});
