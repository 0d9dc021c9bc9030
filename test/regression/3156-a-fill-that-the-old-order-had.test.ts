// The venue states a trade of an order under its own name while its amendment is unknown. A look-up finds the amendment made, and lists the
// fill without a name. It was booked to the new order, and the old one kept the trade as stated (simulation, seed 7771).

import { expect, it } from 'vitest';
import type { MicroDollars } from '../../src/domain/numbers.ts';
import { traded } from '../../src/domain/order-sums.ts';
import type { AmendOutcome } from '../../src/venues/venue.ts';
import { found, RESTS, Rig, shares, TIMEOUT, ticks } from '../orders/orders-rig.ts';

it('a nameless fill is of the order that the venue has stated it of', async () => {
  const rig = new Rig('venue_b');
  await rig.submit(RESTS);
  rig.venue.amendments = [TIMEOUT as AmendOutcome];
  await rig.replace({ price: ticks(5_700) });
  const stated = { size: shares(1), cost: BigInt(shares(1)) * 5_600n, fees: 1_000 as MicroDollars };
  rig.hear({ type: 'order', order: rig.venueOrder({ stated }) });
  rig.venue.lookUps = [found('rests', [rig.fill('t-1', 1, { clientOrderId: null })])];
  await rig.sweep(5_000);
  const both = [rig.order(), rig.order(rig.id('new'))];
  expect(both.map(order => traded(order).size)).toEqual([shares(1), 0]);
  expect(both.map(order => order.filled.size)).toEqual([shares(1), 0]);
});
