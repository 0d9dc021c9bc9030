// Found by the fuzz targets "venue A messages" and "venue B messages". The name that a venue gave to an order, a trade or a market became
// part of a key of the order store. Its keys have 511 bytes. A longer name failed the transaction, and ended the executions thread, again
// with every reading of the account.

import { expect, it } from 'vitest';
import type { MicroShares, Ticks } from '../../src/domain/numbers.ts';
import type { VenueBOrderRequest } from '../../src/domain/order-request.ts';
import { limits } from '../../src/limits.ts';
import { accountKey } from '../../src/store/orders/keys.ts';
import { NO_FEES } from '../../src/venues/venue-a/trading/market-terms.ts';
import { fillsOf, lostOf, readTrade } from '../../src/venues/venue-a/trading/trades.ts';
import { submitOutcome } from '../../src/venues/venue-b/trading/answers.ts';
import { fillRecordOf, orderRecordOf } from '../../src/venues/venue-b/trading/reported-rows.ts';
import { settledOf } from '../../src/venues/venue-b/trading/settlements.ts';
import { EVERYBODY, tradeIn } from '../venues/venue-a/trading/reported-trades.ts';

const LONGEST = 'x'.repeat(limits.venueIdCharactersMax);
const account = { podId: 'p'.repeat(limits.identityCharactersMax), venue: 'venue_a' } as const;

const maker = { order_id: LONGEST, asset_id: '7', matched_amount: '5', price: '0.5', side: 'SELL' };
const trade = {
  ...{ id: LONGEST, status: 'MATCHED', side: 'BUY', size: '5', price: '0.5', asset_id: '7' },
  ...{ taker_order_id: LONGEST, maker_orders: [maker], match_time: '1786845510' },
};
const fill = {
  ...{ trade_id: LONGEST, order_id: LONGEST, ticker: 'KXA', book_side: 'bid', yes_price_dollars: '0.5', count_fp: '1' },
  ts_ms: 1_786_845_510_000,
};
const order = {
  ...{ order_id: LONGEST, ticker: 'KXA', status: 'resting', book_side: 'bid', yes_price_dollars: '0.5' },
  ...{ fill_count_fp: '0.00', remaining_count_fp: '1.00' },
};

it('the longest ids fit into a key', () => {
  const fills = fillsOf(tradeIn(trade), EVERYBODY, NO_FEES);
  for (const { fillId } of fills) expect(accountKey(account, fillId).length).toBeLessThan(limits.storeKeyBytesMax);
  expect(fills).toHaveLength(2);
  expect([fillRecordOf(fill), orderRecordOf(order)]).not.toContain(null);
});

it.each([`${LONGEST}x`, 'ü', 'a b', 'a\u0000'])('%j is no id', id => {
  for (const change of [{ id }, { taker_order_id: id }, { maker_orders: [{ ...maker, order_id: id }] }]) {
    expect(lostOf(readTrade({ ...trade, ...change }), EVERYBODY)).not.toEqual([]);
  }
  expect([fillRecordOf({ ...fill, trade_id: id }), fillRecordOf({ ...fill, order_id: id })]).toEqual([null, null]);
  expect(orderRecordOf({ ...order, order_id: id })).toBeNull();
  const body = Buffer.from(JSON.stringify({ order_id: id, fill_count: '0.00', remaining_count: '1.00' }));
  const request: VenueBOrderRequest = {
    ...{ venue: 'venue_b', ticker: 'KXA', side: 'YES', action: 'BUY', timeInForce: 'GTC' },
    size: 1_000_000 as MicroShares,
    price: 5_000 as Ticks,
  };
  const outcome = submitOutcome(request, 'ours', { type: 'answer', status: 201, headers: new Map(), body });
  expect(outcome).toMatchObject({ type: 'unknown', cause: 'unreadable' });
});

it.each(['X'.repeat(limits.marketAddressCharactersMax + 1), 'K X', ''])('%j is no market', ticker => {
  expect([fillRecordOf({ ...fill, ticker }), orderRecordOf({ ...order, ticker })]).toEqual([null, null]);
  const row = { ticker, market_result: 'yes', settled_time: '2026-06-11T06:31:29Z' };
  expect(settledOf(row)).toBeNull();
});
