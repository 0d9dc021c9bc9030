// Venue A's fees (venue-a.md §9.4): takers pay shares × rate × (p × (1 − p))^exponent, each fill rounded to five decimals, nothing below
// 0.00001. Makers never pay. Wide integers only: a square of p × (1 − p) has 16 decimals. Pure.

import type { Side } from '../../core/domain/market.ts';
import {
  MICROS_PER_DOLLAR,
  MICROS_PER_SHARE,
  type MicroDollars,
  type MicroShares,
  TICKS_PER_DOLLAR,
  type Ticks,
} from '../../core/domain/numbers.ts';
import { assert } from '../../core/domain/result.ts';
import type { FeeMeter, FeeSchedule } from '../engine/engine-types.ts';
import { type Fraction, largestVariance, varianceAt } from './fee-math.ts';

/** The terms of a market's `fd` or `feeSchedule`; rate 0 for a free market. */
interface VenueAFeeTerms {
  readonly rate: Fraction;
  readonly exponent: 1 | 2;
  /** Sizes of fills are multiples of it. */
  readonly sizeStep: MicroShares;
}

/** One unit of the fifth decimal, in micro-dollars. */
const UNIT = 10;

export class VenueAFees implements FeeSchedule {
  readonly #exponent: bigint;
  readonly #sizeStep: MicroShares;
  readonly #numerator: bigint;
  /** size in micro-shares × numerator × variance^exponent ÷ this = fee in micro-dollars. */
  readonly #divisor: bigint;
  readonly #meter: FeeMeter;

  constructor(terms: VenueAFeeTerms) {
    assert(terms.sizeStep > 0, 'sizes of fills need a step');
    this.#exponent = BigInt(terms.exponent);
    this.#sizeStep = terms.sizeStep;
    this.#numerator = BigInt(terms.rate.numerator) * BigInt(MICROS_PER_DOLLAR);
    const varianceOfOne = BigInt(TICKS_PER_DOLLAR) ** 2n;
    this.#divisor = BigInt(terms.rate.denominator) * BigInt(MICROS_PER_SHARE) * varianceOfOne ** this.#exponent;
    this.#meter = {
      charge: (role, price, size) => (role === 'maker' ? (0 as MicroDollars) : this.takerFee(price, size)),
    };
  }

  /**
   * The largest fee. Rounding adds at most half a unit to each possible fill, and never more than a third of the fee. A fee below one unit
   * is not charged, and the first value that is rounded up is one and a half. Without a side: for either.
   */
  most(price: Ticks, size: MicroShares, side?: Side): MicroDollars {
    const [dividend, divisor] = [this.#dividend(size, largestVariance(price, side)), this.#divisor];
    const fee = Number((dividend + divisor - 1n) / divisor);
    const rounding = Math.min(Math.ceil(fee / 3), (UNIT / 2) * Math.ceil(size / this.#sizeStep));
    return safe(fee + rounding);
  }

  /** Fills are independent: one meter serves all orders. */
  meter(): FeeMeter {
    return this.#meter;
  }

  /** Fee of one fill, to the nearest unit, halves up. */
  takerFee(price: Ticks, size: MicroShares): MicroDollars {
    const dividend = this.#dividend(size, varianceAt(price));
    const unit = this.#divisor * BigInt(UNIT);
    if (dividend < unit) return 0 as MicroDollars;
    return safe(Number((2n * dividend + unit) / (2n * unit)) * UNIT);
  }

  #dividend(size: MicroShares, variance: number): bigint {
    return BigInt(size) * this.#numerator * BigInt(variance) ** this.#exponent;
  }
}

function safe(fee: number): MicroDollars {
  assert(Number.isSafeInteger(fee), 'a fee passes 2^53 micro-dollars');
  return fee as MicroDollars;
}
