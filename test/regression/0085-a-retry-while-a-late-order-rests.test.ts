// Found by review: an order that its venue took after it had been given up here has an unknown outcome until its cancel is made. Its retry
// was answered 400, "no trace", for good, while it rested and was filled.

import { expect, it } from 'vitest';
import type { CancelOutcome } from '../../src/venues/venue.ts';
import { found, RESTS, Rig, shares } from '../orders/orders-rig.ts';

const UNKNOWN: CancelOutcome = { type: 'unknown', message: 'no answer' };
const NO_ANSWER = { type: 'refused', kind: 'unknownOutcome', isReplayed: true };

/** Given up while its answer is on its way; then taken, and its cancel not answered. */
async function takenLate(): Promise<Rig> {
  const rig = new Rig();
  rig.venue.cancels = [UNKNOWN];
  const { answer, say } = rig.start();
  await rig.pass(10, 5);
  await rig.sweep(3_600_000);
  say(RESTS);
  expect(await answer).toMatchObject({ kind: 'unknownOutcome' });
  expect(rig.order().status).toBe('REJECTED');
  return rig;
}

it('a retry is answered as its order was, and then as the order has ended', async () => {
  const rig = await takenLate();
  for (let retry = 0; retry < 2; retry += 1) {
    expect(await rig.submit(RESTS)).toMatchObject({ ...NO_ANSWER, orderId: rig.id() });
  }
  rig.venue.cancels = [{ type: 'cancelled' }];
  rig.venue.lookUps = [found('gone', [rig.fill('f', 4)])];
  rig.hear({ type: 'order', order: rig.venueOrder() });
  await rig.pass(10, 5);
  expect(rig.order()).toMatchObject({ status: 'CANCELLED', filled: { size: shares(4) } });
  expect(await rig.submit(RESTS)).toMatchObject({ type: 'made', status: 'CANCELLED', isReplayed: true });
});

it('a retry of an order without a trace gets an unknown outcome, and in the end the lack of a trace', async () => {
  const rig = new Rig();
  await rig.submit({ type: 'unknown', cause: 'timeout', message: 'no answer' });
  expect(await rig.submit(RESTS)).toMatchObject(NO_ANSWER);
  await rig.sweep(3_600_000);
  expect(await rig.submit(RESTS)).toMatchObject({ kind: 'invalid', message: 'no trace at the venue' });
});
