// Numbers in foreign JSON as integers. A price may be a JSON number or decimal text, a time a number or its text. For as
// many digits as a price has, a double's shortest text equals the text as written. Pure.

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
