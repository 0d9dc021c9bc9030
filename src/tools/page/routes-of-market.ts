// The ladders of a market of the catalog: for each outcome its listing at venue A and at venue B. Pure.

import type { MarketKey } from '../../core/domain/market.ts';
import type { CatalogMarket } from '../../core/generated/api-types.ts';

export interface Route {
  readonly market: MarketKey;
  /** Whether the outcome is the NO of the venue's market: its book is derived. */
  readonly isNo: boolean;
}

export interface OutcomeRoutes {
  readonly name: string;
  readonly routes: readonly Route[];
}

/** The first route to each venue, which is the most direct one; outcomes without any are left out. */
export function routesOf({ outcomes }: Pick<CatalogMarket, 'outcomes'>): readonly OutcomeRoutes[] {
  return outcomes.flatMap(({ name, listings }) => {
    const inA = listings.find(it => it.venue === 'VENUE_A');
    const inB = listings.find(it => it.venue === 'VENUE_B');
    const routes: Route[] = [];
    if (inA !== undefined) routes.push({ market: { venue: 'venue_a', tokenId: inA.tokenId }, isNo: false });
    if (inB !== undefined) routes.push({ market: { venue: 'venue_b', ticker: inB.ticker }, isNo: inB.side === 'NO' });
    return routes.length === 0 ? [] : [{ name, routes }];
  });
}
