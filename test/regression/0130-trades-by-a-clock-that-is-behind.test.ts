// Found by review: an order's trades were requested from five seconds before its sending by our clock. With the venue's clock ten seconds
// behind, the trade of a FOK whose answer was lost was missed, and the order REJECTED as not fillable.

import { expect, it } from 'vitest';
import { CONDITION, SOON, submitted } from '../venues/venue-a/trading/scripted-line.ts';
import { FIRST, marketBuy, shares } from '../venues/venue-a/trading/trading-rig.ts';

it.each([0, 10, 60])('%i seconds: the look finds what was traded', async behindS => {
  let row: object = {};
  let matchedS = 0;
  const { trading, timers, order, intent } = await submitted(
    {
      '/order': () => 'lost',
      '/data/order/': () => ({ body: null }),
      '/data/orders': () => ({ body: { data: [], next_cursor: 'LTE=' } }),
      '/data/trades': ({ target }) => {
        const after = Number(new URLSearchParams(target.split('?')[1]).get('after'));
        return { body: { data: matchedS >= after ? [row] : [], next_cursor: 'LTE=' } };
      },
    },
    marketBuy(5, 'FOK', 50),
  );
  matchedS = Math.floor(timers.now() / 1_000) - behindS;
  const maker = { order_id: `0x${'7'.repeat(64)}`, asset_id: FIRST, matched_amount: '10', price: '0.5' };
  const taker = { taker_order_id: intent.venueOrderId, side: 'BUY', size: '10', price: '0.5', owner: 'key' };
  const market = { market: CONDITION, asset_id: FIRST, match_time: String(matchedS) };
  row = { id: 't1', status: 'CONFIRMED', ...market, ...taker, maker_orders: [maker] };
  timers.advance(31_000);
  expect(await trading.lookUp(order, intent, SOON)).toMatchObject({ state: 'gone', fills: [{ size: shares(10) }] });
});
