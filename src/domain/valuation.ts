// What a holding is worth (contract §5): at the middle of its side's book, else at the last trade, else at what it has cost; a
// winner of a resolved market at what it pays. Exact. Pure.

import { type Fraction, fraction, negative, plus, times } from './fraction.ts';
import type { Venue } from './market.ts';
import { TICKS_PER_DOLLAR, type Ticks } from './numbers.ts';
import type { Position } from './position.ts';

/** What is known of a market's price now, in the frame of its address: YES at venue B. Null: nothing that can be trusted. */
export interface Quote {
  readonly bid: Ticks | null;
  readonly ask: Ticks | null;
  readonly lastTrade: Ticks | null;
}

export const NO_QUOTE: Quote = { bid: null, ask: null, lastTrade: null };

export type QuoteOf = (venue: Venue, address: string) => Quote;

export interface ValuedPosition {
  readonly position: Position;
  /** Of one unit of the side held, in ticks. */
  readonly mark: Fraction;
  /** In ticks × micro-shares (1e-10 dollars). */
  readonly value: Fraction;
  /** Likewise; fees excluded. */
  readonly unrealized: Fraction;
}

/** `paid`: what one unit of a redeemable holding pays. */
export function valued(position: Position, quote: Quote, paid: Ticks | null): ValuedPosition {
  const units = fraction(BigInt(Math.abs(position.size)));
  const mark = position.isRedeemable ? fraction(BigInt(paid ?? TICKS_PER_DOLLAR)) : markOf(position, quote);
  const unrealized = times(units, plus(mark, negative(position.average)));
  return { position, mark, value: times(units, mark), unrealized };
}

function markOf({ size, average }: Position, { bid, ask, lastTrade }: Quote): Fraction {
  if (bid !== null && ask !== null) return ofSide(size, fraction(BigInt(bid + ask), 2n));
  return lastTrade === null ? average : ofSide(size, fraction(BigInt(lastTrade)));
}

/** Who holds a negative size holds NO, whose book is the mirror of the YES book. */
function ofSide(held: number, price: Fraction): Fraction {
  return held < 0 ? plus(fraction(BigInt(TICKS_PER_DOLLAR)), negative(price)) : price;
}
