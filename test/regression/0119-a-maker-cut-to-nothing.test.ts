// Found by review: venue A cuts the sizes of a trade's makers to hundredths (venue-a.md §9.4). A trade with a maker of "0" was unreadable,
// and every list with it. The account stayed unread, and took no orders, while the trade was among the last ones.

import { expect, it } from 'vitest';
import { tradeIn } from '../venues/venue-a/trading/reported-trades.ts';
import { CONDITION } from '../venues/venue-a/trading/scripted-line.ts';
import { FIRST, shares } from '../venues/venue-a/trading/trading-rig.ts';

const maker = (digit: string, amount: unknown) => {
  return { order_id: `0x${digit.repeat(64)}`, owner: digit, asset_id: FIRST, matched_amount: amount, price: '0.5' };
};

function read(amount: unknown) {
  const taker = { taker_order_id: `0x${'9'.repeat(64)}`, side: 'BUY', size: '10', price: '0.5', owner: 'key' };
  const row = { id: 't1', market: CONDITION, asset_id: FIRST, status: 'MATCHED', match_time: '1790000000', ...taker };
  return tradeIn({ ...row, maker_orders: [maker('7', '10'), maker('8', amount)] });
}

it.each(['0', '0.00', 0])('(%j) is left out', amount => {
  expect(read(amount).makers.map(({ size }) => size)).toEqual([shares(10)]);
});

it.each(['', undefined, 'some', '-1'])('a maker whose size cannot be read (%j) is missing from its trade', amount => {
  expect(read(amount)).toMatchObject({ makers: [{ size: shares(10) }], unread: [{ orderId: `0x${'8'.repeat(64)}` }] });
});
