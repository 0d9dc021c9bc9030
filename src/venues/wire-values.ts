// Converts values in the venues' JSON: names, list cursors, labels, times, prices. Names become parts of requests, and of bounded keys in
// the order store. A price may be a JSON number or decimal text. For as many digits as a price has, the shortest text of a double is the
// text as written. A value in any other form becomes null or empty, never a guess. Pure.

import { isoMillisOf } from '../core/domain/iso-time.ts';
import { decimalTextOf, textOf } from '../core/domain/json.ts';
import type { MicroShares, Ticks, UnixMillis } from '../core/domain/numbers.ts';
import { parseMicroShares, parseTicks, unixMillisOf } from '../core/domain/numbers.ts';
import { plainText } from '../core/domain/plain-text.ts';
import { limits } from '../limits.ts';

const VISIBLE = /^[!-~]+$/;

/** Returns the id of an order, a trade or a fill, or empty text if it is invalid. */
export function venueIdOf(value: unknown): string {
  return nameOf(value, limits.venueIdCharactersMax);
}

/** Returns the id of a market, as orders name it, or empty text if it is invalid. */
export function venueAddressOf(value: unknown): string {
  return nameOf(value, limits.marketAddressCharactersMax);
}

/**
 * Returns the cursor of a venue's list, which the next request repeats. An empty, null or absent value means that the list has ended.
 * Returns null if the value is invalid. Half of a surrogate pair, for example, has no form in a URL; and a number means that more follows.
 */
export function venueCursorOf(value: unknown): string | null {
  if (value === undefined || value === null || value === '') return '';
  return nameOf(value, limits.venueCursorCharactersMax) || null;
}

function nameOf(value: unknown, charactersMax: number): string {
  return typeof value === 'string' && value.length <= charactersMax && VISIBLE.test(value) ? value : '';
}

/**
 * Returns a title or a name, cut to its bound because a venue could make it arbitrarily long. Returns empty text if the value is not plain
 * text.
 */
export function labelOf(value: unknown): string {
  return plainText(textOf(value), limits.marketTextCharactersMax);
}

/** Reads a date with a time of day, such as `2026-06-11T06:31:29.957081Z` or `2026-10-08 02:00:00+00`. */
export function isoTimeOf(text: string): UnixMillis | null {
  const millis = isoMillisOf(text);
  return millis === null ? null : unixMillisOf(millis);
}

/**
 * Reads Unix milliseconds, or whole units of `unitMs` since 1970, as a number or its text. Returns null also for 0, which means "not
 * known".
 */
export function unixTimeOf(value: unknown, unitMs = 1): UnixMillis | null {
  const text = decimalTextOf(value);
  return /^\d{1,15}$/.test(text) ? unixMillisOf(Number(text) * unitMs) : null;
}

/** Reads a price that can be traded or paid out, from 0 to 1, with at most four decimals. */
export function ticksOf(value: unknown): Ticks | null {
  return parseTicks(decimalTextOf(value));
}

/** Reads millionths of a share or a dollar; further decimals are cut off. */
export function roundMicrosOf(value: unknown): MicroShares | null {
  // JavaScript writes so small a number with an exponent, which is not decimal text. The number is cut to 0.
  const text = typeof value === 'number' && value >= 0 && value < MICRO ? '0' : decimalTextOf(value);
  return parseMicroShares(text.replace(/^(\d+\.\d{6})\d+$/, '$1'));
}

const MICRO = 1e-6;
