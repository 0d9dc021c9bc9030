// The exact fees of both venues: first venue A's (venue-a.md §9.4), then venue B's (venue-b.md §8). P × (1 − P) is a factor of both. It is
// equal for YES and NO, and largest at a half. Nothing is rounded by floats (contract §1): products below 2^53 stay in doubles, where the
// remainder is exact. Larger products use BigInt. Pure.

import { BID, type Side } from '../../core/domain/market.ts';
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

/** A fraction in its lowest terms. The numerator is at least 0. */
interface Fraction {
  readonly numerator: number;
  readonly denominator: number;
}

const DECIMAL = /^(\d{1,4})(?:\.(\d{1,6}))?$/;

/** Reads text such as `"0.07"` or `"2"`, with up to four digits and up to six decimals. Returns null for other text. */
export function parseFraction(text: string): Fraction | null {
  const match = DECIMAL.exec(text);
  if (match === null) return null;
  const decimals = match[2] ?? '';
  return fraction(Number(match[1] + decimals), 10 ** decimals.length);
}

/** Returns a fraction that is a constant of the program. */
export function fractionOf(text: string): Fraction {
  const value = parseFraction(text);
  assert(value !== null, `not a plain decimal: ${text}`);
  return value;
}

export function multiply(a: Fraction, b: Fraction): Fraction {
  return fraction(a.numerator * b.numerator, a.denominator * b.denominator);
}

/** Returns ⌈a × b ÷ divisor⌉ of non-negative integers. The product may have any size. */
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
/** The variance P × (1 − P) at a price of $0.50, in ticks². */
const VARIANCE_MAX = HALF * HALF;

/** Returns the variance P × (1 − P) in ticks². */
function varianceAt(price: Ticks): number {
  return price * (TICKS_PER_DOLLAR - price);
}

/**
 * Returns the largest variance over all prices at which a limit order can fill. A bid can fill up to its limit, an ask from its limit
 * upwards. Without a side any price is possible.
 */
function largestVariance(limit: Ticks, side: Side | undefined): number {
  if (side === undefined) return VARIANCE_MAX;
  const reachesHalf = side === BID ? limit >= HALF : limit <= HALF;
  return reachesHalf ? VARIANCE_MAX : varianceAt(limit);
}

/** The terms of a market's `fd` or `feeSchedule`. A market without fees has the rate 0. */
interface VenueAFeeTerms {
  readonly rate: Fraction;
  readonly exponent: 1 | 2;
  /** The step of sizes: the size of each fill is a multiple of it. */
  readonly sizeStep: MicroShares;
}

/** One unit of the fifth decimal, in micro-dollars. */
const UNIT = 10;

export class VenueAFees implements FeeSchedule {
  readonly #exponent: bigint;
  readonly #sizeStep: MicroShares;
  readonly #numerator: bigint;
  /** The divisor in fee = size × numerator × variance^exponent ÷ divisor. The size is in micro-shares, the fee in micro-dollars. */
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
   * Returns the largest fee. Rounding adds at most half a unit to each possible fill, and never more than a third of the fee. This holds
   * because a fee below one unit is not charged: the least value that is rounded up is one and a half. Without a side the result covers
   * both sides.
   */
  maxCharge(price: Ticks, size: MicroShares, side?: Side): MicroDollars {
    const [dividend, divisor] = [this.#dividend(size, largestVariance(price, side)), this.#divisor];
    const fee = Number((dividend + divisor - 1n) / divisor);
    const rounding = Math.min(Math.ceil(fee / 3), (UNIT / 2) * Math.ceil(size / this.#sizeStep));
    return safe(fee + rounding);
  }

  /** Returns the meter, which all orders share because fills do not depend on each other. */
  meter(): FeeMeter {
    return this.#meter;
  }

  /** Returns the fee of one fill, rounded to the nearest unit. A half is rounded up. */
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

/** A fee type of venue B. The venue also lists `flat`, but does not publish its formula. */
export type VenueBFeeType = 'quadratic' | 'quadratic_with_maker_fees' | 'quadratic_with_combo_maker_fees';

export interface VenueBFeeTerms {
  /** The fee type of the series, unless the event overrides it. The multiplier has the same rule. */
  readonly feeType: VenueBFeeType;
  readonly multiplier: Fraction;
  /** True while no trade fee is charged, for example until a market's `fee_waiver_expiration_time`. Balances are still rounded. */
  readonly isWaived: boolean;
  /** The step of balances: `DIRECT_MEMBER_STEP`, or a cent for an account held through an intermediary. */
  readonly balanceStep: MicroDollars;
}

/** The step of balances for accounts with API keys of their own. */
export const DIRECT_MEMBER_STEP = 100 as MicroDollars;

/** The charge of one fill: `trade + rounding − rebate`. */
interface FillFee {
  readonly trade: MicroDollars;
  readonly rounding: MicroDollars;
  readonly rebate: MicroDollars;
  /** The rounding that has not been given back yet. It is an input of the order's next fill. */
  readonly carried: MicroDollars;
}

const TAKER_RATE = fractionOf('0.07');
const MAKER_RATES: Readonly<Record<VenueBFeeType, Fraction>> = {
  quadratic: fractionOf('0'),
  quadratic_with_maker_fees: fractionOf('0.0175'),
  quadratic_with_combo_maker_fees: fractionOf('0.035'),
};
const NOTHING = fractionOf('0');

export function isFeeType(text: string): text is VenueBFeeType {
  return Object.hasOwn(MAKER_RATES, text);
}

/** The step of trade fees: $0.0001. */
const TRADE_FEE_STEP = 100;
const REBATE = 10_000;
/** The step of counts, which have two decimals (venue-b.md §3). */
const HUNDREDTH_OF_CONTRACT = 10_000;
/** The divisor that converts hundredths of contracts × ticks² to $0.0001: 10² × 10⁸ ÷ 10⁴. */
const UNITS_PER_TRADE_FEE_STEP = 1_000_000;

/** The fees of venue B. The side matters, because rounding a balance change down costs buyers and sellers different amounts. */
export class VenueBFees implements FeeSchedule {
  readonly #taker: Fraction;
  readonly #maker: Fraction;
  readonly #balanceStep: MicroDollars;

  constructor(terms: VenueBFeeTerms) {
    const rate = (role: Fraction): Fraction => {
      const { numerator, denominator } = terms.isWaived ? NOTHING : multiply(role, terms.multiplier);
      assert(Number.isSafeInteger(numerator * VARIANCE_MAX), 'a fee rate has too many digits');
      return { numerator, denominator: denominator * UNITS_PER_TRADE_FEE_STEP };
    };
    this.#taker = rate(TAKER_RATE);
    this.#maker = rate(MAKER_RATES[terms.feeType]);
    this.#balanceStep = terms.balanceStep;
  }

  /**
   * Returns the largest charge for any sequence of fills, even of hundredths of a contract that are each rounded up. For direct members it
   * is at most two cents a contract above the charge of a few fills. Without a side the result covers both sides.
   */
  maxCharge(price: Ticks, size: MicroShares, side?: Side): MicroDollars {
    const each = tradeFee(this.#taker, largestVariance(price, side), 1) + this.#balanceStep - 1;
    const all = each * hundredthsOf(size);
    assert(Number.isSafeInteger(all), 'the size is too large for its fees');
    return all as MicroDollars;
  }

  /** Returns the charge if the whole order fills at once at its limit. Presumably the venue reserves no more. It grows with the size. */
  mostInOneFill(price: Ticks, size: MicroShares): MicroDollars {
    return (tradeFee(this.#taker, varianceAt(price), hundredthsOf(size)) + this.#balanceStep - 1) as MicroDollars;
  }

  meter(side: Side = BID): FeeMeter {
    return new OrderMeter(this, side);
  }

  /**
   * Returns the charge of one fill as taker or maker, at a price in YES terms. `carried` is the rounding from the order's earlier fills.
   */
  fillFee(role: 'taker' | 'maker', side: Side, price: Ticks, size: MicroShares, carried: MicroDollars): FillFee {
    const hundredths = hundredthsOf(size);
    const trade = tradeFee(role === 'taker' ? this.#taker : this.#maker, varianceAt(price), hundredths);
    const rounding = this.#roundedOff(side, (price * hundredths) as MicroDollars, trade);
    const owed = carried + rounding;
    // Net fees are never negative: a rebate above the fee of this fill waits for a fill with a larger fee.
    const rebate = owed > REBATE && trade + rounding >= REBATE ? REBATE : 0;
    return { trade, rounding, rebate, carried: owed - rebate } as FillFee;
  }

  /**
   * Returns what the balance change exceeds a multiple of the step by. `notional` is YES price × count in micro-dollars, exact and below
   * 2^53. Buying or selling YES moves the balance by ∓ notional, NO by ± (count − notional). A count is a multiple of either step. So the
   * result is the same whether the order opens or closes a position.
   */
  #roundedOff(side: Side, notional: MicroDollars, trade: number): number {
    const step = this.#balanceStep;
    const change = side === BID ? -(notional % step) - (trade % step) : (notional % step) - (trade % step);
    return (change + 2 * step) % step;
  }
}

class OrderMeter implements FeeMeter {
  readonly #fees: VenueBFees;
  readonly #side: Side;
  #carried = 0 as MicroDollars;

  constructor(fees: VenueBFees, side: Side) {
    this.#fees = fees;
    this.#side = side;
  }

  charge(role: 'taker' | 'maker', price: Ticks, size: MicroShares): MicroDollars {
    const fee = this.#fees.fillFee(role, this.#side, price, size, this.#carried);
    this.#carried = fee.carried;
    return netOf(fee);
  }
}

function netOf(fee: FillFee): MicroDollars {
  return (fee.trade + fee.rounding - fee.rebate) as MicroDollars;
}

/** Returns the fee in micro-dollars. */
function tradeFee(rate: Fraction, variance: number, hundredths: number): number {
  return TRADE_FEE_STEP * ceilQuotient(hundredths, rate.numerator * variance, rate.denominator);
}

function hundredthsOf(size: MicroShares): number {
  assert(size % HUNDREDTH_OF_CONTRACT === 0, 'venue B counts in hundredths of a contract');
  return size / HUNDREDTH_OF_CONTRACT;
}
