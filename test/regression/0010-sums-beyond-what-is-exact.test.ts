// Found with 0003: each amount that a venue states is exact below 2^53, but nothing checked the sum of two. The order store refuses such a
// number, which ended the thread.

import { expect, it } from 'vitest';
import { orderRecordOf } from '../../src/venues/venue-b/trading/reported-rows.ts';
import { tradeIn } from '../venues/venue-a/trading/reported-trades.ts';

const MOST = '9007199254.740991';

it('makers of one order that traded more than can be counted cannot be read', () => {
  const maker = { order_id: '0xbb', asset_id: '7', matched_amount: MOST, price: '0.5', side: 'SELL' };
  const trade = { id: 't', status: 'MATCHED', side: 'BUY', size: '5', price: '0.5', asset_id: '7' };
  expect(tradeIn({ ...trade, maker_orders: [maker] })).toMatchObject({ makers: [{}], unread: [] });
  const twice = { makers: [], unread: [{ orderId: '0xbb', isGarbled: true }] };
  expect(tradeIn({ ...trade, maker_orders: [maker, maker] })).toMatchObject(twice);
});

it('an order whose size is a sum beyond that cannot be read, and a cost beyond it is not stated', () => {
  const order = {
    ...{ order_id: 'o', ticker: 'KXA', status: 'canceled', book_side: 'bid', yes_price_dollars: '0.5' },
    ...{ fill_count_fp: MOST, taker_fees_dollars: '0' },
  };
  expect(orderRecordOf({ ...order, remaining_count_fp: '0' })).not.toBeNull();
  expect(orderRecordOf({ ...order, remaining_count_fp: MOST })).toBeNull();
  const costly = { taker_fill_cost_dollars: MOST, maker_fill_cost_dollars: MOST };
  expect(orderRecordOf({ ...order, ...costly, remaining_count_fp: '0' })?.stated).toBeNull();
});
