// Filters and order of events and markets in a Gamma request (venue-a.md §7). An absent filter accepts everything. Thread of the
// paper exchanges.

import { parseMicroShares } from '../../../core/domain/numbers.ts';
import { conditionKey } from '../../../venues/venue-a/position-ids.ts';
import type { VenueAMarket } from '../market.ts';
import { isoText } from '../rest/decimal-text.ts';
import { closedAt, createdAt, type EventView, endAt, liquidityOfEvent, volumeOfEvent } from './event-object.ts';
import { liquidityOf } from './market-object.ts';
import type { Query } from './query.ts';

export function eventMatches(query: Query): (view: EventView) => boolean {
  const ids = query.list('id');
  const slugs = query.list('slug');
  const tagIds = query.list('tag_id');
  const excludedTagIds = query.list('exclude_tag_id');
  const tagSlugs = query.list('tag_slug');
  const seriesIds = query.list('series_id');
  const gameIds = query.list('game_id');
  const isClosed = query.flag('closed');
  const isLive = query.flag('active');
  const [archived, featured] = [query.flag('archived'), query.flag('featured')];
  const inStart = timeRange(query, 'start_date');
  const inEnd = timeRange(query, 'end_date');
  const inGame = timeRange(query, 'start_time');
  const inLiquidity = amountRange(query, 'liquidity');
  const inVolume = amountRange(query, 'volume');
  return view => {
    const { id, slug, tags, sport, gameId, game } = view.listing;
    return (
      isAmong(ids, id) &&
      isAmong(slugs, slug) &&
      (tagIds === null || tags.some(tag => tagIds.has(tag.id))) &&
      !tags.some(tag => excludedTagIds?.has(tag.id)) &&
      (tagSlugs === null || tags.some(tag => tagSlugs.has(tag.slug))) &&
      isAmong(seriesIds, sport.series) &&
      isAmong(gameIds, String(gameId)) &&
      (isClosed === null || isClosed === (closedAt(view) !== null)) &&
      // Every event here is active, and none is archived or featured.
      isLive !== false &&
      archived !== true &&
      featured !== true &&
      inStart(createdAt(view)) &&
      inEnd(endAt(view)) &&
      inGame(game.startsAt) &&
      inLiquidity(() => liquidityOfEvent(view)) &&
      inVolume(() => volumeOfEvent(view))
    );
  };
}

/** Sort keys by Gamma's names of fields. */
type SortKeys<Row> = Readonly<Record<string, (row: Row) => number | string>>;

export const EVENT_KEYS: SortKeys<EventView> = {
  id: ({ listing }) => Number(listing.id),
  slug: ({ listing }) => listing.slug,
  ticker: ({ listing }) => listing.slug,
  title: ({ listing }) => listing.title,
  startDate: createdAt,
  start_date: createdAt,
  createdAt,
  creationDate: createdAt,
  endDate: endAt,
  end_date: endAt,
  startTime: ({ listing }) => listing.game.startsAt,
  start_time: ({ listing }) => listing.game.startsAt,
  eventDate: ({ listing }) => isoText(listing.game.startsAt),
  liquidity: liquidityOfEvent,
  volume: volumeOfEvent,
};

/** Catalog order without a known field; `ascending` by default. */
export function ordered<Row>(rows: readonly Row[], query: Query, keys: SortKeys<Row>): readonly Row[] {
  const field = query.text('order');
  const key = Object.hasOwn(keys, field) ? keys[field] : undefined;
  if (key === undefined) return rows;
  const direction = query.flag('ascending') === false ? -1 : 1;
  const keyed = rows.map(row => ({ row, key: key(row) }));
  keyed.sort((one, other) => (one.key < other.key ? -direction : one.key > other.key ? direction : 0));
  return keyed.map(({ row }) => row);
}

function isAmong(wanted: ReadonlySet<string> | null, value: string): boolean {
  return wanted === null || wanted.has(value);
}

/** Whether a time lies between `<name>_min` and `<name>_max`. */
function timeRange(query: Query, name: string): (at: number) => boolean {
  const [min, max] = [query.time(`${name}_min`), query.time(`${name}_max`)];
  return at => (min === null || at >= min) && (max === null || at <= max);
}

/** Like `timeRange`, for dollars or shares, which both have six decimals; sums only if the filter is present. */
function amountRange(query: Query, name: string): (sum: () => number) => boolean {
  const [min, max] = [parseMicroShares(query.text(`${name}_min`)), parseMicroShares(query.text(`${name}_max`))];
  return sum => {
    if (min === null && max === null) return true;
    const micros = sum();
    return (min === null || micros >= min) && (max === null || micros <= max);
  };
}

function conditionsIn(query: Query): ReadonlySet<string> | null {
  const asked = query.list('condition_ids');
  return asked === null ? null : new Set([...asked].map(conditionKey));
}

export function marketMatches(query: Query): (market: VenueAMarket) => boolean {
  const ids = query.list('id');
  const slugs = query.list('slug');
  const tokens = query.list('clob_token_ids');
  const conditions = conditionsIn(query);
  const questions = query.list('question_ids');
  const tagIds = query.list('tag_id');
  const types = query.list('sports_market_types');
  const gameIds = query.list('game_id');
  const isClosed = query.flag('closed');
  const isActive = query.flag('active');
  const isArchived = query.flag('archived');
  const inStart = timeRange(query, 'start_date');
  const inEnd = timeRange(query, 'end_date');
  const inLiquidity = amountRange(query, 'liquidity_num');
  const inVolume = amountRange(query, 'volume_num');
  return market => {
    const { listing, event } = market;
    return (
      isAmong(ids, listing.id) &&
      isAmong(slugs, listing.slug) &&
      (tokens === null || listing.tokens.some(token => tokens.has(token))) &&
      isAmong(conditions, listing.conditionId) &&
      isAmong(questions, listing.questionId) &&
      (tagIds === null || event.tags.some(tag => tagIds.has(tag.id))) &&
      isAmong(types, listing.sportsMarketType) &&
      isAmong(gameIds, String(event.gameId)) &&
      (isClosed === null || isClosed === (market.resolution !== null)) &&
      // Every market here is active, and none is archived.
      isActive !== false &&
      isArchived !== true &&
      inStart(listing.createdAt) &&
      inEnd(listing.endAt) &&
      inLiquidity(() => liquidityOf(market)) &&
      inVolume(() => market.volume)
    );
  };
}

export const MARKET_KEYS: SortKeys<VenueAMarket> = {
  id: ({ listing }) => Number(listing.id),
  slug: ({ listing }) => listing.slug,
  question: ({ listing }) => listing.question,
  startDate: ({ listing }) => listing.createdAt,
  start_date: ({ listing }) => listing.createdAt,
  createdAt: ({ listing }) => listing.createdAt,
  endDate: ({ listing }) => listing.endAt,
  end_date: ({ listing }) => listing.endAt,
  liquidity: liquidityOf,
  liquidityNum: liquidityOf,
  liquidity_num: liquidityOf,
  volume: ({ volume }) => volume,
  volumeNum: ({ volume }) => volume,
  volume_num: ({ volume }) => volume,
};
