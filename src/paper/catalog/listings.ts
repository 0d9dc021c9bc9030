// What the paper exchanges list: the same games on both venues, each in its venue's own words. Plain data, made once from a
// seed; what changes while the exchanges run (prices, volumes, states) is theirs, not the catalog's.

import type { UnixMillis } from '../../domain/numbers.ts';
import type { VenueBFeeType } from '../fees/venue-b-fees.ts';

/** What a market is priced by: the probability of its YES (of its first token), or of the contrary, is the question's. */
export interface PricedBy {
  readonly question: string;
  readonly isComplement: boolean;
}

/** One real-world statement that comes true or not, whatever venues trade it. */
export interface Question {
  readonly id: string;
  readonly game: string;
  /** Which statement about the game: the model of the game prices it. */
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
  /** `Boston Celtics`. */
  readonly name: string;
  /** As venue B says it: `Boston`. */
  readonly place: string;
  /** As venue A says it: `Celtics`. */
  readonly nickname: string;
  /** As venue A's slugs have it, where that is not the code in small letters: `jax` of `JAC`. */
  readonly abbreviation?: string;
}

export interface Game {
  readonly id: string;
  readonly league: string;
  readonly home: Team;
  readonly away: Team;
  readonly startsAt: UnixMillis;
  /** How long it is played, on the clock of the wall. */
  readonly lengthMs: number;
  /** What the model of the game starts from: expected points of each, and their spread. */
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
  /** Of the exchange (venue-b.md §3), on which its markets are: 0 unless stated. */
  readonly shard?: number;
}

export interface VenueBEventListing {
  readonly eventTicker: string;
  readonly series: VenueBSeries;
  readonly title: string;
  readonly subTitle: string;
  readonly isMutuallyExclusive: boolean;
  readonly game: Game;
  /** As in the sports filters: `Pro Basketball (M)`. */
  readonly competition: string;
  /** As in the sports filters: `Games`, `Spreads`. */
  readonly scope: string;
  readonly markets: readonly VenueBMarketListing[];
}

export interface VenueBMarketListing {
  readonly ticker: string;
  /** UUID. */
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
  /** `nba`. */
  readonly sport: string;
  readonly name: string;
  /** Series id, decimal text. */
  readonly series: string;
  readonly ordering: 'home' | 'away';
  /** Tag ids, decimal text. */
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
  /** `0x` and 64 hex digits. */
  readonly conditionId: string;
  readonly questionId: string;
  readonly outcomes: readonly [string, string];
  /** Decimal text of a uint256, index-aligned with `outcomes`. The first is the engine's YES. */
  readonly tokens: readonly [string, string];
  /** `moneyline`, `spreads`, `totals`. */
  readonly sportsMarketType: string;
  readonly line: number | null;
  readonly groupItemTitle: string;
  /** Decimal text, as it enters the hash: `0.01`. */
  readonly tickSize: string;
  /** Shares, decimal text: `5`. */
  readonly minOrderSize: string;
  readonly isNegRisk: boolean;
  /** How long marketable orders are held. */
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
