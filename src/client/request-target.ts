// From an operation's path, its parameters and its query to the target of the request, written as it will go over the
// wire: a signature is over those bytes, and the URL standard has its own mind about some of them. Portable.

import { assert } from '../domain/result.ts';

export type QueryValue = string | number | boolean | readonly string[] | undefined;

/** Any origin: only what the standard does with the rest matters. */
const ORIGIN = 'http://gateway';

/** Puts the parameters into the `{name}` of the path and the query behind it; absent values are left out, lists have commas. */
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

/** A path with its query as the URL standard writes it. */
export function asSent(pathAndQuery: string): string {
  const { pathname, search } = new URL(ORIGIN + pathAndQuery);
  return pathname + search;
}

/** An empty or dotted segment would make the path another one: that of all orders, say. */
function segmentOf(name: string, value: string | undefined): string {
  assert(value !== undefined && !/^\.{0,2}$/.test(value), `${name}: must be an identifier`);
  return encodeURIComponent(value);
}
