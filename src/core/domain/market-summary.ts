// A market of one venue as the older family shows it (interface §2.4, contract §7): names, state, and the best prices of its
// outcomes. Pure.

import { complementTicks, type MicroDollars, type Ticks, type UnixMillis } from './numbers.ts';

/** The venues of which a single market can be read. */
export const SUMMARY_VENUES = ['venue_a', 'venue_d', 'venue_e'] as const;
export type SummaryVenue = (typeof SUMMARY_VENUES)[number];

/**
 * The states of contract §7. A `paused` market takes no orders now; a `closed` market takes none again, and its result is not known yet.
 */
export const MARKET_STATUSES = ['open', 'paused', 'closed', 'resolved', 'cancelled'] as const;
export type MarketStatus = (typeof MARKET_STATUSES)[number];

/** The best prices of one outcome; null if no order rests. */
export interface Quote {
  readonly bid: Ticks | null;
  readonly ask: Ticks | null;
  /** The middle of bid and ask; the price itself for a market without a book. */
  readonly mid: MicroDollars | null;
}

export interface OutcomeSummary extends Quote {
  readonly name: string;
  readonly outcomeId: string;
}

export interface MarketSummary {
  readonly venue: SummaryVenue;
  readonly marketId: string;
  readonly title: string;
  readonly status: MarketStatus;
  readonly outcomes: readonly OutcomeSummary[];
  /** The time of the market's end. Null if the venue does not state the end. */
  readonly expiresAt: UnixMillis | null;
}

/** Half a tick in millionths of a dollar. The middle of two prices is a multiple of half a tick. */
const HALF_TICK_MICROS = 50;

export const NO_QUOTE: Quote = { bid: null, ask: null, mid: null };

export function quoteOf(bid: Ticks | null, ask: Ticks | null): Quote {
  const mid = bid === null || ask === null ? null : (((bid + ask) * HALF_TICK_MICROS) as MicroDollars);
  return { bid, ask, mid };
}

/** Returns the quote of the other outcome: buying one outcome is selling the other. */
export function mirroredQuote({ bid, ask }: Quote): Quote {
  return quoteOf(ask === null ? null : complementTicks(ask), bid === null ? null : complementTicks(bid));
}

/** Whether the bid is above the ask, which means that the quote was never real. */
export function isCrossed({ bid, ask }: Quote): boolean {
  return bid !== null && ask !== null && bid > ask;
}
