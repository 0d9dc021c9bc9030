// Found by review: pages of venue A's lists begin at offsets, so a new row pushes others onto the next page. A trade that was listed twice
// filled an order that was filled in half. An order held back its cash twice, and a holding had twice its size.

import { expect, it } from 'vitest';
import { limits } from '../../src/limits.ts';
import { ACCOUNT, CONDITION, pageOf, SOON, submitted, tradingOn } from '../venues/venue-a/trading/scripted-line.ts';
import { FIRST, shares } from '../venues/venue-a/trading/trading-rig.ts';

const SECOND_PAGE = 'MTAw';
const idOf = (digit: string) => `0x${digit.repeat(64)}`;

/** The same row at the end of one page and at the beginning of the next. */
const twice =
  (row: object) =>
  ({ target }: { readonly target: string }) => {
    const isSecond = new URLSearchParams(target.split('?')[1]).get('next_cursor') === SECOND_PAGE;
    return { body: { data: [row], next_cursor: isSecond ? 'LTE=' : SECOND_PAGE } };
  };

it('fill an order once', async () => {
  let trade = {};
  const { trading, order, intent, timers } = await submitted({
    '/order': ({ body }) => ({ body: { orderID: JSON.parse(Buffer.from(body).toString()).orderID, success: true } }),
    '/data/order/': () => ({ body: null }),
    '/data/orders': () => ({ body: { data: [], next_cursor: 'LTE=' } }),
    '/data/trades': request => twice(trade)(request),
  });
  trade = {
    id: 'trade-1',
    taker_order_id: intent.venueOrderId,
    market: CONDITION,
    asset_id: FIRST,
    side: 'BUY',
    size: '5',
    price: '0.5',
    status: 'CONFIRMED',
    match_time: '1725958681',
    owner: ACCOUNT.apiKey,
    maker_orders: [{ order_id: idOf('1'), owner: 'other', matched_amount: '5', price: '0.5', asset_id: FIRST }],
  };
  const sent = { ...order, sentAt: timers.now() };
  // Of ten shares: the rest may be in the book, and the venue's reads lag.
  expect(await trading.lookUp(sent, intent, SOON)).toMatchObject({ type: 'unavailable' });
});

it('hold back their cash once', async () => {
  const order = {
    id: idOf('b'),
    asset_id: FIRST,
    market: CONDITION,
    side: 'BUY',
    price: '0.5',
    original_size: '10',
    size_matched: '0',
    status: 'LIVE',
    order_type: 'GTC',
  };
  const { trading } = tradingOn({
    '/balance-allowance': () => ({ body: { balance: '20000000' } }),
    '/v2/positions': () => pageOf([]),
    '/data/orders': twice(order),
  });
  expect(await trading.balance()).toMatchObject({ ok: true, value: { available: 15_000_000, committed: 5_000_000 } });
});

it('a holding on two pages is held once', async () => {
  const rows = Array.from({ length: limits.venueADataRowsPerPage }, (_, index) => ({
    token_id: String(10_000 + index),
    current_size: 7,
  }));
  const { trading } = tradingOn({
    '/v2/positions': ({ target }) =>
      target.includes('cursor=')
        ? pageOf(rows.slice(-1))
        : { body: { data: rows, pagination: { next_cursor: 'next' } } },
  });
  const held = await trading.positions();
  expect(held.ok && held.value.rows.length).toBe(rows.length);
  expect(held.ok && held.value.rows.at(-1)).toMatchObject({ size: shares(7) });
});
