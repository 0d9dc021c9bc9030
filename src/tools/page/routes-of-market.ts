// Finds the ladders of a market of the catalog: for each outcome its listing at venue A and at venue B. Pure.

import type { MarketKey } from '../../core/domain/market.ts';
import type { CatalogMarket } from '../../core/generated/api-types.ts';

export interface Route {
  readonly market: MarketKey;
  /** Whether the outcome is the NO side of the venue's market. Its book is then derived. */
  readonly isNo: boolean;
  /**
   * The token of the other outcome at venue A, whose orders rest in the same book. Null means that there is none, or that it is not known.
   */
  readonly complement: string | null;
}

export interface OutcomeRoutes {
  readonly name: string;
  readonly routes: readonly Route[];
}

/** The first route of each outcome to each venue, which is the most direct route. Outcomes without a route are left out. */
export function routesOf({ outcomes }: Pick<CatalogMarket, 'outcomes'>): readonly OutcomeRoutes[] {
  const inA = outcomes.map(({ listings }) => listings.find(it => it.venue === 'VENUE_A'));
  return outcomes.flatMap(({ name, listings }, at) => {
    const tokenId = inA[at]?.tokenId ?? null;
    const complement = (outcomes.length === 2 ? inA[1 - at]?.tokenId : inA[at]?.noTokenId) ?? null;
    const inB = listings.find(it => it.venue === 'VENUE_B');
    const routes: Route[] = [];
    if (tokenId !== null) routes.push({ market: { venue: 'venue_a', tokenId }, isNo: false, complement });
    if (inB !== undefined) {
      routes.push({ market: { venue: 'venue_b', ticker: inB.ticker }, isNo: inB.side === 'NO', complement: null });
    }
    return routes.length === 0 ? [] : [{ name, routes }];
  });
}
