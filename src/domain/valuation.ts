// What a holding is worth (contract §5): at the middle of its side's book, else at the last trade, else at what it has cost; a
// winner of a resolved market at what it pays. Exact. Pure.

import { type Fraction, fraction, negative, plus, times } from './fraction.ts';
import type { Venue } from './market.ts';
import { TICKS_PER_DOLLAR, type Ticks } from './numbers.ts';
import type { Position } from './position.ts';

/** What is known of a market's prices now, in the frame of its address: YES at venue B. Null: nothing that can be trusted. */
export interface MarketPrices {
  readonly bid: Ticks | null;
  readonly ask: Ticks | null;
  readonly lastTrade: Ticks | null;
}

export const NO_PRICES: MarketPrices = { bid: null, ask: null, lastTrade: null };

export type PricesOf = (venue: Venue, address: string) => MarketPrices;

export interface ValuedPosition {
  readonly position: Position;
  /** What one unit of the side held has cost on average, in ticks; where units are owed, what one was sold for. */
  readonly average: Fraction;
  /** Of one unit of the side held, in ticks. */
  readonly mark: Fraction;
  /** In ticks × micro-shares (1e-10 dollars); below 0 where units are owed. */
  readonly value: Fraction;
  /** Likewise; fees excluded. */
  readonly unrealized: Fraction;
}

/** `paid`: what one unit of a redeemable holding pays. */
export function valued(position: Position, prices: MarketPrices, paid: Ticks | null): ValuedPosition {
  const units = fraction(BigInt(isOwed(position) ? position.size : Math.abs(position.size)));
  const average = isOwed(position) ? complement(position.average) : position.average;
  const mark = position.isRedeemable ? fraction(BigInt(paid ?? TICKS_PER_DOLLAR)) : markOf(position, prices, average);
  const unrealized = times(units, plus(mark, negative(average)));
  return { position, average, mark, value: times(units, mark), unrealized };
}

/** Less than nothing of a token: what was sold belonged to another of the pod. At venue B that is so much of the other side. */
function isOwed({ venue, size }: Position): boolean {
  return venue === 'venue_a' && size < 0;
}

function markOf({ venue, size }: Position, { bid, ask, lastTrade }: MarketPrices, average: Fraction): Fraction {
  // Who holds a negative size at venue B holds NO, whose book is the mirror of the YES book.
  const ofSide = (price: Fraction) => (venue === 'venue_b' && size < 0 ? complement(price) : price);
  if (bid !== null && ask !== null) return ofSide(fraction(BigInt(bid + ask), 2n));
  return lastTrade === null ? average : ofSide(fraction(BigInt(lastTrade)));
}

function complement(price: Fraction): Fraction {
  return plus(fraction(BigInt(TICKS_PER_DOLLAR)), negative(price));
}
