// The port between what a venue lists and the catalog: events with their markets, page by page, in the same words for all venues.
// What is not known is null or empty; nothing here decides which events of two venues are one. Implementations are siblings in
// venue-a/, venue-b/ and venue-c/. Catalog thread only.

import type { Venue } from '../domain/market.ts';
import type { UnixMillis } from '../domain/numbers.ts';
import type { Result } from '../domain/result.ts';

/** Whose lists are read. Venue C's markets are shown, and never traded. */
export type ListedVenue = Venue | 'venue_c';

export interface VenueTeam {
  readonly name: string;
  readonly abbreviation: string;
  /** Another name: `Lakers`. */
  readonly alias: string;
  readonly role: 'HOME' | 'AWAY' | null;
}

/** One of the outcomes of a market, with what an order to it names. */
export interface VenueOutcome {
  readonly name: string;
  readonly route: OutcomeRoute;
}

/** What an order can be sent along. */
export type TradedRoute =
  | { readonly venue: 'venue_a'; readonly tokenId: string }
  | { readonly venue: 'venue_b'; readonly ticker: string; readonly side: 'YES' | 'NO' };

export type OutcomeRoute = TradedRoute | { readonly venue: 'venue_c'; readonly strikeId: string };

/** OPEN takes orders within its times, PAUSED does not now, OVER never again. */
export type MarketPhase = 'OPEN' | 'PAUSED' | 'OVER';

export interface VenueMarket {
  /** Condition id at venue A, ticker at venue B, one of our own making at venue C. */
  readonly marketId: string;
  readonly title: string;
  readonly outcomes: readonly VenueOutcome[];
  readonly phase: MarketPhase;
  /** Null: it takes orders from now on, as far as the venue says. */
  readonly opensAt: UnixMillis | null;
  /** Null: until the venue says otherwise. */
  readonly closesAt: UnixMillis | null;
  /** What tells it from the other markets of its event: `Spread -4.5`, `Boston`. */
  readonly label: string;
  /** The venue's word for the kind of question: `moneyline`, `spreads` at A; `structured`, `greater` at B. */
  readonly kind: string;
  /** Decimal text, of the first outcome and in the venue's own sign. */
  readonly line: string | null;
  /** When what it asks about begins (A) or is expected to be known (B). */
  readonly occursAt: UnixMillis | null;
}

export interface VenueEvent {
  readonly venue: ListedVenue;
  /** A number at venues A and C, the event's ticker at venue B. */
  readonly eventId: string;
  readonly title: string;
  /** `nba-bos-lal-2026-11-20` at A, `BOS at LAL (Nov 20)` at B. */
  readonly subTitle: string;
  readonly seriesId: string;
  /** What the venue calls the competition: `nba` at A, `Pro Basketball (M)` at B. */
  readonly competition: string;
  /** Its part of it: `Game`, `Spread`; at B only. */
  readonly scope: string;
  /** Of the game; null outside sports. */
  readonly startsAt: UnixMillis | null;
  /** Of the game, which several events of a venue may share. */
  readonly gameId: string;
  readonly teams: readonly VenueTeam[];
  readonly markets: readonly VenueMarket[];
}

/** An event, and how many of its markets are not as the venue describes them, and were left out. */
export interface ListedEvent {
  readonly event: VenueEvent;
  readonly malformed: number;
}

export interface DiscoveryPage {
  readonly events: readonly VenueEvent[];
  /** Events and markets that are not as the venue describes them, and were left out. */
  readonly malformed: number;
  /** Leads to the next page; null after the last one. */
  readonly next: string | null;
}

export const NO_EVENTS: DiscoveryPage = { events: [], malformed: 0, next: null };

/** Says in words why there is no page. */
export type PageAnswer = Result<DiscoveryPage, string>;

/** What one venue lists. Nothing here throws or rejects. */
export interface VenueDiscovery {
  readonly venue: ListedVenue;
  /** Events of one page, unless they are too many for an answer. */
  readonly rowsMax: number;
  /** Between two pages. */
  readonly pagePauseMs: number;
  /** Every event with something to trade; `cursor` null begins anew. */
  listed(cursor: string | null, rows: number): Promise<PageAnswer>;
  /** Events that have come or changed since then, as far as the venue can be asked for them; what has ended is among them as OVER. */
  news(since: UnixMillis, cursor: string | null, rows: number): Promise<PageAnswer>;
  /** Events that are known, of those that `listed` leaves out though they are not over: what is not among them is gone. */
  unlisted(eventIds: readonly string[], cursor: string | null, rows: number): Promise<PageAnswer>;
}
