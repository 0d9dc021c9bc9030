// Found by review: an order that seemed unsent, but rests at its venue, is cancelled. Until that was confirmed its key was free: the retry
// was sent as another order, and the first was forgotten and rested on.

import { expect, it } from 'vitest';
import { limits } from '../../src/limits.ts';
import type { CancelOutcome, VenueOrder } from '../../src/venues/venue.ts';
import { found, NOT_SENT, RESTS, Rig, shares, TOKEN_SELL } from '../orders/orders-rig.ts';

const UNKNOWN: CancelOutcome = { type: 'unknown', message: 'no answer' };

async function resting(): Promise<Rig> {
  const rig = new Rig('venue_a');
  expect(await rig.submit(NOT_SENT)).toMatchObject({ kind: 'unavailable' });
  expect(rig.order()).toMatchObject({ status: 'REJECTED', isReleased: true });
  const venueOrderId = `digest-${rig.id()}`;
  const order: VenueOrder = { ...rig.venueOrder(), venueOrderId, clientOrderId: null, address: TOKEN_SELL.tokenId };
  rig.venue.calls.length = 0;
  rig.venue.cancels = [UNKNOWN];
  rig.venue.lookUps = [found('rests')];
  rig.hear({ type: 'order', order });
  await rig.pass(10, 5);
  return rig;
}

it('a retry is not sent again, and the first order is cancelled', async () => {
  const rig = await resting();
  await rig.pass(2 * limits.venueAnswerTimeoutMs);
  expect(await rig.submit(RESTS)).toMatchObject({ kind: 'unknownOutcome', orderId: rig.id() });
  rig.venue.cancels = [{ type: 'cancelled' }];
  rig.venue.lookUps = [found('gone', [rig.fill('f', 4)])];
  await rig.sweep(10_000);
  expect(rig.venue.calls.filter(call => call.startsWith('submit'))).toEqual([]);
  expect(rig.venue.calls.filter(call => call === 'cancel')).not.toEqual([]);
  expect(rig.order()).toMatchObject({ status: 'CANCELLED', filled: { size: shares(4) } });
  expect(rig.divergences).toEqual(['late-trace', 'fill-of-refused']);
  expect(await rig.submit(RESTS)).toMatchObject({ type: 'made', status: 'CANCELLED', isReplayed: true });
});
