// A market as the API shows it (contract §6): a question with its outcomes, and for each every route to it. Pure.

import type { MarketPhase, OutcomeRoute, TradedRoute, VenueMarket } from '../venues/discovery.ts';

/** When orders are taken along one route. */
export interface CatalogListing {
  readonly route: OutcomeRoute;
  /** Unix milliseconds; Infinity: not now, and nobody knows when. */
  readonly opensAt: number;
  /** Unix milliseconds; Infinity: until the venue says so. */
  readonly closesAt: number;
}

/** One that can take orders. */
export interface TradedListing extends CatalogListing {
  readonly route: TradedRoute;
}

export interface CatalogOutcome {
  readonly name: string;
  /** Direct ones first. */
  readonly listings: readonly CatalogListing[];
}

export interface CatalogMarket {
  /** Minted once, never changed: `<event id>:<question>`, or the venue's own name of a market that is of no event. */
  readonly id: string;
  readonly title: string;
  readonly outcomes: readonly CatalogOutcome[];
  readonly eventId: string | null;
  /** Decimal text: the handicap of the home side, or the total. Null of a market without one. */
  readonly line: string | null;
  /** In what the venues do not settle alike. */
  readonly notes: readonly string[];
  /** Texts that it is found by beside id, title, outcomes and routes. */
  readonly otherWords: readonly string[];
}

/** A venue's market that is matched with nothing: one of its own. Without `line`, which venues use for whatever they like. */
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

/** `venue_b:<ticker>`, `venue_a:<condition id>`. */
function ownId({ marketId, outcomes }: VenueMarket): string {
  return `${outcomes[0]!.route.venue}:${marketId}`;
}

/** Null: by the market's own times. */
const OPENING: Readonly<Record<MarketPhase, number | null>> = {
  OPEN: null,
  PAUSED: Number.POSITIVE_INFINITY,
  OVER: Number.POSITIVE_INFINITY,
};
