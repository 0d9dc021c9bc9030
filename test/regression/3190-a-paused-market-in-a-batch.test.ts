// Venue B says MARKET_NOT_ACTIVE of each order to a paused market. Alone such an order was refused, in a batch its outcome was unknown. It
// was looked up until the venue was known not to have it. The engine's own reasons are refusals, too (venue-b.md §7).

import { afterEach, beforeEach, expect, it } from 'vitest';
import type { VenueBOrderRequest } from '../../src/domain/order-request.ts';
import { batchOutcomes } from '../../src/venues/venue-b/trading/answers.ts';
import { place, placeBatch, price, size } from '../venues/trading-rig.ts';
import { answer } from '../venues/venue-b/trading/scripted-answers.ts';
import { TICKER, VenueBTradingRig } from '../venues/venue-b/trading/trading-rig.ts';

let rig: VenueBTradingRig;
beforeEach(async () => {
  rig = await VenueBTradingRig.open();
});
afterEach(() => rig.close());

const WISH = { side: 'BUY', price: price('0.5'), size: size('10') } as const;

it('an order to a paused market is refused in a batch as it is alone', async () => {
  expect(rig.paper.control.setPaused(TICKER, true).ok).toBe(true);
  const { outcome } = await place(rig, WISH);
  expect(outcome).toMatchObject({ type: 'refused', kind: 'invalid', error: { code: 'VENUE_REJECTED' } });
  const placed = await placeBatch(rig, [WISH, WISH]);
  expect(placed?.map(it => it.outcome)).toEqual([outcome, outcome]);
});

it.each(['SELF_CROSS_ATTEMPT', 'EXCEEDED_PER_MARKET_RISK_LIMIT', 'EXCEEDED_SELL_POSITION_FLOOR'])(
  'an order of a batch that is refused by %s is refused',
  code => {
    const request = { venue: 'venue_b', ticker: TICKER, side: 'YES', action: 'BUY', timeInForce: 'GTC' } as const;
    const sent = { request: { ...request, price: WISH.price, size: WISH.size } satisfies VenueBOrderRequest };
    const item = { client_order_id: 'ours', error: { code, message: 'no' } };
    const outcomes = batchOutcomes(
      [{ ...sent, clientOrderId: 'ours', isGrouped: false }],
      answer(201, { orders: [item] }),
    );
    expect(outcomes).toMatchObject([{ type: 'refused', kind: 'invalid', error: { code: 'VENUE_REJECTED' } }]);
  },
);
