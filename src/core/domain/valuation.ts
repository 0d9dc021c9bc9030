// Value of a holding (contract §5): at the middle of its side's book, else at the last trade, else at cost. A winner of a resolved market
// counts at its payout. Exact. Pure.

import { type Fraction, fraction, negative, plus, times } from './fraction.ts';
import type { Venue } from './market.ts';
import { TICKS_PER_DOLLAR, type Ticks } from './numbers.ts';
import type { Position } from './position.ts';

/** Current prices of a market in the frame of its address: YES at venue B. Null: no trustworthy price. */
export interface MarketPrices {
  readonly bid: Ticks | null;
  readonly ask: Ticks | null;
  readonly lastTrade: Ticks | null;
}

export const NO_PRICES: MarketPrices = { bid: null, ask: null, lastTrade: null };

export type PricesOf = (venue: Venue, address: string) => MarketPrices;

export interface ValuedPosition {
  readonly position: Position;
  /** Average cost per unit of the side held, in ticks; if units are owed, the average sale price. */
  readonly average: Fraction;
  /** Mark price per unit of the side held, in ticks. */
  readonly mark: Fraction;
  /** The value in ticks × micro-shares (1e-10 dollars); negative if units are owed. */
  readonly value: Fraction;
  /** The unrealized profit in the same unit, without fees. */
  readonly unrealized: Fraction;
}

/** `paid`: payout per unit of a redeemable holding. */
export function valued(position: Position, prices: MarketPrices, paid: Ticks | null): ValuedPosition {
  const units = fraction(BigInt(isOwed(position) ? position.size : Math.abs(position.size)));
  const average = isOwed(position) ? complement(position.average) : position.average;
  const mark = position.isRedeemable ? fraction(BigInt(paid ?? TICKS_PER_DOLLAR)) : markOf(position, prices, average);
  const unrealized = times(units, plus(mark, negative(average)));
  return { position, average, mark, value: times(units, mark), unrealized };
}

/** Whether the actor sold tokens that belonged to another actor of the pod. At venue B a negative size is a holding of the other side. */
function isOwed({ venue, size }: Position): boolean {
  return venue === 'venue_a' && size < 0;
}

function markOf({ venue, size }: Position, { bid, ask, lastTrade }: MarketPrices, average: Fraction): Fraction {
  // A negative size at venue B is NO, whose book mirrors the YES book.
  const ofSide = (price: Fraction) => (venue === 'venue_b' && size < 0 ? complement(price) : price);
  if (bid !== null && ask !== null) return ofSide(fraction(BigInt(bid + ask), 2n));
  return lastTrade === null ? average : ofSide(fraction(BigInt(lastTrade)));
}

function complement(price: Fraction): Fraction {
  return plus(fraction(BigInt(TICKS_PER_DOLLAR)), negative(price));
}
