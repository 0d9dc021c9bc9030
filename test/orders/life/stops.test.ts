// Stops of an operator, in virtual time at a scripted venue. Nothing new is sent, the key stays free, open orders are cancelled, and the
// stop survives a restart. On a full disk it holds all the same.

import { beforeEach, describe, expect, it } from 'vitest';
import { StoreError } from '../../../src/core/store/store-error.ts';
import { Stops } from '../../../src/orders/life/stops.ts';
import type { CancelOutcome } from '../../../src/venues/venue.ts';
import { submitBatch } from '../../support/submitted.ts';
import { ACTOR, found, POD, RESTS, Rig, shares, TIMEOUT, ticks } from './orders-rig.ts';
import { StopsRig } from './stops-rig.ts';

const BOB = { actorId: 'bob', idempotencyKey: 'bobs' };
const OTHERS = { podId: 'other-pod', actorId: 'other-pod/carol', idempotencyKey: 'carols' };

let rig: Rig;
let operator: StopsRig;
beforeEach(() => {
  rig = new Rig();
  operator = new StopsRig(rig);
});

const submits = () => rig.venue.calls.filter(call => call.startsWith('submit')).length;
const refusal = (message: string) => ({ type: 'refused', kind: 'unavailable', retryAfterS: 10, message });

async function stop(scope: string) {
  const done = operator.stops.stop(scope);
  await rig.pass(6_000);
  return done;
}

describe('new orders', () => {
  it.each([
    ['*', 'all pods', [false, false, false]],
    [POD, POD, [false, false, true]],
    [ACTOR, ACTOR, [false, true, true]],
  ])('of a stop of %s are refused, and others go on', async (scope, shown, isSent) => {
    await stop(scope);
    for (const [index, change] of [{}, BOB, OTHERS].entries()) {
      const answer = await rig.submit(RESTS, change);
      if (isSent[index]) expect(answer).toMatchObject({ type: 'made' });
      else expect(answer).toMatchObject(refusal(`the operator has stopped ${shown}: nothing was sent`));
    }
    expect(submits()).toBe(isSent.filter(it => it).length);
  });

  it('leave no record, and their keys are free once the stop ends', async () => {
    await stop(POD);
    const records = rig.store.log.records.length;
    expect(await rig.submit(RESTS)).toMatchObject({ kind: 'unavailable' });
    expect([rig.store.log.records.length, rig.store.order(rig.id())]).toEqual([records, null]);
    expect(operator.stops.resume(POD)).toEqual({ report: { stopped: [], wasStopped: true }, isRecorded: true });
    expect(await rig.submit(RESTS)).toMatchObject({ type: 'made', isReplayed: false });
  });

  it('that were admitted before the stop are not recorded', async () => {
    const facts = Promise.withResolvers<typeof rig.venue.facts_>();
    rig.venue.facts = () => facts.promise;
    const answer = rig.submit(RESTS);
    void operator.stops.stop(ACTOR);
    facts.resolve(rig.venue.facts_);
    expect(await answer).toMatchObject(refusal(`the operator has stopped ${ACTOR}: nothing was sent`));
    expect([submits(), rig.store.order(rig.id())]).toEqual([0, null]);
  });

  it('that were recorded before the stop are not sent, and their key is released', async () => {
    const disk = Promise.withResolvers<void>();
    rig.store.durable = () => disk.promise;
    const answer = rig.submit(RESTS);
    // Time passes until the record waits for the disk.
    await rig.pass(100);
    expect(rig.order().status).toBe('SUBMITTED');
    const stopped = operator.stops.stop(ACTOR);
    disk.resolve();
    expect(await answer).toMatchObject({ kind: 'unavailable' });
    expect([submits(), rig.order()]).toMatchObject([0, { status: 'REJECTED', isReleased: true }]);
    await rig.pass(6_000);
    expect(await stopped).toMatchObject({ report: { leftTotal: 0 } });
    operator.stops.resume(ACTOR);
    expect(await rig.submit(RESTS)).toMatchObject({ type: 'made' });
  });

  it('of a batch that the venue refused as such are not sent one by one', async () => {
    rig.venue.submitBatch = async () => {
      void operator.stops.stop(ACTOR);
      return null;
    };
    const batch = ['one', 'two'].map(idempotencyKey => rig.submission({ idempotencyKey }));
    const answers = await submitBatch(rig.parts, batch, () => expect.unreachable());
    expect(answers).toMatchObject([{ kind: 'unavailable' }, { kind: 'unavailable' }]);
    expect(submits()).toBe(0);
    for (const key of ['one', 'two']) expect(rig.order(rig.id(key))).toMatchObject({ isReleased: true });
  });

  it('in place of one that rests are not made, before the record and after it', async () => {
    rig.venue.amendments = [{ type: 'amended', venueOrderId: 'v-1', remaining: null, taken: shares(0) }];
    await rig.submit(RESTS);
    rig.stopProblem = () => `the operator has stopped ${ACTOR}`;
    expect(await rig.replace({ price: ticks(5_700) })).toMatchObject(
      refusal(`the operator has stopped ${ACTOR}: nothing was sent`),
    );
    expect(rig.store.order(rig.id('new'))).toBeNull();
    rig.stopProblem = () => null;
    const disk = Promise.withResolvers<void>();
    rig.store.durable = () => disk.promise;
    const answer = rig.replace({ price: ticks(5_700) });
    await rig.pass(100);
    rig.stopProblem = () => `the operator has stopped ${ACTOR}`;
    disk.resolve();
    expect(await answer).toMatchObject({ kind: 'unavailable', retryAfterS: 10 });
    expect(rig.order(rig.id('new'))).toMatchObject({ status: 'REJECTED', isReleased: true });
    expect([rig.order().status, rig.venue.calls.filter(it => it.startsWith('amend'))]).toEqual(['OPEN', []]);
  });

  it('are not sent while the order that they replace is being cancelled', async () => {
    rig = new Rig('venue_a');
    operator = new StopsRig(rig);
    await rig.submit(RESTS);
    const cancel = Promise.withResolvers<CancelOutcome>();
    rig.venue.cancels = [cancel.promise];
    rig.venue.lookUps = [found('gone')];
    const answer = rig.replace({ price: ticks(5_700) });
    await rig.pass(100);
    const stopped = operator.stops.stop(ACTOR);
    cancel.resolve({ type: 'cancelled' });
    await rig.pass(6_000);
    expect(await answer).toMatchObject({ type: 'made', status: 'CANCELLED' });
    expect([submits(), rig.order(rig.id('new'))]).toMatchObject([1, { status: 'CANCELLED', cancelReason: 'STOP' }]);
    expect((await stopped).report).toMatchObject({ leftTotal: 0 });
  });

  it('with an answer get it again', async () => {
    const before = await rig.submit(RESTS);
    await stop(ACTOR);
    expect(await rig.submit(RESTS)).toEqual({ ...before, isReplayed: true });
  });
});

describe('what is open', () => {
  it('is cancelled in the scope, and counted', async () => {
    for (const idempotencyKey of ['one', 'two']) await rig.submit(RESTS, { idempotencyKey });
    await rig.submit(RESTS, BOB);
    expect(await stop(ACTOR)).toEqual({
      report: { stopped: [ACTOR], cancelled: 2, leftTotal: 0, left: [], unread: [] },
      isRecorded: true,
    });
    expect([rig.store.openCount(ACTOR, 'venue_b'), rig.store.openCount('bob', 'venue_b')]).toEqual([0, 1]);
    expect(rig.order()).toMatchObject({ status: 'CANCELLED', cancelReason: 'STOP' });
  });

  it('is named if the venue confirms no cancel, and cancelled later', async () => {
    await rig.submit(RESTS);
    rig.venue.cancels = [{ type: 'unknown', message: 'no answer' }];
    rig.venue.lookUps = [{ type: 'unavailable', message: 'down' }];
    const { report } = await stop('*');
    expect(report).toMatchObject({
      cancelled: 0,
      leftTotal: 1,
      left: [{ orderId: rig.id(), actorId: ACTOR, venue: 'venue_b', market: 'KXGAME-1', status: 'OPEN' }],
    });
    rig.venue.cancels = [{ type: 'cancelled' }];
    await rig.sweep(60_000);
    await rig.pass(1_000);
    expect(rig.order().status).toBe('CANCELLED');
  });

  it('an order with an unknown outcome is left until the venue says what became of it', async () => {
    await rig.submit(TIMEOUT);
    rig.venue.lookUps = [{ type: 'unavailable', message: 'down' }];
    expect((await stop(ACTOR)).report).toMatchObject({ leftTotal: 1, left: [{ status: 'SUBMITTED' }] });
  });
});

describe('a stop', () => {
  const restarted = () => {
    const { ledger, timers } = new Rig('venue_b', rig.restarted());
    return new Stops({ ledger, timers, accounts: [], isRead: () => true, changed: () => {}, storeFailed: () => {} });
  };

  it('is announced, and survives a restart until it is resumed', async () => {
    await stop(ACTOR);
    await stop('*');
    expect(operator.stopped).toEqual([[ACTOR], [ACTOR, '*']]);
    expect(restarted().scopes).toEqual([ACTOR, '*']);
    expect(operator.stops.resume('*').report).toEqual({ stopped: [ACTOR], wasStopped: true });
    expect(operator.stops.resume('*').report).toEqual({ stopped: [ACTOR], wasStopped: false });
    operator.stops.resume(ACTOR);
    expect([operator.stopped.at(-1), restarted().scopes]).toEqual([[], []]);
  });

  it('holds on a full disk, cancels there, and is recorded once there is room', async () => {
    await rig.submit(RESTS);
    rig.store.isFull = true;
    expect(await stop(POD)).toMatchObject({ report: { cancelled: 1, leftTotal: 0 }, isRecorded: false });
    expect(operator.storeFaults[0]).toBeInstanceOf(StoreError);
    expect(operator.stops.problem({ podId: POD, actorId: ACTOR })).not.toBeNull();
    expect(restarted().scopes).toEqual([]);
    operator.stops.record();
    expect(restarted().scopes).toEqual([]);
    rig.store.isFull = false;
    operator.stops.record();
    expect(restarted().scopes).toEqual([POD]);
  });
});
