// Numbers of other people's JSON as integers: a price may be a JSON number or decimal text, a time a number or its text. The
// shortest text of a double is the text that it was written as, for as many digits as a price has. Pure.

import { SECOND_MS } from '../domain/durations.ts';
import { decimalTextOf } from '../domain/json.ts';
import {
  MICROS_PER_DOLLAR,
  type MicroDollars,
  parseTicks,
  type Ticks,
  type UnixMillis,
  unixMillisOf,
} from '../domain/numbers.ts';

/** From 0 to 1 with at most four decimals; null for anything else. */
export function ticksOf(value: unknown): Ticks | null {
  return parseTicks(decimalTextOf(value));
}

/** Millionths, further decimals cut off; null for what is no number from 0 on. */
export function microsOf(value: unknown): MicroDollars | null {
  const text = typeof value === 'number' && value >= 0 && value < MICRO ? '0' : decimalTextOf(value);
  const match = /^(\d{1,9})(?:\.(\d+))?$/.exec(text);
  if (match === null) return null;
  return (Number(match[1]) * MICROS_PER_DOLLAR +
    Number((match[2] ?? '').slice(0, MICRO_DECIMALS).padEnd(MICRO_DECIMALS, '0'))) as MicroDollars;
}

/** Unix time in milliseconds; null if it is not one, or 0, which stands for "not known". */
export function millisOf(value: unknown): UnixMillis | null {
  return timeOf(value, 1);
}

/** As `millisOf`, from seconds. */
export function secondsOf(value: unknown): UnixMillis | null {
  return timeOf(value, SECOND_MS);
}

/** Whether it says more than nothing: sizes have more decimals than we have a use for. */
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
