// The catalog (contract §6): everything that can be traded at either venue, each question once. Immutable; a newer catalog replaces it.
// Pure.

import type { UnixMillis } from '../core/domain/numbers.ts';
import type { MarketPhase, OutcomeRoute, TradedRoute, VenueMarket } from '../venues/discovery.ts';

interface CatalogParticipant {
  readonly name: string;
  readonly role: 'HOME' | 'AWAY' | 'COMPETITOR';
}

export interface CatalogEvent {
  readonly id: string;
  readonly name: string;
  /** Ids of sports. */
  readonly sport: string;
  readonly competition: string;
  readonly startsAt: UnixMillis;
  readonly isOver: boolean;
  readonly participants: readonly CatalogParticipant[];
  readonly matching: Matching;
}

/** Evidence for the match of an event, for operators who doubt it. */
interface Matching {
  /** The venues' names of the event. */
  readonly keys: readonly string[];
  /** Percent; 100 for an event of one venue. */
  readonly confidence: number;
  readonly evidence: readonly string[];
}

export interface Catalog {
  /** Events ordered by (startsAt, id). */
  readonly events: readonly CatalogEvent[];
  /** Every market of both venues, by id. */
  readonly markets: readonly CatalogMarket[];
}

/** Compares events by (startsAt, id). */
export function inTime(a: CatalogEvent, b: CatalogEvent): number {
  return a.startsAt - b.startsAt || (a.id < b.id ? -1 : 1);
}

/** When one route takes orders. */
export interface CatalogListing {
  readonly route: OutcomeRoute;
  /** Unix milliseconds; Infinity: not now, and the time is unknown. */
  readonly opensAt: number;
  /** Unix milliseconds; Infinity until the venue says so. */
  readonly closesAt: number;
}

/** A listing that can take orders. */
interface TradedListing extends CatalogListing {
  readonly route: TradedRoute;
}

interface CatalogOutcome {
  readonly name: string;
  /** Direct listings come first. */
  readonly listings: readonly CatalogListing[];
}

export interface CatalogMarket {
  /** Minted once, never changed: `<event id>:<question>`; without an event the question's own, or a venue's name of the market. */
  readonly id: string;
  readonly title: string;
  readonly outcomes: readonly CatalogOutcome[];
  readonly eventId: string | null;
  /** Decimal text: the handicap of the home side, or the total. Null without a line. */
  readonly line: string | null;
  /** Differences in settlement between the venues. */
  readonly notes: readonly string[];
  /** Texts for the search, beside id, title, outcomes and routes. */
  readonly otherWords: readonly string[];
}

/** An unmatched market of one venue. It has no `line`, because venues do not use that field uniformly. */
export function ownMarket(market: VenueMarket, eventId: string | null, otherWords: readonly string[]): CatalogMarket {
  return {
    id: ownId(market),
    title: market.title,
    outcomes: market.outcomes.map(({ name, route }) => ({ name, listings: [listingOf(market, route)] })),
    eventId,
    line: null,
    notes: [],
    otherWords,
  };
}

export function listingOf(market: VenueMarket, route: OutcomeRoute): CatalogListing {
  const { phase, opensAt, closesAt } = market;
  return { route, opensAt: OPENING[phase] ?? opensAt ?? 0, closesAt: closesAt ?? Number.POSITIVE_INFINITY };
}

export function isTraded(listing: CatalogListing): listing is TradedListing {
  return listing.route.venue !== 'venue_c';
}

/** An id such as `venue_b:<ticker>` or `venue_a:<condition id>`. */
export function ownId({ marketId, outcomes }: VenueMarket): string {
  return `${outcomes[0]!.route.venue}:${marketId}`;
}

/** Null if the market's own times apply. */
const OPENING: Readonly<Record<MarketPhase, number | null>> = {
  OPEN: null,
  PAUSED: Number.POSITIVE_INFINITY,
  OVER: Number.POSITIVE_INFINITY,
};
