// Index of events: their markets, and their present and former ids; all by places in a catalog. Catalog thread.

import type { CatalogRows } from './catalog-rows.ts';
import { NO_EVENT } from './snapshot-layout.ts';

export interface EventIndex {
  /** The event of each market. */
  readonly eventOf: Uint32Array;
  /** Start of each event's markets, and the end of all. */
  readonly firstMarket: Uint32Array;
  readonly marketList: Uint32Array;
  /** Ids in order, and the event of each. */
  readonly names: readonly string[];
  readonly named: Uint32Array;
}

export function indexEvents({ events, markets, lostIds }: CatalogRows): EventIndex {
  const places = new Map(events.map(({ id }, place) => [id, place]));
  const eventOf = Uint32Array.from(
    markets,
    ({ market: { eventId } }) => (eventId === null ? null : places.get(eventId)) ?? NO_EVENT,
  );
  const inEvents = eventOf.filter(event => event !== NO_EVENT);
  const firstMarket = new Uint32Array(events.length + 1);
  for (const event of inEvents) firstMarket[event + 1]! += 1;
  for (let event = 0; event < events.length; event++) firstMarket[event + 1]! += firstMarket[event]!;
  const next = firstMarket.slice();
  const marketList = new Uint32Array(inEvents.length);
  for (let market = 0; market < eventOf.length; market++) {
    const event = eventOf[market]!;
    if (event === NO_EVENT) continue;
    marketList[next[event]!] = market;
    next[event]! += 1;
  }
  // A lost id leads to an event of this catalog, or no longer to any.
  const lost = lostIds.filter(([, current]) => places.has(current));
  const byName = new Map([...lost.map(([id, current]) => [id, places.get(current)!] as const), ...places]);
  const names = [...byName.keys()].sort();
  return { eventOf, firstMarket, marketList, names, named: Uint32Array.from(names, name => byName.get(name)!) };
}
