// What venues call orders, trades, fills and markets. It becomes part of keys of the order store, whose bytes are bounded: what could
// not be a name is none. Pure.

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

function nameOf(value: unknown, charactersMax: number): string {
  const name = textOf(value);
  return name.length <= charactersMax && VISIBLE.test(name) ? name : '';
}
