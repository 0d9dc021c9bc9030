// Reads a market of the catalog for the outcome channel: its outcomes, each with all routes at the trading venues. Main thread.

import { readSnapshot, type SnapshotReader } from '../../catalog/snapshot-reader.ts';
import { isObject, type JsonObject, objectsOf, parseJson, textOf } from '../../core/domain/json.ts';
import { marketKey } from '../../core/domain/market.ts';
import type { CatalogSnapshot } from '../../core/domain/operation.ts';
import type { Route } from '../../core/wire/messages.ts';

export interface CatalogMarketRoutes {
  readonly id: string;
  readonly title: string;
  readonly outcomes: readonly { readonly name: string; readonly routes: readonly Route[] }[];
  readonly notes: readonly string[];
}

/** Says that the catalog has no such market. `currentId` is the market's present id, if its event has another id now. */
export interface NoMarket {
  readonly currentId: string | null;
}

/** Returns null if the catalog has been replaced. A newer catalog exists then. */
export function catalogMarket(catalog: CatalogSnapshot, id: string): CatalogMarketRoutes | NoMarket | null {
  return readSnapshot(catalog, reader => {
    const place = reader.named(id);
    return place === null ? { currentId: currentIdOf(reader, id) } : marketAt(reader, place);
  });
}

/** The present id of a market. If two events turned out to be one event, the former id leads to the present id. */
function currentIdOf(reader: SnapshotReader, id: string): string | null {
  const end = id.indexOf(':');
  const event = reader.events.named(id.slice(0, Math.max(0, end)));
  const current = event === null ? '' : `${reader.events.placeOf(event).id}${id.slice(end)}`;
  return reader.named(current) === null ? null : current;
}

/**
 * The markets of the event's own questions; null means that there is no such event. The whole result is null if the catalog has been
 * replaced.
 */
export function catalogMarketsOf(
  catalog: CatalogSnapshot,
  eventId: string,
): { readonly markets: readonly CatalogMarketRoutes[] | null } | null {
  return readSnapshot(catalog, reader => {
    const event = reader.events.named(eventId);
    return { markets: event === null ? null : reader.placesOf(event).map(place => marketAt(reader, place)) };
  });
}

function marketAt(reader: SnapshotReader, place: number): CatalogMarketRoutes {
  const market = parseJson(`${reader.textAt(place, { tradable: [], now: 0 })}}`);
  const { id, title, outcomes, notes } = isObject(market) ? market : {};
  return {
    id: textOf(id),
    title: textOf(title),
    outcomes: objectsOf(outcomes).map(({ name, listings }) => ({
      name: textOf(name),
      routes: objectsOf(listings).flatMap(routeOf),
    })),
    notes: Array.isArray(notes) ? notes.map(textOf) : [],
  };
}

/** The route of a listing. A listing at any other venue has none, because only these two venues are traded. */
function routeOf({ venue, tokenId, ticker, side }: JsonObject): readonly Route[] {
  if (venue === 'VENUE_A') return [{ market: marketKey('venue_a', textOf(tokenId)), side: null }];
  if (venue !== 'VENUE_B') return [];
  return [{ market: marketKey('venue_b', textOf(ticker)), side: side === 'NO' ? 'NO' : 'YES' }];
}
