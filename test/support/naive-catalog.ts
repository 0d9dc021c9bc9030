// The catalog in its simplest form: lists of events and markets, filtered. It is the twin of the catalog in shared memory.

import type { Catalog, CatalogEvent, CatalogMarket } from '../../src/catalog/catalog.ts';
import { COMPETITIONS } from '../../src/catalog/leagues/competitions.ts';
import type { EventQuery, EventStatus, MarketQuery, Standing } from '../../src/catalog/snapshot-reader.ts';

export class NaiveCatalog {
  readonly #catalog: Catalog;

  constructor(catalog: Catalog) {
    this.#catalog = catalog;
  }

  /** Returns the events and markets that match, as the API shows them. */
  find(query: MarketQuery): readonly object[] {
    const { terms, venue, event, competitions, executable, after, rowsMax } = query;
    const { events, markets } = this.#catalog;
    const begins = (said: string, word: string) => (word.length === 1 ? said === word : said.startsWith(word));
    const has = (market: CatalogMarket, word: string) => saidOf(market).some(said => begins(said, word));
    const words = terms.flatMap(term => (markets.some(market => has(market, term.whole)) ? [term.whole] : term.words));
    const eventOf = (market: CatalogMarket) => events.find(({ id }) => id === market.eventId);
    return markets
      .filter(market => after === null || market.id > after)
      .filter(market => words.every(word => has(market, word)))
      .filter(market => venue === null || listingsOf(market).some(({ route }) => route.venue === venue))
      .filter(market => event === null || market.eventId === events[event]!.id)
      .filter(market => competitions === null || isOf(eventOf(market), competitions))
      .filter(market => executable === null || listingsOf(market).some(it => takesOrders(it, query)) === executable)
      .slice(0, rowsMax)
      .map(market => shown(market, query));
  }

  findEvents(query: EventQuery): readonly object[] {
    const { competitions, status, startsAfter, startsBefore, after, rowsMax, now } = query;
    return this.#catalog.events
      .filter(event => competitions === null || isOf(event, competitions))
      .filter(event => status === null || statusOf(event, now) === status)
      .filter(({ startsAt }) => startsAt >= startsAfter && startsAt < startsBefore)
      .filter(
        it => after === null || it.startsAt > after.startsAt || (it.startsAt === after.startsAt && it.id > after.id),
      )
      .slice(0, rowsMax)
      .map(event => {
        const { id, name, sport, competition, startsAt, participants } = event;
        const at = new Date(startsAt).toISOString();
        return { id, name, sport, competition, startsAt: at, status: statusOf(event, now), participants };
      });
  }
}

function isOf(event: CatalogEvent | undefined, competitions: ReadonlySet<number>): boolean {
  return event !== undefined && competitions.has(COMPETITIONS.findIndex(({ id }) => id === event.competition));
}

function statusOf({ startsAt, isOver }: CatalogEvent, now: number): EventStatus {
  if (isOver) return 'ENDED';
  return startsAt > now ? 'SCHEDULED' : 'LIVE';
}

type Listing = CatalogMarket['outcomes'][number]['listings'][number];

function listingsOf({ outcomes }: CatalogMarket): readonly Listing[] {
  return outcomes.flatMap(({ listings }) => listings);
}

function takesOrders({ route, opensAt, closesAt }: Listing, { tradable, now }: Standing): boolean {
  return route.venue !== 'venue_c' && tradable.includes(route.venue) && opensAt <= now && now < closesAt;
}

/** Returns the market's words in lower case. The markets of these tests have no accents. */
function saidOf({ id, title, otherWords, outcomes }: CatalogMarket): readonly string[] {
  const routes = outcomes.flatMap(({ listings }) => listings.map(({ route }) => route));
  const ids = [id, ...routes.map(route => Object.values(route)[1]!)];
  const texts = [title, ...otherWords, ...outcomes.map(({ name }) => name), ...ids].join(' ').toLowerCase();
  return [...(texts.match(/[a-z0-9]+/g) ?? []), ...ids.map(it => it.toLowerCase())];
}

function shown({ id, title, outcomes, line, notes, eventId }: CatalogMarket, standing: Standing): object {
  return {
    id,
    title,
    outcomes: outcomes.map(({ name, listings }) => ({
      name,
      listings: listings.map(listing => {
        const { venue, ...address } = listing.route;
        return { venue: venue.toUpperCase(), ...address, executable: takesOrders(listing, standing) };
      }),
    })),
    ...(line === null ? {} : { line }),
    ...(notes.length === 0 ? {} : { notes }),
    eventId,
  };
}
