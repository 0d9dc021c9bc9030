// The venues' names of orders, trades, fills and markets, and their list cursors. Names become parts of bounded keys of the order store,
// and of requests. A text that cannot be a name counts as none. Pure.

import { textOf } from '../domain/json.ts';
import { limits } from '../limits.ts';

const VISIBLE = /^[!-~]+$/;

/** Id of an order, a trade or a fill; empty if it is invalid. */
export function venueIdOf(value: unknown): string {
  return nameOf(value, limits.venueIdCharactersMax);
}

/** Id of a market, as orders name it; empty if it is invalid. */
export function venueAddressOf(value: unknown): string {
  return nameOf(value, limits.marketAddressCharactersMax);
}

/**
 * Cursor of a venue's list, which the next request repeats. Empty, null or absent: the list has ended. Null: invalid. Half of a surrogate
 * pair has no form in a URL, for example; and a number means that more follows.
 */
export function venueCursorOf(value: unknown): string | null {
  if (value === undefined || value === null || value === '') return '';
  return nameOf(value, limits.venueCursorCharactersMax) || null;
}

function nameOf(value: unknown, charactersMax: number): string {
  const name = textOf(value);
  return name.length <= charactersMax && VISIBLE.test(name) ? name : '';
}
