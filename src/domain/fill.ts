// A fill as we keep it: one trade of one order, in the order's own frame. Pure.

import type { Venue } from './market.ts';
import type { MicroDollars, MicroShares, Ticks, UnixMillis } from './numbers.ts';

/** Contract §4.4. Venue B's are CONFIRMED. */
export const SETTLEMENTS = ['MATCHED', 'MINED', 'CONFIRMED', 'RETRYING', 'FAILED'] as const;
export type Settlement = (typeof SETTLEMENTS)[number];

/** Whether no more will be said of it (venue-a.md §6.3). */
export function isFinal(settlement: Settlement): boolean {
  return settlement === 'CONFIRMED' || settlement === 'FAILED';
}

/** Whether a fill that was told may turn out not to have been one. */
export function mayFail(venue: Venue): boolean {
  return venue === 'venue_a';
}

export type Liquidity = 'MAKER' | 'TAKER';

export interface Fill {
  /** Ours: unique, the same whenever the same fill of the venue is applied. */
  readonly fillId: string;
  readonly venueTradeId: string;
  /** NO price of a NO order; of the order's own token. */
  readonly price: Ticks;
  readonly size: MicroShares;
  readonly fee: MicroDollars;
  /** Null if the venue does not say. */
  readonly liquidity: Liquidity | null;
  readonly settlement: Settlement;
  readonly executedAt: UnixMillis;
}
