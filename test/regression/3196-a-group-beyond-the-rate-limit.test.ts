// Venue B says 429 to a change of an order group: the bucket of its shard is empty, since the account has another user. An order's 429 was
// heeded, that of a group was not. So orders went out against an empty bucket, and were refused one by one.

import { afterEach, beforeEach, expect, it } from 'vitest';
import type { MicroDollars } from '../../src/domain/numbers.ts';
import { strike } from '../venues/trading-rig.ts';
import { TENNIS_TICKER, TICKER, VenueBTradingRig } from '../venues/venue-b/trading/trading-rig.ts';

let rig: VenueBTradingRig;
beforeEach(async () => {
  rig = await VenueBTradingRig.open();
  rig.fund(3, 1_000_000_000 as MicroDollars);
});
afterEach(() => rig.close());

it('empties the bucket of its shard, and no other', async () => {
  for (const ticker of [TICKER, TENNIS_TICKER]) await rig.trading.facts(ticker);
  strike(rig, 'POST /portfolio/order_groups/create', { kind: 'rate-limited' });
  expect(await rig.trading.groups!.make(3, 20)).toMatchObject({ ok: false, error: { isGone: false } });
  expect(rig.trading.budget(TENNIS_TICKER)).toMatchObject({ orders: { left: 0 } });
  const { orders } = rig.trading.budget(TICKER);
  expect(orders.left).toBe(orders.burst);
});
