// Found by review: venue B's engine has its own reason not to cancel a filled order, CANNOT_UPDATE_FILLED_ORDER (venue-b.md §7). It stands
// beside the 404 for all that is not in the book. It counted as any other refusal: a 400 in the venue's words instead of a 409. The order
// stayed OPEN until its fill was reported.

import { expect, it } from 'vitest';
import { cancelOutcomes } from '../../src/venues/venue-b/trading/answers.ts';
import { found, RESTS, Rig, shares, YES_BUY } from '../orders/orders-rig.ts';
import { answer, error } from '../venues/venue-b/trading/scripted-answers.ts';

it.each([
  [400, 'CANNOT_UPDATE_FILLED_ORDER'],
  [409, 'cannot_update_filled_order'],
])('%i %s: the order is looked up, and has been filled', async (status, code) => {
  const rig = new Rig();
  await rig.submit(RESTS);
  const outcome = cancelOutcomes([{ venueOrderId: 'v-1', size: YES_BUY.size }], answer(status, error(code)))[0]!;
  rig.venue.cancels = [outcome];
  rig.venue.lookUps = [found('gone', [rig.fill('f', YES_BUY.size / shares(1))])];
  expect(await rig.cancel(rig.id())).toMatchObject({ type: 'refused', kind: 'notCancellable' });
  expect(rig.order().status).toBe('FILLED');
});
