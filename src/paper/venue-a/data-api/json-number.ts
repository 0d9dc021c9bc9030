// Money, shares and percentages of the Data API as JSON numbers. Each is made from the decimal text of an integer, so that no sum or
// product is ever a fraction. Thread of the paper exchanges.

import {
  formatMicroShares,
  formatTicks,
  type MicroDollars,
  type MicroShares,
  type Ticks,
} from '../../../core/domain/numbers.ts';

/** The venue shows quotients and positions with four decimals, as many as a tick has. */
const SHOWN_PARTS = 10_000;

/** The number with all six decimals. */
export function exactNumber(amount: MicroDollars | MicroShares): number {
  return fromText(amount, formatMicroShares(Math.abs(amount) as MicroShares));
}

/** numerator ÷ denominator with four decimals; 0 if the denominator is 0. `scale`: 100 for percent. */
export function shownQuotient(numerator: number, denominator: number, scale: 1 | 100 = 1): number {
  if (denominator === 0) return 0;
  // A sum in micros times a million exceeds 2^53.
  const wide = BigInt(Math.abs(numerator)) * BigInt(SHOWN_PARTS * scale);
  const [quotient, remainder] = [wide / BigInt(denominator), wide % BigInt(denominator)];
  const rounded = quotient + (remainder * 2n >= BigInt(denominator) ? 1n : 0n);
  return fromText(numerator, formatTicks(Number(rounded) as Ticks));
}

function fromText(sign: number, magnitude: string): number {
  return sign < 0 && magnitude !== '0' ? -Number(magnitude) : Number(magnitude);
}
