// Reads money and sizes of venue A's private answers as integers. By field and by year, the venue writes the same quantity as decimal text,
// as a JSON number, or as whole millionths (venue-a.md §3.1, §13). Each reader names the forms that it accepts. Pure.

import { SECOND_MS } from '../../../core/domain/durations.ts';
import { countOf, decimalTextOf } from '../../../core/domain/json.ts';
import type { MicroDollars, MicroShares, Ticks, UnixMillis } from '../../../core/domain/numbers.ts';
import { parseMicroShares, TICKS_PER_DOLLAR, unixMillisOf } from '../../../core/domain/numbers.ts';
import { isoTimeOf, ticksOf } from '../../wire-values.ts';

const MICRO_DECIMALS = 6;
const TICK_DECIMALS = 4;
/** The greatest time in seconds. A greater number is in milliseconds: as seconds it would be after the year 5138. */
const SECONDS_MAX = 100_000_000_000;
const NO_TIME = 0 as UnixMillis;

/** Reads shares such as `"24.37"`. Returns null for anything else, also for an empty field. */
export function sharesOf(value: unknown): MicroShares | null {
  return parseMicroShares(decimalTextOf(value));
}

/** Reads a price that may lie between two ticks, such as an average, as the nearest tradable tick. Returns null for anything else. */
export function averagePriceOf(value: unknown): Ticks | null {
  // JavaScript writes so small a number with an exponent, which is not decimal text.
  if (typeof value === 'number' && value > 0 && value < 10 ** -MICRO_DECIMALS) return 1 as Ticks;
  const decimals = /^0?\.(\d*[1-9]\d*)$/.exec(decimalTextOf(value))?.[1];
  if (decimals === undefined) return null;
  const ticks = Number(decimals.slice(0, TICK_DECIMALS).padEnd(TICK_DECIMALS, '0'));
  const nearest = ticks + (Number(decimals[TICK_DECIMALS] ?? 0) >= 5 ? 1 : 0);
  return Math.min(Math.max(nearest, 1), TICKS_PER_DOLLAR - 1) as Ticks;
}

/** Reads a price, or the nearest tick of a value between two ticks, which never becomes 0 or 1. Returns null for anything else. */
export function nearestTicksOf(value: unknown): Ticks | null {
  return ticksOf(value) ?? averagePriceOf(value);
}

/** Reads dollars as millionths, such as `"1000000000"`, or as a decimal, such as `"250.500000"`. */
export function collateralOf(value: unknown): MicroDollars | null {
  const text = decimalTextOf(value);
  if (text.includes('.')) return parseMicroShares(text) as number as MicroDollars | null;
  const micros = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  return Number.isSafeInteger(micros) ? (micros as MicroDollars) : null;
}

/** Reads a time in seconds or milliseconds, as text or number, or as ISO text. Returns 0 for anything else. */
export function timeOf(value: unknown): UnixMillis {
  const text = decimalTextOf(value);
  if (/^\d{1,16}$/.test(text)) {
    const time = Number(text);
    return unixMillisOf(time < SECONDS_MAX ? time * SECOND_MS : time) ?? NO_TIME;
  }
  return isoTimeOf(text) ?? NO_TIME;
}

/** Reads a non-negative whole number, as text or number. Returns null for anything else. */
export function wholeOf(value: unknown): number | null {
  if (typeof value !== 'string') return countOf(value);
  return /^\d{1,9}$/.test(value.trim()) ? Number(value) : null;
}
