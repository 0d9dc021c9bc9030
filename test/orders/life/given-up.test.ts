// Orders that their venue no longer shows, or that were given up, and late traces of them (contract §4.7).

import { describe, expect, it } from 'vitest';
import type { MicroDollars } from '../../../src/core/domain/numbers.ts';
import { limits } from '../../../src/limits.ts';
import { unattributedOf } from '../../../src/orders/life/bookings.ts';
import type { CancelOutcome, LookUp, SubmitOutcome } from '../../../src/venues/venue.ts';
import { MemoryLedger } from '../../support/memory-ledger.ts';
import { submit } from '../../support/submitted.ts';
import { ABSENT, DOWN, found, NOT_SENT, POD, REFUSED, RESTS, Rig, shares, TIMEOUT } from './orders-rig.ts';

const NOT_FOUND: CancelOutcome = { type: 'not-found', message: 'not found' };
const NOBODY = unattributedOf(POD);

describe('an unknown outcome', () => {
  it('that is known by a look is not looked at any more', async () => {
    const rig = await Rig.submitted(TIMEOUT);
    rig.venue.lookUps = [found('rests')];
    await rig.sweep(5_000);
    expect(rig.order().status).toBe('OPEN');
    const before = rig.venue.calls.length;
    for (let second = 0; second < 20; second += 1) await rig.sweep();
    expect(rig.venue.calls.slice(before)).toEqual([]);
  });

  it('is given up by a look that begins when absence is proven, and not by one that is answered then', async () => {
    const rig = await Rig.submitted(TIMEOUT);
    const { promise, resolve } = Promise.withResolvers<LookUp>();
    rig.venue.lookUps = [promise, ABSENT];
    await rig.timers.settle(limits.absenceProvenMs - 1_000);
    const looked = rig.executions.sweep();
    await rig.timers.settle(2_000);
    resolve(ABSENT);
    await looked;
    expect([rig.order().status, rig.venue.calls]).toEqual(['SUBMITTED', ['submit SUBMITTED', 'lookUp']]);
    await rig.sweep(31_000);
    expect([rig.order().status, rig.venue.calls.slice(2)]).toEqual(['REJECTED', ['lookUp', 'lookUp at any time']]);
  });

  it('of an order that the venue has acknowledged is given up no sooner', async () => {
    const rig = await Rig.submitted({ type: 'exists', message: 'exists' });
    for (let second = 0; second < 20; second += 1) await rig.sweep();
    expect(rig.order()).toMatchObject({ status: 'SUBMITTED', sentAt: null });
    await rig.sweep(limits.absenceProvenMs);
    expect(rig.order().status).toBe('REJECTED');
  });

  it('of an order that the venue has taken and holds back is its end, and no refusal', async () => {
    const rig = await Rig.submitted({ ...RESTS, state: 'delayed' }, 'venue_a');
    expect(rig.order()).toMatchObject({ status: 'SUBMITTED', venueOrderId: `digest-${rig.id()}` });
    rig.hear({ type: 'up' });
    await rig.sweep(31_000);
    expect(rig.order()).toMatchObject({ status: 'CANCELLED', error: null });
    const fill = rig.fill('late', 5);
    rig.hear({ type: 'fill', fill });
    expect([rig.order().filled.size, rig.position()]).toEqual([shares(5), shares(5)]);
  });

  it.each([
    ['it is over if the venue shows it no more', true, 'CANCELLED'],
    ['not if what the venue shows may be older', false, 'OPEN'],
  ])('of an order that rested, and is not listed: %s', async (_case, isCurrent, status) => {
    const rig = await Rig.submitted(RESTS);
    rig.venue.open = [];
    rig.venue.lookUps = [{ type: 'absent', isCurrent }];
    rig.hear({ type: 'up' });
    await rig.sweep();
    expect(rig.venue.calls).toContain('lookUp');
    expect(rig.order()).toMatchObject({ status, error: null });
  });

  it('that was given up is requested again if the venue gave no answer: until then its fill is an orphan', async () => {
    const rig = await Rig.submitted(TIMEOUT);
    await rig.sweep(31_000);
    rig.venue.lookUps = [{ type: 'unavailable', message: 'down' }];
    rig.hear({ type: 'fill', fill: rig.fill('f', 10, { clientOrderId: null }) });
    for (let second = 0; second < 5; second += 1) await rig.sweep();
    expect([rig.order().status, rig.position(), rig.position(NOBODY)]).toEqual(['REJECTED', 0, 0]);
    rig.venue.lookUps = [found('gone', [rig.fill('f', 10)])];
    for (let second = 0; second < 5; second += 1) await rig.sweep();
    expect([rig.order().status, rig.position(), rig.position(NOBODY)]).toEqual(['FILLED', shares(10), 0]);
  });

  it.each([
    ['in a look that the venue calls current', 0, true],
    ['for as long as absence takes to be proven', limits.absenceProvenMs, false],
  ])('that was given up is the owner of an orphan fill until it is absent %s', async (_how, waitMs, isCurrent) => {
    const rig = await Rig.submitted(TIMEOUT);
    await rig.sweep(31_000);
    const stale: LookUp = { type: 'absent', isCurrent: false };
    rig.venue.lookUps = [stale];
    rig.hear({ type: 'fill', fill: rig.fill('f', 10, { clientOrderId: null }) });
    for (let second = 0; second < 5; second += 1) await rig.sweep();
    expect([rig.order().status, rig.position(), rig.position(NOBODY)]).toEqual(['REJECTED', 0, 0]);
    rig.venue.lookUps = [{ type: 'absent', isCurrent }];
    await rig.timers.settle(waitMs);
    for (let second = 0; second < 5; second += 1) await rig.sweep();
    expect([rig.order().status, rig.position(NOBODY)]).toEqual(['REJECTED', shares(10)]);
  });

  it('is requested when a fill names no order of ours, unless its venue has refused or listed it', async () => {
    const rig = await Rig.submitted(REFUSED, 'venue_b', { idempotencyKey: 'refused', bodySha256Hex: 'b'.repeat(64) });
    await rig.submit(TIMEOUT);
    await rig.sweep(31_000);
    const before = rig.venue.calls.length;
    rig.venue.lookUps = [{ type: 'absent', isCurrent: true }];
    rig.hear({ type: 'fill', fill: rig.fill('f', 10, { clientOrderId: null }) });
    for (let second = 0; second < 5; second += 1) await rig.sweep();
    expect(rig.venue.calls.slice(before).filter(call => call.startsWith('lookUp'))).toHaveLength(1);
    expect(rig.position(NOBODY)).toBe(shares(10));
  });

  it('that was given up, is found for an orphan fill, and rests, is cancelled at once', async () => {
    const rig = await Rig.submitted(TIMEOUT);
    await rig.sweep(31_000);
    rig.venue.lookUps = [found('rests', [rig.fill('f', 4)])];
    rig.hear({ type: 'fill', fill: rig.fill('f', 4, { clientOrderId: null }) });
    await rig.pass(10, 5);
    rig.venue.lookUps = [found('gone', [rig.fill('f', 4)])];
    await rig.sweep();
    expect(rig.venue.calls).toContain('cancel');
    expect(rig.order()).toMatchObject({ status: 'CANCELLED', filled: { size: shares(4) } });
    expect(rig.position()).toBe(shares(4));
  });

  it('4002: that was given up, is cancelled, and has filled more than is known, is looked for until its fills are', async () => {
    const rig = await Rig.submitted(TIMEOUT);
    await rig.sweep(31_000);
    rig.venue.cancels = [{ type: 'cancelled', filled: shares(4) }, NOT_FOUND];
    rig.venue.lookUps = [{ type: 'unavailable', message: 'down' }];
    rig.hear({ type: 'order', order: rig.venueOrder() });
    await rig.pass(10, 5);
    expect(rig.order()).toMatchObject({ status: 'REJECTED', isReleased: false });
    const stated = { size: shares(4), cost: 4n * 5_600n * 1_000_000n, fees: 4_000 as MicroDollars };
    rig.venue.lookUps = [{ type: 'found', venueOrderId: 'v-1', state: 'gone', stated, fills: [] }];
    await rig.sweep(limits.lookPauseMs);
    expect(rig.order()).toMatchObject({ status: 'CANCELLED', stated: { size: shares(4) } });
    expect(rig.venue.calls.filter(call => call === 'cancel')).toHaveLength(1);
    expect([...rig.store.unreportedOrders(rig.account)]).toHaveLength(1);
  });
});

describe('4032: a late trace', () => {
  it.each([
    ['of a released order takes its key, though the cancel is not confirmed', NOT_SENT],
    ['of an order that was given up takes its key, though the cancel is not confirmed', TIMEOUT],
  ])('%s', async (_, outcome) => {
    const rig = await Rig.submitted(outcome);
    if (outcome === TIMEOUT) await rig.sweep(31_000);
    expect(rig.order()).toMatchObject({ status: 'REJECTED', error: { code: 'UNKNOWN' } });
    rig.venue.cancels = [{ type: 'unknown', message: 'no answer' }];
    rig.venue.calls.length = 0;
    rig.hear({ type: 'order', order: rig.venueOrder() });
    expect(rig.order()).toMatchObject({ status: 'REJECTED', isReleased: false });
    const again = rig.submit(RESTS);
    await rig.pass(2 * limits.venueAnswerTimeoutMs);
    await again;
    expect(rig.venue.calls).not.toContain('submit SUBMITTED');
    expect(rig.order().status).toBe('REJECTED');
  });

  it('in the answer to a submission is cancelled at once, before the caller is answered', async () => {
    const rig = new Rig();
    const { promise, resolve } = Promise.withResolvers<CancelOutcome>();
    rig.venue.cancels = [promise];
    const { answer, say } = rig.start();
    let isAnswered = false;
    void answer.then(() => {
      isAnswered = true;
    });
    await rig.pass(10, 5);
    await rig.sweep(3_600_000);
    expect(rig.order()).toMatchObject({ status: 'REJECTED', error: { code: 'UNKNOWN' } });
    rig.venue.calls.length = 0;
    say(RESTS);
    await rig.pass(0);
    await new Promise(setImmediate);
    expect([rig.venue.calls, isAnswered]).toEqual([['cancel'], false]);
    resolve({ type: 'cancelled' });
    expect(await answer).toMatchObject({ type: 'refused', kind: 'unknownOutcome' });
    expect(rig.order()).toMatchObject({ status: 'CANCELLED', venueOrderId: 'v-1' });
  });
});

// A power cut took the record of a second sending. The order turned up at the venue, and its key was taken. Then the process ended before
// the order ended. The key was answered as unknown for good, and a fill stayed unattributed (simulation, seed 1795895412).
describe('an order that has turned up after its refusal, and that the process before did not end', () => {
  async function taken(): Promise<Rig> {
    const rig = await Rig.submitted(NOT_SENT);
    rig.venue.cancels = [{ type: 'unknown', message: 'no answer' }];
    rig.hear({ type: 'order', order: rig.venueOrder() });
    await rig.pass(10, 5);
    const next = new Rig('venue_b', rig.restarted());
    expect(next.order()).toMatchObject({ status: 'REJECTED', isReleased: false, venueOrderId: null });
    await next.timers.settle(1_000);
    next.venue.cancels = [NOT_FOUND];
    return next;
  }

  it.each([
    ['traded', [4], { status: 'CANCELLED', filled: { size: shares(4) } }],
    ['untraded', [], { status: 'CANCELLED', filled: { size: 0 } }],
    ['filled', [4, 6], { status: 'FILLED', filled: { size: shares(10) } }],
  ])('is found among what is over, %s', async (_how, sizes, order) => {
    const rig = await taken();
    const fills = sizes.map((size, index) => rig.fill(`f-${index}`, size, { clientOrderId: null }));
    rig.venue.fills = fills;
    rig.venue.lookUps = [DOWN, found('gone', fills)];
    rig.hear({ type: 'up' });
    for (let second = 0; second < 5; second += 1) await rig.sweep();
    expect(rig.order()).toMatchObject({ venueOrderId: 'v-1', ...order });
    expect([rig.position(), rig.position(NOBODY)]).toEqual([rig.order().filled.size, 0]);
    expect(await rig.submit(RESTS)).toMatchObject({ type: 'made', status: order.status, isReplayed: true });
  });

  it('is cancelled if it rests', async () => {
    const rig = await taken();
    rig.venue.cancels = [{ type: 'cancelled', filled: shares(0) }];
    rig.venue.lookUps = [found('rests'), found('gone')];
    rig.hear({ type: 'up' });
    await rig.sweep();
    expect(rig.venue.calls).toContain('cancel');
    expect(rig.order()).toMatchObject({ status: 'CANCELLED', venueOrderId: 'v-1' });
  });

  it('is over once the venue is proven to have it no more', async () => {
    const rig = await taken();
    rig.venue.lookUps = [ABSENT];
    rig.hear({ type: 'up' });
    await rig.sweep();
    expect(rig.order().status).toBe('REJECTED');
    await rig.sweep(limits.absenceProvenMs);
    expect(rig.order()).toMatchObject({ status: 'CANCELLED', filled: { size: 0 } });
  });

  it('is the only refused order that a start looks for', async () => {
    const rig = await Rig.submitted(NOT_SENT);
    await rig.submit(REFUSED, { idempotencyKey: 'refused' });
    const next = new Rig('venue_b', rig.restarted());
    next.hear({ type: 'up' });
    for (let second = 0; second < 5; second += 1) await next.sweep();
    expect(next.venue.calls).toEqual([]);
  });
});

// If the answer to a submission was lost, the submission waited all of five seconds, though the private stream had reported the outcome
// within milliseconds. A retry, which looks into the ledger, was answered at once.
describe('0145: an answer that the venue does not give', () => {
  class WatchedLedger extends MemoryLedger {
    looks = 0;

    override idempotency(...key: Parameters<MemoryLedger['idempotency']>): ReturnType<MemoryLedger['idempotency']> {
      this.looks += 1;
      return super.idempotency(...key);
    }
  }

  /** Returns whether the caller has an answer after so many milliseconds. */
  async function isAnswered(rig: Rig, answer: Promise<unknown>, ms: number): Promise<boolean> {
    let is = false;
    void answer.then(() => {
      is = true;
    });
    await rig.pass(ms, 10);
    return is;
  }

  /** Makes an order that rests according to the private stream, and is answered. */
  async function answered(rig: Rig): Promise<{ readonly answer: unknown; say: (outcome: SubmitOutcome) => void }> {
    const { answer, say } = rig.start();
    await rig.pass(10, 10);
    rig.hear({ type: 'order', order: rig.venueOrder() });
    expect(await isAnswered(rig, answer, limits.answerPatienceMs)).toBe(true);
    return { answer: await answer, say };
  }

  it('the answer is the one that the ledger knows', async () => {
    const rig = new Rig();
    const { answer } = await answered(rig);
    expect(answer).toEqual({ type: 'made', orderId: rig.id(), status: 'OPEN', expiresAt: null, isReplayed: false });
  });

  it('the answer comes as soon as it is known', async () => {
    const rig = new Rig();
    const { answer } = rig.start();
    expect(await isAnswered(rig, answer, 2_000)).toBe(false);
    rig.hear({ type: 'order', order: rig.venueOrder() });
    expect(await isAnswered(rig, answer, 1)).toBe(true);
    expect(await answer).toMatchObject({ type: 'made', status: 'OPEN' });
  });

  it('a caller looks for its answer only when something changes, as thousands may wait for a venue that hangs', async () => {
    const store = new WatchedLedger();
    const rig = new Rig('venue_b', store);
    const { answer, say } = rig.start();
    expect(await isAnswered(rig, answer, 4_900)).toBe(false);
    expect(store.looks).toBeLessThan(5);
    say(TIMEOUT);
    await answer;
  });

  it('the answer is not guessed', async () => {
    const rig = new Rig();
    const { answer, say } = rig.start();
    expect(await isAnswered(rig, answer, 4_000)).toBe(false);
    say(TIMEOUT);
    expect(await answer).toMatchObject({ kind: 'unknownOutcome', orderId: rig.id() });
  });

  it.each([TIMEOUT, RESTS, REFUSED, NOT_SENT])('stays, in spite of a late answer: $type', async outcome => {
    const rig = new Rig();
    const { answer, say } = await answered(rig);
    rig.hear({ type: 'fill', fill: rig.fill('f', 10) });
    say(outcome);
    await rig.pass(10, 10);
    await rig.late.at(-1);
    expect(rig.order().status).toBe('FILLED');
    const isContradicted = outcome === REFUSED || outcome === NOT_SENT;
    expect(rig.divergences).toEqual(isContradicted ? ['refused-but-there'] : []);
    expect(await submit(rig.parts, rig.submission())).toEqual({ ...(answer as object), isReplayed: true });
    expect(rig.venue.calls).toEqual(['submit SUBMITTED']);
  });

  it('the answer is the venue’s if that comes at once, and may say more', async () => {
    const rig = new Rig();
    const { answer, say } = rig.start();
    await rig.pass(10, 10);
    rig.hear({ type: 'fill', fill: rig.fill('f', 4) });
    await rig.pass(limits.answerPatienceMs / 2, 10);
    rig.hear({ type: 'fill', fill: rig.fill('g', 6) });
    say(RESTS);
    expect(await answer).toMatchObject({ type: 'made', status: 'FILLED' });
    await rig.pass(limits.answerPatienceMs);
    expect([rig.late, rig.timers.pending]).toEqual([[], 0]);
  });
});
