// Found by reading: venue A states a trade's total rounded, at the order's limit and without fees; its fills may sum to a little less. The
// larger statement won for ever, so average price and fees never became those of the fills.

import { expect, it } from 'vitest';
import type { MicroDollars } from '../../src/domain/numbers.ts';
import { traded } from '../../src/domain/order-sums.ts';

import { Rig, shares, ticks, YES_BUY } from '../orders/orders-rig.ts';

const stated = (count: number) => ({
  size: shares(count),
  cost: BigInt(shares(count)) * 6_000n,
  fees: 0 as MicroDollars,
});

async function filledAtOnce(venue: 'venue_a' | 'venue_b'): Promise<Rig> {
  const rig = new Rig(venue);
  const outcome = { type: 'accepted', venueOrderId: 'v-1', state: 'gone', stated: stated(10) } as const;
  await rig.submit(outcome, venue === 'venue_b' ? { request: { ...YES_BUY, price: ticks(6_000) } } : {});
  return rig;
}

it('a rounded statement counts until the fills are reported, and then they count', async () => {
  const rig = await filledAtOnce('venue_a');
  const fill = (id: string, count: number) => rig.fill(id, count, { price: ticks(5_000), addressPrice: ticks(5_000) });
  rig.hear({ type: 'fill', fill: fill('f', 5) });
  expect(traded(rig.order())).toEqual(stated(10));
  rig.hear({ type: 'fill', fill: fill('g', 4.995) });
  const cost = BigInt(shares(9.995)) * 5_000n;
  expect(traded(rig.order())).toEqual({ size: shares(9.995), cost, fees: 2_000 });
  expect(rig.order().status).toBe('FILLED');
});

it('says what it says at venue B, whose amounts are exact', async () => {
  const rig = await filledAtOnce('venue_b');
  rig.hear({ type: 'fill', fill: rig.fill('f', 9.999) });
  expect(traded(rig.order())).toEqual(stated(10));
});
