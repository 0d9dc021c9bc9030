// Venue B's fees (venue-b.md §8): a quadratic trade fee rounded up to $0.0001, then the rounding of the balance change. An order gets
// overpayments back cent by cent. Verified on recorded production fills. Integers and fractions only; pure.

import { BID, type Side } from '../../core/domain/market.ts';
import type { MicroDollars, MicroShares, Ticks } from '../../core/domain/numbers.ts';
import { assert } from '../../core/domain/result.ts';
import type { FeeMeter, FeeSchedule } from '../engine/engine-types.ts';
import {
  ceilQuotient,
  type Fraction,
  fractionOf,
  largestVariance,
  multiply,
  VARIANCE_MAX,
  varianceAt,
} from './fee-math.ts';

/** `flat` is in the venue's list, but its formula is not published. */
export type VenueBFeeType = 'quadratic' | 'quadratic_with_maker_fees' | 'quadratic_with_combo_maker_fees';

export interface VenueBFeeTerms {
  /** The fee type of the series, unless the event overrides it, and likewise the multiplier. */
  readonly feeType: VenueBFeeType;
  readonly multiplier: Fraction;
  /** True while no trade fee is charged, as until a market's `fee_waiver_expiration_time`. Balances are rounded all the same. */
  readonly isWaived: boolean;
  /** Step of balances: `DIRECT_MEMBER_STEP`, or a cent for an account held through an intermediary. */
  readonly balanceStep: MicroDollars;
}

/** Accounts with API keys of their own. */
export const DIRECT_MEMBER_STEP = 100 as MicroDollars;

/** Charge of one fill: `trade + rounding − rebate`. */
interface FillFee {
  readonly trade: MicroDollars;
  readonly rounding: MicroDollars;
  readonly rebate: MicroDollars;
  /** Rounding that has not been given back yet; input of the order's next fill. */
  readonly carried: MicroDollars;
}

const TAKER_RATE = fractionOf('0.07');
const MAKER_RATES: Readonly<Record<VenueBFeeType, Fraction>> = {
  quadratic: fractionOf('0'),
  quadratic_with_maker_fees: fractionOf('0.0175'),
  quadratic_with_combo_maker_fees: fractionOf('0.035'),
};
const NOTHING = fractionOf('0');

/** Trade fees are multiples of $0.0001. */
const TRADE_FEE_STEP = 100;
const REBATE = 10_000;
/** Counts have two decimals (venue-b.md §3). */
const HUNDREDTH_OF_CONTRACT = 10_000;
/** Converts hundredths of contracts × ticks² to $0.0001: 10² × 10⁸ ÷ 10⁴. */
const UNITS_PER_TRADE_FEE_STEP = 1_000_000;

/** The side matters because rounding a balance change down costs buyers and sellers different amounts. */
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
   * The largest charge for any sequence of fills, down to hundredths of a contract that are each rounded up. That is at most two cents a
   * contract above the charge of a few fills (direct members). Without a side: for either.
   */
  most(price: Ticks, size: MicroShares, side?: Side): MicroDollars {
    const each = tradeFee(this.#taker, largestVariance(price, side), 1) + this.#balanceStep - 1;
    const all = each * hundredthsOf(size);
    assert(Number.isSafeInteger(all), 'the size is too large for its fees');
    return all as MicroDollars;
  }

  /** The charge if all fills at once at its limit; presumably the venue reserves no more. Increases with the size. */
  mostInOneFill(price: Ticks, size: MicroShares): MicroDollars {
    return (tradeFee(this.#taker, varianceAt(price), hundredthsOf(size)) + this.#balanceStep - 1) as MicroDollars;
  }

  meter(side: Side = BID): FeeMeter {
    return new OrderMeter(this, side);
  }

  /**
   * Charge of one fill at a price in YES terms, after the rounding `carried` from the order's earlier fills, as taker
   * or maker.
   */
  fillFee(role: 'taker' | 'maker', side: Side, price: Ticks, size: MicroShares, carried: MicroDollars): FillFee {
    const hundredths = hundredthsOf(size);
    const trade = tradeFee(role === 'taker' ? this.#taker : this.#maker, varianceAt(price), hundredths);
    const rounding = this.#roundedOff(side, (price * hundredths) as MicroDollars, trade);
    const owed = carried + rounding;
    // Net fees are never negative: a cent beyond the fee of this fill waits for a fill that costs it.
    const rebate = owed > REBATE && trade + rounding >= REBATE ? REBATE : 0;
    return { trade, rounding, rebate, carried: owed - rebate } as FillFee;
  }

  /**
   * The excess of the balance change over a multiple of the step. `notional` is YES price × count in micro-dollars, exact and below 2^53.
   * Buying or selling YES moves the balance by ∓ that; NO by ± (count − that). A count is a multiple of either step. So the remainder is
   * the same whether the order opens or closes.
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

/** The fee in micro-dollars. */
function tradeFee(rate: Fraction, variance: number, hundredths: number): number {
  return TRADE_FEE_STEP * ceilQuotient(hundredths, rate.numerator * variance, rate.denominator);
}

function hundredthsOf(size: MicroShares): number {
  assert(size % HUNDREDTH_OF_CONTRACT === 0, 'venue B counts in hundredths of a contract');
  return size / HUNDREDTH_OF_CONTRACT;
}
