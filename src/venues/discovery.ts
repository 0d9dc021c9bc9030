// The port between a venue's list and the catalog: events with their markets, page by page, in the same terms for all venues. Unknown
// values are null or empty. The catalog decides which events of two venues are one. Implementations are in venue-a/, venue-b/ and
// venue-c/. Catalog thread only.

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
      /** Pays in every other outcome. Only where no outcome of the catalog's market is that one. */
      readonly noTokenId?: string;
    }
  | { readonly venue: 'venue_b'; readonly ticker: string; readonly side: 'YES' | 'NO' };

export type OutcomeRoute = TradedRoute | { readonly venue: 'venue_c'; readonly strikeId: string };

/** OPEN takes orders within its times; PAUSED takes none for now; OVER never takes any again. */
export type MarketPhase = 'OPEN' | 'PAUSED' | 'OVER';

export interface VenueMarket {
  /** Condition id at venue A, ticker at venue B, our own id at venue C. */
  readonly marketId: string;
  readonly title: string;
  readonly outcomes: readonly VenueOutcome[];
  readonly phase: MarketPhase;
  /** The time from which the market takes orders. Null if it is open, as far as the venue says. */
  readonly opensAt: UnixMillis | null;
  /** The time of closing; null if not stated. */
  readonly closesAt: UnixMillis | null;
  /** Distinguishes it from the other markets of its event: `Spread -4.5`, `Boston`. */
  readonly label: string;
  /** The venue's name for the kind of question: `moneyline`, `spreads` at A; `structured`, `greater` at B. */
  readonly kind: string;
  /** Decimal text, for the first outcome, with the venue's own sign. */
  readonly line: string | null;
  /** When the event begins (A), or when its result is expected (B). */
  readonly occursAt: UnixMillis | null;
  /** The one source of settlement that is stated: host and path (`bls.gov/cpi`). Absent: none, or several. */
  readonly source?: string;
  /** `advances`: its rules confirm that it goes by who reaches the next round, or wins the final. Absent: nothing that is read. */
  readonly confirmed?: 'advances';
}

export interface VenueEvent {
  readonly venue: ListedVenue;
  /** A number at venues A and C; the event's ticker at venue B. */
  readonly eventId: string;
  readonly title: string;
  /** `nba-bos-lal-2026-11-20` at A, `BOS at LAL (Nov 20)` at B. */
  readonly subTitle: string;
  readonly seriesId: string;
  /** The venue's name of the competition: `nba` at A, `Pro Basketball (M)` at B. */
  readonly competition: string;
  /** Part of the competition: `Game`, `Spread`; at B only. */
  readonly scope: string;
  /** Start of the game; null outside sports. */
  readonly startsAt: UnixMillis | null;
  /** Id of the game, which several events of a venue may share. */
  readonly gameId: string;
  readonly teams: readonly VenueTeam[];
  readonly markets: readonly VenueMarket[];
  /** Markets of the event that nobody here can trade until an upgrade; absent if there are none. */
  readonly untraded?: readonly UntradedMarket[];
}

export interface UntradedMarket {
  readonly marketId: string;
  readonly title: string;
  /** The reason in words: `its version v3 is not known`. */
  readonly why: string;
}

/** An event, and how many of its malformed markets were left out. */
export interface ListedEvent {
  readonly event: VenueEvent;
  readonly malformed: number;
}

export interface DiscoveryPage {
  readonly events: readonly VenueEvent[];
  /** Malformed events and markets that were left out. */
  readonly malformed: number;
  /** Cursor of the next page; null after the last one. */
  readonly next: string | null;
}

export const NO_EVENTS: DiscoveryPage = { events: [], malformed: 0, next: null };

/** The error says why there is no page. */
export type PageAnswer = Result<DiscoveryPage, string>;

/** Reads the list of one venue. Nothing here throws or rejects. */
export interface VenueDiscovery {
  readonly venue: ListedVenue;
  /** Most events per page; fewer if an answer would be too large. */
  readonly rowsMax: number;
  /** Milliseconds between two pages. */
  readonly pagePauseMs: number;
  /** Every event with an open market; `cursor` null starts over. */
  listed(cursor: string | null, rows: number): Promise<PageAnswer>;
  /** Events that are new or changed since then, as far as the venue can say. Ended events are among them as OVER. */
  news(since: UnixMillis, cursor: string | null, rows: number): Promise<PageAnswer>;
  /** The known events that `listed` omits although they are not over. An event that is missing here is gone. */
  unlisted(eventIds: readonly string[], cursor: string | null, rows: number): Promise<PageAnswer>;
}
