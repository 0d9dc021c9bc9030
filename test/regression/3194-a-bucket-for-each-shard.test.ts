// Writes to another shard of venue B than the first have a bucket of their own (venue-b.md §9). The paper exchange had one bucket for all. So
// who traded on two shards there was refused, although our count of both buckets allowed it.

import { afterEach, beforeEach, expect, it } from 'vitest';
import type { MicroDollars } from '../../src/domain/numbers.ts';
import { price, send, size } from '../venues/trading-rig.ts';
import { TENNIS_TICKER, TICKER, VenueBTradingRig } from '../venues/venue-b/trading/trading-rig.ts';

/** Of the smallest tier: 100 tokens, of which 20 are left for cancels. */
const ORDERS = 8;
const AT = { price: price('0.3'), size: size('1'), timeInForce: 'GTC' } as const;

let rig: VenueBTradingRig;
beforeEach(async () => {
  rig = await VenueBTradingRig.open({ tier: 'basic' });
  rig.fund(3, 1_000_000_000 as MicroDollars);
  for (const ticker of [TICKER, TENNIS_TICKER]) await rig.trading.facts(ticker);
});
afterEach(() => rig.close());

it('is spent by what goes there alone', async () => {
  const outcomes: string[] = [];
  for (const ticker of [TICKER, TENNIS_TICKER]) {
    for (let count = 0; count < ORDERS; count += 1) {
      const placed = await send(rig, rig.wish({ ticker, side: 'YES', action: 'BUY', ...AT }));
      outcomes.push(placed.outcome.type);
    }
  }
  expect(outcomes).toEqual(Array.from({ length: 2 * ORDERS }, () => 'accepted'));
  const more = await send(rig, rig.wish({ ticker: TENNIS_TICKER, side: 'YES', action: 'BUY', ...AT }));
  expect(more.outcome).toMatchObject({ type: 'not-sent', message: expect.stringContaining('is spent') });
});
