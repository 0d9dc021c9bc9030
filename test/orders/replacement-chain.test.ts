// How the sums of one order of venue B are divided among the orders that replaced each other in place.

import { expect, it } from 'vitest';
import { clientOrderIdOf } from '../../src/domain/actor-tag.ts';
import type { MicroDollars } from '../../src/domain/numbers.ts';
import { ACTOR, RESTS, Rig, shares, ticks } from './orders-rig.ts';

it('4032: a sum is not divided while fills of an order before are unreported', async () => {
  const rig = new Rig();
  rig.venue.amendments = [{ type: 'amended', venueOrderId: 'v-1', remaining: shares(6), taken: shares(0) }];
  await rig.submit(RESTS);
  await rig.replace({ price: ticks(5_700) });
  const next = () => rig.order(rig.id('new'));
  // Four of ten were filled before, and nothing of them is reported yet.
  expect(next()).toMatchObject({ request: { size: shares(6) }, filled: { size: 0 } });
  const stated = { size: shares(6), cost: BigInt(shares(6)) * 5_600n, fees: 3_000 as MicroDollars };
  const clientOrderId = clientOrderIdOf(rig.id('new'), ACTOR);
  const report = () => rig.hear({ type: 'order', order: rig.venueOrder({ clientOrderId, state: 'rests', stated }) });
  report();
  expect(next()).toMatchObject({ status: 'OPEN', stated: null });
  rig.hear({ type: 'fill', fill: rig.fill('t-1', 3) });
  report();
  expect(next()).toMatchObject({ status: 'OPEN', stated: null });
  rig.hear({ type: 'fill', fill: rig.fill('t-2', 1) });
  report();
  expect(next()).toMatchObject({ status: 'OPEN', stated: { size: shares(2) } });
});
