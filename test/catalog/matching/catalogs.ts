// Small catalogs, and functions that tests use to query them: the existing events, and the places where an outcome trades.

import { buildCatalog } from '../../../src/catalog/build-catalog.ts';
import type { Catalog, CatalogMarket } from '../../../src/catalog/catalog.ts';
import { EventIds } from '../../../src/catalog/matching/event-ids.ts';
import type { VenueEvent } from '../../../src/venues/discovery.ts';
import { atVenueA, atVenueB, type Listed } from './listings.ts';

export const build = (...events: readonly VenueEvent[]): Catalog => buildCatalog(events, new EventIds());
export const ids = ({ events }: Catalog): readonly string[] => events.map(({ id }) => id);
/** Returns the events that both venues have. */
export const merged = ({ events }: Catalog): readonly string[] =>
  events.filter(({ matching }) => matching.keys.length === 2).map(({ id }) => id);

export function marketOf({ markets }: Catalog, id: string): CatalogMarket {
  const found = markets.find(it => it.id === id);
  if (found === undefined) throw new Error(`${id} is none of ${markets.map(it => it.id).join(', ')}`);
  return found;
}

/** Returns the routes of a market, such as `Los Angeles Lakers: A, B-LAL YES`. */
export function routes(market: CatalogMarket): readonly string[] {
  return market.outcomes.map(({ name, listings }) => {
    const words = listings.map(({ route }) => {
      if (route.venue === 'venue_b') return `${route.ticker.slice(route.ticker.lastIndexOf('-') + 1)} ${route.side}`;
      return route.venue === 'venue_a' ? 'A' : `C ${route.strikeId}`;
    });
    return `${name}: ${words.join(', ')}`;
  });
}

export const NBA: Listed = { league: 'NBA', date: '2026-11-20', startsAt: '2026-11-21T03:00:00Z' };
export const lakersA = (game: Listed = NBA): VenueEvent => atVenueA(game, 'bos-lal', 'Celtics vs. Lakers');
export const lakersB = (game: Listed = NBA): VenueEvent =>
  atVenueB(game, 'BOSLAL', 'Boston at Los Angeles L', { BOS: 'Boston', LAL: 'Los Angeles L' });
