// Market-maker protection: which fills trigger it, which orders are cancelled and refused then, and what a restart finds.

import { describe, expect, it } from 'vitest';
import type { UnixMillis } from '../../../src/core/domain/numbers.ts';
import { type ProtectionTerms, protectionLimits } from '../../../src/core/domain/protection.ts';
import { Ledger } from '../../../src/orders/life/ledger.ts';
import { ACTOR, EVERYWHERE, OWNER, RESTS, Rig, shares, YES_BUY } from './orders-rig.ts';

const HERE = { venue: 'venue_b', address: YES_BUY.ticker } as const;
const ONE_FILL: ProtectionTerms = { fillsMax: 1, sharesMax: null, windowMs: 1_000 };

/** Rests two orders in one market, and one order in another market. */
async function rested(): Promise<Rig> {
  const rig = new Rig();
  rig.protections.start();
  for (const idempotencyKey of ['one', 'two', 'three']) {
    const request = idempotencyKey === 'three' ? { ...YES_BUY, ticker: 'KXOTHER' } : YES_BUY;
    await rig.submit({ ...RESTS, venueOrderId: `v-${idempotencyKey}` }, { idempotencyKey, request });
  }
  return rig;
}

function fills(rig: Rig, ...fillIds: readonly string[]): void {
  for (const fillId of fillIds) rig.hear({ type: 'fill', fill: rig.fill(fillId, 1, { venueOrderId: 'v-one' }) });
}

const statuses = (rig: Rig) => ['one', 'two', 'three'].map(key => rig.order(rig.id(key)).status);
const triggeredOf = (rig: Rig) => rig.store.protections(ACTOR).map(({ triggered }) => triggered);

describe('a protection', () => {
  it('cancels everything of the actor at the venue once a window has too many fills', async () => {
    const rig = await rested();
    await rig.submit(RESTS, { idempotencyKey: 'bobs', actorId: 'bob' });
    rig.protections.set(OWNER, EVERYWHERE, ONE_FILL);
    fills(rig, 'f-1');
    await rig.pass(100);
    expect(statuses(rig)).toEqual(['OPEN', 'OPEN', 'OPEN']);
    fills(rig, 'f-2');
    await rig.pass(100);
    expect(statuses(rig)).toEqual(['CANCELLED', 'CANCELLED', 'CANCELLED']);
    expect(rig.order(rig.id('one')).cancelReason).toBe('PROTECTION');
    expect(triggeredOf(rig)).toEqual([{ at: rig.changes.at(-1)!.protection.triggered!.at, fills: 2, size: shares(2) }]);
    expect(rig.changes.map(({ event }) => event)).toEqual(['SET', 'TRIGGERED']);
    expect(rig.store.openCount('bob', 'venue_b')).toBe(1);
  });

  it('of one market leaves the others alone, and counts shares if it is to', async () => {
    const rig = await rested();
    rig.protections.set(OWNER, HERE, { fillsMax: null, sharesMax: shares(1.5), windowMs: 1_000 });
    const other = { venueOrderId: 'v-three', address: 'KXOTHER', clientOrderId: null };
    rig.hear({ type: 'fill', fill: rig.fill('other', 9, other) });
    fills(rig, 'f-1');
    expect(triggeredOf(rig)).toEqual([null]);
    fills(rig, 'f-2');
    await rig.pass(100);
    expect(statuses(rig)).toEqual(['CANCELLED', 'CANCELLED', 'OPEN']);
  });

  it('counts a fill once, however often it is reported, and by the time of its execution', async () => {
    const rig = await rested();
    rig.protections.set(OWNER, EVERYWHERE, ONE_FILL);
    const fill = rig.fill('f-1', 1, { venueOrderId: 'v-one' });
    for (let report = 0; report < 3; report += 1) rig.hear({ type: 'fill', fill });
    const earlier = (rig.timers.now() - 1_000) as UnixMillis;
    rig.hear({ type: 'fill', fill: rig.fill('f-0', 1, { venueOrderId: 'v-one', executedAt: earlier }) });
    expect(triggeredOf(rig)).toEqual([null]);
    // If the venue's clock is ahead, its fills make no window of their own.
    const ahead = (rig.timers.now() + 3_600_000) as UnixMillis;
    rig.hear({ type: 'fill', fill: rig.fill('f-2', 1, { venueOrderId: 'v-one', executedAt: ahead }) });
    expect(triggeredOf(rig)).toMatchObject([{ fills: 2 }]);
  });

  it('refuses submissions until its reset, and the key stays free', async () => {
    const rig = await rested();
    rig.protections.set(OWNER, HERE, ONE_FILL);
    fills(rig, 'f-1', 'f-2');
    const sent = rig.venue.calls.length;
    const refused = await rig.submit(RESTS, { idempotencyKey: 'four' });
    const message = expect.stringMatching(/^the protection of venue_b KXGAME-1 is triggered/);
    expect(refused).toMatchObject({ type: 'refused', kind: 'unavailable', orderId: null, message });
    expect(rig.store.order(rig.id('four'))).toBeNull();
    expect(rig.venue.calls.slice(sent)).not.toContain('submit SUBMITTED');
    const elsewhere = { ...YES_BUY, ticker: 'KXOTHER' };
    const other = { ...RESTS, venueOrderId: 'v-5' };
    expect(await rig.submit(other, { idempotencyKey: 'five', request: elsewhere })).toMatchObject({ type: 'made' });
    // An earlier submission still gets its answer.
    expect(await rig.submit(RESTS)).toMatchObject({ type: 'made', isReplayed: true });
    rig.protections.reset({ ...HERE, actorId: ACTOR });
    const again = await rig.submit({ ...RESTS, venueOrderId: 'v-4' }, { idempotencyKey: 'four' });
    expect(again).toMatchObject({ type: 'made' });
  });

  it('refuses what was recorded before, and not sent yet', async () => {
    const rig = await rested();
    rig.protections.set(OWNER, EVERYWHERE, ONE_FILL);
    // In the power-safe mode the record is waited for: the fills come meanwhile.
    const { promise, resolve } = Promise.withResolvers<void>();
    rig.store.durable = () => promise;
    const answer = rig.submit(RESTS, { idempotencyKey: 'four' });
    await rig.pass(50);
    expect(rig.order(rig.id('four')).status).toBe('SUBMITTED');
    fills(rig, 'f-1', 'f-2');
    resolve();
    expect(await answer).toMatchObject({ type: 'refused', kind: 'unavailable' });
    await rig.pass(100);
    expect(rig.order(rig.id('four'))).toMatchObject({ status: 'REJECTED', isReleased: true });
    expect(rig.venue.calls.filter(call => call.startsWith('submit'))).toHaveLength(3);
  });

  it('that is set anew keeps what it has counted; a reset counts from nothing', async () => {
    const rig = await rested();
    rig.protections.set(OWNER, EVERYWHERE, ONE_FILL);
    fills(rig, 'f-1');
    rig.protections.set(OWNER, EVERYWHERE, { ...ONE_FILL, windowMs: 5_000 });
    rig.protections.reset({ ...EVERYWHERE, actorId: ACTOR });
    fills(rig, 'f-2');
    expect(triggeredOf(rig)).toEqual([null]);
    rig.protections.set(OWNER, EVERYWHERE, { ...ONE_FILL, windowMs: 2_000 });
    fills(rig, 'f-3');
    expect(triggeredOf(rig)).toMatchObject([{ fills: 2 }]);
    rig.protections.set(OWNER, EVERYWHERE, { fillsMax: 100, sharesMax: null, windowMs: 1_000 });
    expect(triggeredOf(rig)).toMatchObject([{ fills: 2 }]);
    expect(rig.protections.end({ ...EVERYWHERE, actorId: ACTOR })).toMatchObject({ fillsMax: 100 });
    expect(rig.store.protections(ACTOR)).toEqual([]);
    expect(rig.protections.end({ ...EVERYWHERE, actorId: ACTOR })).toBeNull();
    expect(rig.protections.reset({ ...HERE, actorId: ACTOR })).toBeNull();
  });

  it('is refused beyond protectionsPerActorMax, and not if it exists', () => {
    const rig = new Rig();
    for (let number = 0; number < protectionLimits.protectionsPerActorMax; number += 1)
      expect(rig.protections.set(OWNER, { venue: 'venue_b', address: `KX-${number}` }, ONE_FILL)).not.toBeNull();
    expect(rig.protections.set(OWNER, EVERYWHERE, ONE_FILL)).toBeNull();
    expect(rig.protections.set(OWNER, { venue: 'venue_b', address: 'KX-0' }, ONE_FILL)).not.toBeNull();
    expect(rig.protections.set({ ...OWNER, actorId: 'bob' }, EVERYWHERE, ONE_FILL)).not.toBeNull();
  });
});

describe('the next process', () => {
  it('cancels what the last one had no time to, and still refuses', async () => {
    const rig = await rested();
    rig.protections.set(OWNER, EVERYWHERE, ONE_FILL);
    rig.protections.stop();
    fills(rig, 'f-1', 'f-2');
    await rig.pass(100);
    expect(statuses(rig)).toEqual(['OPEN', 'OPEN', 'OPEN']);
    rig.changes.splice(0);
    const found = rig.restarted();
    expect(found.protections(null)).toEqual(rig.store.protections(null));
    const next = rig.protectionWatch(new Ledger({ ...NOBODY, store: found, now: () => rig.timers.now() }));
    next.start();
    await rig.pass(100);
    expect(rig.changes).toMatchObject([{ event: 'TRIGGERED' }]);
    const wanted = ['one', 'two', 'three'].map(key => found.order(rig.id(key))!.order.cancelRequestedAt);
    expect(wanted).not.toContain(null);
    // An order that is found later is cancelled, too.
    const two = found.order(rig.id('two'))!;
    const late = { orderId: rig.id('late'), idempotencyKey: 'late', cancelRequestedAt: null, cancelReason: null };
    found.change(to => to.putOrder({ ...two, order: { ...two.order, ...late } }));
    await rig.pass(protectionLimits.protectionCheckMs + 100);
    expect(found.order(rig.id('late'))!.order.cancelRequestedAt).not.toBeNull();
    expect(rig.changes).toHaveLength(1);
    next.stop();
  });
});

it('a disk that takes no more records stops no cancel', async () => {
  const rig = await rested();
  rig.protections.set(OWNER, EVERYWHERE, ONE_FILL);
  fills(rig, 'f-1');
  // The disk becomes full right behind the record of the trigger.
  const change = rig.store.change.bind(rig.store);
  rig.store.change = work => {
    const value = change(work);
    rig.store.isFull = rig.store.protections(ACTOR)[0]?.triggered !== null;
    return value;
  };
  fills(rig, 'f-2');
  await rig.pass(5 * protectionLimits.protectionCheckMs);
  expect(rig.venue.calls.filter(call => call === 'cancel')).toHaveLength(3);
});

const NOBODY = { publish: () => {}, diverged: () => {} };
