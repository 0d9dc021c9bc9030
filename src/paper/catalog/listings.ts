// Listings of the paper exchanges: the same games on both venues, each in the words of its venue. They are plain data, made once from a
// seed. Prices, volumes and states belong to the exchanges, not to the catalog.

import type { UnixMillis } from '../../core/domain/numbers.ts';
import type { VenueBFeeType } from '../fees/fees.ts';

/** The price of a market. The probability of the question prices its YES (its first token), or the contrary of YES. */
export interface PricedBy {
  readonly question: string;
  readonly isComplement: boolean;
}

/** A statement about the real world that comes true or not. Markets of any venue may refer to it. */
export interface Question {
  readonly id: string;
  readonly game: string;
  /** The statement about the game, which the game model prices. */
  readonly statement:
    | { readonly kind: 'wins'; readonly team: 'home' | 'away' }
    | { readonly kind: 'draw' }
    /** The team wins by more than `points`, which are half points. Negative points mean that it loses by less. */
    | { readonly kind: 'spread'; readonly team: 'home' | 'away'; readonly points: number }
    /** The two sides together score more than `points`, which are half points. */
    | { readonly kind: 'total'; readonly points: number };
}

export interface Team {
  /** The short code, as in tickers: `BOS`. */
  readonly code: string;
  /** The name, such as `Boston Celtics`. */
  readonly name: string;
  /** The name at venue B: `Boston`. */
  readonly place: string;
  /** The name at venue A: `Celtics`. */
  readonly nickname: string;
  /** The code in venue A's slugs, if it is not the code in small letters: `jax` for `JAC`. */
  readonly abbreviation?: string;
}

export interface Game {
  readonly id: string;
  readonly league: string;
  readonly home: Team;
  readonly away: Team;
  readonly startsAt: UnixMillis;
  /** The length of the game in wall-clock time. */
  readonly lengthMs: number;
  /** The input of the game model: the expected points of each side, and the deviation of their difference. */
  readonly strength: { readonly home: number; readonly away: number; readonly deviation: number };
}

/** A price grid: its name, and its bands with dollars as text (venue-b.md §3.2). */
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
  /** The fee multiplier as decimal text: `0.5`. */
  readonly feeMultiplier: string;
  /** The exchange shard of the series' markets (venue-b.md §3). The default is 0. */
  readonly shard?: number;
}

export interface VenueBEventListing {
  readonly eventTicker: string;
  readonly series: VenueBSeries;
  readonly title: string;
  readonly subTitle: string;
  readonly isMutuallyExclusive: boolean;
  readonly game: Game;
  /** The competition's name in the sports filters: `Pro Basketball (M)`. */
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
  /** The id of the series as decimal text. */
  readonly series: string;
  readonly ordering: 'home' | 'away';
  /** The ids of the tags as decimal text. */
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
  /** The id of the neg-risk market. Either every market of the event is neg-risk, or none is; null means none. */
  readonly negRiskMarketId: string | null;
  readonly markets: readonly VenueAMarketListing[];
}

export interface VenueAMarketListing {
  readonly id: string;
  readonly question: string;
  readonly slug: string;
  /** The condition id: `0x` and 64 hex digits. At Protocol V2 the last two are 0. */
  readonly conditionId: string;
  readonly questionId: string;
  readonly outcomes: readonly [string, string];
  /** The token ids: uint256 as decimal text, in the order of `outcomes`. The first token is the engine's YES. */
  readonly tokens: readonly [string, string];
  /** The type: `moneyline`, `spreads` or `totals`. */
  readonly sportsMarketType: string;
  readonly line: number | null;
  readonly groupItemTitle: string;
  /** The tick size as decimal text, as it enters the hash: `0.01`. */
  readonly tickSize: string;
  /** The least size of an order, in shares as decimal text: `5`. */
  readonly minOrderSize: string;
  readonly isNegRisk: boolean;
  /** The seconds for which marketable orders are held. */
  readonly takerDelayS: number;
  readonly clearsBookOnStart: boolean;
  /** The field `fd` of /clob-markets. The rate is decimal text. */
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
