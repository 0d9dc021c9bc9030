// Builds the catalog from the venues' listings. It pairs games, groups tournaments and other questions by their words, and keeps the rest
// as markets of their own (docs/CATALOG.md). The result does not depend on the order of listings. Pure.

import type { VenueEvent } from '../venues/discovery.ts';
import { type Catalog, type CatalogEvent, type CatalogMarket, inTime } from './catalog.ts';
import { type EventWithMarkets, firstSide, gameEvent, idWanted, keysOf, startOf } from './game-event.ts';
import { isShown } from './known-events.ts';
import type { EventIds } from './matching/event-ids.ts';
import type { Pairing } from './matching/pair-evidence.ts';
import { GamePairs } from './matching/pair-games.ts';
import { venueAGames } from './matching/venue-a-games.ts';
import { venueBGames } from './matching/venue-b-games.ts';
import { VenueCListings, venueCGames } from './matching/venue-c-games.ts';
import { IncrementalSort, Memo } from './memo.ts';
import { OutrightEvents } from './outright-events.ts';

export function buildCatalog(listed: readonly VenueEvent[], ids: EventIds): Catalog {
  return new CatalogBuilder(ids).build(listed);
}

/** Builds one catalog after the other; unchanged events keep their objects. */
export class CatalogBuilder {
  readonly #ids: EventIds;
  readonly #listed = new IncrementalSort<VenueEvent>(byName);
  readonly #marketsOnce = new MarketDeduplicator();
  readonly #gamesOfA = venueAGames();
  readonly #gamesOfB = venueBGames();
  readonly #gamesOfC = venueCGames();
  readonly #pairs: GamePairs;
  readonly #listingsOfC = new VenueCListings();
  readonly #games = new WeakMap<Pairing, EventWithMarkets>();
  readonly #outrights = new OutrightEvents();
  readonly #events = new IncrementalSort<CatalogEvent>(inTime);
  readonly #markets = new IncrementalSort<CatalogMarket>((a, b) => (a.id < b.id ? -1 : 1));

  constructor(ids: EventIds) {
    this.#ids = ids;
    this.#pairs = new GamePairs(ids);
  }

  build(listed: readonly VenueEvent[]): Catalog {
    const all = this.#marketsOnce.of(this.#listed.of(listed.filter(isShown)));
    const ofVenue = (venue: VenueEvent['venue']) => all.filter(event => event.venue === venue);
    const pairs = this.#pairs.of(this.#gamesOfA.of(ofVenue('venue_a')), this.#gamesOfB.of(ofVenue('venue_b')));
    const pairings = this.#listingsOfC.of(pairs, this.#gamesOfC.of(ofVenue('venue_c')));
    const games = this.#gamesOf(pairings);
    const inGames = new Set(pairings.flatMap(({ a, b }) => [...(a?.events ?? []), ...(b?.events ?? [])]));
    const rest = this.#outrights.of(all.filter(event => event.venue !== 'venue_c' && !inGames.has(event)));
    return {
      events: this.#events.of([...games.map(({ event }) => event), ...rest.events]),
      markets: this.#markets.of([...games.flatMap(({ markets }) => markets), ...rest.markets]),
    };
  }

  /** Mints ids in the order of games, so that the second of a day is `-2`. */
  #gamesOf(pairings: readonly Pairing[]): readonly EventWithMarkets[] {
    const known = pairings.map(pairing => this.#games.get(pairing)).filter(game => game !== undefined);
    const taken = new Set(known.map(({ event }) => event.id));
    const fresh = pairings.filter(pairing => !this.#games.has(pairing)).sort(byStart);
    const made = fresh.map(pairing => {
      const id = this.#ids.idOf(this.#namesOf(pairing, pairings), idWanted(pairing), it => taken.has(it));
      taken.add(id);
      const game = gameEvent(pairing, id, firstSide(pairing, id, this.#ids));
      this.#games.set(pairing, game);
      return game;
    });
    return [...known, ...made];
  }

  /** Adds the earlier name of the game at venue A, if the game has no id yet and no other game has that name. */
  #namesOf(pairing: Pairing, listed: readonly Pairing[]): readonly string[] {
    const { key = '', formerKey = null } = pairing.a ?? {};
    const isNew = formerKey !== null && this.#ids.known(key) === null && this.#ids.known(formerKey) !== null;
    if (!isNew || listed.some(({ a }) => a?.key === formerKey)) return keysOf(pairing);
    return [...keysOf(pairing), formerKey];
  }
}

function byName(a: VenueEvent, b: VenueEvent): number {
  if (a.venue !== b.venue) return a.venue < b.venue ? -1 : 1;
  return a.eventId < b.eventId ? -1 : 1;
}

function byStart(one: Pairing, another: Pairing): number {
  return startOf(one) - startOf(another) || (keysOf(one)[0]! < keysOf(another)[0]! ? -1 : 1);
}

/**
 * Assigns a market that is listed with two events to the first of them. This is rare: it counts listings as events come and go, and looks
 * through all markets only while one is listed twice.
 */
class MarketDeduplicator {
  readonly #counts = new Map<string, number>();
  readonly #repeated = new Set<string>();
  readonly #trimmed = new Memo<VenueEvent>();
  #counted: ReadonlySet<VenueEvent> = new Set();

  /** Events in their order; each market once. */
  of(listed: readonly VenueEvent[]): readonly VenueEvent[] {
    this.#count(new Set(listed));
    return this.#repeated.size === 0 ? listed : this.#trim(listed);
  }

  #count(listed: ReadonlySet<VenueEvent>): void {
    for (const event of this.#counted) if (!listed.has(event)) this.#add(event, -1);
    for (const event of listed) if (!this.#counted.has(event)) this.#add(event, 1);
    this.#counted = listed;
  }

  #add({ markets }: VenueEvent, times: 1 | -1): void {
    for (const { marketId } of markets) {
      const count = (this.#counts.get(marketId) ?? 0) + times;
      if (count === 0) this.#counts.delete(marketId);
      else this.#counts.set(marketId, count);
      if (count > 1) this.#repeated.add(marketId);
      else this.#repeated.delete(marketId);
    }
  }

  #trim(listed: readonly VenueEvent[]): readonly VenueEvent[] {
    this.#trimmed.begin();
    const seen = new Set<string>();
    return listed.map(event => {
      const markets = event.markets.filter(({ marketId }) => {
        const isFirst = !seen.has(marketId);
        seen.add(marketId);
        return isFirst;
      });
      if (markets.length === event.markets.length) return event;
      const name = `${event.venue}/${event.eventId}`;
      return this.#trimmed.of(name, [event, ...markets], () => ({ ...event, markets }));
    });
  }
}
