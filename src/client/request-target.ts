// Builds the target of a request from an operation's path, parameters and query, exactly as it is sent. A signature covers these bytes, and
// the URL standard rewrites some of them. Portable.

import { assert } from '../domain/result.ts';

export type QueryValue = string | number | boolean | readonly string[] | undefined;

/** Any origin; only the rest of the URL is used. */
const ORIGIN = 'http://gateway';

/** Fills the `{name}` parts of the path and appends the query. Absent values are left out; lists are joined by commas. */
export function requestTarget(
  path: string,
  parameters: Readonly<Record<string, string>>,
  query: Readonly<Record<string, QueryValue>>,
): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => segmentOf(name, parameters[name]));
  const pairs = Object.entries(query).filter(([, value]) => value !== undefined);
  const text = pairs.map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`).join('&');
  return asSent(text === '' ? filled : `${filled}?${text}`);
}

/** A path with its query, as the URL standard writes it. */
export function asSent(pathAndQuery: string): string {
  const { pathname, search } = new URL(ORIGIN + pathAndQuery);
  return pathname + search;
}

/** An empty or dotted segment would change the path, for instance to that of all orders. */
function segmentOf(name: string, value: string | undefined): string {
  assert(value !== undefined && !/^\.{0,2}$/.test(value), `${name}: must be an identifier`);
  return encodeURIComponent(value);
}
