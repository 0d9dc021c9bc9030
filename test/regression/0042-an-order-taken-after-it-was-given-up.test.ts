// Found by review: the venue's answer came after the order had been given up here, as after a leap of the clock. The submission was
// answered 201 with the status REJECTED, while the order rested.

import { expect, it } from 'vitest';
import type { CancelOutcome } from '../../src/venues/venue.ts';
import { found, RESTS, Rig } from '../orders/orders-rig.ts';

/** The order is given up while its answer is on its way. */
async function takenLate(cancels: CancelOutcome) {
  const rig = new Rig();
  rig.venue.cancels = [cancels];
  const { answer, say } = rig.start();
  await rig.pass(10, 5);
  await rig.sweep(3_600_000);
  expect(rig.order()).toMatchObject({ status: 'REJECTED', error: { code: 'UNKNOWN' } });
  say(RESTS);
  return { rig, answer: await answer };
}

it('the order has an unknown outcome, and is cancelled at once', async () => {
  const { rig, answer } = await takenLate({ type: 'cancelled' });
  expect(answer).toMatchObject({ type: 'refused', kind: 'unknownOutcome', orderId: rig.id() });
  expect(rig.venue.calls.slice(-2)).toEqual(['cancel', 'lookUp']);
  expect(rig.order()).toMatchObject({ status: 'CANCELLED', venueOrderId: 'v-1', error: null });
  expect(rig.divergences).toEqual(['late-trace']);
  expect(await rig.submit(RESTS)).toMatchObject({ type: 'made', status: 'CANCELLED' });
});

it('the next reading finds the order if its cancel could not be made', async () => {
  const { rig } = await takenLate({ type: 'unknown', message: 'no answer' });
  expect(rig.order().status).toBe('REJECTED');
  rig.venue.cancels = [{ type: 'cancelled' }];
  rig.venue.lookUps = [found('gone', [rig.fill('f', 4)])];
  rig.hear({ type: 'order', order: rig.venueOrder() });
  await rig.pass(10, 5);
  expect(rig.order()).toMatchObject({ status: 'CANCELLED', filled: { size: 4_000_000 } });
});
