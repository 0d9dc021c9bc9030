// Venue B refuses an amendment for its price: the market has another grid than we know. The next order reads the market again after a
// refused order, and did not after a refused amendment. So each further replace could be refused for minutes.

import { afterEach, beforeEach, expect, it } from 'vitest';
import type { UnixMillis } from '../../src/domain/numbers.ts';
import { ANSWER_MS, place, price, size, strike } from '../venues/trading-rig.ts';
import { TICKER, VenueBTradingRig } from '../venues/venue-b/trading/trading-rig.ts';

let rig: VenueBTradingRig;
beforeEach(async () => {
  rig = await VenueBTradingRig.open();
});
afterEach(() => rig.close());

const WISH = { side: 'BUY', price: price('0.5'), size: size('10') } as const;

it('the market is read again after an amendment that it contradicts', async () => {
  // Counts by a fault that does nothing.
  strike(rig, 'GET /markets/:ticker', { kind: 'delay', beforeMs: 0, afterMs: 0 }, null);
  const rule = [...rig.faults.rules].at(-1)!;
  await rig.trading.facts(TICKER);
  const { order, intent } = await place(rig, WISH);
  const { amends } = rig.trading;
  const change = amends!.prepare({ order, intent }, rig.order({ ...WISH, price: price('0.505') }), WISH.size);
  const outcome = await amends!.amend(order, change, (rig.now() + ANSWER_MS) as UnixMillis, null);
  expect(outcome).toMatchObject({ type: 'refused', error: { code: 'INVALID_ORDER' } });
  await rig.trading.facts(TICKER);
  expect(rule.struck).toBe(2);
});
