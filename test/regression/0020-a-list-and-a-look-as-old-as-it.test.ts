// Found by the soak, once in some 35 runs: `late-trace`, the alarm for an order that rests after its end here. The venue's reads were 3 s
// old, so both the list and the confirming look-up still had the order: nothing was wrong.

import { expect, it } from 'vitest';
import type { LookUp } from '../../src/venues/venue.ts';
import { found, RESTS, Rig } from '../orders/orders-rig.ts';

async function endedHereAndListed(lookUps: readonly LookUp[]): Promise<Rig> {
  const rig = new Rig();
  await rig.submit(RESTS);
  await rig.cancel(rig.id());
  rig.venue.calls.length = 0;
  rig.venue.open = [rig.venueOrder()];
  rig.venue.lookUps = [...lookUps];
  rig.hear({ type: 'up' });
  await rig.pass(10, 5);
  return rig;
}

it('nothing to cancel is no alarm, and the order is looked at until the reads have come', async () => {
  const rig = await endedHereAndListed([found('rests'), found('rests'), found('rests'), found('gone')]);
  rig.venue.cancels = [{ type: 'not-found', message: 'matched or canceled' }];
  rig.venue.open = [];
  for (let seconds = 0; seconds < 10; seconds += 1) await rig.sweep();
  expect(rig.venue.calls).toEqual(['lookUp', 'cancel', 'lookUp', 'lookUp', 'cancel', 'lookUp']);
  expect([rig.divergences, rig.order().status]).toEqual([[], 'CANCELLED']);
});

it('an order that had to be cancelled is one alarm, however old the reads are', async () => {
  const rig = await endedHereAndListed([found('rests')]);
  rig.venue.cancels = [{ type: 'not-sent', message: 'no connection', retryAfterS: 1 }, { type: 'cancelled' }];
  rig.venue.open = [];
  for (let seconds = 0; seconds < 10; seconds += 1) await rig.sweep();
  expect(rig.venue.calls).toEqual(['lookUp', 'cancel', 'lookUp', 'cancel', 'lookUp']);
  expect(rig.divergences).toEqual(['late-trace']);
});
