// Found by the fuzz targets "venue A messages", "venue B messages" and "venue B frames". They accepted a time in other units than the
// venue's own (microseconds, say). The order store has room for times up to the year 10889. So booking such a fill ended the thread, again
// with every reading of the account. "5" was a day in May 2001.

import { describe, expect, it } from 'vitest';
import { fillCodec } from '../../src/store/orders/records.ts';
import { NO_FEES } from '../../src/venues/venue-a/trading/market-terms.ts';
import { fillsOf } from '../../src/venues/venue-a/trading/trades.ts';
import { readColdFrame } from '../../src/venues/venue-b/cold-frames.ts';
import { timeOf } from '../../src/venues/venue-b/trading/amounts.ts';
import { fillRecordOf } from '../../src/venues/venue-b/trading/reported-rows.ts';
import { EVERYBODY, tradeIn } from '../venues/venue-a/trading/reported-trades.ts';

const MICROSECONDS = 1_786_845_510_000_000;
const LAST = 253_402_300_799_999;

describe('venue A', () => {
  const [order, other] = [`0x${'a'.repeat(64)}`, `0x${'b'.repeat(64)}`];
  const maker = { order_id: other, asset_id: '7', matched_amount: '5', price: '0.5', side: 'SELL' };
  const trade = {
    id: 't',
    status: 'MATCHED',
    side: 'BUY',
    size: '5',
    price: '0.5',
    asset_id: '7',
    maker_orders: [maker],
  };
  const timeOfTrade = (time: unknown) => {
    const read = tradeIn({ ...trade, taker_order_id: order, match_time: time });
    const [fill] = fillsOf(read, EVERYBODY, NO_FEES);
    expect(fillCodec.encode({ fill: fill!, orderId: null }).length).toBeGreaterThan(0);
    return fill!.executedAt;
  };

  it.each([
    ['1786845510', 1_786_845_510_000],
    [String(LAST), LAST],
    [LAST + 1, 0],
    [String(MICROSECONDS), 0],
    [9_007_199_254_740_991, 0],
    ['9999999999999999', 0],
    ['+020000-01-01T00:00:00Z', 0],
  ])('a trade at %s was made at %i', (time, at) => {
    expect(timeOfTrade(time)).toBe(at);
  });
});

describe('venue B', () => {
  const fill = {
    trade_id: 't',
    order_id: 'o',
    ticker: 'KXA',
    book_side: 'bid',
    yes_price_dollars: '0.5',
    count_fp: '1',
  };

  it.each([LAST + 1, MICROSECONDS, 9_007_199_254_740_991])('a fill at %i cannot be read', time => {
    expect(fillRecordOf({ ...fill, ts_ms: time })).toBeNull();
    expect(fillRecordOf({ ...fill, ts: time })).toBeNull();
  });

  it.each(['5', '10000', 'May 1', '2026', '+020000-01-01T00:00:00Z'])('%s is no time', text => {
    expect(timeOf(undefined, text)).toBeNull();
  });

  it('a closing time is a valid time, or absent', () => {
    const closing = (seconds: number) => {
      const msg = { market_ticker: 'KXA', event_type: 'close_date_updated', close_ts: seconds };
      return readColdFrame(Buffer.from(JSON.stringify({ type: 'market_lifecycle_v2', msg })))?.message;
    };
    expect(closing(1_781_160_000)).toMatchObject({ change: { event: 'CLOSE_TIME', closeTime: 1_781_160_000_000 } });
    for (const seconds of [0, LAST, 9_007_199_254_741]) {
      expect(closing(seconds)).toMatchObject({ change: { event: 'OTHER' } });
    }
  });
});
