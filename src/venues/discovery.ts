// The port between a venue's list and the catalog: events with their markets, page by page, in the same terms for all venues. Unknown
// values are null or empty. The catalog decides which events of different venues are the same event. Implementations are in venue-a/,
// venue-b/ and venue-c/. Catalog thread only.

import type { Venue } from '../core/domain/market.ts';
import type { UnixMillis } from '../core/domain/numbers.ts';
import type { Result } from '../core/domain/result.ts';

/** Venues whose lists are read. Markets of venue C are shown, and never traded. */
export type ListedVenue = Venue | 'venue_c';

export interface VenueTeam {
  readonly name: string;
  readonly abbreviation: string;
  /** Another name of the team: `Lakers`. */
  readonly alias: string;
  readonly role: 'HOME' | 'AWAY' | null;
}

/** One outcome of a market, with the name under which an order trades it. */
export interface VenueOutcome {
  readonly name: string;
  readonly route: OutcomeRoute;
}

/** The facts that an order needs for its market. */
export type TradedRoute =
  | {
      readonly venue: 'venue_a';
      readonly tokenId: string;
      /** The token that pays in every other outcome. Present only if no outcome of the catalog's market is this token. */
      readonly noTokenId?: string;
    }
  | { readonly venue: 'venue_b'; readonly ticker: string; readonly side: 'YES' | 'NO' };

export type OutcomeRoute = TradedRoute | { readonly venue: 'venue_c'; readonly strikeId: string };

/** OPEN means that the market takes orders within its times, PAUSED that it takes none for now, OVER that it will never take any again. */
export type MarketPhase = 'OPEN' | 'PAUSED' | 'OVER';

export interface VenueMarket {
  /** Condition id at venue A, ticker at venue B, our own id at venue C. */
  readonly marketId: string;
  readonly title: string;
  readonly outcomes: readonly VenueOutcome[];
  readonly phase: MarketPhase;
  /** The time from which the market takes orders. Null if the market is open already, as far as the venue says. */
  readonly opensAt: UnixMillis | null;
  /** The time of closing; null if not stated. */
  readonly closesAt: UnixMillis | null;
  /** A text that distinguishes the market from the other markets of its event: `Spread -4.5`, `Boston`. */
  readonly label: string;
  /** The venue's name for the kind of question: `moneyline`, `spreads` at A; `structured`, `greater` at B. */
  readonly kind: string;
  /** The line of the first outcome as decimal text, with the venue's own sign. */
  readonly line: string | null;
  /** The time at which the event begins (venue A), or at which its result is expected (venue B). */
  readonly occursAt: UnixMillis | null;
  /** Host and path of the only stated source of settlement (`bls.gov/cpi`). Absent if the venue states no source or several. */
  readonly source?: string;
  /**
   * `advances` means that the market's rules confirm that it is about who reaches the next round, or wins the final. Absent if the rules
   * confirm nothing that is read here.
   */
  readonly confirmed?: 'advances';
}

export interface VenueEvent {
  readonly venue: ListedVenue;
  /** The venue's id of the event: a number at venues A and C, a ticker at venue B. */
  readonly eventId: string;
  readonly title: string;
  /** The venue's second name of the event: `nba-bos-lal-2026-11-20` at A, `BOS at LAL (Nov 20)` at B. */
  readonly subTitle: string;
  readonly seriesId: string;
  /** The venue's name of the competition: `nba` at A, `Pro Basketball (M)` at B. */
  readonly competition: string;
  /** The part of the competition, such as `Game` or `Spread`; only at venue B. */
  readonly scope: string;
  /** The start of the game. Null outside sports. */
  readonly startsAt: UnixMillis | null;
  /** The id of the game. Several events of a venue may share a game. */
  readonly gameId: string;
  readonly teams: readonly VenueTeam[];
  readonly markets: readonly VenueMarket[];
  /** Markets of the event that no caller can trade here until an upgrade. Absent if there are no such markets. */
  readonly untraded?: readonly UntradedMarket[];
}

export interface UntradedMarket {
  readonly marketId: string;
  readonly title: string;
  /** The reason in words: `its version v3 is not known`. */
  readonly why: string;
}

/** An event, and the number of its malformed markets that were left out. */
export interface ListedEvent {
  readonly event: VenueEvent;
  readonly malformed: number;
}

export interface DiscoveryPage {
  readonly events: readonly VenueEvent[];
  /** The number of malformed events and markets that were left out. */
  readonly malformed: number;
  /** Cursor of the next page; null after the last one. */
  readonly next: string | null;
}

export const NO_EVENTS: DiscoveryPage = { events: [], malformed: 0, next: null };

/** A page; or an error that says why the page could not be read. */
export type PageAnswer = Result<DiscoveryPage, string>;

/** Reads the list of one venue. Nothing here throws or rejects. */
export interface VenueDiscovery {
  readonly venue: ListedVenue;
  /** The most events per page. Pages with fewer events are requested if an answer would be too large. */
  readonly rowsMax: number;
  /** Milliseconds between two pages. */
  readonly pagePauseMs: number;
  /** Returns a page of all events with an open market. A null `cursor` starts from the beginning. */
  listed(cursor: string | null, rows: number): Promise<PageAnswer>;
  /**
   * Returns a page of events that are new or changed since `since`, as far as the venue can say. Events that have ended are among them as
   * OVER.
   */
  news(since: UnixMillis, cursor: string | null, rows: number): Promise<PageAnswer>;
  /** Returns those of `eventIds` that `listed` omits although they are not over. An event that this answer omits, too, is gone. */
  unlisted(eventIds: readonly string[], cursor: string | null, rows: number): Promise<PageAnswer>;
}
