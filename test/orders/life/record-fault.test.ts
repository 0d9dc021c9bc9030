// A sync that hangs, as on a disk that neither answers nor reports a failure: every caller has an answer in time (contract §4.7).

import { describe, expect, it } from 'vitest';
import type { Answer } from '../../../src/core/domain/answer.ts';
import type { ProtectionOperation } from '../../../src/core/domain/operation.ts';
import { StoreError } from '../../../src/core/store/store-error.ts';
import { limits } from '../../../src/limits.ts';
import { performProtection } from '../../../src/orders/life/protection-replies.ts';
import { recordFault } from '../../../src/orders/life/record-fault.ts';
import { HangingLog, MemoryLedger } from '../../support/memory-ledger.ts';
import { submitBatch } from '../../support/submitted.ts';
import { VirtualTimers } from '../../support/virtual-timers.ts';
import { ACTOR, POD, REFUSED, RESTS, Rig, ticks } from './orders-rig.ts';

function rigOn(venue: 'venue_a' | 'venue_b') {
  const log = new HangingLog();
  const rig = new Rig(venue, new MemoryLedger(log, 'power-safe'));
  return { rig, log };
}

/** The wait for a record begins a moment after the request. */
const SLACK_MS = 50;

/** Returns whether the request is answered, or has failed with the store, after so many milliseconds. */
async function answeredIn<T>(rig: Rig, answer: Promise<T>, ms: number): Promise<T | 'waits' | 'store error'> {
  const settled = answer.catch(error => {
    expect(error).toBeInstanceOf(StoreError);
    return 'store error' as const;
  });
  await rig.pass(ms + SLACK_MS);
  return Promise.race([settled, Promise.resolve('waits' as const)]);
}

const NOT_SENT = { type: 'refused', kind: 'unavailable', orderId: null };

describe('a submission', () => {
  it.each(['venue_a', 'venue_b'] as const)(
    '4003: at %s is answered in time, nothing is sent, and its key is free',
    async venue => {
      const { rig, log } = rigOn(venue);
      log.isHanging = true;
      const answer = rig.submit(RESTS);
      expect(await answeredIn(rig, answer, limits.venueAnswerTimeoutMs - 200)).toBe('waits');
      expect(await answeredIn(rig, answer, 200)).toMatchObject(NOT_SENT);
      expect(rig.order()).toMatchObject({ status: 'REJECTED', isReleased: true, error: { code: 'UNKNOWN' } });
      log.comeBack();
      await rig.pass(1_000);
      expect(rig.venue.calls).toEqual([]);
      expect(rig.restarted().order(rig.id())?.order).toMatchObject({ status: 'REJECTED', isReleased: true });
      expect(await rig.submit(RESTS)).toMatchObject({ type: 'made', status: 'OPEN' });
      expect(rig.venue.calls).toEqual(['submit SUBMITTED']);
    },
  );

  it('4003: goes on if the disk comes back before its time is up', async () => {
    const { rig, log } = rigOn('venue_b');
    log.isHanging = true;
    const answer = rig.submit(RESTS);
    await rig.pass(limits.venueAnswerTimeoutMs - 100);
    log.comeBack();
    expect(await answer).toMatchObject({ type: 'made', status: 'OPEN' });
  });

  it('4003: is one of a batch, and each is answered in time', async () => {
    const { rig, log } = rigOn('venue_b');
    log.isHanging = true;
    const both = ['one', 'two'].map(idempotencyKey => rig.submission({ idempotencyKey }));
    const failed = (): Answer => expect.fail('the store has not failed');
    const answers = submitBatch(rig.parts, both, failed);
    expect(await answeredIn(rig, answers, limits.venueAnswerTimeoutMs)).toMatchObject([NOT_SENT, NOT_SENT]);
    expect(rig.venue.calls).toEqual([]);
  });

  it('4003: that is repeated meanwhile is answered in time, too', async () => {
    const { rig, log } = rigOn('venue_b');
    log.isHanging = true;
    const first = rig.submit(RESTS);
    await rig.pass(1_000);
    const again = rig.submit(RESTS);
    expect(await answeredIn(rig, first, limits.venueAnswerTimeoutMs)).toMatchObject(NOT_SENT);
    expect(await answeredIn(rig, again, limits.venueAnswerTimeoutMs)).toMatchObject({ kind: 'unavailable' });
    expect(rig.venue.calls).toEqual([]);
  });

  it.each([
    ['made at venue A', RESTS],
    ['refused by the venue', REFUSED],
  ] as const)('4003: %s is no more than an unknown outcome while nothing keeps it', async (_case, outcome) => {
    const { rig, log } = rigOn('venue_a');
    const { answer, say } = rig.start();
    await rig.pass(20, 5);
    log.isHanging = true;
    say({ ...outcome, ...(outcome === RESTS ? { venueOrderId: `digest-${rig.id()}` } : {}) });
    expect(await answeredIn(rig, answer, limits.recordPatienceMs)).toBe('store error');
  });

  it('4003: that is refused without an order waits for no record', async () => {
    const { rig, log } = rigOn('venue_b');
    rig.venue.amendments = [];
    await rig.submit(RESTS);
    await rig.cancel(rig.id());
    log.isHanging = true;
    const replaced = rig.replace({ price: ticks(5_700) });
    expect(await answeredIn(rig, replaced, limits.recordPatienceMs)).toMatchObject({ kind: 'notCancellable' });
  });
});

describe('a replace', () => {
  it.each(['venue_a', 'venue_b'] as const)('4003: at %s is answered in time, and the old order stays', async venue => {
    const { rig, log } = rigOn(venue);
    if (venue === 'venue_b') rig.venue.amendments = [];
    await rig.submit(RESTS);
    rig.venue.calls.length = 0;
    log.isHanging = true;
    const answer = rig.replace({ price: ticks(5_700) });
    expect(await answeredIn(rig, answer, limits.venueAnswerTimeoutMs)).toMatchObject(NOT_SENT);
    expect([rig.venue.calls, rig.order().status, rig.order().cancelRequestedAt]).toEqual([[], 'OPEN', null]);
    expect(rig.order(rig.id('new'))).toMatchObject({ status: 'REJECTED', isReleased: true });
  });
});

it('4003: a protection that is set is not said to be kept, and its caller has an answer in time', async () => {
  const { rig, log } = rigOn('venue_b');
  log.isHanging = true;
  const parts = { store: rig.store, watch: rig.protections, timers: rig.timers, tradingOf: () => rig.venue };
  const caller = { podId: POD, actorId: ACTOR, keyId: 'key' };
  const body = { sharesMax: '10', windowMs: 15_000, venue: 'venue_b' };
  const operation = { name: 'protection', ask: 'set', caller, body } as unknown as ProtectionOperation;
  const replied = performProtection(parts, operation);
  expect(await answeredIn(rig, replied, limits.recordPatienceMs)).toBe('store error');
});

it('4003: what is kept already needs no wait, and a failure is its fault', async () => {
  const timers = new VirtualTimers();
  expect(recordFault(new MemoryLedger(), timers)).toBeNull();
  const why = new StoreError('sync failed');
  expect(await recordFault({ durable: () => Promise.reject(why) }, timers)).toBe(why);
  await expect(recordFault({ durable: () => Promise.reject(new TypeError('no')) }, timers)).rejects.toThrow('no');
});
