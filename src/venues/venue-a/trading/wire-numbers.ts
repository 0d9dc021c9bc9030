// Money and sizes of venue A's private answers as integers. The venue writes the same quantity as decimal text, as a JSON number,
// or as whole millionths, by field and by year (venue-a.md §3.1, §13). Each reader names the forms that it accepts. Pure.

import { SECOND_MS } from '../../../core/domain/durations.ts';
import { countOf, decimalTextOf } from '../../../core/domain/json.ts';
import type { MicroDollars, MicroShares, Ticks, UnixMillis } from '../../../core/domain/numbers.ts';
import { parseMicroShares, TICKS_PER_DOLLAR, unixMillisOf } from '../../../core/domain/numbers.ts';
import { isoTimeOf, ticksOf } from '../../wire-values.ts';

const MICRO_DECIMALS = 6;
const TICK_DECIMALS = 4;
/** Above this a time is in milliseconds: as seconds it would be the year 5138. */
const SECONDS_MAX = 100_000_000_000;
const NO_TIME = 0 as UnixMillis;

/** `"24.37"` shares; null for anything else, an empty field included. */
export function sharesOf(value: unknown): MicroShares | null {
  return parseMicroShares(decimalTextOf(value));
}

/** A price between two ticks, such as an average, to the nearest tradable tick; null for anything else. */
export function averagePriceOf(value: unknown): Ticks | null {
  // A number this small has no plain text.
  if (typeof value === 'number' && value > 0 && value < 10 ** -MICRO_DECIMALS) return 1 as Ticks;
  const decimals = /^0?\.(\d*[1-9]\d*)$/.exec(decimalTextOf(value))?.[1];
  if (decimals === undefined) return null;
  const ticks = Number(decimals.slice(0, TICK_DECIMALS).padEnd(TICK_DECIMALS, '0'));
  const nearest = ticks + (Number(decimals[TICK_DECIMALS] ?? 0) >= 5 ? 1 : 0);
  return Math.min(Math.max(nearest, 1), TICKS_PER_DOLLAR - 1) as Ticks;
}

/** A price, or the nearest tick of a value in between, which never becomes 0 or 1; null for anything else. */
export function nearestTicksOf(value: unknown): Ticks | null {
  return ticksOf(value) ?? averagePriceOf(value);
}

/** Millionths: `"1000000000"`, or decimal dollars: `"250.500000"`. */
export function collateralOf(value: unknown): MicroDollars | null {
  const text = decimalTextOf(value);
  if (text.includes('.')) return parseMicroShares(text) as number as MicroDollars | null;
  const micros = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  return Number.isSafeInteger(micros) ? (micros as MicroDollars) : null;
}

/** Seconds or milliseconds, as text or number, or ISO text; 0 for anything else. */
export function timeOf(value: unknown): UnixMillis {
  const text = decimalTextOf(value);
  if (/^\d{1,16}$/.test(text)) {
    const time = Number(text);
    return unixMillisOf(time < SECONDS_MAX ? time * SECOND_MS : time) ?? NO_TIME;
  }
  return isoTimeOf(text) ?? NO_TIME;
}

/** A non-negative whole number, as text or number; null for anything else. */
export function wholeOf(value: unknown): number | null {
  if (typeof value !== 'string') return countOf(value);
  return /^\d{1,9}$/.test(value.trim()) ? Number(value) : null;
}
