// Values in the venues' JSON as ours: names, list cursors, labels, times, prices. Names become parts of bounded keys of the order store, and
// of requests. A price may be a JSON number or decimal text: for as many digits as a price has, a double's shortest text is the text as
// written. Anything else is null or empty, never a guess. Pure.

import { SECOND_MS } from '../domain/durations.ts';
import { isoMillisOf } from '../domain/iso-time.ts';
import { decimalTextOf, textOf } from '../domain/json.ts';
import {
  MICROS_PER_DOLLAR,
  type MicroDollars,
  parseTicks,
  type Ticks,
  type UnixMillis,
  unixMillisOf,
} from '../domain/numbers.ts';
import { plainText } from '../domain/plain-text.ts';
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

/** Plain text, cut to its bound; empty if it is not plain text. */
export function labelOf(value: unknown): string {
  return plainText(textOf(value), limits.marketTextCharactersMax);
}

/**
 * A date with a time of day, such as `2026-06-11T06:31:29.957081Z` or `2026-10-08 02:00:00+00`; null for anything else.
 */
export function isoTimeOf(text: string): UnixMillis | null {
  const millis = isoMillisOf(text);
  return millis === null ? null : unixMillisOf(millis);
}

/** From 0 to 1 with at most four decimals; null for anything else. */
export function ticksOf(value: unknown): Ticks | null {
  return parseTicks(decimalTextOf(value));
}

/** Millionths, further decimals cut off; null unless it is a number of at least 0. */
export function microsOf(value: unknown): MicroDollars | null {
  const text = typeof value === 'number' && value >= 0 && value < MICRO ? '0' : decimalTextOf(value);
  const match = /^(\d{1,9})(?:\.(\d+))?$/.exec(text);
  if (match === null) return null;
  return (Number(match[1]) * MICROS_PER_DOLLAR +
    Number((match[2] ?? '').slice(0, MICRO_DECIMALS).padEnd(MICRO_DECIMALS, '0'))) as MicroDollars;
}

/** Unix milliseconds; null for anything else, and for 0, which means "not known". */
export function millisOf(value: unknown): UnixMillis | null {
  return timeOf(value, 1);
}

/** As `millisOf`, from seconds. */
export function secondsOf(value: unknown): UnixMillis | null {
  return timeOf(value, SECOND_MS);
}

/** Whether the size is above 0; sizes have more decimals than we use. */
export function isPositive(value: unknown): boolean {
  const text = decimalTextOf(value);
  return /^\d+(\.\d+)?$/.test(text) && /[1-9]/.test(text);
}

function timeOf(value: unknown, unitMs: number): UnixMillis | null {
  const text = decimalTextOf(value);
  return /^\d{1,15}$/.test(text) ? unixMillisOf(Number(text) * unitMs) : null;
}

const MICRO = 1e-6;
const MICRO_DECIMALS = 6;
