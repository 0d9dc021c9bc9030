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
  /** The ids of the sport and of the competition, as in competitions.json. */
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
  /** Percent. An event of one venue has 100. */
  readonly confidence: number;
  readonly evidence: readonly string[];
}

export interface Catalog {
  /** Events ordered by (startsAt, id). */
  readonly events: readonly CatalogEvent[];
  /** Every market of both venues, ordered by id. */
  readonly markets: readonly CatalogMarket[];
}

/** Compares events by (startsAt, id). */
export function inTime(a: CatalogEvent, b: CatalogEvent): number {
  return a.startsAt - b.startsAt || (a.id < b.id ? -1 : 1);
}

/** A route, and the time in which it takes orders. */
export interface CatalogListing {
  readonly route: OutcomeRoute;
  /**
   * The time from which the route takes orders, in Unix milliseconds. Infinity means that it takes none now, and that the time is unknown.
   */
  readonly opensAt: number;
  /** The time until which the route takes orders, in Unix milliseconds. Infinity means that the venue has not stated it. */
  readonly closesAt: number;
}

/** A listing that can take orders. */
interface TradedListing extends CatalogListing {
  readonly route: TradedRoute;
}

interface CatalogOutcome {
  readonly name: string;
  /** The ways to trade the outcome. Direct ways come first. */
  readonly listings: readonly CatalogListing[];
}

export interface CatalogMarket {
  /** The permanent id: `<event id>:<question>`. Without an event it is the id of the question, or a venue's name of the market. */
  readonly id: string;
  readonly title: string;
  readonly outcomes: readonly CatalogOutcome[];
  readonly eventId: string | null;
  /** The line as decimal text: the handicap of the first side (`firstSide`), or the total. Null means that the market has no line. */
  readonly line: string | null;
  /** The differences in settlement between the venues. */
  readonly notes: readonly string[];
  /** More texts for the search, beside id, title, outcomes and routes. */
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

/** Returns an id such as `venue_b:<ticker>` or `venue_a:<condition id>`. */
export function ownId({ marketId, outcomes }: VenueMarket): string {
  return `${outcomes[0]!.route.venue}:${marketId}`;
}

/** The opening time that a phase imposes. Null means that the market's own time applies. */
const OPENING: Readonly<Record<MarketPhase, number | null>> = {
  OPEN: null,
  PAUSED: Number.POSITIVE_INFINITY,
  OVER: Number.POSITIVE_INFINITY,
};
