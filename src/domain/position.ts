// An actor's holding of one venue market (contract §5): one signed size, average cost, profit taken. Buying the side that is not
// held closes first and opens with what is left. Pure.

import { type Fraction, fraction, negative, plus, times, ZERO } from './fraction.ts';
import type { Venue } from './market.ts';
import { type MicroDollars, type MicroShares, TICKS_PER_DOLLAR, type Ticks, type UnixMillis } from './numbers.ts';

export interface Position {
  readonly venue: Venue;
  /** Ticker, or token id. */
  readonly address: string;
  /** YES − NO at venue B; never negative at venue A, unless a fill was told before the one it closes. */
  readonly size: MicroShares;
  /** What one unit of the side held has cost on average, in ticks: a NO of a negative size costs 1 − the YES price. Exact. */
  readonly average: Fraction;
  /** Profit of what was closed, in ticks × micro-shares (1e-10 dollars); fees excluded. Exact. */
  readonly realized: Fraction;
  readonly fees: MicroDollars;
  /** A winning token of a resolved market, until its redemption is seen. */
  readonly isRedeemable: boolean;
  readonly updatedAt: UnixMillis;
}

/** A change of a position: of so many units at a price of one unit of `address` (YES at venue B). */
export interface PositionChange {
  /** Signed: more, or less. */
  readonly change: MicroShares;
  readonly addressPrice: Ticks;
  readonly fee: MicroDollars;
  readonly at: UnixMillis;
}

export function noPosition(venue: Venue, address: string, at: UnixMillis): Position {
  const [size, fees] = [0 as MicroShares, 0 as MicroDollars];
  return { venue, address, size, average: ZERO, realized: ZERO, fees, isRedeemable: false, updatedAt: at };
}

export function changed(position: Position, { change, addressPrice, fee, at }: PositionChange): Position {
  const closing = closed(position, change);
  const left = change - closing;
  const afterClosing = {
    ...position,
    size: (position.size + closing) as MicroShares,
    average: position.size + closing === 0 ? ZERO : position.average,
    realized: plus(position.realized, profitOf(position, closing, addressPrice)),
    fees: (position.fees + fee) as MicroDollars,
    updatedAt: at,
  };
  return left === 0 ? afterClosing : opened(afterClosing, left, addressPrice);
}

/** At the end of a market: what is held is worth `value` for each unit of `address`, and is gone. */
export function settledAt(position: Position, value: Ticks, at: UnixMillis): Position {
  const change = -position.size as MicroShares;
  return changed(position, { change, addressPrice: value, fee: 0 as MicroDollars, at });
}

/** How much of a change closes what is held; signed as the change. */
function closed({ size }: Position, change: MicroShares): number {
  if (size === 0 || Math.sign(size) === Math.sign(change)) return 0;
  return Math.sign(change) * Math.min(Math.abs(size), Math.abs(change));
}

function profitOf(position: Position, closing: number, addressPrice: Ticks): Fraction {
  if (closing === 0) return ZERO;
  const price = priceOfSide(position.size, addressPrice);
  const gain = plus(fraction(BigInt(price)), negative(position.average));
  return times(gain, fraction(BigInt(Math.abs(closing))));
}

function opened(position: Position, change: number, addressPrice: Ticks): Position {
  const size = position.size + change;
  const held = times(position.average, fraction(BigInt(Math.abs(position.size))));
  const added = fraction(BigInt(priceOfSide(size, addressPrice)) * BigInt(Math.abs(change)));
  const average = times(plus(held, added), fraction(1n, BigInt(Math.abs(size))));
  return { ...position, size: size as MicroShares, average };
}

/** Who holds a negative size holds NO. */
function priceOfSide(held: number, addressPrice: Ticks): number {
  return held < 0 ? TICKS_PER_DOLLAR - addressPrice : addressPrice;
}
