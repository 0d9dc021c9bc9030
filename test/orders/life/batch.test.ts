// Several orders of one request make one record and one request to the venue. Each order is answered as if it were alone.

import { expect, it } from 'vitest';
import { type Answer, unknownOutcome } from '../../../src/core/domain/answer.ts';
import { NO_LIMITS } from '../../../src/core/domain/identity.ts';
import type { Ticks } from '../../../src/core/domain/numbers.ts';
import { StoreError } from '../../../src/core/store/store-error.ts';
import { cancelBatch, cancelDeadline } from '../../../src/orders/life/cancel.ts';
import type { Submission } from '../../../src/orders/life/submission.ts';
import type { SubmitOutcome } from '../../../src/venues/venue.ts';
import { submitBatch } from '../../support/submitted.ts';
import { NOT_SENT, REFUSED, RESTS, Rig, shares, TIMEOUT, YES_BUY } from './orders-rig.ts';

const rests = (venueOrderId: string): SubmitOutcome => ({ ...RESTS, venueOrderId });

function failed(submission: Submission, error: unknown): Answer {
  expect(error).toBeInstanceOf(StoreError);
  return unknownOutcome('unknownOutcome', submission.idempotencyKey as never, 'the store failed');
}

/** Submits orders under the keys one, two, …, each with the venue's outcome. */
function submitted(rig: Rig, outcomes: readonly SubmitOutcome[], changes: readonly Partial<Submission>[] = []) {
  rig.venue.submits = [...outcomes];
  const keys = ['one', 'two', 'three', 'four'].slice(0, Math.max(outcomes.length, changes.length));
  return submitBatch(
    rig.parts,
    keys.map((idempotencyKey, index) => rig.submission({ idempotencyKey, ...changes[index] })),
    failed,
  );
}

it('each order has the answer and the state that it would have had alone', async () => {
  const rig = new Rig();
  const answers = await submitted(rig, [rests('v-1'), REFUSED, NOT_SENT, TIMEOUT]);
  expect(answers).toMatchObject([
    { type: 'made', status: 'OPEN', orderId: rig.id('one') },
    { type: 'refused', kind: 'insufficientBalance', message: 'insufficient balance', reason: 'VENUE_REJECTED' },
    { type: 'refused', kind: 'unavailable', retryAfterS: 2, reason: 'UNKNOWN' },
    { type: 'refused', kind: 'unknownOutcome', orderId: rig.id('four'), reason: null },
  ]);
  const states = ['one', 'two', 'three', 'four'].map(key => rig.order(rig.id(key)));
  expect(states).toMatchObject([
    { status: 'OPEN', venueOrderId: 'v-1' },
    { status: 'REJECTED', isReleased: false },
    { status: 'REJECTED', isReleased: true },
    { status: 'SUBMITTED', venueOrderId: null },
  ]);
  expect(rig.venue.calls).toEqual(['submitBatch of 4']);
});

it('all intents are one record, before anything is sent', async () => {
  const rig = new Rig();
  let recordsAtSend = 0;
  rig.venue.submitBatch = async orders => {
    recordsAtSend = rig.store.log.records.length;
    expect(orders.map(({ order }) => rig.order(order.orderId).status)).toEqual(['SUBMITTED', 'SUBMITTED']);
    return [rests('v-1'), rests('v-2')];
  };
  await submitted(rig, [rests('v-1'), rests('v-2')]);
  expect(recordsAtSend).toBe(1);
});

it('a batch that comes again gets the answers of the first, and sends nothing', async () => {
  const rig = new Rig();
  const first = await submitted(rig, [rests('v-1'), REFUSED]);
  const again = await submitted(rig, [rests('v-3'), rests('v-4')]);
  expect(again).toEqual(first.map(answer => ({ ...answer, isReplayed: true })));
  expect(rig.venue.calls).toEqual(['submitBatch of 2']);
});

it('an order of a batch is the same order alone or in another batch', async () => {
  const rig = new Rig();
  await submitted(rig, [rests('v-1'), rests('v-2')]);
  expect(await rig.submit(rests('v-9'), { idempotencyKey: 'two' })).toMatchObject({
    ...{ type: 'made', orderId: rig.id('two'), isReplayed: true },
  });
  const other = { bodySha256Hex: 'b'.repeat(64) };
  const answers = await submitted(rig, [rests('v-3'), rests('v-3'), rests('v-3')], [{}, other, {}]);
  expect(answers).toMatchObject([
    { type: 'made', isReplayed: true },
    { type: 'refused', kind: 'idempotencyConflict' },
    { type: 'made', isReplayed: false, orderId: rig.id('three') },
  ]);
  // One order alone is no batch.
  expect(rig.venue.calls).toEqual(['submitBatch of 2', 'submit SUBMITTED']);
});

it('a key that stands twice in a batch is one order', async () => {
  const rig = new Rig();
  const twice = [{}, { idempotencyKey: 'one' }];
  const answers = await submitted(rig, [rests('v-1'), rests('v-2')], twice);
  expect(answers).toMatchObject([
    { type: 'made', orderId: rig.id('one'), isReplayed: false },
    { type: 'made', orderId: rig.id('one'), isReplayed: true },
  ]);
  expect(rig.venue.calls).toEqual(['submit SUBMITTED']);
});

it('an order that is refused before its intent is not sent, and hinders no other', async () => {
  const rig = new Rig();
  const offGrid = { request: { ...YES_BUY, price: 5_601 as Ticks } };
  const answers = await submitted(rig, [rests('v-1'), rests('v-2'), rests('v-3')], [{}, offGrid, {}]);
  expect(answers.map(({ type }) => type)).toEqual(['made', 'refused', 'made']);
  expect(rig.store.order(rig.id('two'))).toBeNull();
  expect(rig.venue.calls).toEqual(['submitBatch of 2']);
});

it('orders before it in the batch count in the limits of the actor', async () => {
  const rig = new Rig();
  const limits = { ...NO_LIMITS, openOrdersMax: 2 };
  const answers = await submitted(rig, [rests('v-1'), rests('v-2')], [{ limits }, { limits }, { limits }]);
  expect(answers).toMatchObject([
    { type: 'made' },
    { type: 'made' },
    { kind: 'invalid', message: 'the actor has 2 open orders, its openOrdersMax is 2' },
  ]);
});

it('a batch that the venue refuses for being a batch is sent order by order', async () => {
  const rig = new Rig();
  rig.venue.refusesBatches = true;
  const answers = await submitted(rig, [rests('v-1'), REFUSED]);
  expect(answers.map(({ type }) => type)).toEqual(['made', 'refused']);
  expect(rig.venue.calls).toEqual(['submitBatch of 2', 'submit SUBMITTED', 'submit SUBMITTED']);
});

it('a batch is not sent if its record cannot be made, and each of its orders may come again', async () => {
  const rig = new Rig();
  rig.store.isFull = true;
  const answers = await submitted(rig, [rests('v-1'), rests('v-2')]);
  expect(answers).toMatchObject([{ message: 'the store failed' }, { message: 'the store failed' }]);
  expect(rig.venue.calls).toEqual([]);
  rig.store.isFull = false;
  expect((await submitted(rig, [rests('v-1'), rests('v-2')])).map(({ type }) => type)).toEqual(['made', 'made']);
});

it('an order that the private stream shows is answered before the venue answers', async () => {
  const rig = new Rig();
  rig.venue.submits = [new Promise(() => {})];
  const answers = submitBatch(
    rig.parts,
    ['one', 'two'].map(idempotencyKey => rig.submission({ idempotencyKey })),
    failed,
  );
  await rig.pass(100);
  rig.hear({ type: 'order', order: rig.venueOrder() });
  rig.hear({ type: 'fill', fill: rig.fill('t-2', 10, { venueOrderId: 'v-2', clientOrderId: clientId(rig, 'two') }) });
  await rig.pass(2_000);
  expect(await answers).toMatchObject([
    { type: 'made', status: 'OPEN' },
    { type: 'made', status: 'FILLED' },
  ]);
  expect(rig.order(rig.id('two')).filled.size).toBe(shares(10));
});

function clientId(rig: Rig, key: string): string {
  return rig.stored(rig.id(key)).intent!.clientOrderId;
}

it('cancels of a batch are one record and one request', async () => {
  const rig = new Rig();
  await submitted(rig, [rests('v-1'), rests('v-2'), REFUSED]);
  rig.venue.calls.length = 0;
  rig.venue.cancels = [{ type: 'cancelled' }];
  const records = rig.store.log.records.length;
  const orders = ['one', 'two', 'three'].map(key => rig.stored(rig.id(key)));
  const cancels = cancelBatch(rig, rig.venue, orders, cancelDeadline(rig));
  expect(rig.store.log.records.length).toBe(records + 1);
  expect(await Promise.all(cancels)).toMatchObject([
    { answer: { type: 'cancelled', order: { status: 'CANCELLED' } }, isRecorded: true },
    { answer: { type: 'cancelled', order: { status: 'CANCELLED' } }, isRecorded: true },
    { answer: { type: 'refused', kind: 'notCancellable' }, isRecorded: true },
  ]);
  expect(rig.venue.calls).toEqual(['cancelBatch of 2']);
});

it('a cancel of a batch whose outcome is unknown is looked up by itself', async () => {
  const rig = new Rig();
  await submitted(rig, [rests('v-1'), rests('v-2')]);
  rig.venue.cancels = [{ type: 'cancelled' }, { type: 'unknown', message: 'no answer' }, { type: 'cancelled' }];
  rig.venue.lookUps = [{ type: 'found', venueOrderId: 'v-2', state: 'rests', stated: null, fills: [] }];
  rig.venue.calls.length = 0;
  const orders = ['one', 'two'].map(key => rig.stored(rig.id(key)));
  const cancels = Promise.all(cancelBatch(rig, rig.venue, orders, cancelDeadline(rig)));
  await rig.pass(500);
  expect((await cancels).map(({ answer }) => answer.type)).toEqual(['cancelled', 'cancelled']);
  expect(rig.venue.calls).toEqual(['cancelBatch of 2', 'lookUp', 'cancel']);
});
