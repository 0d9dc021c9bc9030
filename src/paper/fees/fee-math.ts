// Exact arithmetic of fees (contract §1): fractions for rates and multipliers, and a quotient whose product may exceed 2^53. P × (1 − P)
// is a factor of both venues' fees; it is equal for YES and NO, and largest at a half. Never floats: products below the bound stay in
// doubles, where the remainder is exact; others use BigInt. Pure.

import { BID, type Side } from '../../core/domain/market.ts';
import { TICKS_PER_DOLLAR, type Ticks } from '../../core/domain/numbers.ts';
import { assert } from '../../core/domain/result.ts';

/** The numerator is at least 0, and the terms are the lowest. */
export interface Fraction {
  readonly numerator: number;
  readonly denominator: number;
}

const DECIMAL = /^(\d{1,4})(?:\.(\d{1,6}))?$/;

/** Reads `"0.07"`, `"2"`: up to four digits, up to six decimals. Null for other text. */
export function parseFraction(text: string): Fraction | null {
  const match = DECIMAL.exec(text);
  if (match === null) return null;
  const decimals = match[2] ?? '';
  return fraction(Number(match[1] + decimals), 10 ** decimals.length);
}

/** A fraction that is a constant of the program. */
export function fractionOf(text: string): Fraction {
  const value = parseFraction(text);
  assert(value !== null, `not a plain decimal: ${text}`);
  return value;
}

export function multiply(a: Fraction, b: Fraction): Fraction {
  return fraction(a.numerator * b.numerator, a.denominator * b.denominator);
}

/** ⌈a × b ÷ divisor⌉ of non-negative integers; the product may have any size. */
export function ceilQuotient(a: number, b: number, divisor: number): number {
  const product = a * b;
  if (product > Number.MAX_SAFE_INTEGER) return wideQuotient(a, b, divisor);
  const rest = product % divisor;
  return (product - rest) / divisor + (rest === 0 ? 0 : 1);
}

function wideQuotient(a: number, b: number, divisor: number): number {
  const quotient = Number((BigInt(a) * BigInt(b) + BigInt(divisor) - 1n) / BigInt(divisor));
  assert(Number.isSafeInteger(quotient), 'the quotient passes 2^53');
  return quotient;
}

function fraction(numerator: number, denominator: number): Fraction {
  assert(
    Number.isSafeInteger(numerator) && Number.isSafeInteger(denominator),
    'a fraction of whole numbers below 2^53',
  );
  let [divisor, rest] = [denominator, numerator];
  while (rest !== 0) [divisor, rest] = [rest, divisor % rest];
  return { numerator: numerator / divisor, denominator: denominator / divisor };
}

const HALF = TICKS_PER_DOLLAR / 2;
/** The variance at a price of $0.50, in ticks². */
export const VARIANCE_MAX = HALF * HALF;

/** The variance in ticks². */
export function varianceAt(price: Ticks): number {
  return price * (TICKS_PER_DOLLAR - price);
}

/**
 * The largest variance over all prices at which a limit order can fill. A bid fills up to its limit, an ask from it, an unknown side
 * anywhere.
 */
export function largestVariance(limit: Ticks, side: Side | undefined): number {
  if (side === undefined) return VARIANCE_MAX;
  const reachesHalf = side === BID ? limit >= HALF : limit <= HALF;
  return reachesHalf ? VARIANCE_MAX : varianceAt(limit);
}
