// Builds the catalog from the venues' listings. It pairs games, groups tournaments and other questions by their words, and makes markets of
// their own from all other listings (docs/CATALOG.md). The result does not depend on the order of listings. Pure.

import { TIME_MAX, type UnixMillis } from '../core/domain/numbers.ts';
import { assert } from '../core/domain/result.ts';
import type { VenueEvent, VenueMarket } from '../venues/discovery.ts';
import { type Catalog, type CatalogEvent, type CatalogMarket, inTime, listingOf, ownId, ownMarket } from './catalog.ts';
import { IncrementalSort, Memo, memoized } from './catalog-rows.ts';
import { type EventWithMarkets, firstSide, gameEvent, idWanted, keysOf, startOf } from './game-event.ts';
import { isShown } from './known-events.ts';
import { COMPETITIONS } from './leagues/competitions.ts';
import type { EventIds } from './matching/event-ids.ts';
import { type Outright, outrightOf } from './matching/outrights.ts';
import type { Pairing } from './matching/pair-evidence.ts';
import { GamePairs } from './matching/pair-games.ts';
import { venueAGames } from './matching/venue-a-games.ts';
import { venueBGames } from './matching/venue-b-games.ts';
import { VenueCListings, venueCGames } from './matching/venue-c-games.ts';

export function buildCatalog(listed: readonly VenueEvent[], ids: EventIds): Catalog {
  return new CatalogBuilder(ids).build(listed);
}

/** Builds catalogs repeatedly. An event that has not changed keeps its object from one catalog to the next. */
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

  /** Makes the events of the games. Ids are minted in the order of starts, so that the second game of a day gets the id with `-2`. */
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

  /** Returns the venues' names of the game. Adds its earlier name at venue A if the game has no id yet and no other game has that name. */
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
 * Assigns a market that is listed with two events to the first of them. This is rare, so the class only counts listings as events come and
 * go. It looks through all markets only while some market is listed twice.
 */
class MarketDeduplicator {
  readonly #counts = new Map<string, number>();
  readonly #repeated = new Set<string>();
  readonly #trimmed = new Memo<VenueEvent>();
  #counted: ReadonlySet<VenueEvent> = new Set();

  /** Returns the events in their order, each market in one event only. */
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

/** The events and markets of everything that is not a game. */
interface Rest {
  readonly events: readonly CatalogEvent[];
  readonly markets: readonly CatalogMarket[];
}

interface OutrightRow {
  readonly outright: Outright;
  readonly market: VenueMarket;
  readonly event: VenueEvent;
}

interface Read {
  /** The markets that no rule knows. Each of them stands alone. */
  readonly own: readonly CatalogMarket[];
  readonly rows: readonly OutrightRow[];
}

/** Makes the events and markets outside games, repeatedly. Results that have not changed keep their objects. */
class OutrightEvents {
  readonly #read = memoized(read);
  readonly #ownMarket = memoized(({ market, event }: OutrightRow) => ownMarket(market, null, [event.title]));
  readonly #events = new Memo<CatalogEvent>();
  readonly #markets = new Memo<CatalogMarket>();

  of(listed: readonly VenueEvent[]): Rest {
    this.#events.begin();
    this.#markets.begin();
    const all = listed.map(event => this.#read(event));
    const questions = Map.groupBy(
      all.flatMap(({ rows }) => rows),
      ({ outright }) => questionId(outright),
    );
    const certain = [...questions].filter(([, rows]) => isCertain(rows) && !isSingleVenueId(rows));
    const others = [...questions.values()].filter(rows => !isCertain(rows) || isSingleVenueId(rows)).flat();
    return {
      events: this.#eventsOf(certain.flatMap(([, rows]) => rows)),
      markets: [
        ...all.flatMap(({ own }) => own),
        ...others.map(it => this.#ownMarket(it)),
        ...certain.map(([id, rows]) => this.#markets.of(id, rows, () => outrightMarket(marketIdOf(id, rows), rows))),
      ],
    };
  }

  #eventsOf(rows: readonly OutrightRow[]): readonly CatalogEvent[] {
    const inSports = rows.filter(({ outright }) => outright.competition !== null);
    return [...Map.groupBy(inSports, ({ outright }) => outright.id)].map(([id, ofEvent]) =>
      this.#events.of(id, ofEvent, () => outrightEvent(ofEvent)),
    );
  }
}

function read(event: VenueEvent): Read {
  const all = event.markets.map(market => ({ market, event, outright: outrightOf(event, market) }));
  return {
    own: all.filter(it => it.outright === null).map(({ market }) => ownMarket(market, null, [event.title])),
    rows: all.filter((it): it is OutrightRow => it.outright !== null),
  };
}

function questionId({ id, subject }: Outright): string {
  return `${id}:${subject.id}`;
}

/**
 * Whether no two markets of one series seem to ask the question: if two do, one of them asks something else. Venue A counts as one series,
 * because its series do not separate questions.
 */
function isCertain(rows: readonly OutrightRow[]): boolean {
  const lists = rows.map(({ event }) => (event.venue === 'venue_a' ? event.venue : `${event.venue}/${event.seriesId}`));
  return new Set(lists).size === lists.length;
}

/** Whether the question keeps a venue's id and only one venue asks it. */
function isSingleVenueId(rows: readonly OutrightRow[]): boolean {
  return rows.length === 1 && rows[0]!.outright.keepsVenueId === true;
}

/** Returns the market's id. Sorting puts the id at venue A first, so that the id is the same with and without a listing at venue B. */
function marketIdOf(question: string, rows: readonly OutrightRow[]): string {
  const [{ outright }] = rows as [OutrightRow];
  return outright.keepsVenueId === true ? rows.map(({ market }) => ownId(market)).sort()[0]! : question;
}

function outrightMarket(id: string, rows: readonly OutrightRow[]): CatalogMarket {
  const [{ outright, event }] = rows as [OutrightRow];
  const markets = rows.map(({ market }) => market);
  const routes = (index: 0 | 1) => markets.map(market => listingOf(market, market.outcomes[index]!.route));
  return {
    id,
    title: `${outright.name}: ${outright.subject.name}`,
    outcomes: [
      { name: 'Yes', listings: routes(0) },
      { name: 'No', listings: routes(1) },
    ],
    eventId: outright.competition === null ? null : outright.id,
    line: null,
    notes: new Set(rows.map(it => it.event.venue)).size > 1 ? [outright.note ?? CANCELLED] : [],
    otherWords: [event.title, ...markets.map(({ title }) => title)],
  };
}

const CANCELLED =
  'Postponed or called off: venue_a resolves to its own rules’ last resort after a stated day, venue_b as its rules for the series say.';

function outrightEvent(rows: readonly OutrightRow[]): CatalogEvent {
  const [{ outright }] = rows as [OutrightRow];
  const competition = COMPETITIONS.find(({ id }) => id === outright.competition);
  assert(competition !== undefined, 'a rule knows the competition that it is about');
  const names = [...new Map(rows.map(it => [it.outright.subject.id, it.outright.subject.name])).values()];
  const times = rows.map(({ market }) => market.occursAt).filter(at => at !== null);
  const venues = new Set(rows.map(({ event }) => event.venue));
  return {
    id: outright.id,
    name: outright.name,
    sport: competition.sport.id,
    competition: competition.id,
    startsAt: Math.min(...times, TIME_MAX) as UnixMillis,
    isOver: rows.every(({ market }) => market.phase === 'OVER'),
    participants: names.sort().map(name => ({ name, role: 'COMPETITOR' as const })),
    matching: {
      keys: [...new Set(rows.map(({ event }) => `${event.venue}/${event.eventId}`))],
      confidence: 100,
      evidence: venues.size > 1 ? [`both venues ask in words that are known: ${outright.name}`] : [],
    },
  };
}
