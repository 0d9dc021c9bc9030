// Events and series by REST (venue-b.md §4.5): lists, one event with its markets, and fee changes. Keys are in alphabetical order. Thread
// of the paper exchanges.

import { createHash } from 'node:crypto';
import type { JsonObject } from '../../../core/domain/json.ts';
import type { MicroShares, UnixMillis } from '../../../core/domain/numbers.ts';
import { jsonReply, type Reply } from '../../../core/net/listen.ts';
import type { Game, VenueBEventListing, VenueBSeries } from '../../catalog/listings.ts';
import type { VenueBExchange } from '../exchange.ts';
import type { VenueBMarket } from '../market.ts';
import { countText, seconds, timeText } from '../wire-text.ts';
import { badRequest, errorReply, NOT_FOUND } from './errors.ts';
import { hasStatus, marketObject } from './market-routes.ts';
import { type Call, publicGet, type VenueBParts, type VenueBRoute } from './route.ts';

const EVENTS_PER_PAGE = 200;
const STATUSES = ['unopened', 'open', 'closed', 'settled'] as const;
/** The settlement sources. A simulation has none, and the name says so. The domain of the address does not exist. */
const SETTLEMENT_SOURCES = [{ name: 'Paper exchange', url: 'https://results.invalid' }] as const;
/** The scope in an event's metadata, by its name in the filters of its sport (recorded). */
const SCOPE_NAMES: Readonly<Record<string, string>> = { Games: 'Game', Spreads: 'Spread', Totals: 'Point Total' };

export const eventRoutes: readonly VenueBRoute[] = [
  publicGet('/events', eventPage, 'GetEvents'),
  publicGet('/events/fee_changes', () => jsonReply(200, { cursor: '', event_fee_changes: [] })),
  // These would be combos; the simulator has none.
  publicGet('/events/multivariate', () => jsonReply(200, { cursor: '', events: [] })),
  publicGet('/events/:event', oneEvent),
  publicGet('/series', seriesList, 'GetSeriesList'),
  publicGet('/series/fee_changes', () => jsonReply(200, { series_fee_change_arr: [] })),
  publicGet('/series/:series', oneSeries),
];

function eventPage({ query }: Call, venue: VenueBParts): Reply {
  const { exchange } = venue;
  const limit = query.limit(EVENTS_PER_PAGE, EVENTS_PER_PAGE);
  const status = query.oneOf('status', STATUSES);
  const [series, tickers] = [query.text('series_ticker'), query.list('tickers')];
  const [closesAfter, updatedAfter] = [query.time('min_close_ts'), query.time('min_updated_ts')];
  const admits = (event: VenueBEventListing): boolean => {
    const markets = marketsOfEvent(exchange, event);
    return (
      (series === null || event.series.ticker === series) &&
      (tickers === null || tickers.has(event.eventTicker)) &&
      (status === null || markets.some(market => hasStatus(market, status))) &&
      (closesAfter === null || markets.some(({ closeAt }) => seconds(closeAt) > closesAfter)) &&
      (updatedAfter === null || seconds(updatedAtOf(markets)) > updatedAfter)
    );
  };
  const { items, cursor } = query.page(exchange.events, { limit, idOf: event => event.eventTicker, admits });
  const isNested = query.flag('with_nested_markets');
  const games = new Set(items.map(({ game }) => game));
  return jsonReply(200, {
    cursor,
    events: items.map(event => eventObject(event, venue, isNested)),
    ...(query.flag('with_milestones')
      ? { milestones: [...games].map(game => milestoneObject(game, exchange.events)) }
      : {}),
  });
}

function oneEvent({ parameters, query }: Call, venue: VenueBParts): Reply {
  const event = eventOf(venue, parameters);
  if (event === undefined) return errorReply(NOT_FOUND);
  const isNested = query.flag('with_nested_markets');
  const markets = isNested ? [] : marketsOfEvent(venue.exchange, event);
  return jsonReply(200, {
    event: eventObject(event, venue, isNested),
    markets: markets.map(market => marketObject(market, venue)),
  });
}

function eventOf({ exchange }: VenueBParts, [ticker]: readonly string[]): VenueBEventListing | undefined {
  return exchange.events.find(event => event.eventTicker === ticker);
}

function marketsOfEvent(exchange: VenueBExchange, event: VenueBEventListing): readonly VenueBMarket[] {
  return event.markets.flatMap(({ ticker }) => exchange.markets.get(ticker) ?? []);
}

function updatedAtOf(markets: readonly VenueBMarket[]): UnixMillis {
  return Math.max(0, ...markets.map(({ updatedAt }) => updatedAt)) as UnixMillis;
}

function scopeOf({ scope }: VenueBEventListing): string {
  return SCOPE_NAMES[scope] ?? scope;
}

function eventObject(event: VenueBEventListing, venue: VenueBParts, isNested: boolean): JsonObject {
  const markets = marketsOfEvent(venue.exchange, event);
  return {
    category: event.series.category,
    collateral_return_type: event.isMutuallyExclusive ? 'MECNET' : '',
    event_ticker: event.eventTicker,
    exchange_index: event.series.shard ?? 0,
    last_updated_ts: timeText(updatedAtOf(markets)),
    ...(isNested ? { markets: markets.map(market => marketObject(market, venue)) } : {}),
    mutually_exclusive: event.isMutuallyExclusive,
    product_metadata: { competition: event.competition, competition_scope: scopeOf(event) },
    series_ticker: event.series.ticker,
    settlement_sources: SETTLEMENT_SOURCES,
    strike_period: '',
    sub_title: event.subTitle,
    title: event.title,
  };
}

function seriesList({ query }: Call, { exchange }: VenueBParts): Reply {
  const [category, tags] = [query.text('category'), query.list('tags')];
  const updatedAfter = query.time('min_updated_ts');
  const series = exchange.series.filter(
    candidate =>
      (category === null || candidate.category === category) &&
      (tags === null || candidate.tags.some(tag => tags.has(tag))) &&
      (updatedAfter === null || seconds(createdAtOf(marketsOfSeries(exchange, candidate))) > updatedAfter),
  );
  const [withVolume, withMetadata] = [query.flag('include_volume'), query.flag('include_product_metadata')];
  return jsonReply(200, { series: series.map(one => seriesObject(exchange, one, withVolume, withMetadata)) });
}

/** Answers with one series. An unknown ticker gets a 400, as documented; other routes answer 404. */
function oneSeries({ parameters: [ticker], query }: Call, { exchange }: VenueBParts): Reply {
  const series = exchange.series.find(candidate => candidate.ticker === ticker);
  if (series === undefined) return badRequest('series not found');
  return jsonReply(200, { series: seriesObject(exchange, series, query.flag('include_volume'), true) });
}

function seriesObject(
  exchange: VenueBExchange,
  series: VenueBSeries,
  withVolume: boolean,
  withMetadata: boolean,
): JsonObject {
  const name = series.ticker.replace(/^KX/, '');
  const markets = marketsOfSeries(exchange, series);
  const event = exchange.events.find(candidate => candidate.series.ticker === series.ticker);
  const volume = markets.reduce((sum, market) => sum + market.volume, 0) as MicroShares;
  return {
    additional_prohibitions: [],
    categories: [series.category],
    category: series.category,
    contract_terms_url: `https://contracts.invalid/terms/${name}.pdf`,
    contract_url: `https://contracts.invalid/certifications/${name}.pdf`,
    exchange_index: series.shard ?? 0,
    fee_multiplier: Number(series.feeMultiplier),
    fee_type: series.feeType,
    frequency: series.frequency,
    last_updated_ts: timeText(createdAtOf(markets)),
    ...(withMetadata && event !== undefined ? { product_metadata: { scope: scopeOf(event) } } : {}),
    settlement_sources: SETTLEMENT_SOURCES,
    tags: series.tags,
    ticker: series.ticker,
    title: series.title,
    ...(withVolume ? { volume_fp: countText(volume) } : {}),
  };
}

/** Returns the time at which a series appeared, which is that of its first market. A series never changes here. */
function createdAtOf(markets: readonly VenueBMarket[]): UnixMillis {
  return (markets.length === 0 ? 0 : Math.min(...markets.map(({ listing }) => listing.createdAt))) as UnixMillis;
}

function marketsOfSeries(exchange: VenueBExchange, series: VenueBSeries): readonly VenueBMarket[] {
  return [...exchange.markets.values()].filter(({ event }) => event.series.ticker === series.ticker);
}

/** The sports whose games are called matches. */
const MATCHES: ReadonlySet<string> = new Set(['hockey', 'soccer', 'tennis']);

function milestoneObject(game: Game, allEvents: readonly VenueBEventListing[]): JsonObject {
  const events = allEvents.filter(event => event.game.id === game.id);
  const tickers = events.map(({ eventTicker }) => eventTicker);
  const createdAt = Math.min(...events.flatMap(({ markets }) => markets.map(market => market.createdAt)));
  const sport = (events[0]?.series.tags[0] ?? '').toLowerCase();
  return {
    category: events[0]?.series.category ?? '',
    details: {
      away_team: { abbreviation: game.away.code, name: game.away.place },
      home_team: { abbreviation: game.home.code, name: game.home.place },
      league: game.league,
    },
    end_date: timeText((game.startsAt + game.lengthMs) as UnixMillis),
    id: milestoneId(game),
    last_updated_ts: timeText(createdAt as UnixMillis),
    notification_message: '',
    primary_event_tickers: tickers.slice(0, 1),
    related_event_tickers: tickers,
    source_ids: {},
    start_date: timeText(game.startsAt),
    title: `${game.away.place} at ${game.home.place}`,
    type: `${sport}_${MATCHES.has(sport) ? 'match' : 'game'}`,
  };
}

/** Returns the game's id as a UUID (RFC 9562, version 8: custom). */
function milestoneId({ id }: Game): string {
  const hex = createHash('sha256').update(id).digest('hex');
  const parts = [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`];
  return [...parts, hex.slice(20, 32)].join('-');
}
