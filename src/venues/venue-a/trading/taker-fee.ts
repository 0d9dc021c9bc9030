// Venue A's fee for a fill (venue-a.md §9.4): shares × rate × (p × (1 − p))^exponent, to five decimals, halves rounded up; smaller
// fees are 0. Whole numbers only. Pure.

import {
  MICROS_PER_DOLLAR,
  MICROS_PER_SHARE,
  type MicroDollars,
  type MicroShares,
  TICKS_PER_DOLLAR,
  type Ticks,
} from '../../../domain/numbers.ts';

/** As a market's `fd` states it. */
export interface FeeTerms {
  /** rate = numerator ÷ denominator; 0 if a market is free. */
  readonly numerator: number;
  readonly denominator: number;
  readonly exponent: number;
  /** False: makers pay as much. */
  readonly isTakerOnly: boolean;
}

export const NO_FEES: FeeTerms = { numerator: 0, denominator: 1, exponent: 1, isTakerOnly: true };

/** The last of five decimals, in micro-dollars. */
const UNIT = 10n;

/** The fee of one fill. */
export function takerFee(terms: FeeTerms, price: Ticks, size: MicroShares): MicroDollars {
  if (terms.numerator === 0) return 0 as MicroDollars;
  const exponent = BigInt(terms.exponent);
  const variance = BigInt(price) * BigInt(TICKS_PER_DOLLAR - price);
  const dividend = BigInt(size) * BigInt(terms.numerator) * BigInt(MICROS_PER_DOLLAR) * variance ** exponent;
  const divisor = BigInt(terms.denominator) * BigInt(MICROS_PER_SHARE) * BigInt(TICKS_PER_DOLLAR) ** (2n * exponent);
  const unit = divisor * UNIT;
  if (dividend < unit) return 0 as MicroDollars;
  return Number(((2n * dividend + unit) / (2n * unit)) * UNIT) as MicroDollars;
}
