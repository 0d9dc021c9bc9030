// Views of positions (interface §2.3, contract §5). Everything is exact until here and rounded once, half to even: money and prices
// to six decimals, venue B's integers to whole cents. Any thread.

import { type Fraction, fraction, roundHalfEven, times } from '../domain/fraction.ts';
import {
  COST_PER_MICRO_DOLLAR,
  formatMicroDollars,
  formatMicroShares,
  MICROS_PER_SHARE,
  type MicroDollars,
  type MicroShares,
} from '../domain/numbers.ts';
import type { ValuedPosition } from '../domain/valuation.ts';

interface VenueAPositionView {
  readonly tokenId: string;
  readonly size: string;
  readonly averagePrice: string;
  readonly mark: string;
  readonly valueUsd: string;
  readonly unrealizedPnlUsd: string;
  readonly redeemable: boolean;
}

interface VenueBPositionView {
  readonly ticker: string;
  readonly side: 'YES' | 'NO';
  /** The whole contracts of the position. */
  readonly contracts: number;
  readonly averagePriceCents: number;
  readonly markCents: number;
  /** Exact, as is `size`; the members above are whole contracts and cents. */
  readonly averagePrice: string;
  readonly mark: string;
  readonly size: string;
  readonly valueUsd: string;
  readonly unrealizedPnlUsd: string;
}

export type PositionView = VenueAPositionView | VenueBPositionView;

export function positionView(valued: ValuedPosition): PositionView {
  return valued.position.venue === 'venue_a' ? venueAView(valued) : venueBView(valued);
}

function venueAView({ position, average, mark, value, unrealized }: ValuedPosition): VenueAPositionView {
  return {
    tokenId: position.address,
    size: formatMicroShares(position.size),
    averagePrice: priceText(average),
    mark: priceText(mark),
    valueUsd: dollarsText(value),
    unrealizedPnlUsd: dollarsText(unrealized),
    redeemable: position.isRedeemable,
  };
}

function venueBView({ position, average, mark, value, unrealized }: ValuedPosition): VenueBPositionView {
  return {
    ticker: position.address,
    side: position.size < 0 ? 'NO' : 'YES',
    contracts: wholeContracts(position.size),
    averagePriceCents: cents(average),
    markCents: cents(mark),
    averagePrice: priceText(average),
    mark: priceText(mark),
    size: formatMicroShares(Math.abs(position.size) as MicroShares),
    valueUsd: dollarsText(value),
    unrealizedPnlUsd: dollarsText(unrealized),
  };
}

const MICRO_DOLLARS_PER_TICK = fraction(100n);
const CENTS_PER_TICK = fraction(1n, 100n);
/** Converts units of ticks × micro-shares. */
const MICRO_DOLLARS_PER_UNIT = fraction(1n, COST_PER_MICRO_DOLLAR);

function priceText(ticks: Fraction): string {
  return microDollarsText(times(ticks, MICRO_DOLLARS_PER_TICK));
}

function dollarsText(worth: Fraction): string {
  return microDollarsText(times(worth, MICRO_DOLLARS_PER_UNIT));
}

function microDollarsText(microDollars: Fraction): string {
  return formatMicroDollars(Number(roundHalfEven(microDollars)) as MicroDollars);
}

function cents(ticks: Fraction): number {
  return Number(roundHalfEven(times(ticks, CENTS_PER_TICK)));
}

function wholeContracts(size: MicroShares): number {
  return Math.floor(Math.abs(size) / MICROS_PER_SHARE);
}
