// Filters and order of events in a Gamma request (venue-a.md §7). An absent filter accepts everything. Thread of the paper
// exchanges.

import { parseMicroShares } from '../../../domain/numbers.ts';
import { isoText } from '../rest/decimal-text.ts';
import { closedAt, createdAt, type EventView, endAt, liquidityOfEvent, volumeOfEvent } from './event-object.ts';
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

/** Sort keys of events; null for an unknown field. */
export function eventOrder(field: string): ((view: EventView) => number | string) | null {
  switch (field) {
    case 'id':
      return ({ listing }) => Number(listing.id);
    case 'slug':
    case 'ticker':
      return ({ listing }) => listing.slug;
    case 'title':
      return ({ listing }) => listing.title;
    case 'startDate':
    case 'start_date':
    case 'createdAt':
    case 'creationDate':
      return createdAt;
    case 'endDate':
    case 'end_date':
      return endAt;
    case 'startTime':
    case 'start_time':
      return ({ listing }) => listing.game.startsAt;
    case 'eventDate':
      return ({ listing }) => isoText(listing.game.startsAt);
    case 'liquidity':
      return liquidityOfEvent;
    case 'volume':
      return volumeOfEvent;
    default:
      return null;
  }
}

/** Catalog order without a known field; `ascending` by default. */
export function ordered<Row>(
  rows: readonly Row[],
  query: Query,
  keyOf: (field: string) => ((row: Row) => number | string) | null,
): readonly Row[] {
  const key = keyOf(query.text('order'));
  if (key === null) return rows;
  const direction = query.flag('ascending') === false ? -1 : 1;
  const keyed = rows.map(row => ({ row, key: key(row) }));
  keyed.sort((one, other) => (one.key < other.key ? -direction : one.key > other.key ? direction : 0));
  return keyed.map(({ row }) => row);
}

export function isAmong(wanted: ReadonlySet<string> | null, value: string): boolean {
  return wanted === null || wanted.has(value);
}

/** Whether a time lies between `<name>_min` and `<name>_max`. */
export function timeRange(query: Query, name: string): (at: number) => boolean {
  const [min, max] = [query.time(`${name}_min`), query.time(`${name}_max`)];
  return at => (min === null || at >= min) && (max === null || at <= max);
}

/** Like `timeRange`, for dollars or shares, which both have six decimals; sums only if the filter is present. */
export function amountRange(query: Query, name: string): (sum: () => number) => boolean {
  const [min, max] = [parseMicroShares(query.text(`${name}_min`)), parseMicroShares(query.text(`${name}_max`))];
  return sum => {
    if (min === null && max === null) return true;
    const micros = sum();
    return (min === null || micros >= min) && (max === null || micros <= max);
  };
}
