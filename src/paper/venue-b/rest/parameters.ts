// Query parameters of venue B's private REST: numbers within bounds, or shape C (venue-b.md §7), and pages by cursor. A cursor is the id of
// the page's last item; an invalid one means the first page (venue-b.md §4). Thread of the paper exchanges.

import { fail, ok, type Result } from '../../../domain/result.ts';
import type { Reply } from '../../../net/listen.ts';
import { badParameter } from './errors.ts';
import { validationComplaint } from './go-body.ts';

interface Bounds {
  readonly min?: number;
  readonly max?: number;
}

/** An integer of the query, null if absent. `operation` is the venue's name of the call: `GetOrders`. */
export function numberParameter(
  query: URLSearchParams,
  operation: string,
  name: string,
  { min = Number.MIN_SAFE_INTEGER, max = Number.MAX_SAFE_INTEGER }: Bounds = {},
): Result<number | null, Reply> {
  const text = query.get(name);
  if (text === null || text === '') return ok(null);
  const value = /^-?\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (!Number.isSafeInteger(value)) {
    const problem = `strconv.ParseInt: parsing "${text}": invalid syntax`;
    return fail(badParameter(`Invalid format for parameter ${name}: error binding string parameter: ${problem}`));
  }
  if (value >= min && value <= max) return ok(value);
  const rule = validationComplaint(`${operation}Params`, name, value < min ? 'gte' : 'lte');
  return fail(badParameter(`Parameter validation failed for ${operation}: ${rule}`));
}

/** A comma-separated list; null if absent. */
export function listParameter(query: URLSearchParams, name: string): ReadonlySet<string> | null {
  const text = query.get(name);
  return text === null || text === '' ? null : new Set(text.split(','));
}

interface Page<T> {
  readonly items: readonly T[];
  /** Empty on the last page. */
  readonly cursor: string;
}

interface PageRequest<T> {
  readonly limit: number;
  readonly cursor: string | null;
  /** Unique within a list. */
  readonly idOf: (item: T) => string;
  /** Whether an item is shown. The cursor's item need not be any more: an order may end between two pages. */
  readonly admits?: (item: T) => boolean;
}

/** The `limit` items after the cursor. Cursors are ids, so that newer items do not move the pages of older ones. */
export function pageOf<T>(items: Iterable<T>, { limit, cursor, idOf, admits = () => true }: PageRequest<T>): Page<T> {
  const after = cursor === null ? '' : Buffer.from(cursor, 'base64url').toString();
  const first: T[] = [];
  let page: T[] | null = after === '' ? first : null;
  for (const item of items) {
    const list = page ?? first;
    if (list.length <= limit && admits(item)) list.push(item);
    if (page === null && idOf(item) === after) page = [];
    else if (page !== null && page.length > limit) break;
  }
  page ??= first;
  const shown = page.slice(0, limit);
  const last = shown.at(-1);
  const isLastPage = page.length <= limit || last === undefined;
  return { items: shown, cursor: isLastPage ? '' : Buffer.from(idOf(last)).toString('base64url') };
}
