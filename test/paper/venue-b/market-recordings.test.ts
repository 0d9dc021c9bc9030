// Venue B's public answers, against recorded answers of the real venue. Both have the same keys, on the stream also in the same order, and the same
// kinds of text. The test needs the recordings, and is skipped if they are absent.

import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/core/domain/json.ts';
import { ticks } from '../../support/amounts.ts';
import { recordingPath, recordingsPresent } from '../../support/recordings.ts';
import { BOSTON, EVENT, LAKERS, MarketRig, ownerOf, TOTAL } from './market-rig.ts';
import { frameOf, StreamClient } from './stream-client.ts';

const COCKPIT = 'venue-b/kalshi-cockpit/tests/fixtures';
const FORTUNA = 'venue-b/kalshi-fortuna/fixtures/kalshi';

/** The shape of a value, without its content. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value))
    return value.length === 0 ? [] : [...new Set(value.map(item => JSON.stringify(shapeOf(item))))];
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shapeOf(inner)]));
  }
  if (typeof value !== 'string') return value === null ? 'null' : typeof value;
  const decimal = /^-?\d+\.(\d+)$/.exec(value);
  if (decimal !== null) return `${decimal[1]!.length} decimals`;
  if (/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(value)) return 'time';
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value) ? 'uuid' : 'text';
}

function recorded(path: string): unknown {
  return JSON.parse(readFileSync(recordingPath(path), 'utf8'));
}

/** The fields that were removed or added up to 2026-10-01, after all recordings (venue-b.md §4.2). */
const SINCE_OCTOBER = ['available_on_brokers', 'liquidity_dollars', 'settlement_bounds_type'];

/** Returns the shape of a market without its values, and without the keys that depend on the market. */
function marketShape(market: JsonObject, ...left: readonly string[]): unknown {
  const { custom_strike: _custom, settlement_timer_seconds: timer, ...rest } = market;
  expect(typeof timer).toBe('number');
  const leftOut = [...left, ...SINCE_OCTOBER];
  return shapeOf(Object.fromEntries(Object.entries(rest).filter(([key]) => !leftOut.includes(key))));
}

describe.skipIf(!recordingsPresent)('beside recordings (skipped without them)', () => {
  let rig: MarketRig;
  beforeEach(async () => {
    rig = await MarketRig.start();
    rig.place({ side: 'buy', price: '0.47', count: '3' });
    rig.place({ side: 'sell', price: '0.52', count: '2' });
    rig.place({ who: ownerOf('bob'), side: 'sell', price: '0.47', count: '1' });
  });
  afterEach(() => rig.close());

  const get = async (path: string) => (await rig.get(path)).body as Record<string, JsonObject>;

  it('a market', async () => {
    const { single, orderbook } = recorded(`${COCKPIT}/market_single.json`) as Record<
      string,
      Record<string, JsonObject>
    >;
    const { market } = await get(`/markets/${BOSTON}`);
    expect(marketShape(market!)).toEqual(marketShape(single!.market!));
    expect(Object.keys(market!.custom_strike as object)).toHaveLength(1);
    expect(shapeOf(await get(`/markets/${BOSTON}/orderbook`))).toEqual(shapeOf(orderbook));
  });

  it('an event with its markets, of which one has a number for a strike', async () => {
    const events = recorded(`${COCKPIT}/events_sports_nested.json`) as JsonObject[];
    const example = events.find(event =>
      (event.markets as JsonObject[]).some(
        ({ strike_type, occurrence_datetime }) => strike_type === 'greater' && occurrence_datetime,
      ),
    );
    const { event } = (await get(`/events/${EVENT}?with_nested_markets=true`)) as { event: JsonObject };
    const keys = Object.keys(example!).filter(key => !SINCE_OCTOBER.includes(key));
    expect(Object.keys(event)).toEqual(keys.toSorted());
    const theirs = (example!.markets as JsonObject[]).find(({ strike_type }) => strike_type === 'greater');
    const { market } = await get(`/markets/${TOTAL}`);
    expect(marketShape(market!)).toEqual(marketShape(theirs!));
  });

  it('a series', async () => {
    const { payloads } = recorded(`${COCKPIT}/series_fee_fields.json`) as {
      payloads: Record<string, { series: JsonObject }>;
    };
    const { series } = await get('/series/KXNBAGAME');
    const { categories, ...ours } = series!;
    const theirs = payloads.KXMLBGAME!.series;
    expect(categories).toEqual(['Sports']);
    expect(Object.keys(ours)).toEqual(Object.keys(theirs));
    expect(shapeOf({ ...ours, additional_prohibitions: [] })).toEqual(
      shapeOf({ ...theirs, additional_prohibitions: [] }),
    );
  });

  it('trades, pages, refusals', async () => {
    const { trades } = recorded(`${FORTUNA}/trades__public_recorded.json`) as { trades: JsonObject[] };
    const ours = await get('/markets/trades');
    expect(shapeOf((ours.trades as unknown as JsonObject[])[0])).toEqual(shapeOf(trades[0]));
    const refused = await rig.get('/markets?limit=1001');
    expect(refused.body).toEqual(recorded(`${FORTUNA}/markets__limit_over_max.json`));
    const { cursor } = recorded(`${FORTUNA}/markets__single_filter_lastpage.json`) as JsonObject;
    expect((await get(`/markets?tickers=${BOSTON}`)).cursor).toBe(cursor);
    expect(await get('/series/fee_changes')).toEqual(recorded(`${FORTUNA}/series__fee_changes.json`));
  });

  it('determined markets are among the closed ones', async () => {
    const { markets } = recorded(`${FORTUNA}/markets__status_closed.json`) as { markets: JsonObject[] };
    rig.exchange.life.determine(rig.market(LAKERS), ticks('0'));
    const [ours] = (await get('/markets?status=closed')).markets as unknown as JsonObject[];
    const gone = ['fractional_trading_enabled', 'response_price_units', 'strike_type'];
    expect(marketShape(ours!, 'exchange_index', 'strike_type')).toEqual({
      ...(marketShape(markets[0]!, ...gone) as object),
      // In the recording this value was a number in a format of its own.
      expiration_value: 'text',
    });
  });

  it('frames of the stream, key by key in their order', async () => {
    const { frames } = recorded(`${COCKPIT}/ws_orderbook_stream.json`) as { frames: { frame: JsonObject }[] };
    const shapes = (texts: readonly unknown[]) => new Set(texts.map(frame => JSON.stringify(shapeOf(frame))));
    const known = shapes(frames.map(({ frame }) => frame));
    const client = await StreamClient.connect(rig.port, 'bob');
    client.send({ id: 2, cmd: 'subscribe', params: { channels: ['orderbook_delta'], market_ticker: BOSTON } });
    const update = { sid: 1, market_tickers: [LAKERS], action: 'add_markets' };
    rig.place({ side: 'buy', price: '0.30', count: '2', ticker: LAKERS });
    rig.place({ side: 'sell', price: '0.60', count: '2', ticker: LAKERS });
    client.send({ id: 3, cmd: 'update_subscription', params: update });
    await client.until(() => client.texts.length >= 4);
    rig.place({ side: 'buy', price: '0.31', count: '2', ticker: LAKERS });
    rig.place({ side: 'sell', price: '0.60', count: '2', ticker: LAKERS });
    await client.until(() => client.texts.length >= 6);
    const ours = client.texts.map(frameOf);
    expect(ours.map(({ type }) => type)).toEqual([
      'subscribed',
      'orderbook_snapshot',
      'ok',
      'orderbook_snapshot',
      'orderbook_delta',
      'orderbook_delta',
    ]);
    expect([...shapes(ours)].filter(shape => !known.has(shape))).toEqual([]);
    client.close();
  });

  it.each(['noleg', 'yes'])('a conversation: subscribed twice, then the book (%s)', async name => {
    const lines = readFileSync(recordingPath(`${FORTUNA}/ws__orderbook_trade_${name}.jsonl`), 'utf8').split('\n');
    const theirs = lines.filter(line => line !== '').map(line => JSON.parse(line) as JsonObject);
    const client = await StreamClient.connect(rig.port, 'bob');
    const params = { channels: ['orderbook_delta', 'trade'], market_tickers: [BOSTON], use_yes_price: name === 'yes' };
    const ours = await client.ask({ id: 1, cmd: 'subscribe', params });
    expect(ours.map(shapeOf)).toEqual(theirs.slice(0, 3).map(shapeOf));
    expect(ours.slice(0, 2)).toEqual(theirs.slice(0, 2));
    client.close();
  });
});
