// Pages of venue A's lists (venue-a.md §3.5): a cursor is the base64 of the next page's offset, "-1" after the last. Pure.

import type { Reply } from '../../../net/listen.ts';
import { errorReply, ok } from './replies.ts';

const START = 'MA==';
const END = 'LTE=';
const INVALID_CURSOR = errorReply(400, 'Invalid next_cursor');

/** One page of `rows`; reads no further than its end. */
export function pageReply<Row>(
  rows: Iterable<Row>,
  query: URLSearchParams,
  rowsPerPageMax: number,
  view: (row: Row) => unknown,
): Reply {
  const start = startOf(query.get('next_cursor'));
  if (start === null) return INVALID_CURSOR;
  const data: unknown[] = [];
  let index = 0;
  let next = END;
  for (const row of rows) {
    if (data.length === rowsPerPageMax) {
      next = Buffer.from(String(index)).toString('base64');
      break;
    }
    if (index >= start) data.push(view(row));
    index += 1;
  }
  return ok({ limit: rowsPerPageMax, count: data.length, next_cursor: next, data });
}

/** A page of an empty list. */
export function emptyPage(rowsPerPageMax: number): Reply {
  return ok({ limit: rowsPerPageMax, count: 0, next_cursor: END, data: [] });
}

/** Null for an invalid cursor; beyond the end there are no rows. */
function startOf(cursor: string | null): number | null {
  if (cursor === null || cursor === '') return 0;
  if (cursor === START) return 0;
  const text = Buffer.from(cursor, 'base64').toString('latin1');
  if (text === '-1') return Number.MAX_SAFE_INTEGER;
  return /^\d{1,9}$/.test(text) ? Number(text) : null;
}
