// Found by review: a market order's price is its dollars divided by its rounded shares (venue-a.md §2.2), with more decimals than ticks
// have. While the venue holds it back it is listed with that price, which made the list of open orders, and so the account, unreadable.

import { expect, it } from 'vitest';
import { tradingOn } from '../venues/venue-a/trading/scripted-line.ts';
import { FIRST, shares } from '../venues/venue-a/trading/trading-rig.ts';

const DELAYED = {
  id: `0x${'b'.repeat(64)}`,
  status: 'DELAYED',
  market: `0x${'c'.repeat(64)}`,
  asset_id: FIRST,
  side: 'BUY',
  original_size: '17.8571',
  size_matched: '0',
  price: '0.560001344',
  order_type: 'FAK',
};

const listed = (change: object) =>
  tradingOn({ '/data/orders': () => ({ body: { data: [{ ...DELAYED, ...change }], next_cursor: 'LTE=' } }) });

it('a listed market order is read, at the nearest tick', async () => {
  expect(await listed({}).trading.openOrders()).toMatchObject({
    ok: true,
    value: { rows: [{ venueOrderId: DELAYED.id, state: 'delayed', price: 5_600, size: shares(17.8571) }] },
  });
});

it('a listed order without a valid price is not read', async () => {
  const unread = [{ orders: [{ venueOrderId: DELAYED.id }] }];
  expect(await listed({ price: 'x' }).trading.openOrders()).toMatchObject({ value: { rows: [], unread } });
});
