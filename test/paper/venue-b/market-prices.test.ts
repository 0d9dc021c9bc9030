// Order books, trades and candlesticks of venue B by REST (venue-b.md §4.3–4.5) over a real socket.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/domain/json.ts';
import { BOSTON, EVENT, LAKERS, MarketRig, ownerOf, START, TOTAL } from './market-rig.ts';

const START_S = START / 1_000;
const MINUTE_MS = 60_000;

let rig: MarketRig;
beforeEach(async () => {
  rig = await MarketRig.start();
});
afterEach(() => rig.close());

describe('order books', () => {
  beforeEach(() => {
    for (const price of ['0.45', '0.46', '0.47']) rig.place({ side: 'buy', price, count: '1' });
    for (const price of ['0.52', '0.53']) rig.place({ side: 'sell', price, count: '2.5' });
  });

  it('are bids of both outcomes, the best last', async () => {
    expect(await rig.read(`/markets/${BOSTON}/orderbook`)).toEqual({
      orderbook_fp: {
        no_dollars: [
          ['0.4700', '2.50'],
          ['0.4800', '2.50'],
        ],
        yes_dollars: [
          ['0.4500', '1.00'],
          ['0.4600', '1.00'],
          ['0.4700', '1.00'],
        ],
      },
    });
    expect(await rig.read(`/markets/${TOTAL}/orderbook`)).toEqual({
      orderbook_fp: { no_dollars: [], yes_dollars: [] },
    });
  });

  it.each([
    ['1', 1, 1],
    ['2', 2, 2],
    ['0', 2, 3],
    ['-5', 2, 3],
    ['100', 2, 3],
  ])('of depth %s', async (depth, no, yes) => {
    const { orderbook_fp } = (await rig.read(`/markets/${BOSTON}/orderbook?depth=${depth}`)) as {
      orderbook_fp: Record<string, [string, string][]>;
    };
    expect([orderbook_fp.no_dollars!.length, orderbook_fp.yes_dollars!.length]).toEqual([no, yes]);
    expect(orderbook_fp.yes_dollars!.at(-1)).toEqual(['0.4700', '1.00']);
  });

  it('of many markets at once', async () => {
    const { orderbooks } = (await rig.read(
      `/markets/orderbooks?tickers=${BOSTON}&tickers=${LAKERS}&tickers=KXNONE`,
    )) as {
      orderbooks: JsonObject[];
    };
    expect(orderbooks.map(({ ticker }) => ticker)).toEqual([BOSTON, LAKERS]);
  });

  it('are refused if they are too deep, unknown, or none', async () => {
    expect((await rig.get(`/markets/${BOSTON}/orderbook?depth=101`)).status).toBe(400);
    expect((await rig.get('/markets/KXNONE/orderbook')).status).toBe(404);
    expect((await rig.get('/markets/orderbooks')).status).toBe(400);
    const many = Array.from({ length: 101 }, (_, index) => `tickers=T${index}`).join('&');
    expect((await rig.get(`/markets/orderbooks?${many}`)).status).toBe(400);
  });
});

describe('trades', () => {
  it('are listed newest first, by market, time and page', async () => {
    rig.trade('0.36', '1');
    rig.timers.advance(10_000);
    rig.trade('0.37', '2', LAKERS);
    rig.timers.advance(10_000);
    rig.trade('0.38', '3.07');
    const prices = async (query: string) =>
      ((await rig.read(`/markets/trades${query}`)).trades as JsonObject[]).map(
        ({ yes_price_dollars }) => yes_price_dollars,
      );
    expect(await prices('')).toEqual(['0.3800', '0.3700', '0.3600']);
    expect(await prices(`?ticker=${BOSTON}`)).toEqual(['0.3800', '0.3600']);
    expect(await prices(`?min_ts=${START_S + 5}&max_ts=${START_S + 15}`)).toEqual(['0.3700']);
    expect(await prices('?ticker=KXNONE')).toEqual([]);
    expect(await prices('?is_block_trade=true')).toEqual([]);
    const page = await rig.read('/markets/trades?limit=1');
    expect(page.trades).toEqual([
      {
        count_fp: '3.07',
        created_time: '2026-05-28T20:27:00Z',
        is_block_trade: false,
        no_price_dollars: '0.6200',
        taker_book_side: 'ask',
        taker_outcome_side: 'no',
        taker_side: 'no',
        ticker: BOSTON,
        trade_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        yes_price_dollars: '0.3800',
      },
    ]);
    // What is new does not move the pages behind it.
    rig.trade('0.39', '1');
    expect(await prices(`?limit=5&cursor=${page.cursor}`)).toEqual(['0.3700', '0.3600']);
    expect((await rig.get('/markets/trades?limit=1001')).status).toBe(400);
  });
});

describe('candlesticks', () => {
  const path = (ticker: string, query: string) => `/series/KXNBAGAME/markets/${ticker}/candlesticks?${query}`;
  const hour = `start_ts=${START_S}&end_ts=${START_S + 3_600}`;

  it('say what a minute saw: quotes, prices, contracts', async () => {
    rig.place({ side: 'buy', price: '0.30', count: '100' });
    rig.place({ side: 'sell', price: '0.60', count: '1' });
    rig.timers.advance(MINUTE_MS);
    rig.place({ who: ownerOf('bob'), side: 'buy', price: '0.60', count: '1' });
    // One pair is minted, then bob sells the contract he has and two that he has not.
    rig.place({ who: ownerOf('bob'), side: 'sell', price: '0.30', count: '3' });
    const { candlesticks, ticker } = (await rig.read(path(BOSTON, `${hour}&period_interval=1`))) as {
      candlesticks: JsonObject[];
      ticker: string;
    };
    expect(ticker).toBe(BOSTON);
    expect(candlesticks).toHaveLength(2);
    expect(candlesticks[0]).toMatchObject({
      price: { close_dollars: null, mean_dollars: null, open_dollars: null },
      volume_fp: '0.00',
      yes_ask: { close_dollars: '0.6000', high_dollars: '1.0000' },
      yes_bid: { close_dollars: '0.3000' },
    });
    expect(candlesticks[1]).toEqual({
      end_period_ts: Math.ceil((START_S + 60) / 60) * 60,
      open_interest_fp: '2.00',
      price: {
        close_dollars: '0.3000',
        high_dollars: '0.6000',
        low_dollars: '0.3000',
        mean_dollars: '0.3750',
        open_dollars: '0.6000',
      },
      volume_fp: '4.00',
      yes_ask: { close_dollars: '1.0000', high_dollars: '1.0000', low_dollars: '0.6000', open_dollars: '0.6000' },
      yes_bid: { close_dollars: '0.3000', high_dollars: '0.3000', low_dollars: '0.3000', open_dollars: '0.3000' },
    });
  });

  it('of hours and days are the sum of their minutes', async () => {
    for (const price of ['0.40', '0.45', '0.35']) {
      rig.trade(price, '2');
      rig.timers.advance(5 * MINUTE_MS);
    }
    for (const period of [60, 1_440]) {
      const { candlesticks } = (await rig.read(
        path(BOSTON, `start_ts=${START_S - 90_000}&end_ts=${START_S + 90_000}&period_interval=${period}`),
      )) as { candlesticks: JsonObject[] };
      expect(candlesticks.map(({ volume_fp }) => volume_fp)).toEqual(['6.00']);
      expect(candlesticks[0]!.price).toEqual({
        close_dollars: '0.3500',
        high_dollars: '0.4500',
        low_dollars: '0.3500',
        mean_dollars: '0.4000',
        open_dollars: '0.4000',
      });
      expect(Number(candlesticks[0]!.end_period_ts) % (period * 60)).toBe(0);
    }
  });

  it('begin with what stood before, on request', async () => {
    rig.trade('0.40', '2');
    rig.timers.advance(10 * MINUTE_MS);
    rig.trade('0.42', '1');
    const query = `start_ts=${START_S + 300}&end_ts=${START_S + 900}&period_interval=1`;
    const { candlesticks } = (await rig.read(path(BOSTON, `${query}&include_latest_before_start=true`))) as {
      candlesticks: JsonObject[];
    };
    expect(candlesticks).toHaveLength(2);
    expect(candlesticks[0]).toMatchObject({
      price: { open_dollars: null, previous_dollars: '0.4000' },
      volume_fp: '0.00',
    });
    expect(candlesticks[1]).toMatchObject({ price: { open_dollars: '0.4200', previous_dollars: '0.4000' } });
  });

  it('come for many markets, and for all of an event', async () => {
    rig.trade('0.40', '2');
    const batch = await rig.read(
      `/markets/candlesticks?market_tickers=${BOSTON},${TOTAL},KXNONE&${hour}&period_interval=1`,
    );
    expect(batch.markets).toEqual([
      { candlesticks: [expect.objectContaining({ volume_fp: '2.00' })], market_ticker: BOSTON },
      { candlesticks: [], market_ticker: TOTAL },
    ]);
    const ofEvent = await rig.read(`/series/KXNBAGAME/events/${EVENT}/candlesticks?${hour}&period_interval=60`);
    expect(ofEvent).toMatchObject({ adjusted_end_ts: START_S + 3_600, market_tickers: [BOSTON, LAKERS] });
    expect((ofEvent.market_candlesticks as unknown[][]).map(list => list.length)).toEqual([1, 0]);
  });

  it.each([
    [path(BOSTON, `${hour}&period_interval=5`), 400],
    [path(BOSTON, 'period_interval=1'), 400],
    [path(BOSTON, `start_ts=${START_S}&end_ts=${START_S - 1}&period_interval=1`), 400],
    [path('KXNONE', `${hour}&period_interval=1`), 404],
    [`/series/KXNBATOTAL/markets/${BOSTON}/candlesticks?${hour}&period_interval=1`, 404],
    [`/series/KXNBAGAME/events/KXNONE/candlesticks?${hour}&period_interval=1`, 404],
    [`/markets/candlesticks?${hour}&period_interval=1`, 400],
    [`/markets/candlesticks?market_tickers=${'A,'.repeat(50)}${Array.from({ length: 101 }, (_, i) => i)}&${hour}`, 400],
  ])('%s answers %i', async (target, status) => {
    expect((await rig.get(target)).status).toBe(status);
  });
});
