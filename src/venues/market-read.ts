// The port through which the older family reads one market of a venue live (interface §4.3, contract §7). Implementations are
// in venue-a/, venue-d/ and venue-e/. Thread of the market reads.

import type { MarketSummary } from '../core/domain/market-summary.ts';

export type MarketReading =
  | { readonly type: 'market'; readonly market: MarketSummary }
  /** The market does not exist, or the id names a group of markets; the message then names the group's members. */
  | { readonly type: 'unknown'; readonly message: string }
  | ReadFailure;

export type ReadFailure =
  /** The venue is unreachable, fails or answers something unreadable. */
  | { readonly type: 'faulty'; readonly message: string }
  /** The read is refused for now: a bound of ours or a limit of the venue is reached. */
  | { readonly type: 'busy'; readonly message: string; readonly retryAfterS: number };

export interface MarketReader {
  /** Never rejects; answers within about `marketReadMs`. */
  read(marketId: string): Promise<MarketReading>;
  close(): Promise<void>;
}

/** Addresses of the venues; null if not configured. */
export interface MarketReadTargets {
  readonly venue_a: MarketReadTarget | null;
  /** Only reads of terms use venue B: the older family does not have it. */
  readonly venue_b: MarketReadTarget | null;
  readonly venue_d: MarketReadTarget | null;
  readonly venue_e: (MarketReadTarget & { readonly apiKey: string | null }) | null;
}

export interface MarketReadTarget {
  /** Base of the venue's REST, without a trailing slash. */
  readonly url: string;
}

/** The venues from which this port reads anything. */
export type ReadVenue = keyof MarketReadTargets;

export function faulty(venue: ReadVenue, words: string): ReadFailure {
  return { type: 'faulty', message: `${venue}: ${words}` };
}

export function busy(venue: ReadVenue, words: string, waitMs: number): ReadFailure {
  return { type: 'busy', message: `${venue}: ${words}`, retryAfterS: Math.max(1, Math.ceil(waitMs / 1_000)) };
}

/** The answer for an unknown market. The id is a caller's text, so its form is unchecked. */
export function noSuchMarket(marketId: string): { readonly type: 'unknown'; readonly message: string } {
  return { type: 'unknown', message: `no such market: ${marketId.slice(0, ID_CHARACTERS_SHOWN)}` };
}

/** The answer for an id that names a group. `members` are the ids to ask for instead. */
export function groupOfMarkets(groupId: string, members: readonly string[]): MarketReading {
  const shown = members.slice(0, MEMBERS_SHOWN).join(', ');
  const more = members.length > MEMBERS_SHOWN ? ` and ${members.length - MEMBERS_SHOWN} more` : '';
  return { type: 'unknown', message: `${groupId} is a group of markets: ask for one of ${shown}${more}` };
}

const ID_CHARACTERS_SHOWN = 128;
const MEMBERS_SHOWN = 50;
