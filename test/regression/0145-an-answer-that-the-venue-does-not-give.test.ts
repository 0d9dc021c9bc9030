// Found by review. A submission whose answer was lost waited for it all of five seconds, though the private stream had reported the outcome
// within milliseconds. A retry, which looks into the ledger, was answered at once.

import { expect, it } from 'vitest';
import { limits } from '../../src/limits.ts';
import { submit } from '../../src/orders/submit.ts';
import type { SubmitOutcome } from '../../src/venues/venue.ts';
import { NOT_SENT, REFUSED, RESTS, Rig, TIMEOUT } from '../orders/orders-rig.ts';
import { MemoryLedger } from '../support/memory-ledger.ts';

class WatchedLedger extends MemoryLedger {
  looks = 0;

  override idempotency(...key: Parameters<MemoryLedger['idempotency']>): ReturnType<MemoryLedger['idempotency']> {
    this.looks += 1;
    return super.idempotency(...key);
  }
}

/** Whether it has been answered when so much time has passed. */
async function isAnswered(rig: Rig, answer: Promise<unknown>, ms: number): Promise<boolean> {
  let is = false;
  void answer.then(() => {
    is = true;
  });
  await rig.pass(ms, 10);
  return is;
}

/** One that rests by the word of the private stream, and is answered. */
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
  await rig.pass(1, 1);
  expect([rig.late, rig.timers.pending]).toEqual([[], 0]);
});
