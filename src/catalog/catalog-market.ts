// A market as the API shows it (contract §6): a question with its outcomes, and for each every route to it. So far each venue market
// is one of its own. Pure.

import type { MarketPhase, OutcomeRoute, VenueEvent, VenueMarket } from '../venues/discovery.ts';

/** When orders are taken along one route. */
export interface CatalogListing {
  readonly route: OutcomeRoute;
  /** Unix milliseconds; Infinity: not now, and nobody knows when. */
  readonly opensAt: number;
  /** Unix milliseconds; Infinity: until the venue says so. */
  readonly closesAt: number;
}

export interface CatalogOutcome {
  readonly name: string;
  /** Direct ones first. */
  readonly listings: readonly CatalogListing[];
}

export interface CatalogMarket {
  /** Minted once, never changed: `venue_b:<ticker>`, `venue_a:<condition id>`. */
  readonly id: string;
  readonly title: string;
  readonly outcomes: readonly CatalogOutcome[];
  readonly eventId: string | null;
  /** What it is found by beside id, title, outcomes and routes. */
  readonly otherWords: string;
}

/** Without `line`: what a venue calls so is not always the home handicap. */
export function catalogMarkets({ venue, title, markets }: VenueEvent): readonly CatalogMarket[] {
  return markets.map(market => {
    const times = timesOf(market);
    return {
      id: `${venue}:${market.marketId}`,
      title: market.title,
      outcomes: market.outcomes.map(({ name, route }) => ({ name, listings: [{ route, ...times }] })),
      eventId: null,
      otherWords: title,
    };
  });
}

function timesOf({ phase, opensAt, closesAt }: VenueMarket): Pick<CatalogListing, 'opensAt' | 'closesAt'> {
  return { opensAt: OPENING[phase] ?? opensAt ?? 0, closesAt: closesAt ?? Number.POSITIVE_INFINITY };
}

/** Null: by the market's own times. */
const OPENING: Readonly<Record<MarketPhase, number | null>> = {
  OPEN: null,
  PAUSED: Number.POSITIVE_INFINITY,
  OVER: Number.POSITIVE_INFINITY,
};
