// The most that an order may cost at its limit, by which actors' limits and cash in flight are counted.

import { expect, it } from 'vitest';
import { costOf } from '../../../src/core/domain/hold-cost.ts';
import type { MicroDollars, MicroShares } from '../../../src/core/domain/numbers.ts';
import type { OrderRequest } from '../../../src/core/domain/order-request.ts';
import { worstPrice } from '../../../src/orders/life/worst-cost.ts';
import { shares, TOKEN_SELL, ticks, YES_BUY } from './orders-rig.ts';

const AT_MARKET = { venue: 'venue_a', tokenId: '1001', type: 'MARKET', timeInForce: 'FAK' } as const;

it.each<[string, OrderRequest, number]>([
  ['to buy YES at 0.56 may cost that', YES_BUY, 5_600],
  ['to buy NO at 0.56 may cost that', { ...YES_BUY, side: 'NO' }, 5_600],
  ['to sell YES at 0.56 may cost the NO that it buys', { ...YES_BUY, action: 'SELL' }, 4_400],
  ['to sell NO at 0.56 may cost the YES that it buys', { ...YES_BUY, side: 'NO', action: 'SELL' }, 4_400],
  ['to buy a token at 0.56 may cost that', { ...TOKEN_SELL, side: 'BUY' }, 5_600],
  ['to sell a token at 0.56 is of that worth', TOKEN_SELL, 5_600],
  [
    'to sell tokens for 0.3 or more is of a dollar’s worth: it may meet any price',
    { ...AT_MARKET, side: 'SELL', size: shares(5), worstPrice: ticks(3_000) },
    10_000,
  ],
  [
    'to spend dollars may meet any price, too',
    { ...AT_MARKET, side: 'BUY', dollars: 5_000_000 as MicroDollars, worstPrice: null },
    10_000,
  ],
])('%s', (_what, request, price) => {
  expect(worstPrice(request)).toBe(price);
});

it('parts of a micro-dollar are a whole one', () => {
  expect([
    costOf(shares(10), ticks(5_600)),
    costOf(1 as MicroShares, ticks(1)),
    costOf(0 as MicroShares, ticks(1)),
  ]).toEqual([5_600_000, 1, 0]);
});
