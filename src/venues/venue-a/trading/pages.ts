// Venue A's lists of an account's orders and trades, page after page (venue-a.md §3.5): the cursor of the next page is in each, and
// "-1" as base64 stands behind the last. Bounded. Any thread.

import { isObject } from '../../../domain/json.ts';
import { fail, ok, type Result } from '../../../domain/result.ts';
import { limits } from '../../../limits.ts';
import { venueCursorOf } from '../../venue-names.ts';
import type { VenueApi } from './venue-api.ts';

const START = 'MA==';
const END = 'LTE=';

export interface PageQuery {
  readonly path: '/data/orders' | '/data/trades';
  readonly filters: Readonly<Record<string, string>>;
  /** By when all must be there; null: each page has the usual time. */
  readonly deadline: number | null;
}

export interface RowReader<Row> {
  /** Null for one that cannot be read: that fails the whole. */
  readonly read: (row: unknown) => Row | null;
  readonly idOf: (row: Row) => string;
}

/**
 * Rows as they come, each once: cursors are offsets, so that what is new pushes rows onto the next page. `isEnough` may end it early.
 */
export async function readPages<Row>(
  api: VenueApi,
  now: () => number,
  { path, filters, deadline }: PageQuery,
  { read, idOf }: RowReader<Row>,
  isEnough: (rows: readonly Row[]) => boolean = () => false,
): Promise<Result<readonly Row[], string>> {
  const rows = new Map<string, Row>();
  let cursor = START;
  for (let page = 0; page < limits.venueAPagesMax; page += 1) {
    const leftMs = deadline === null ? limits.upstreamRestTimeoutMs : deadline - now();
    if (leftMs <= 0) return fail(`${path}: no time left`);
    const query = new URLSearchParams({ ...filters, next_cursor: cursor });
    const answer = await api.readPrivate(`${path}?${query}`, Math.min(leftMs, limits.upstreamRestTimeoutMs));
    if (!answer.ok) return fail(`${path}: ${answer.error.message}`);
    const body = answer.value;
    if (!isObject(body) || !Array.isArray(body.data)) return fail(`${path}: an answer without data`);
    for (const value of body.data as readonly unknown[]) {
      const row = read(value);
      if (row === null) return fail(`${path}: a row that cannot be read`);
      // Read later, it is younger.
      rows.set(idOf(row), row);
    }
    const next = venueCursorOf(body.next_cursor);
    if (next === null) return fail(`${path}: a cursor that cannot be read`);
    const isLast = next === END || next === '' || (next === cursor && body.data.length === 0);
    if (isLast || isEnough([...rows.values()])) return ok([...rows.values()]);
    if (next === cursor) return fail(`${path}: a page that leads to itself`);
    cursor = next;
  }
  return fail(`${path}: more than ${limits.venueAPagesMax} pages (venueAPagesMax)`);
}
