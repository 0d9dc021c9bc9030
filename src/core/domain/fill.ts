// A fill: one trade of one order, in the order's own frame. Pure.

import type { Venue } from './market.ts';
import type { MicroDollars, MicroShares, Ticks, UnixMillis } from './numbers.ts';

/** The settlement states of contract §4.4. Fills of venue B are always CONFIRMED. */
export const SETTLEMENTS = ['MATCHED', 'MINED', 'CONFIRMED', 'RETRYING', 'FAILED'] as const;
export type Settlement = (typeof SETTLEMENTS)[number];

/** Whether the settlement can no longer change (venue-a.md §6.3). */
export function isFinal(settlement: Settlement): boolean {
  return settlement === 'CONFIRMED' || settlement === 'FAILED';
}

/** Whether a fill that the venue has reported may still fail. */
export function mayFail(venue: Venue): boolean {
  return venue === 'venue_a';
}

export type Liquidity = 'MAKER' | 'TAKER';

export interface Fill {
  /** Our id of the fill. The id is unique, and is the same each time the venue reports the fill. */
  readonly fillId: string;
  readonly venueTradeId: string;
  /** The price in the order's frame: the NO price for a NO order, the price of its own token at venue A. */
  readonly price: Ticks;
  readonly size: MicroShares;
  readonly fee: MicroDollars;
  /** The role of the order in the trade. Null if the venue does not state the role. */
  readonly liquidity: Liquidity | null;
  readonly settlement: Settlement;
  readonly executedAt: UnixMillis;
}
