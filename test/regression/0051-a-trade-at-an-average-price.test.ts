// Found by review: a taker's trade states the average of its fills. An average with more decimals than a price made the whole list
// unreadable, and the account was never read again. The makers' prices are exact.

import { expect, it } from 'vitest';
import type { UnixMillis } from '../../src/domain/numbers.ts';
import { ACCOUNT, CONDITION, tradingOn } from '../venues/venue-a/trading/scripted-line.ts';
import { FIRST, shares } from '../venues/venue-a/trading/trading-rig.ts';

const idOf = (digit: string) => `0x${digit.repeat(64)}`;
const maker = (digit: string, size: string, price: string) => {
  return { order_id: idOf(digit), owner: 'other', matched_amount: size, price, asset_id: FIRST };
};
const TRADE = {
  id: 'trade-1',
  taker_order_id: idOf('a'),
  market: CONDITION,
  asset_id: FIRST,
  side: 'BUY',
  size: '10',
  price: '0.567',
  status: 'CONFIRMED',
  match_time: '1725958681',
  owner: ACCOUNT.apiKey,
  maker_orders: [maker('1', '3', '0.56'), maker('2', '7', '0.57')],
};

function fillsOf(change: object) {
  const body = { data: [{ ...TRADE, ...change }], next_cursor: 'LTE=' };
  return tradingOn({ '/data/trades': () => ({ body }) }).trading.fillsSince(0 as UnixMillis);
}

it.each(['0.567', '0.56666666666', 0.5666666666666667, '1', '', undefined])(
  '%s: its makers say what was paid',
  async price => {
    expect(await fillsOf({ price })).toMatchObject({
      ok: true,
      value: {
        rows: [
          { price: 5_600, size: shares(3) },
          { price: 5_700, size: shares(7) },
        ],
      },
    });
  },
);

it.each([
  ['0.56666666666', 5_667],
  ['0.00001', 1],
  ['0.99999', 9_999],
])('%s: without them it is rounded', async (price, ticks) => {
  expect(await fillsOf({ price, maker_orders: [] })).toMatchObject({
    ok: true,
    value: { rows: [{ price: ticks, size: shares(10) }] },
  });
});

it('a trade with neither makers nor a price is no fill, unless it is somebody else’s', async () => {
  const unreported = { price: '', maker_orders: [] };
  expect(await fillsOf(unreported)).toMatchObject({ value: { rows: [], unread: [{ tradeId: 'trade-1' }] } });
  expect(await fillsOf({ ...unreported, owner: 'other' })).toEqual({ ok: true, value: { rows: [], unread: [] } });
});
