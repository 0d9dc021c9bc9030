// Found through lines that no test ran: venue A shows an order as over and partly matched. Only the trades counted that were listed by
// then. The list may lag (venue-a.md §13), and a matched FOK counted as killed.

import { expect, it } from 'vitest';
import { NOTHING_FILLED } from '../../src/domain/order-sums.ts';
import { limits } from '../../src/limits.ts';
import { CONDITION, type Script, SOON, submitted } from '../venues/venue-a/trading/scripted-line.ts';
import { cents, FIRST, limit, marketBuy, shares } from '../venues/venue-a/trading/trading-rig.ts';

const GONE = { type: 'found', state: 'gone', fills: [] };
const SIX_AT_THE_LIMIT = { size: shares(6), cost: BigInt(cents(50)) * BigInt(shares(6)), fees: 0 };
const empty = () => ({ body: { data: [], next_cursor: 'LTE=' } });

/** Its answer is lost; no trade of it is listed for as long as the venue could take. */
async function lookedUp(shown: object, request = limit('BUY', 50, 10)) {
  const row = { market: CONDITION, asset_id: FIRST, side: 'BUY', price: '0.5', original_size: '10', ...shown };
  const script: Script = {
    '/order': () => ({ status: 500, body: {} }),
    '/data/order/': ({ target }) => ({ body: { ...row, id: target.slice('/data/order/'.length) } }),
    '/data/orders': empty,
    '/data/trades': empty,
  };
  const { trading, timers, order, intent } = await submitted(script, request);
  timers.advance(limits.venueATraceMs);
  return trading.lookUp(order, intent, SOON);
}

it.each([
  ['CANCELED', 6, SIX_AT_THE_LIMIT],
  ['CANCELED', 0, NOTHING_FILLED],
])('a limit order that is shown as %s with %i matched has traded so much', async (status, matched, stated) => {
  const found = await lookedUp({ status, size_matched: String(matched), order_type: 'GTC' });
  expect(found).toMatchObject({ ...GONE, stated });
});

it('a market order that is shown as matched is not known before its trades are', async () => {
  const found = await lookedUp({ status: 'MATCHED', size_matched: '10', order_type: 'FOK' }, marketBuy(5, 'FOK', 50));
  expect(found).toMatchObject({ type: 'unavailable' });
});

it('a market order that is shown as over with nothing matched was killed', async () => {
  const found = await lookedUp({ status: 'CANCELED', size_matched: '0', order_type: 'FOK' }, marketBuy(5, 'FOK', 50));
  expect(found).toMatchObject({ ...GONE, stated: NOTHING_FILLED });
});
