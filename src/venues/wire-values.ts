// Converts values in the venues' JSON: names, list cursors, labels, times, prices. Names become parts of bounded keys of the order store,
// and of requests. A price may be a JSON number or decimal text. For as many digits as a price has, a double's shortest text is the text as
// written. Anything else is null or empty, never a guess. Pure.

import { isoMillisOf } from '../core/domain/iso-time.ts';
import { decimalTextOf, textOf } from '../core/domain/json.ts';
import type { MicroShares, Ticks, UnixMillis } from '../core/domain/numbers.ts';
import { parseMicroShares, parseTicks, unixMillisOf } from '../core/domain/numbers.ts';
import { plainText } from '../core/domain/plain-text.ts';
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
 * The cursor of a venue's list, which the next request repeats. An empty, null or absent value means that the list has ended. Null if the
 * value is invalid. Half of a surrogate pair has no form in a URL, for example, and a number means that more follows.
 */
export function venueCursorOf(value: unknown): string | null {
  if (value === undefined || value === null || value === '') return '';
  return nameOf(value, limits.venueCursorCharactersMax) || null;
}

function nameOf(value: unknown, charactersMax: number): string {
  return typeof value === 'string' && value.length <= charactersMax && VISIBLE.test(value) ? value : '';
}

/** A title or a name, which a venue could make arbitrarily long: cut to its bound; empty if it is not plain text. */
export function labelOf(value: unknown): string {
  return plainText(textOf(value), limits.marketTextCharactersMax);
}

/** A date with a time of day, such as `2026-06-11T06:31:29.957081Z` or `2026-10-08 02:00:00+00`. */
export function isoTimeOf(text: string): UnixMillis | null {
  const millis = isoMillisOf(text);
  return millis === null ? null : unixMillisOf(millis);
}

/** Unix milliseconds, or whole units of `unitMs` since 1970, as a number or its text. Null for 0, too, which means "not known". */
export function unixTimeOf(value: unknown, unitMs = 1): UnixMillis | null {
  const text = decimalTextOf(value);
  return /^\d{1,15}$/.test(text) ? unixMillisOf(Number(text) * unitMs) : null;
}

/** A price that can be traded or paid out, from 0 to 1, with at most four decimals. */
export function ticksOf(value: unknown): Ticks | null {
  return parseTicks(decimalTextOf(value));
}

/** Millionths of a share or a dollar; further decimals are cut off. */
export function roundMicrosOf(value: unknown): MicroShares | null {
  // A number this small or large has no plain text.
  const text = typeof value === 'number' && value >= 0 && value < MICRO ? '0' : decimalTextOf(value);
  return parseMicroShares(text.replace(/^(\d+\.\d{6})\d+$/, '$1'));
}

const MICRO = 1e-6;
