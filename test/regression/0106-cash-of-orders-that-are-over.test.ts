// Found by review: everything that venue A lists counted as held back, also an order that it lists as cancelled (venue-a.md §3.5).
// `available` was too small by cash that was free.

import { expect, it } from 'vitest';
import { pageOf, tradingOn } from '../venues/venue-a/trading/scripted-line.ts';
import { FIRST } from '../venues/venue-a/trading/trading-rig.ts';

const order = (digit: string, status: string) => ({
  id: `0x${digit.repeat(64)}`,
  status,
  asset_id: FIRST,
  side: 'BUY',
  original_size: '10',
  size_matched: '2',
  price: '0.5',
  order_type: 'GTC',
});

it.each([
  ['LIVE', 4_000_000],
  ['DELAYED', 4_000_000],
  ['UNMATCHED', 4_000_000],
  ['CANCELED', 0],
  ['CANCELED_MARKET_RESOLVED', 0],
  ['INVALID', 0],
  ['UNMATCHED_invalid post-only order', 0],
])('%s holds back %i', async (status, committed) => {
  const { trading } = tradingOn({
    '/balance-allowance': () => ({ body: { balance: '20000000' } }),
    '/v2/positions': () => pageOf([]),
    '/data/orders': () => ({ body: { data: [order('b', status)], next_cursor: 'LTE=' } }),
  });
  expect(await trading.balance()).toMatchObject({
    ok: true,
    value: { available: 20_000_000 - committed, committed },
  });
});
