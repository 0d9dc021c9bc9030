// Venue B's markets by REST (venue-b.md §4.1, §4.2) over a real socket. Covers one whole market, the list with its filters, pages and
// refusals, and whether the exchange trades. Events and series by venue B's REST (venue-b.md §4.5) over a real socket.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DAY_MS } from '../../../src/core/domain/durations.ts';
import type { JsonObject } from '../../../src/core/domain/json.ts';
import { ticks } from '../../support/amounts.ts';
import { BOSTON, EVENT, LAKERS, MarketRig, START, TOTAL, TOTAL_EVENT, tickersOf } from './market-rig.ts';

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

describe('events and series', () => {
  it('lists events, with markets and milestones on request', async () => {
    const plain = await rig.read('/events');
    expect(plain).toMatchObject({ cursor: '', events: [{ event_ticker: EVENT }, { event_ticker: TOTAL_EVENT }] });
    expect((plain.events as JsonObject[])[0]).toEqual({
      category: 'Sports',
      collateral_return_type: 'MECNET',
      event_ticker: EVENT,
      exchange_index: 0,
      last_updated_ts: expect.stringMatching(/Z$/),
      mutually_exclusive: true,
      product_metadata: { competition: 'Pro Basketball (M)', competition_scope: 'Game' },
      series_ticker: 'KXNBAGAME',
      settlement_sources: [{ name: expect.any(String), url: expect.any(String) }],
      strike_period: '',
      sub_title: 'BOS at LAL (May 28)',
      title: 'Boston at Los Angeles L',
    });
    const rich = await rig.read('/events?with_nested_markets=true&with_milestones=true');
    expect((rich.events as JsonObject[]).map(event => tickersOf(event))).toEqual([[BOSTON, LAKERS], [TOTAL]]);
    expect(rich.milestones).toMatchObject([{ related_event_tickers: [EVENT, TOTAL_EVENT], type: 'basketball_game' }]);
  });

  it.each([
    ['series_ticker=KXNBATOTAL', [TOTAL_EVENT]],
    [`tickers=${EVENT}`, [EVENT]],
    ['status=open', [EVENT]],
    ['status=closed', [TOTAL_EVENT]],
    [`min_close_ts=${START_S + 60}`, [EVENT]],
    [`min_updated_ts=${START_S}`, [TOTAL_EVENT]],
    ['limit=1', [EVENT]],
  ])('filters events by %s', async (query, tickers) => {
    rig.timers.advance(1_000);
    rig.exchange.life.determine(rig.market(TOTAL), ticks('0'));
    const { events } = (await rig.read(`/events?${query}`)) as { events: JsonObject[] };
    expect(events.map(({ event_ticker }) => event_ticker)).toEqual(tickers);
  });

  it('shows one, with its markets beside it or in it', async () => {
    const beside = (await rig.read(`/events/${EVENT}`)) as { event: JsonObject; markets: JsonObject[] };
    expect(beside.event).not.toHaveProperty('markets');
    expect(tickersOf(beside)).toEqual([BOSTON, LAKERS]);
    const within = (await rig.read(`/events/${EVENT}?with_nested_markets=true`)) as { event: JsonObject };
    expect(tickersOf(within.event)).toEqual([BOSTON, LAKERS]);
    expect((await rig.get('/events/KXNONE')).status).toBe(404);
    expect((await rig.get('/events?limit=201')).status).toBe(400);
  });

  it('shows series with their fees', async () => {
    rig.trade('0.40', '2');
    const { series } = (await rig.read('/series/KXNBAGAME?include_volume=true')) as { series: JsonObject };
    expect(series).toMatchObject({
      category: 'Sports',
      fee_multiplier: 1,
      fee_type: 'quadratic',
      product_metadata: { scope: 'Game' },
      tags: ['Basketball'],
      ticker: 'KXNBAGAME',
      volume_fp: '2.00',
    });
    const tickers = async (query: string) =>
      ((await rig.read(`/series${query}`)).series as JsonObject[]).map(({ ticker }) => ticker);
    expect(await tickers('')).toEqual(['KXNBAGAME', 'KXNBATOTAL']);
    expect(await tickers('?category=Sports&tags=Basketball,Tennis')).toEqual(['KXNBAGAME', 'KXNBATOTAL']);
    expect(await tickers('?category=Politics')).toEqual([]);
    expect((await rig.get('/series/KXNONE')).status).toBe(400);
  });

  it('has no changes of fees and no combos', async () => {
    expect(await rig.read('/series/fee_changes')).toEqual({ series_fee_change_arr: [] });
    expect(await rig.read('/events/fee_changes')).toEqual({ cursor: '', event_fee_changes: [] });
    expect(await rig.read('/events/multivariate')).toEqual({ cursor: '', events: [] });
  });
});

describe('history', () => {
  it('has a cutoff for each kind of data', async () => {
    const cutoff = (await rig.read('/historical/cutoff')) as Record<string, string>;
    const days = (at: string): number => (rig.exchange.now() - Date.parse(at)) / DAY_MS;
    expect(Object.entries(cutoff).map(([name, at]) => [name, days(at)])).toEqual([
      ['market_positions_last_updated_ts', 90],
      ['market_settled_ts', 90],
      ['orders_updated_ts', 14],
      ['trades_created_ts', 90],
    ]);
  });
});
