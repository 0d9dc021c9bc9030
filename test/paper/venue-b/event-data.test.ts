// Events and series by venue B's REST (venue-b.md §4.5) over a real socket.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DAY_MS } from '../../../src/core/domain/durations.ts';
import type { JsonObject } from '../../../src/core/domain/json.ts';
import { ticks } from '../../support/amounts.ts';
import { BOSTON, EVENT, LAKERS, MarketRig, START, TOTAL, TOTAL_EVENT, tickersOf } from './market-rig.ts';

const START_S = START / 1_000;

let rig: MarketRig;
beforeEach(async () => {
  rig = await MarketRig.start();
});
afterEach(() => rig.close());

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
