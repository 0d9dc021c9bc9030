// An actor's holding of one venue market (contract §5): signed size, average cost, realized profit. Buying the other side first closes the
// holding, then opens one with the rest. Rounding loses no money: an amount that leaves the cost enters the profit. Pure.

import { type Fraction, fraction, negative, plus, roundHalfEven, times, ZERO } from './fraction.ts';
import type { Venue } from './market.ts';
import {
  COST_PER_MICRO_DOLLAR,
  type MicroDollars,
  type MicroShares,
  TICKS_PER_DOLLAR,
  type Ticks,
  type UnixMillis,
} from './numbers.ts';

export interface Position {
  readonly venue: Venue;
  /** The ticker or the token id. */
  readonly address: string;
  /**
   * The signed size: YES − NO at venue B. A negative size at venue A is a debt: the actor sold more than it bought, because a purchase
   * failed or its report is late.
   */
  readonly size: MicroShares;
  /** The average cost per unit of the side held, in ticks. A NO of a negative size costs 1 − the YES price. */
  readonly average: Fraction;
  /**
   * The realized profit in ticks × micro-shares (1e-10 dollars), fees excluded. The profit and the cost of the holding together are exact.
   */
  readonly realized: Fraction;
  readonly fees: MicroDollars;
  /** Whether the holding is a winning token of a resolved market whose redemption is not seen yet. */
  readonly isRedeemable: boolean;
  readonly updatedAt: UnixMillis;
}

/** The sums over positions, closed positions included. */
export interface PositionTotals {
  /** The realized profit in units of 1e-16 dollars, which is exact (see `exactly`). */
  readonly realized: bigint;
  /** The fees in micro-dollars. */
  readonly fees: bigint;
}

/** A change of a position by a number of units at a price per unit of `address` (YES at venue B). */
export interface PositionChange {
  /** The signed size of the change; a positive size adds. */
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
  const closing = closedBy(position, change);
  const opening = change - closing;
  const paid = { ...position, fees: (position.fees + fee) as MicroDollars, updatedAt: at };
  const left = closing === 0 ? paid : closed(paid, closing, addressPrice);
  return opening === 0 ? left : opened(left, opening, addressPrice);
}

/** Closes the position at the end of its market: each unit of `address` pays `value`. */
export function settledAt(position: Position, value: Ticks, at: UnixMillis): Position {
  const change = -position.size as MicroShares;
  return changed(position, { change, addressPrice: value, fee: 0 as MicroDollars, at });
}

/** Returns the part of a change that closes the holding, with the sign of the change. */
function closedBy({ size }: Position, change: MicroShares): number {
  if (size === 0 || Math.sign(size) === Math.sign(change)) return 0;
  return Math.sign(change) * Math.min(Math.abs(size), Math.abs(change));
}

/** Closes a part of the holding. The rest keeps its rounded share of the cost, and the profit takes the other share, so nothing is lost. */
function closed(position: Position, closing: number, addressPrice: Ticks): Position {
  const size = (position.size + closing) as MicroShares;
  const cost = costOf(position.average, size);
  const costGone = plus(costOf(position.average, position.size), negative(cost));
  const proceeds = fraction(BigInt(priceOfSide(position.size, addressPrice)) * BigInt(Math.abs(closing)));
  const realized = plus(position.realized, plus(proceeds, negative(costGone)));
  return { ...position, size, average: averageOf(cost, size), realized };
}

function opened(position: Position, change: number, addressPrice: Ticks): Position {
  const size = (position.size + change) as MicroShares;
  const added = fraction(BigInt(priceOfSide(size, addressPrice)) * BigInt(Math.abs(change)));
  const cost = plus(costOf(position.average, position.size), added);
  return { ...position, size, average: averageOf(cost, size) };
}

/**
 * The number of cost units in a tick × micro-share: costs are multiples of 1e-16 dollars (1e-6 ticks × micro-shares). Unrounded fractions
 * would grow longer with every partial closing (ADR 0012).
 */
const COSTS_PER_UNIT = 1_000_000n;

/**
 * Returns a profit in units of 1e-16 dollars. The result is exact for realized profits, since proceeds and costs are multiples of the unit.
 */
export function exactly({ numerator, denominator }: Fraction): bigint {
  return (numerator * COSTS_PER_UNIT) / denominator;
}

/** Returns an amount of micro-dollars in units of 1e-16 dollars. */
export function exactOf(amount: MicroDollars | bigint): bigint {
  return BigInt(amount) * COST_PER_MICRO_DOLLAR * COSTS_PER_UNIT;
}

/** Returns the micro-dollars nearest to an amount in units of 1e-16 dollars. */
export function microDollarsOf(exact: bigint): MicroDollars {
  return Number(roundHalfEven(fraction(exact, COST_PER_MICRO_DOLLAR * COSTS_PER_UNIT))) as MicroDollars;
}

function costOf(average: Fraction, size: MicroShares): Fraction {
  const exact = times(average, fraction(BigInt(Math.abs(size)) * COSTS_PER_UNIT));
  return fraction(roundHalfEven(exact), COSTS_PER_UNIT);
}

function averageOf(cost: Fraction, size: MicroShares): Fraction {
  return size === 0 ? ZERO : times(cost, fraction(1n, BigInt(Math.abs(size))));
}

/** Returns the price of the side held. A negative size is a holding of NO. */
function priceOfSide(held: number, addressPrice: Ticks): number {
  return held < 0 ? TICKS_PER_DOLLAR - addressPrice : addressPrice;
}

// The value of a holding (contract §5): at the middle of its side's book, else at the last trade, else at cost. A winner of a resolved
// market counts at its payout. The value is exact.

/** Returns the best price of one side of a market's LIVE book, or null if the book has no such price. `busy`: it is being written now. */
export type BestOf = (venue: Venue, address: string, isAsk: boolean) => Ticks | null | 'busy';

/** The current prices of a market in the frame of its address (YES at venue B). Null means that no trustworthy price is known. */
export interface MarketPrices {
  readonly bid: Ticks | null;
  readonly ask: Ticks | null;
  readonly lastTrade: Ticks | null;
}

export const NO_PRICES: MarketPrices = { bid: null, ask: null, lastTrade: null };

export type PricesOf = (venue: Venue, address: string) => MarketPrices;

export interface ValuedPosition {
  readonly position: Position;
  /** The average cost per unit of the side held, in ticks; if units are owed, the average sale price. */
  readonly average: Fraction;
  /** The mark price per unit of the side held, in ticks. */
  readonly mark: Fraction;
  /** The value in ticks × micro-shares (1e-10 dollars); negative if units are owed. */
  readonly value: Fraction;
  /** The unrealized profit in ticks × micro-shares, without fees. */
  readonly unrealized: Fraction;
}

/** Returns the position with its value. `paid` is the payout per unit of a redeemable holding. */
export function valued(position: Position, prices: MarketPrices, paid: Ticks | null): ValuedPosition {
  const units = fraction(BigInt(isOwed(position) ? position.size : Math.abs(position.size)));
  const average = isOwed(position) ? complement(position.average) : position.average;
  const mark = position.isRedeemable ? fraction(BigInt(paid ?? TICKS_PER_DOLLAR)) : markOf(position, prices, average);
  const unrealized = times(units, plus(mark, negative(average)));
  return { position, average, mark, value: times(units, mark), unrealized };
}

/**
 * Whether the actor owes units: it sold tokens that belonged to another actor of the pod. At venue B a negative size is a holding of the
 * other side.
 */
function isOwed({ venue, size }: Position): boolean {
  return venue === 'venue_a' && size < 0;
}

function markOf({ venue, size }: Position, { bid, ask, lastTrade }: MarketPrices, average: Fraction): Fraction {
  // A negative size at venue B is a holding of NO, and the NO book mirrors the YES book.
  const ofSide = (price: Fraction) => (venue === 'venue_b' && size < 0 ? complement(price) : price);
  if (bid !== null && ask !== null) return ofSide(fraction(BigInt(bid + ask), 2n));
  return lastTrade === null ? average : ofSide(fraction(BigInt(lastTrade)));
}

function complement(price: Fraction): Fraction {
  return plus(fraction(BigInt(TICKS_PER_DOLLAR)), negative(price));
}
