// The recorded listings of both venues, as the catalog reads them, and the pairs that were found by hand.

import { globSync, readFileSync } from 'node:fs';
import { isObject, type JsonObject, objectsOf } from '../../../src/core/domain/json.ts';
import type { VenueEvent } from '../../../src/venues/discovery.ts';
import { readVenueAEvent } from '../../../src/venues/venue-a/discovery.ts';
import { readVenueBEvent } from '../../../src/venues/venue-b/discovery.ts';
import { recordingPath } from '../../support/recordings.ts';

/** A market of each venue with the same question; `token` belongs to the ticker's YES. */
export interface KnownPair {
  readonly ticker: string;
  readonly conditionId: string;
  readonly token: string;
}

const STEFFENMAX = 'pairs/cross-steffenmax';
const TINLI = 'pairs/cross-tinli/services/api/tests/fixtures';

function json(path: string): unknown {
  return JSON.parse(readFileSync(recordingPath(path), 'utf8'));
}

/** Adds the field `version`. Markets that were recorded before Gamma had this field belong to the only protocol of their time. */
export function withVersion(market: JsonObject): JsonObject {
  return 'version' in market ? market : { ...market, version: 'v1' };
}

function venueAEvent(value: JsonObject): VenueEvent {
  const read = readVenueAEvent({ ...value, markets: objectsOf(value.markets).map(withVersion) });
  if (read === 'malformed') throw new Error(`malformed: ${JSON.stringify(value).slice(0, 100)}`);
  return read.event;
}

function venueBEvent(value: JsonObject): VenueEvent {
  const read = readVenueBEvent(value, () => null);
  if (read === 'malformed') throw new Error(`malformed: ${JSON.stringify(value).slice(0, 100)}`);
  return read.event;
}

/** Returns the event of a market that was recorded alone, as far as the market states it. */
function venueBEventOf(market: JsonObject): VenueEvent {
  const ticker = String(market.event_ticker);
  const event = { event_ticker: ticker, series_ticker: ticker.slice(0, ticker.indexOf('-')), title: market.title };
  return venueBEvent({ ...event, markets: [market] });
}

function venueAEventOf(market: JsonObject): VenueEvent {
  const [event] = market.events as JsonObject[];
  return venueAEvent({ ...event, markets: [market] });
}

/** 50 games of the NBA with 738 markets, as venue A lists them. */
export function nbaOfVenueA(): readonly VenueEvent[] {
  return (json(`${STEFFENMAX}/data-logger-v3-websocket/poly_nba.json`) as JsonObject[]).map(venueAEvent);
}

interface SteffenmaxPair {
  readonly event_id: string;
  readonly sport: string;
  readonly teams: { readonly team_a: string; readonly team_b: string };
  readonly kalshi: {
    readonly markets: { readonly main: string; readonly opponent: string };
    readonly market_a_refers_to: string;
    readonly market_b_refers_to: string;
  };
  readonly polymarket: { readonly markets: { readonly slug: string } };
  readonly poly_token_ids: Readonly<Record<string, string>>;
  readonly poly_condition_id: string;
  readonly poly_title: string;
}

/** Games from the recorded list of pairs. The list itself gives venue B's two markets, since the recorded events lack them. */
export function steffenmax(): { readonly pairs: readonly KnownPair[]; readonly events: readonly VenueEvent[] } {
  const files = ['data-logger-v3-websocket', 'data-logger-v2.5-depth'];
  const games = files.flatMap(
    it => (json(`${STEFFENMAX}/${it}/config/markets.json`) as { markets: SteffenmaxPair[] }).markets,
  );
  const byId = new Map(
    games.filter(it => Object.keys(it.poly_token_ids ?? {}).length === 2).map(it => [it.event_id, it]),
  );
  const listed = [...byId.values()];
  return {
    pairs: listed.flatMap(it =>
      [it.kalshi.markets.main, it.kalshi.markets.opponent].map(ticker => ({
        ticker,
        conditionId: it.poly_condition_id,
        token: it.poly_token_ids[ticker.slice(ticker.lastIndexOf('-') + 1)] ?? `none for ${ticker}`,
      })),
    ),
    events: listed.map(({ kalshi, teams, event_id }) => {
      const event_ticker = event_id.toUpperCase();
      const market = (ticker: string, label: string) => ({
        ticker,
        event_ticker,
        title: `${teams.team_a} at ${teams.team_b} Winner?`,
        yes_sub_title: label,
        no_sub_title: label,
        status: 'active',
        strike_type: 'structured',
      });
      return venueBEvent({
        event_ticker,
        series_ticker: event_ticker.slice(0, event_ticker.indexOf('-')),
        title: `${teams.team_a} at ${teams.team_b}`,
        markets: [
          market(kalshi.markets.main, kalshi.market_a_refers_to),
          market(kalshi.markets.opponent, kalshi.market_b_refers_to),
        ],
      });
    }),
  };
}

interface TinliPair {
  readonly kalshi_ticker: string;
  readonly pm_condition_id: string;
}

/** The list itself says that the two venues settle a tie in this market differently, so it is not a pair. */
const NO_PAIR = 'KXWCBESTHOST-26-USA';

/** Football, tennis and decisions of the Fed. */
export function tinli(): { readonly pairs: readonly KnownPair[]; readonly events: readonly VenueEvent[] } {
  const { pairs } = json('pairs/cross-tinli/history/82192ac/manifest.json') as { pairs: TinliPair[] };
  const ofB = filesOf(`${TINLI}/kalshi/market_*.json`).map(it => venueBEventOf((it as { market: JsonObject }).market));
  const objects = filesOf(`${TINLI}/polymarket/gamma_*.json`).map(it => (Array.isArray(it) ? it[0] : it) as JsonObject);
  const tokens = new Map(objects.map(it => [String(it.conditionId), JSON.parse(String(it.clobTokenIds)) as string[]]));
  const tickers = new Set(ofB.flatMap(({ markets }) => markets.map(({ marketId }) => marketId)));
  return {
    // In all these pairs the first token belongs to the ticker's YES.
    pairs: pairs
      .filter(it => tickers.has(it.kalshi_ticker) && tokens.has(it.pm_condition_id) && it.kalshi_ticker !== NO_PAIR)
      .map(it => ({
        ticker: it.kalshi_ticker,
        conditionId: it.pm_condition_id,
        token: tokens.get(it.pm_condition_id)![0]!,
      })),
    events: [...ofB, ...objects.map(venueAEventOf)],
  };
}

/** Every event of venue B that was recorded with its markets. */
export function listedByVenueB(): readonly VenueEvent[] {
  const folder = 'venue-b/kalshi-cockpit/tests/fixtures';
  const nested = json(`${folder}/events_sports_nested.json`) as JsonObject[];
  const { events: preseason } = json(`${folder}/events_nfl_preseason.json`) as { events: JsonObject[] };
  return [...nested, ...preseason].map(venueBEvent);
}

/** Every event and market of Gamma anywhere in the recordings. */
export function listedByVenueA(): readonly VenueEvent[] {
  const files = globSync('venue-a/**/*.json', { cwd: recordingPath('.') }).sort();
  return files.flatMap(file => eventsWithin(jsonIfAny(file)));
}

/** Returns the JSON of a file, if it is JSON. Some files have several texts, and are not answers of Gamma. */
function jsonIfAny(file: string): unknown {
  try {
    return json(file);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

function filesOf(pattern: string): readonly unknown[] {
  return globSync(pattern, { cwd: recordingPath('.') })
    .sort()
    .map(json);
}

function eventsWithin(value: unknown): readonly VenueEvent[] {
  if (Array.isArray(value)) return value.flatMap(eventsWithin);
  if (!isObject(value)) return [];
  if (Array.isArray(value.markets) && 'slug' in value && 'title' in value) {
    const read = readVenueAEvent({ ...value, markets: objectsOf(value.markets).map(withVersion) });
    return read === 'malformed' ? [] : [read.event];
  }
  if (Array.isArray(value.events) && 'conditionId' in value)
    return eventsWithin({ ...value.events[0], markets: [value] });
  return Object.values(value).flatMap(eventsWithin);
}

/** All the events above, of both venues. */
export function everythingListed(): readonly VenueEvent[] {
  return [...nbaOfVenueA(), ...steffenmax().events, ...tinli().events, ...listedByVenueA(), ...listedByVenueB()];
}

/** Titles of matches at venue A that were traded on one day, with the slugs of their events, up to the date. */
export function tradedAtVenueA(): readonly { readonly slug: string; readonly title: string }[] {
  const trades = json('venue-a/poly-polycopy/tests/fixtures/data_api_trades_global_sample.json') as JsonObject[];
  const own = trades.filter(it => it.slug === it.eventSlug && /\d{4}-\d{2}-\d{2}$/.test(String(it.slug)));
  return [
    ...new Map(own.map(({ slug, title }) => [String(slug), { slug: String(slug), title: String(title) }])).values(),
  ];
}

/** The first parts of venue A's slugs, for every sport that it listed in November 2025. */
export function sportsOfVenueA(): readonly string[] {
  return (json('pairs/cross-jinnbo/misc/sports_metadata.json') as { sport: string }[]).map(({ sport }) => sport);
}

/** Venue B's series of games in August 2026. */
export function seriesOfVenueB(): readonly string[] {
  const path = 'venue-b/kalshi-cockpit/tests/fixtures/sports_coverage.json';
  return (json(path) as { game_level_series: string[] }).game_level_series;
}
