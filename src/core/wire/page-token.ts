// The tokens for pages of lists (contract §4.10). A token holds the page's size, filters and place. It is signed, and valid only for its
// caller and path. It never expires, because its content stays true. History thread, check workers and main thread.

import { createHmac, timingSafeEqual } from 'node:crypto';
import { limits } from '../../limits.ts';
import { isObject, parseJson } from '../domain/json.ts';
import { fail, ok, type Result } from '../domain/result.ts';

/** The caller and path to which a token is bound. */
export interface PageScope {
  readonly secret: Uint8Array;
  readonly actorId: string;
  readonly path: string;
}

export interface Page {
  readonly rows: number;
  /** The filters, by the names of the query parameters. */
  readonly filters: Readonly<Record<string, string>>;
  /** The place at which the previous page ended. Null for the first page. */
  readonly after: string | null;
}

const MAC_BYTES = 16;

/** Reads the page that a query requests. An error names the parameter. */
export function readPage(
  scope: PageScope,
  query: ReadonlyMap<string, string>,
  filterNames: readonly string[],
): Result<Page, string> {
  const given = Object.fromEntries([...query].filter(([name]) => filterNames.includes(name)));
  const empty = Object.keys(given).find(name => given[name] === '');
  if (empty !== undefined) return fail(`${empty}: must not be empty`);
  const token = query.get('pageToken');
  if (token === undefined) return firstPage(query.get('pageSize'), given);
  const page = readToken(scope, token);
  if (page === null) return fail('pageToken: was not issued for this list and this caller');
  const changed = Object.keys(given).find(name => page.filters[name] !== given[name]);
  return changed === undefined ? ok(page) : fail(`${changed}: must be as on the first page, or be left out`);
}

export function pageToken(scope: PageScope, { rows, filters, after }: Page): string {
  const content = Buffer.from(JSON.stringify([rows, filters, after]));
  return Buffer.concat([macOf(scope, content), content]).toString('base64url');
}

function firstPage(size: string | undefined, filters: Page['filters']): Result<Page, string> {
  const rows = size === undefined ? limits.rowsPerPage : Number(size);
  const isGood = /^[1-9]\d{0,2}$/.test(size ?? '1') && rows <= limits.pageRowsMax;
  return isGood
    ? ok({ rows, filters, after: null })
    : fail(`pageSize: must be an integer from 1 to ${limits.pageRowsMax} (pageRowsMax)`);
}

function readToken(scope: PageScope, token: string): Page | null {
  const bytes = Buffer.from(token, 'base64url');
  if (bytes.length <= MAC_BYTES || bytes.toString('base64url') !== token) return null;
  const content = bytes.subarray(MAC_BYTES);
  if (!timingSafeEqual(bytes.subarray(0, MAC_BYTES), macOf(scope, content))) return null;
  const value = parseJson(content.toString());
  // A gateway of ours wrote the token, but perhaps in an earlier version.
  if (!Array.isArray(value)) return null;
  const [rows, filters, after] = value as readonly unknown[];
  const isPage = typeof rows === 'number' && isObject(filters) && (after === null || typeof after === 'string');
  return isPage ? { rows, filters: filters as Page['filters'], after } : null;
}

function macOf({ secret, actorId, path }: PageScope, content: Uint8Array): Buffer {
  const mac = createHmac('sha256', secret).update(`page\0${actorId}\0${path}\0`).update(content);
  return mac.digest().subarray(0, MAC_BYTES);
}
