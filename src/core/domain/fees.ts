// Fee of a fill, in the form that both venues share: size × rate × (P × (1 − P))^exponent, where P is the price (venue-a.md §9.4,
// venue-b.md §8). Exact. Pure.

import { type Fraction, fraction } from './fraction.ts';
import {
  MICROS_PER_DOLLAR,
  type MicroDollars,
  type MicroShares,
  TICKS_PER_DOLLAR,
  type Ticks,
  type UnixMillis,
} from './numbers.ts';

export interface FeeModel {
  readonly takerRate: Fraction;
  readonly makerRate: Fraction;
  readonly exponent: number;
  /** The fee of a fill is a multiple of this amount. */
  readonly step: MicroDollars;
  readonly rounding: 'HALF_UP' | 'UP';
  /** The venue charges nothing before this time; null means no waiver. */
  readonly waivedUntil: UnixMillis | null;
}

/** Returns a taker's fee for one share or contract, rounded up to micro-dollars. The venue's rounding of a whole fill is not included. */
export function takerFeeOfOne(
  { takerRate, exponent, waivedUntil }: FeeModel,
  price: Ticks,
  now: UnixMillis,
): MicroDollars {
  if (waivedUntil !== null && now < waivedUntil) return 0 as MicroDollars;
  const variance = (BigInt(price) * BigInt(TICKS_PER_DOLLAR - price)) ** BigInt(exponent);
  const dividend = takerRate.numerator * variance * BigInt(MICROS_PER_DOLLAR);
  const divisor = takerRate.denominator * BigInt(TICKS_PER_DOLLAR) ** BigInt(2 * exponent);
  return Number((dividend + divisor - 1n) / divisor) as MicroDollars;
}

/** Returns a taker's fee for one fill, as the venue rounds the fee. */
export function takerFeeOf(model: FeeModel, price: Ticks, size: MicroShares, now: UnixMillis): MicroDollars {
  const { takerRate, exponent, step, rounding, waivedUntil } = model;
  if (waivedUntil !== null && now < waivedUntil) return 0 as MicroDollars;
  const variance = (BigInt(price) * BigInt(TICKS_PER_DOLLAR - price)) ** BigInt(exponent);
  const dividend = BigInt(size) * takerRate.numerator * variance;
  // Shares and dollars are both counted in millionths.
  const divisor = takerRate.denominator * BigInt(TICKS_PER_DOLLAR) ** BigInt(2 * exponent) * BigInt(step);
  const steps = rounding === 'UP' ? (dividend + divisor - 1n) / divisor : (2n * dividend + divisor) / (2n * divisor);
  return (Number(steps) * step) as MicroDollars;
}

const RATE_DECIMALS = 10;
const DECIMAL = /^(\d{1,4})(?:\.(\d{1,8}))?$/;

/** Reads plain decimal text such as `0.07`; returns null for other text. */
export function parseRate(text: string): Fraction | null {
  const match = DECIMAL.exec(text);
  if (match === null) return null;
  const decimals = match[2] ?? '';
  return fraction(BigInt(match[1] + decimals), 10n ** BigInt(decimals.length));
}

/** Returns the rate as canonical decimal text; digits beyond the tenth decimal are cut. */
export function formatRate({ numerator, denominator }: Fraction): string {
  const digits = ((numerator * 10n ** BigInt(RATE_DECIMALS)) / denominator).toString().padStart(RATE_DECIMALS + 1, '0');
  const decimals = digits.slice(-RATE_DECIMALS).replace(/0+$/, '');
  return decimals === '' ? digits.slice(0, -RATE_DECIMALS) : `${digits.slice(0, -RATE_DECIMALS)}.${decimals}`;
}
