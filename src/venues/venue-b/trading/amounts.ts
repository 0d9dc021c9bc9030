// Amounts and times of venue B (venue-b.md §3) as integers. They are read from decimal text, and from JSON numbers only where the venue
// writes whole cents or times. Anything else becomes null, never a guess. Pure.

import { SECOND_MS } from '../../../core/domain/durations.ts';
import { isAbsent, textOf } from '../../../core/domain/json.ts';
import type { MicroDollars, MicroShares, Ticks, UnixMillis } from '../../../core/domain/numbers.ts';
import { parseMicroShares, parseTicks, TICKS_PER_DOLLAR, unixMillisOf } from '../../../core/domain/numbers.ts';
import { assert } from '../../../core/domain/result.ts';
import { isoTimeOf } from '../../wire-values.ts';

/** Reads a price such as `"0.5600"`. */
export function priceOf(value: unknown): Ticks | null {
  return typeof value === 'string' ? parseTicks(value) : null;
}

/** Reads a number of contracts such as `"10.00"`. */
export function sizeOf(value: unknown): MicroShares | null {
  return typeof value === 'string' ? parseMicroShares(value) : null;
}

/** Reads a signed number of contracts such as `"-5.00"`: NO contracts are negative. */
export function signedSizeOf(value: unknown): MicroShares | null {
  return signed(value, sizeOf);
}

/** Reads dollars such as `"0.017500"` as millionths. */
export function moneyOf(value: unknown): MicroDollars | null {
  return parseMicroShares(textOf(value)) as MicroDollars | null;
}

/** Reads signed dollars: a balance can be below zero. */
export function signedMoneyOf(value: unknown): MicroDollars | null {
  return signed(value, moneyOf);
}

function signed<T extends number>(value: unknown, read: (text: string) => T | null): T | null {
  const text = textOf(value);
  const isNegative = text.startsWith('-');
  const amount = read(isNegative ? text.slice(1) : text);
  return amount === null || !isNegative || amount === 0 ? amount : (-amount as T);
}

/**
 * Reads a time: `millis` in milliseconds, or else `other` as RFC 3339 text or as seconds (`ts` has either form). Microseconds are cut off.
 */
export function timeOf(millis: unknown, other: unknown): UnixMillis | null {
  const stated = typeof millis === 'number' ? unixMillisOf(millis) : null;
  if (stated !== null) return stated;
  if (isAbsent(other)) return null;
  return typeof other === 'number' ? unixMillisOf(Math.floor(other * SECOND_MS)) : isoTimeOf(textOf(other));
}

/** Writes a price as the venue does: `0.5600`. */
export function priceText(price: Ticks): string {
  return `${Math.floor(price / TICKS_PER_DOLLAR)}.${String(price % TICKS_PER_DOLLAR).padStart(4, '0')}`;
}

/** Writes a number of contracts as the venue does: `7.00`. The venue takes hundredths of a contract in every market. */
export function countText(size: MicroShares): string {
  assert(size % MICROS_PER_HUNDREDTH === 0, 'venue B is sent hundredths of a contract');
  const hundredths = size / MICROS_PER_HUNDREDTH;
  return `${Math.floor(hundredths / 100)}.${String(hundredths % 100).padStart(2, '0')}`;
}

const MICROS_PER_HUNDREDTH = 10_000;
