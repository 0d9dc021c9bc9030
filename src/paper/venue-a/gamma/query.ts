// Query parameters of venue A's public APIs: repeated, comma-separated, absent or invalid ones; pages, by offset or by cursor; and Gamma's
// filters. Unknown parameters are ignored, as at the venue (venue-a.md §7). Thread of the paper exchanges.

import { isoDayMillisOf, isoMillisOf } from '../../../core/domain/iso-time.ts';
import { parseMicroShares } from '../../../core/domain/numbers.ts';
import type { InboundRequest } from '../../../core/net/listen.ts';
import { limits } from '../../../limits.ts';
import { conditionKey } from '../../../venues/venue-a/position-ids.ts';
import type { VenueAMarket } from '../market.ts';
import { isoText } from '../rest/decimal-text.ts';
import {
  closedAt,
  createdAt,
  type EventView,
  endAt,
  liquidityOf,
  liquidityOfEvent,
  volumeOfEvent,
} from './event-object.ts';

export class Query {
  readonly #parameters: URLSearchParams;

  constructor(request: Pick<InboundRequest, 'query'>) {
    this.#parameters = new URLSearchParams(request.query);
  }

  /** The text; empty if absent. */
  text(name: string): string {
    return this.#parameters.get(name) ?? '';
  }

  /** Null if absent. */
  list(name: string): ReadonlySet<string> | null {
    const values = this.#parameters.getAll(name).flatMap(value => value.split(','));
    const given = values.map(value => value.trim()).filter(value => value !== '');
    return given.length === 0 ? null : new Set(given);
  }

  /** Null if neither. */
  flag(name: string): boolean | null {
    const text = this.text(name).toLowerCase();
    return text === 'true' ? true : text === 'false' ? false : null;
  }

  /** An integer from 0 to `max`; `otherwise` if invalid, `max` if larger. */
  count(name: string, otherwise: number, max: number): number {
    const text = this.text(name);
    return /^\d{1,15}$/.test(text) ? Math.min(Number(text), max) : otherwise;
  }

  /** Milliseconds of a date or a time; null if invalid. */
  time(name: string): number | null {
    const text = this.text(name);
    return isoMillisOf(text) ?? isoDayMillisOf(text);
  }
}

export interface Page {
  readonly limit: number;
  readonly offset: number;
}

export function pageOf(query: Query, limitOtherwise: number, limitMax: number, offsetMax: number): Page {
  return { limit: query.count('limit', limitOtherwise, limitMax), offset: query.count('offset', 0, offsetMax) };
}

/** One page of the listed rows. */
export function paged<Row>(rows: Iterable<Row>, { limit, offset }: Page): Row[] {
  const page: Row[] = [];
  let index = 0;
  for (const row of rows) {
    if (page.length >= limit) break;
    if (index >= offset) page.push(row);
    index += 1;
  }
  return page;
}

export interface KeysetPage<Row> {
  readonly rows: readonly Row[];
  /** Null on the last page. */
  readonly nextCursor: string | null;
}

/**
 * One page of the matching rows. The cursor's row may no longer match: its game may have ended between two pages. Null if the
 * cursor is invalid, or its row is no longer listed.
 */
export function keysetPage<Row>(
  rows: readonly Row[],
  isWanted: (row: Row) => boolean,
  query: Query,
  idOf: (row: Row) => string,
): KeysetPage<Row> | null {
  const limit = Math.max(1, query.count('limit', limits.paperGammaRowsPerPage, limits.paperGammaKeysetRowsMax));
  const cursor = query.text('after_cursor');
  const after = cursor === '' ? -1 : rows.findIndex(row => cursorOf(idOf(row)) === cursor);
  if (cursor !== '' && after < 0) return null;
  const left = rows.slice(after + 1).filter(isWanted);
  const page = left.slice(0, limit);
  const last = page.at(-1);
  return { rows: page, nextCursor: left.length > limit && last !== undefined ? cursorOf(idOf(last)) : null };
}

function cursorOf(id: string): string {
  return Buffer.from(`after:${id}`).toString('base64url');
}

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
