// Order books and trades of venue B by REST (venue-b.md §4.3, §4.4) over a real socket.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/core/domain/json.ts';
import { BOSTON, LAKERS, MarketRig, START, TOTAL } from './market-rig.ts';

const START_S = START / 1_000;

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
    // New trades do not shift the later pages.
    rig.trade('0.39', '1');
    expect(await prices(`?limit=5&cursor=${page.cursor}`)).toEqual(['0.3700', '0.3600']);
    expect((await rig.get('/markets/trades?limit=1001')).status).toBe(400);
  });
});
