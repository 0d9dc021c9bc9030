// Reads venue A's lists of an account's orders and trades, page by page (venue-a.md §3.5). Each page states the cursor of the next page;
// the last page states "-1" as base64. The number of pages is bounded. Any thread.

import { isObject } from '../../../core/domain/json.ts';
import { fail, ok } from '../../../core/domain/result.ts';
import { limits } from '../../../limits.ts';
import type { Reading } from '../../venue.ts';
import { venueCursorOf } from '../../wire-values.ts';
import type { VenueApi } from './venue-api.ts';

const START = 'MA==';
const END = 'LTE=';

interface PageQuery {
  readonly path: '/data/orders' | '/data/trades';
  readonly filters: Readonly<Record<string, string>>;
  /** The deadline of the whole list. Null means that each page has the usual time. */
  readonly deadline: number | null;
}

export interface RowReader<Row> {
  /** Reads a row, or returns null if it is unreadable. */
  readonly read: (row: unknown) => Row | null;
  /** Returns the id of a row; empty if the row has none. */
  readonly idOf: (row: Row) => string;
}

interface Rows<Row> {
  readonly rows: readonly Row[];
  /** The unreadable rows, as received. */
  readonly unread: readonly unknown[];
}

/**
 * Returns rows in the sequence received, each once: cursors are offsets, so new rows push old ones onto the next page. `isEnough` may end
 * the read early.
 */
export async function readPages<Row>(
  api: VenueApi,
  { path, filters, deadline }: PageQuery,
  reader: RowReader<Row>,
  isEnough: (rows: readonly Row[]) => boolean = () => false,
): Reading<Rows<Row>> {
  const found = new FoundRows(reader);
  const seen = new Set([START]);
  let cursor = START;
  for (let page = 0; page < limits.venueAPagesMax; page += 1) {
    const leftMs = deadline === null ? limits.upstreamRestTimeoutMs : deadline - api.now();
    if (leftMs <= 0) return fail(`${path}: no time left`);
    const query = new URLSearchParams({ ...filters, next_cursor: cursor });
    const answer = await api.readPrivate(`${path}?${query}`, Math.min(leftMs, limits.upstreamRestTimeoutMs));
    if (!answer.ok) return fail(`${path}: ${answer.error.message}`);
    const body = answer.value;
    if (!isObject(body) || !Array.isArray(body.data)) return fail(`${path}: an answer without data`);
    found.add(body.data as readonly unknown[]);
    const next = venueCursorOf(body.next_cursor);
    if (next === null) return fail(`${path}: a cursor that cannot be read`);
    const isLast = next === END || next === '' || (next === cursor && body.data.length === 0);
    if (isLast || isEnough(found.rows)) return ok({ rows: found.rows, unread: found.unread });
    if (seen.has(next)) return fail(`${path}: a page that leads to itself, or to one before it`);
    seen.add(next);
    cursor = next;
  }
  return fail(`${path}: more than ${limits.venueAPagesMax} pages (venueAPagesMax)`);
}

class FoundRows<Row> implements Rows<Row> {
  readonly unread: unknown[] = [];
  readonly #reader: RowReader<Row>;
  readonly #rows = new Map<string | symbol, Row>();

  constructor(reader: RowReader<Row>) {
    this.#reader = reader;
  }

  get rows(): readonly Row[] {
    return [...this.#rows.values()];
  }

  add(values: readonly unknown[]): void {
    const { read, idOf } = this.#reader;
    for (const value of values) {
      const row = read(value);
      if (row === null) this.unread.push(value);
      // If a row comes twice, the later copy is more recent.
      else this.#rows.set(idOf(row) || Symbol(), row);
    }
  }
}
