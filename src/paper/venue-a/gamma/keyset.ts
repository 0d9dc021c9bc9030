// Gamma's cursor paging (venue-a.md §7): each page but the last has the cursor of the next. Thread of the paper exchanges.

import { limits } from '../../../limits.ts';
import type { Query } from './query.ts';

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
