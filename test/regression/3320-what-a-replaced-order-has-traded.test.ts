// A replaced order had traded what no fill had reported yet. The check of its replacement left it out as a whole (simulation, seed
// 9 155 621). Positions passed `positionMax`, and shares that were sold could be sold again.

import { expect, it } from 'vitest';
import { NO_LIMITS } from '../../src/domain/identity.ts';
import type { Filled } from '../../src/domain/order-sums.ts';
import { found, RESTS, Rig, shares, TOKEN_SELL, ticks } from '../orders/orders-rig.ts';

const TRADED_2 = { size: shares(2), cost: 0n, fees: 0 } as Filled;

it.each([
  [9, 'refused', []],
  [10, 'made', ['amend v-1 to 10']],
] as const)('counts towards a positionMax of %i: %s', async (most, type, calls) => {
  const rig = new Rig('venue_b');
  await rig.submit({ ...RESTS, stated: TRADED_2 });
  rig.venue.calls.length = 0;
  rig.venue.amendments = [{ type: 'amended', venueOrderId: 'v-1', remaining: null, taken: shares(0) }];
  const limits = { ...NO_LIMITS, positionMax: shares(most) };
  expect(await rig.replace({ price: ticks(5_500) }, { limits })).toMatchObject({ type });
  expect(rig.venue.calls).toEqual(calls);
});

it.each([
  [8, 'refused', []],
  [7, 'made', ['cancel', 'lookUp', 'submit SUBMITTED']],
] as const)('is not sold again by a total of %i of 7 shares: %s', async (total, type, calls) => {
  const rig = new Rig('venue_a');
  await rig.submit(RESTS, { idempotencyKey: 'bought' });
  const bought = { venueOrderId: `digest-${rig.id('bought')}`, positionChange: shares(7) };
  rig.hear({ type: 'fill', fill: rig.fill('t-1', 7, bought) });
  await rig.submit({ ...RESTS, stated: TRADED_2 }, { request: TOKEN_SELL });
  rig.venue.calls.length = 0;
  rig.venue.lookUps = [found('gone', [rig.fill('t-2', 2, { positionChange: shares(-2) })])];
  rig.venue.submits = [{ ...RESTS, venueOrderId: `digest-${rig.id('new')}` }];
  expect(await rig.replace({ total: shares(total) })).toMatchObject({ type });
  expect(rig.venue.calls).toEqual(calls);
});
