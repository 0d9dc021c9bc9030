// Gamma's cursor paging (venue-a.md §7): a page tells where the next one begins, the last one does not. Thread of the paper
// exchanges.

import { limits } from '../../../limits.ts';
import type { Query } from './query.ts';

export interface KeysetPage<Row> {
  readonly rows: readonly Row[];
  /** Null on the last page. */
  readonly nextCursor: string | null;
}

/**
 * One page of those rows that are wanted. The cursor may lead to a row that no longer is: a game that has ended between two
 * pages. Null if it is not one, or leads to nothing that is listed.
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
