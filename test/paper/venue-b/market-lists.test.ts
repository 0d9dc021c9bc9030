// Venue B's markets by REST (venue-b.md §4.1, §4.2) over a real socket. Covers one whole market, the list with its filters, pages and
// refusals, and whether the exchange trades.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/core/domain/json.ts';
import { ticks } from '../../support/amounts.ts';
import { BOSTON, EVENT, LAKERS, MarketRig, START, TOTAL, tickersOf } from './market-rig.ts';

const START_S = START / 1_000;
const MINUTE_MS = 60_000;

let rig: MarketRig;
beforeEach(async () => {
  rig = await MarketRig.start();
});
afterEach(() => rig.close());

describe('exchange', () => {
  it('says its status, and how fresh private reads are', async () => {
    expect(await rig.read('/exchange/status')).toMatchObject({ exchange_active: true, trading_active: true });
    rig.exchange.state.setTradingActive(false);
    expect(await rig.read('/exchange/status')).toMatchObject({ exchange_active: true, trading_active: false });
    rig.exchange.state.setExchangeActive(false);
    expect(await rig.read('/exchange/status')).toMatchObject({
      exchange_active: false,
      exchange_index_statuses: [{ exchange_index: 0, exchange_active: false, trading_active: false }],
    });
    expect(await rig.read('/exchange/user_data_timestamp')).toEqual({ as_of_time: '2026-05-28T20:26:40Z' });
  });
});

describe('markets', () => {
  it('shows a market whole', async () => {
    rig.place({ side: 'buy', price: '0.47', count: '343.49' });
    rig.place({ side: 'sell', price: '0.52', count: '641' });
    const { market } = await rig.read(`/markets/${BOSTON}`);
    expect(market).toEqual({
      can_close_early: true,
      close_time: '2026-05-31T20:26:40Z',
      created_time: '2026-05-26T20:26:40Z',
      custom_strike: { basketball_team: '00000000-0000-4000-9000-000000000001' },
      early_close_condition: expect.any(String),
      event_ticker: EVENT,
      exchange_index: 0,
      expected_expiration_time: '2026-05-29T00:26:40Z',
      expiration_time: '2026-05-31T20:26:40Z',
      expiration_value: '',
      last_price_dollars: '0.0000',
      latest_expiration_time: '2026-05-31T20:26:40Z',
      market_type: 'binary',
      no_ask_dollars: '0.5300',
      no_bid_dollars: '0.4800',
      no_sub_title: 'BOS it is',
      notional_value_dollars: '1.0000',
      occurrence_datetime: '2026-05-29T00:26:40Z',
      open_interest_fp: '0.00',
      open_time: '2026-05-26T21:26:40Z',
      previous_price_dollars: '0.0000',
      previous_yes_ask_dollars: '0.0000',
      previous_yes_bid_dollars: '0.0000',
      price_level_structure: 'linear_cent',
      price_ranges: [{ end: '1.0000', start: '0.0000', step: '0.0100' }],
      result: '',
      rules_primary: 'First rule.',
      rules_secondary: 'Second rule.',
      settlement_bounds_type: 'default',
      settlement_timer_seconds: expect.any(Number),
      status: 'active',
      strike_type: 'structured',
      ticker: BOSTON,
      title: 'Question BOS?',
      updated_time: expect.any(String),
      volume_24h_fp: '0.00',
      volume_fp: '0.00',
      yes_ask_dollars: '0.5200',
      yes_ask_size_fp: '641.00',
      yes_bid_dollars: '0.4700',
      yes_bid_size_fp: '343.49',
      yes_sub_title: 'BOS it is',
    });
  });

  it('shows no quotes as 0 and 1, and a strike as a number', async () => {
    const { market } = (await rig.read(`/markets/${TOTAL}`)) as { market: JsonObject };
    const { yes_bid_dollars, yes_ask_dollars, no_bid_dollars, no_ask_dollars, floor_strike } = market;
    expect([yes_bid_dollars, yes_ask_dollars, no_bid_dollars, no_ask_dollars]).toEqual([
      '0.0000',
      '1.0000',
      '0.0000',
      '1.0000',
    ]);
    expect(floor_strike).toBe(220.5);
    expect(market).not.toHaveProperty('custom_strike');
  });

  it('4040: was last updated when it was listed, however long ago it was made', async () => {
    const { market } = await rig.read(`/markets/${BOSTON}`);
    const { created_time: made, updated_time: updated } = market as { created_time: string; updated_time: string };
    expect([Date.parse(updated), Date.parse(made) < Date.parse(updated)]).toEqual([START_S * 1_000, true]);
  });

  it('counts what was traded, ever and in the last day, and remembers the day before', async () => {
    rig.trade('0.36', '3');
    rig.timers.advance(24 * 60 * MINUTE_MS);
    rig.trade('0.40', '1.5');
    const { market } = await rig.read(`/markets/${BOSTON}`);
    expect(market).toMatchObject({
      last_price_dollars: '0.4000',
      previous_price_dollars: '0.3600',
      volume_24h_fp: '1.50',
      volume_fp: '4.50',
      open_interest_fp: '4.50',
    });
  });

  it('shows what a market has come to', async () => {
    rig.exchange.life.determine(rig.market(BOSTON), ticks('1'));
    expect((await rig.read(`/markets/${BOSTON}`)).market).toMatchObject({
      result: 'yes',
      settlement_value_dollars: '1.0000',
      status: 'determined',
    });
    rig.timers.advance(3_600_000);
    expect((await rig.read(`/markets/${BOSTON}`)).market).toMatchObject({
      settlement_ts: expect.stringMatching(/Z$/),
      status: 'finalized',
    });
  });

  it('knows no market that is not there', async () => {
    const { status, body: refusal } = await rig.get('/markets/KXNONE');
    expect([status, refusal]).toEqual([404, { error: { code: 'not_found', message: 'not found' } }]);
  });

  it.each([
    ['', [BOSTON, LAKERS, TOTAL]],
    ['?tickers=', [BOSTON, LAKERS, TOTAL]],
    [`?tickers=${LAKERS},${TOTAL},KXNONE`, [LAKERS, TOTAL]],
    [`?event_ticker=${EVENT}`, [BOSTON, LAKERS]],
    ['?series_ticker=KXNBATOTAL', [TOTAL]],
    ['?status=open', [BOSTON]],
    ['?status=paused', [LAKERS]],
    ['?status=closed', [TOTAL]],
    ['?status=settled', []],
    ['?status=unopened', []],
    ['?mve_filter=only', []],
    ['?mve_filter=exclude', [BOSTON, LAKERS, TOTAL]],
    [`?min_close_ts=${START_S + 2}`, [BOSTON, LAKERS]],
    [`?max_close_ts=${START_S + 1}&status=closed`, [TOTAL]],
    [`?max_created_ts=${START_S - 172_800}&status=open`, [BOSTON]],
    [`?min_created_ts=${START_S}`, []],
    [`?min_settled_ts=${START_S}`, []],
    [`?min_updated_ts=${START_S + 1}`, [LAKERS, TOTAL]],
    ['?limit=0', [BOSTON, LAKERS, TOTAL]],
  ])('lists %j', async (query, tickers) => {
    rig.timers.advance(1_000);
    rig.exchange.life.setPaused(rig.market(LAKERS), true);
    rig.exchange.life.determine(rig.market(TOTAL), ticks('0'));
    expect(tickersOf(await rig.read(`/markets${query}`))).toEqual(tickers);
  });

  it.each([
    ['?limit=1001', "Key: 'GetMarketsParams.Limit' Error:Field validation for 'Limit' failed on the 'lte' tag"],
    ['?limit=-1', "'gte' tag"],
    ['?limit=ten', 'limit'],
    ['?status=active', "'Status' failed on the 'oneof' tag"],
    ['?mve_filter=none', "'MveFilter' failed on the 'oneof' tag"],
    ['?min_close_ts=soon', 'min_close_ts'],
    ['?min_close_ts=1&max_created_ts=2', 'mutually exclusive'],
    ['?min_settled_ts=1&status=open', 'not compatible'],
  ])('refuses %j with the bare words of the validator', async (query, words) => {
    const { status, body: refusal } = await rig.get(`/markets${query}`);
    expect(status).toBe(400);
    expect(Object.keys(refusal as object)).toEqual(['msg']);
    expect((refusal as JsonObject).msg).toContain(words);
  });

  it('goes by pages, whose last has an empty cursor; an unknown cursor is the first page', async () => {
    const first = await rig.read('/markets?limit=2');
    expect(tickersOf(first)).toEqual([BOSTON, LAKERS]);
    const second = await rig.read(`/markets?limit=2&cursor=${first.cursor}`);
    expect([tickersOf(second), second.cursor]).toEqual([[TOTAL], '']);
    expect(tickersOf(await rig.read('/markets?limit=2&cursor=garbage-cursor'))).toEqual([BOSTON, LAKERS]);
    expect((await rig.read('/markets?limit=3')).cursor).toBe('');
  });
});
