// Listings of the paper exchanges: the same games on both venues, each in its venue's words. Plain data, made once from a
// seed. Prices, volumes and states belong to the exchanges, not to the catalog.

import type { UnixMillis } from '../../core/domain/numbers.ts';
import type { VenueBFeeType } from '../fees/fees.ts';

/** The price of a market: the probability of the question is that of its YES (its first token), or of the contrary. */
export interface PricedBy {
  readonly question: string;
  readonly isComplement: boolean;
}

/** One statement about the real world that comes true or not; markets of any venue may refer to it. */
export interface Question {
  readonly id: string;
  readonly game: string;
  /** The statement about the game; the game model prices it. */
  readonly statement:
    | { readonly kind: 'wins'; readonly team: 'home' | 'away' }
    | { readonly kind: 'draw' }
    /** Wins by more than `points` (half points only; negative: loses by less). */
    | { readonly kind: 'spread'; readonly team: 'home' | 'away'; readonly points: number }
    /** Both together score more than `points` (half points only). */
    | { readonly kind: 'total'; readonly points: number };
}

export interface Team {
  /** Short code, as in tickers: `BOS`. */
  readonly code: string;
  /** The name, such as `Boston Celtics`. */
  readonly name: string;
  /** Name at venue B: `Boston`. */
  readonly place: string;
  /** Name at venue A: `Celtics`. */
  readonly nickname: string;
  /** Code in venue A's slugs, if it is not the code in small letters: `jax` for `JAC`. */
  readonly abbreviation?: string;
}

export interface Game {
  readonly id: string;
  readonly league: string;
  readonly home: Team;
  readonly away: Team;
  readonly startsAt: UnixMillis;
  /** The duration in wall-clock time. */
  readonly lengthMs: number;
  /** Input of the game model: expected points of each side, and their spread. */
  readonly strength: { readonly home: number; readonly away: number; readonly deviation: number };
}

/** venue-b.md §3.2: name and bands of a price grid; dollars as text. */
export interface PriceGrid {
  readonly name: string;
  readonly ranges: readonly { readonly start: string; readonly end: string; readonly step: string }[];
}

export interface VenueBSeries {
  readonly ticker: string;
  readonly title: string;
  readonly category: string;
  readonly tags: readonly string[];
  readonly frequency: string;
  readonly feeType: VenueBFeeType;
  /** Decimal text: `0.5`. */
  readonly feeMultiplier: string;
  /** The exchange shard of its markets (venue-b.md §3); default 0. */
  readonly shard?: number;
}

export interface VenueBEventListing {
  readonly eventTicker: string;
  readonly series: VenueBSeries;
  readonly title: string;
  readonly subTitle: string;
  readonly isMutuallyExclusive: boolean;
  readonly game: Game;
  /** The name in the sports filters: `Pro Basketball (M)`. */
  readonly competition: string;
  /** The scope in the sports filters: `Games`, `Spreads`. */
  readonly scope: string;
  readonly markets: readonly VenueBMarketListing[];
}

export interface VenueBMarketListing {
  readonly ticker: string;
  /** A UUID. */
  readonly marketId: string;
  readonly eventTicker: string;
  readonly title: string;
  readonly yesSubTitle: string;
  readonly noSubTitle: string;
  readonly grid: PriceGrid;
  readonly createdAt: UnixMillis;
  readonly openAt: UnixMillis;
  readonly closeAt: UnixMillis;
  readonly expectedExpirationAt: UnixMillis;
  readonly strike: {
    readonly type: string;
    readonly floor?: number;
    readonly custom?: Readonly<Record<string, string>>;
  };
  readonly rulesPrimary: string;
  readonly rulesSecondary: string;
  readonly pricedBy: PricedBy;
}

export interface VenueASport {
  readonly id: number;
  /** The sport, such as `nba`. */
  readonly sport: string;
  readonly name: string;
  /** The series id as decimal text. */
  readonly series: string;
  readonly ordering: 'home' | 'away';
  /** Tag ids as decimal text. */
  readonly tags: readonly string[];
  readonly primaryTagId: string;
  readonly resolution: string;
}

export interface VenueATag {
  readonly id: string;
  readonly label: string;
  readonly slug: string;
}

export interface VenueAEventListing {
  readonly id: string;
  readonly slug: string;
  readonly title: string;
  readonly sport: VenueASport;
  readonly tags: readonly VenueATag[];
  readonly game: Game;
  readonly gameId: number;
  /** Every market of the event is neg-risk, or none is. */
  readonly negRiskMarketId: string | null;
  readonly markets: readonly VenueAMarketListing[];
}

export interface VenueAMarketListing {
  readonly id: string;
  readonly question: string;
  readonly slug: string;
  /** `0x` and 64 hex digits; at Protocol V2 the last two are 0. */
  readonly conditionId: string;
  readonly questionId: string;
  readonly outcomes: readonly [string, string];
  /** Decimal text of a uint256; same order as `outcomes`. The first is the engine's YES. */
  readonly tokens: readonly [string, string];
  /** The type: `moneyline`, `spreads` or `totals`. */
  readonly sportsMarketType: string;
  readonly line: number | null;
  readonly groupItemTitle: string;
  /** Decimal text, as it enters the hash: `0.01`. */
  readonly tickSize: string;
  /** Shares as decimal text: `5`. */
  readonly minOrderSize: string;
  readonly isNegRisk: boolean;
  /** Time for which marketable orders are held. */
  readonly takerDelayS: number;
  readonly clearsBookOnStart: boolean;
  /** `fd` of /clob-markets; decimal text. */
  readonly fees: { readonly rate: string; readonly exponent: 1 | 2 };
  readonly createdAt: UnixMillis;
  readonly endAt: UnixMillis;
  readonly pricedBy: PricedBy;
}

export interface Catalog {
  readonly games: readonly Game[];
  readonly questions: readonly Question[];
  readonly venueA: { readonly sports: readonly VenueASport[]; readonly events: readonly VenueAEventListing[] };
  readonly venueB: { readonly series: readonly VenueBSeries[]; readonly events: readonly VenueBEventListing[] };
}
