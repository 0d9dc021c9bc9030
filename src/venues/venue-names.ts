// What venues call orders, trades, fills and markets, and places in their lists. It becomes part of keys of the order store, whose
// bytes are bounded, and of requests: what could not be a name is none. Pure.

import { textOf } from '../domain/json.ts';
import { limits } from '../limits.ts';

const VISIBLE = /^[!-~]+$/;

/** Of an order, a trade or a fill; empty if it is none. */
export function venueIdOf(value: unknown): string {
  return nameOf(value, limits.venueIdCharactersMax);
}

/** Of a market, by which orders are placed there; empty if it is none. */
export function venueAddressOf(value: unknown): string {
  return nameOf(value, limits.marketAddressCharactersMax);
}

/**
 * Where in a venue's list to go on, which the next request says again; empty, null or not there: there is no more of it. Null if it is not
 * one: half of a surrogate pair, say, has no form in a URL; and who writes a number means that there is more.
 */
export function venueCursorOf(value: unknown): string | null {
  if (value === undefined || value === null || value === '') return '';
  return nameOf(value, limits.venueCursorCharactersMax) || null;
}

function nameOf(value: unknown, charactersMax: number): string {
  const name = textOf(value);
  return name.length <= charactersMax && VISIBLE.test(name) ? name : '';
}
