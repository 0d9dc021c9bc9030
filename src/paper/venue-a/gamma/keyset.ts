// Gamma's cursor paging (venue-a.md §7): a page tells where the next one begins, the last one does not. Thread of the paper
// exchanges.

import { limits } from '../../../limits.ts';
import type { Query } from './query.ts';

export interface KeysetPage<Row> {
  readonly rows: readonly Row[];
  /** Null on the last page. */
  readonly nextCursor: string | null;
}

/** Null if the cursor is none, or leads to nothing that is listed. */
export function keysetPage<Row>(
  rows: readonly Row[],
  query: Query,
  idOf: (row: Row) => string,
): KeysetPage<Row> | null {
  const limit = Math.max(1, query.count('limit', limits.paperGammaRowsPerPage, limits.paperGammaKeysetRowsMax));
  const cursor = query.text('after_cursor');
  const after = cursor === '' ? -1 : rows.findIndex(row => cursorOf(idOf(row)) === cursor);
  if (cursor !== '' && after < 0) return null;
  const page = rows.slice(after + 1, after + 1 + limit);
  const last = page.at(-1);
  const hasMore = after + 1 + limit < rows.length;
  return { rows: page, nextCursor: hasMore && last !== undefined ? cursorOf(idOf(last)) : null };
}

function cursorOf(id: string): string {
  return Buffer.from(`after:${id}`).toString('base64url');
}
