// Query parameters of venue A's public APIs: repeated, comma-separated, absent or invalid ones. Also pages, by offset or by cursor, and
// Gamma's filters. Unknown parameters are ignored, as at the venue (venue-a.md §7). Thread of the paper exchanges.

import type { InboundRequest } from '../../../core/net/listen.ts';
import { limits } from '../../../limits.ts';
import { conditionKey } from '../../../venues/venue-a/position-ids.ts';
import type { VenueAMarket } from '../market.ts';
import { closedAt, type EventView } from './event-object.ts';

export class Query {
  readonly #parameters: URLSearchParams;

  constructor(request: Pick<InboundRequest, 'query'>) {
    this.#parameters = new URLSearchParams(request.query);
  }

  /** Returns the text of the parameter. It is empty if the parameter is absent. */
  text(name: string): string {
    return this.#parameters.get(name) ?? '';
  }

  /** Returns all values of the parameter. Null means that the parameter is absent. */
  list(name: string): ReadonlySet<string> | null {
    const values = this.#parameters.getAll(name).flatMap(value => value.split(','));
    const given = values.map(value => value.trim()).filter(value => value !== '');
    return given.length === 0 ? null : new Set(given);
  }

  /** Returns the parameter as a boolean. Null means that it is neither `true` nor `false`. */
  flag(name: string): boolean | null {
    const text = this.text(name).toLowerCase();
    return text === 'true' ? true : text === 'false' ? false : null;
  }

  /** Returns an integer from 0 to `max`: `otherwise` if the parameter is invalid, `max` if it is larger. */
  count(name: string, otherwise: number, max: number): number {
    const text = this.text(name);
    return /^\d{1,15}$/.test(text) ? Math.min(Number(text), max) : otherwise;
  }
}

export interface Page {
  readonly limit: number;
  readonly offset: number;
}

export function pageOf(query: Query, limitOtherwise: number, limitMax: number, offsetMax: number): Page {
  return { limit: query.count('limit', limitOtherwise, limitMax), offset: query.count('offset', 0, offsetMax) };
}

/** Returns one page of the rows. */
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
  /** The cursor of the next page. Null on the last page. */
  readonly nextCursor: string | null;
}

/**
 * Returns one page of the matching rows. The row of the cursor may no longer match: its game may have ended between two pages. Returns null
 * if the cursor is invalid, or if its row is no longer listed.
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

/** Reads the filters that the gateway and callers of the exchanges use. All other filters are ignored. */
export function eventMatches(query: Query): (view: EventView) => boolean {
  const ids = query.list('id');
  const slugs = query.list('slug');
  const tagIds = query.list('tag_id');
  const seriesIds = query.list('series_id');
  const isClosed = query.flag('closed');
  return view => {
    const { id, slug, tags, sport } = view.listing;
    return (
      isWanted(ids, id) &&
      isWanted(slugs, slug) &&
      (tagIds === null || tags.some(tag => tagIds.has(tag.id))) &&
      isWanted(seriesIds, sport.series) &&
      (isClosed === null || isClosed === (closedAt(view) !== null))
    );
  };
}

export function marketMatches(query: Query): (market: VenueAMarket) => boolean {
  const ids = query.list('id');
  const slugs = query.list('slug');
  const tokens = query.list('clob_token_ids');
  const asked = query.list('condition_ids');
  const conditions = asked === null ? null : new Set([...asked].map(conditionKey));
  const isClosed = query.flag('closed');
  return ({ listing, resolution }) =>
    isWanted(ids, listing.id) &&
    isWanted(slugs, listing.slug) &&
    (tokens === null || listing.tokens.some(token => tokens.has(token))) &&
    isWanted(conditions, listing.conditionId) &&
    (isClosed === null || isClosed === (resolution !== null));
}

function isWanted(wanted: ReadonlySet<string> | null, value: string): boolean {
  return wanted === null || wanted.has(value);
}

/** Orders rows by id if the query has `order=id`, else as listed. The default is ascending. */
export function ordered<Row>(rows: readonly Row[], query: Query, idOf: (row: Row) => string): readonly Row[] {
  if (query.text('order') !== 'id') return rows;
  const direction = query.flag('ascending') === false ? -1 : 1;
  return rows.toSorted((one, other) => (Number(idOf(one)) - Number(idOf(other))) * direction);
}
