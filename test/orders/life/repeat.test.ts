// The same submission once more, whenever it comes: at once, later, after a restart, with another body (contract §4.6).

import { describe, expect, it } from 'vitest';
import type { UnixMillis } from '../../../src/core/domain/numbers.ts';
import { answerRepeat, repeatAnswer } from '../../../src/orders/life/repeat.ts';
import { submit } from '../../support/submitted.ts';
import { ACTOR, NOT_SENT, REFUSED, RESTS, Rig, TIMEOUT, ticks, YES_BUY } from './orders-rig.ts';

describe('the same key again', () => {
  it('gets the first answer in each later state of the order, also after a restart', async () => {
    const rig = new Rig();
    const first = await rig.submit(RESTS);
    rig.hear({ type: 'fill', fill: rig.fill('f', 10) });
    const restarted = new Rig('venue_b', rig.restarted());
    expect(await restarted.submit(REFUSED)).toEqual({ ...first, isReplayed: true });
    expect(restarted.venue.calls).toEqual([]);
  });

  it('with another body is a conflict; of another actor it is another key', async () => {
    const rig = await Rig.submitted(RESTS);
    expect(await rig.submit(RESTS, { bodySha256Hex: 'b'.repeat(64) })).toMatchObject({ kind: 'idempotencyConflict' });
    expect(await rig.submit(RESTS, { bodySha256Hex: 'b'.repeat(64), actorId: 'bob' })).toMatchObject({ type: 'made' });
    expect(rig.store.allOrders()).toHaveLength(2);
  });

  it('twice at once is sent once, and both get its answer', async () => {
    const rig = new Rig();
    const { answer, say } = rig.start();
    const twin = submit(rig.parts, rig.submission());
    await rig.pass(50, 10);
    const third = submit(rig.parts, rig.submission());
    say(RESTS);
    await rig.pass(500, 10);
    expect(await answer).toMatchObject({ status: 'OPEN', isReplayed: false });
    expect([await twin, await third]).toEqual([
      { type: 'made', orderId: rig.id(), status: 'OPEN', expiresAt: null, isReplayed: true },
      { type: 'made', orderId: rig.id(), status: 'OPEN', expiresAt: null, isReplayed: true },
    ]);
    expect(rig.venue.calls).toEqual(['submit SUBMITTED']);
  });

  it('twice at once has the same answer, also if the private stream reports the order in between', async () => {
    const rig = new Rig();
    const { answer, say } = rig.start();
    await rig.pass(10, 5);
    const twin = submit(rig.parts, rig.submission());
    rig.hear({ type: 'order', order: rig.venueOrder() });
    await rig.pass(100, 10);
    expect(await twin).toMatchObject({ type: 'made', status: 'OPEN' });
    rig.hear({ type: 'fill', fill: rig.fill('f', 10) });
    say(RESTS);
    // The second request sent the order, so nothing of its answer is a replay.
    expect([await answer, rig.order().status]).toMatchObject([
      { type: 'made', status: 'OPEN', isReplayed: false },
      'FILLED',
    ]);
    expect(await rig.submit(RESTS)).toMatchObject({ type: 'made', status: 'OPEN', isReplayed: true });
  });

  it('twice at once after a restart, with a fill between the two, gets one answer', async () => {
    const rig = new Rig();
    rig.start();
    await rig.pass(10, 5);
    rig.hear({ type: 'order', order: rig.venueOrder() });
    const [one, other] = [rig.submission(), rig.submission()];
    const early = repeatAnswer(rig.store, one)!;
    rig.hear({ type: 'fill', fill: rig.fill('f', 10) });
    expect(await answerRepeat(rig.parts, other, repeatAnswer(rig.store, other)!)).toMatchObject({ status: 'FILLED' });
    expect(await answerRepeat(rig.parts, one, early)).toMatchObject({ status: 'FILLED' });
  });

  it('twice at once with two bodies makes one the first, the other a conflict', async () => {
    const rig = new Rig();
    const { answer, say } = rig.start();
    const other = submit(rig.parts, rig.submission({ bodySha256Hex: 'b'.repeat(64) }));
    say(RESTS);
    await rig.pass(50, 10);
    expect([await answer, await other]).toMatchObject([{ type: 'made' }, { kind: 'idempotencyConflict' }]);
  });

  it('that waits for one that was not sent gets the same answer', async () => {
    const rig = new Rig();
    const { answer, say } = rig.start();
    await rig.pass(10, 5);
    const twin = submit(rig.parts, rig.submission());
    say(NOT_SENT);
    await rig.pass(500, 10);
    expect(await answer).toMatchObject({ kind: 'unavailable' });
    const message = 'venue_b: no connection: nothing was done';
    expect(await twin).toMatchObject({ kind: 'unavailable', message, reason: 'UNKNOWN' });
  });

  it('that waits for a process that has ended has to reconcile', async () => {
    const rig = new Rig();
    rig.start();
    await rig.pass(10, 5);
    const late = submit(rig.parts, rig.submission());
    await rig.pass(6_000);
    expect(await late).toMatchObject({ kind: 'unknownOutcome', orderId: rig.id() });
  });

  it('after a 503 makes the same order, with nothing left of the first', async () => {
    const rig = new Rig();
    const { answer, say } = rig.start();
    await rig.pass(10, 5);
    const { createdAt } = rig.order();
    rig.ledger.change(entry => entry.apply(rig.id(), [{ type: 'cancel-requested', at: entry.at }]));
    say(NOT_SENT);
    await answer;
    expect(await rig.submit(RESTS)).toMatchObject({ type: 'made', orderId: rig.id(), isReplayed: false });
    expect(rig.order()).toMatchObject({ status: 'OPEN', error: null, cancelRequestedAt: null, createdAt });
    expect(rig.store.allOrders()).toHaveLength(1);
    expect(await rig.submit(RESTS, { bodySha256Hex: 'b'.repeat(64) })).toMatchObject({ kind: 'idempotencyConflict' });
  });

  it('after a 504 gets it again at once while nothing is known', async () => {
    const rig = new Rig();
    const first = await rig.submit(TIMEOUT);
    expect(await rig.submit(RESTS)).toEqual({ ...first, isReplayed: true });
    expect(rig.venue.calls).toEqual(['submit SUBMITTED']);
  });

  it('after a 504 that is resolved gets 201, and keeps it', async () => {
    const rig = await Rig.submitted(TIMEOUT);
    rig.hear({ type: 'order', order: rig.venueOrder() });
    const second = await rig.submit(REFUSED);
    expect(second).toMatchObject({ type: 'made', status: 'OPEN', isReplayed: true });
    rig.hear({ type: 'fill', fill: rig.fill('f', 10) });
    expect(await rig.submit(REFUSED)).toEqual(second);
  });

  it('after a 504 that left no trace gets 400, and keeps it even if a trace comes late', async () => {
    const rig = await Rig.submitted(TIMEOUT);
    await rig.sweep(31_000);
    const second = await rig.submit(RESTS);
    expect(second).toMatchObject({ kind: 'invalid', message: 'no trace at the venue', isReplayed: true });
    rig.hear({ type: 'fill', fill: rig.fill('f', 10) });
    expect(rig.order().status).toBe('FILLED');
    expect(await rig.submit(RESTS)).toEqual(second);
  });

  it('4039: after a refusal has the order’s own code, and has it still if the venue shows the order after all', async () => {
    const rig = await Rig.submitted(TIMEOUT);
    await rig.sweep(31_000);
    expect(await rig.submit(RESTS)).toMatchObject({ kind: 'invalid', reason: 'UNKNOWN' });
    rig.hear({ type: 'fill', fill: rig.fill('f', 10) });
    expect(rig.order()).toMatchObject({ status: 'FILLED', error: null });
    expect(await rig.submit(RESTS)).toMatchObject({ kind: 'invalid', reason: 'UNKNOWN' });
  });

  it('4039: after a venue’s refusal has the order’s own code, also from a record without its answer', async () => {
    const rig = await Rig.submitted(REFUSED);
    expect(await rig.submit(RESTS)).toMatchObject({ reason: 'VENUE_REJECTED', isReplayed: true });
    forgetAnswer(rig);
    expect(await rig.submit(RESTS)).toMatchObject({ reason: 'VENUE_REJECTED', isReplayed: true });
  });

  it('4033: has the time that holds', async () => {
    const rig = new Rig();
    const expiresAt = (rig.timers.now() + 60_000) as UnixMillis;
    const terms = { expiresAt, postOnly: false, reduceOnly: false, selfTrade: 'CANCEL_TAKER' } as const;
    const request = { ...YES_BUY, timeInForce: 'GTD', terms } as const;
    expect(await rig.submit(RESTS, { request })).toMatchObject({ type: 'made', expiresAt, isReplayed: false });
    expect(await rig.submit(RESTS, { request })).toMatchObject({ type: 'made', expiresAt, isReplayed: true });
    expect(await rig.submit(RESTS, { idempotencyKey: 'two' })).toMatchObject({ type: 'made', expiresAt: null });
  });

  it('after its answer was forgotten is answered from the order', async () => {
    const rig = await Rig.submitted(RESTS);
    rig.hear({ type: 'fill', fill: rig.fill('f', 10) });
    forgetAnswer(rig);
    expect(await rig.submit(RESTS)).toMatchObject({ type: 'made', status: 'FILLED', isReplayed: true });
  });

  it('after the answer was forgotten that refused it is refused in the same way', async () => {
    const rig = new Rig();
    const first = await rig.submit(REFUSED);
    forgetAnswer(rig);
    expect(await rig.submit(RESTS)).toEqual({ ...first, isReplayed: true });
    expect(rig.venue.calls).toEqual(['submit SUBMITTED']);
  });

  it('after its record was lost finds the order that was adopted meanwhile', async () => {
    const rig = new Rig();
    rig.hear({ type: 'order', order: rig.venueOrder({ request: YES_BUY }) });
    expect(rig.divergences).toEqual(['adopted-order']);
    expect(await rig.submit(RESTS)).toMatchObject({ type: 'made', orderId: rig.id(), status: 'OPEN' });
    expect(rig.venue.calls).toEqual([]);
    const other = { request: { ...YES_BUY, ticker: 'KXOTHER' }, bodySha256Hex: 'b'.repeat(64) };
    expect(await rig.submit(RESTS, other)).toMatchObject({ kind: 'idempotencyConflict' });
  });

  it('for something else than the adopted order is a conflict', async () => {
    const rig = new Rig();
    rig.hear({ type: 'order', order: rig.venueOrder({ request: YES_BUY }) });
    const other = { request: { ...YES_BUY, action: 'SELL', price: ticks(6_000) } as const };
    expect(await rig.submit(RESTS, other)).toMatchObject({ kind: 'idempotencyConflict' });
  });
});

/** Forgets an answer as the history does once the answer has expired. */
function forgetAnswer({ store }: Rig): void {
  const kept = store.idempotency(ACTOR, 'venue_b', 'one')!;
  store.change(to => to.putIdempotency(ACTOR, 'venue_b', 'one', { ...kept, answer: null }));
}
