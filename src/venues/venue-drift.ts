// Reads a few public objects of venues A and B once, with the gateway's own readers. Reports for each route which fields no reader looks
// at, and which fields are missing. Words that no reader knows are counted meanwhile (core/metrics/unknown-words.ts). `crossbook doctor
// --venues` uses this file. It also reads the routes of accounts (account-drift.ts) and the streams (market-data/feeds/stream-drift.ts).

import { isObject, type JsonObject, objectsOf } from '../core/domain/json.ts';
import type { Venue } from '../core/domain/market.ts';
import { HttpOutboundPool } from '../core/net/outbound-pool.ts';
import { wallTimers } from '../core/runtime/timers.ts';
import { limits } from '../limits.ts';
import type { ListedEvent } from './discovery.ts';
import { FieldWatch } from './field-watch.ts';
import { MarketReadHttp, type TermsHttp } from './market-read-http.ts';
import type { TermsReader } from './trading-terms.ts';
import { readBookDocument } from './venue-a/book-document.ts';
import { readVenueAEvent } from './venue-a/discovery.ts';
import { VenueATermsReader } from './venue-a/public-terms.ts';
import { readMilestone, readVenueBEvent } from './venue-b/discovery.ts';
import { VenueBTermsReader } from './venue-b/public-terms.ts';
import { venueCursorOf } from './wire-values.ts';

/** Addresses of the venues' public routes, without trailing slashes. */
export interface PublicUrls {
  readonly gamma: string;
  readonly venueA: string;
  readonly venueB: string;
}

export interface RouteDrift {
  readonly venue: Venue;
  /** The route, in which `*` stands for the id of a market. */
  readonly route: string;
  readonly rows: number;
  readonly refused: number;
  readonly unread: readonly string[];
  readonly lacking: readonly string[];
  /** Why the route could not be read. Empty if it was read. */
  readonly failure: string;
}

export interface StreamDrift {
  readonly venue: Venue;
  /** The number of markets that were requested. `live` is the number of their books that became LIVE. */
  readonly markets: number;
  readonly live: number;
  /**
   * The number of frames that cannot be read or have an older form. `unknownTypes` is the number of frames with a type that no reader
   * knows.
   */
  readonly unreadable: number;
  readonly unknownTypes: number;
}

interface VenueDrift {
  readonly routes: readonly RouteDrift[];
  /** The tokens or tickers of the open markets that were read. */
  readonly addresses: Readonly<Record<Venue, readonly string[]>>;
}

const EVENTS_MAX = 20;
const MARKETS_MAX = 3;
/** Reads one row of a watched list; null if the reader leaves the row out. */
type ReadRow = (row: JsonObject) => ListedEvent | 'malformed' | null;

export async function readVenueDrift({ gamma, venueA, venueB }: PublicUrls): Promise<VenueDrift> {
  const [atGamma, atA, atB] = [
    new WatchedVenue('venue_a', gamma),
    new WatchedVenue('venue_a', venueA),
    new WatchedVenue('venue_b', venueB),
  ];
  const ofA = await atGamma.events(`/events/keyset?closed=false&limit=${EVENTS_MAX}`, readVenueAEvent);
  const tokens = addressesIn(ofA);
  await atA.terms(new VenueATermsReader(atA, wallTimers), tokens);
  for (const token of tokens) await atA.one(`/book?token_id=${token}`, body => readBookDocument(body) !== null);
  const query = `with_nested_markets=true&with_milestones=true&status=open&limit=${EVENTS_MAX}`;
  const ofB = await atB.events(`/events?${query}`, row => readVenueBEvent(row, () => null));
  const tickers = addressesIn(ofB);
  await atB.terms(new VenueBTermsReader(atB, wallTimers), tickers);
  const venues = [atGamma, atA, atB];
  await Promise.all(venues.map(venue => venue.close()));
  return { routes: venues.flatMap(venue => venue.drift()), addresses: { venue_a: tokens, venue_b: tickers } };
}

/** Picks open markets, one from each event. */
function addressesIn(listed: readonly ListedEvent[]): readonly string[] {
  const addresses = listed.flatMap(({ event }) => {
    const route = event.markets.find(({ phase }) => phase === 'OPEN')?.outcomes[0]?.route;
    if (route === undefined || route.venue === 'venue_c') return [];
    return [route.venue === 'venue_a' ? route.tokenId : route.ticker];
  });
  return addresses.slice(0, MARKETS_MAX);
}

/** A venue whose answers are watched while a reader looks at them. */
class WatchedVenue implements TermsHttp {
  readonly #venue: Venue;
  readonly #http: MarketReadHttp;
  readonly #routes = new Map<string, FieldWatch>();
  readonly #failures = new Map<string, string>();
  /** The functions that end the watch of each answer in the present reading. */
  #ends: ((isRead: boolean) => void)[] = [];

  constructor(venue: Venue, url: string) {
    this.#venue = venue;
    const outbound = new HttpOutboundPool({
      origin: new URL(url).origin,
      connectionsMax: 2,
      idleMs: limits.orderConnectionIdleMs,
      answerBytesMax: limits.upstreamRestBodyBytesMax,
    });
    const pace = { concurrentMax: 2, gapMs: limits.catalogPagePauseMs };
    this.#http = new MarketReadHttp({ venue, url, pace, outbound, timers: wallTimers });
  }

  deadline(): number {
    return this.#http.deadline();
  }

  unreadable(...what: Parameters<TermsHttp['unreadable']>): ReturnType<TermsHttp['unreadable']> {
    return this.#http.unreadable(...what);
  }

  async find(...request: Parameters<TermsHttp['find']>): ReturnType<TermsHttp['find']> {
    const route = routeOf(request[0]);
    const answer = await this.#http.find(...request);
    if (answer?.type !== 'json') {
      this.#failures.set(route, answer === null ? 'it has no such object' : answer.message);
      return answer;
    }
    const { value, end } = this.#watchOf(route).watch(answer.body);
    this.#ends.push(end);
    return { ...answer, body: value };
  }

  /** Reads one object. */
  async one(path: string, read: (body: unknown) => boolean): Promise<void> {
    const answer = await this.find(path, this.deadline(), []);
    this.#end(answer?.type === 'json' && read(answer.body));
  }

  /** Reads the terms of these markets; each takes several routes. */
  async terms(reader: TermsReader, addresses: readonly string[]): Promise<void> {
    for (const address of addresses) {
      const reading = await reader.readTerms(address);
      this.#end(reading.type === 'terms' && reading.terms.fees !== null);
    }
  }

  /** Returns the readable events of a page, each with its markets, and the games beside them. */
  async events(path: string, read: ReadRow): Promise<readonly ListedEvent[]> {
    const route = routeOf(path);
    const answer = await this.#http.find(path, this.deadline(), []);
    const body = answer?.type === 'json' ? answer.body : null;
    if (!isObject(body)) {
      this.#failures.set(route, answer !== null && answer.type !== 'json' ? answer.message : 'no page of events');
      return [];
    }
    const { events, milestones, ...page } = body;
    const isPage = (it: unknown) => isObject(it) && venueCursorOf(it.next_cursor ?? it.cursor) !== null;
    this.#row(`${route} page`, page, isPage);
    for (const game of objectsOf(milestones))
      this.#row(`${route} milestones[]`, game, it => readMilestone(it) !== null);
    const listed: ListedEvent[] = [];
    for (const event of objectsOf(events)) {
      this.#row(`${route} events[]`, event, it => {
        const row = read(it);
        if (row === null || row === 'malformed') return false;
        listed.push(row);
        return row.malformed === 0;
      });
    }
    return listed;
  }

  drift(): readonly RouteDrift[] {
    const routes = new Set([...this.#routes.keys(), ...this.#failures.keys()]);
    return Array.from(routes, route => {
      const { rows, refused, unread, lacking } = this.#watchOf(route);
      return { venue: this.#venue, route, rows, refused, unread, lacking, failure: this.#failures.get(route) ?? '' };
    });
  }

  close(): Promise<void> {
    return this.#http.close();
  }

  #row(route: string, row: JsonObject, read: (row: JsonObject) => boolean): void {
    const { value, end } = this.#watchOf(route).watch(row);
    end(read(value as JsonObject));
  }

  #end(isRead: boolean): void {
    for (const end of this.#ends) end(isRead);
    this.#ends = [];
  }

  #watchOf(route: string): FieldWatch {
    const watch = this.#routes.get(route) ?? new FieldWatch();
    this.#routes.set(route, watch);
    return watch;
  }
}

/** Returns the route of a path: `/clob-markets/*` for `/clob-markets/0x…`. */
function routeOf(path: string): string {
  const [route = ''] = path.split('?', 1);
  const [, first = '', second] = route.split('/');
  return second === undefined || second === 'keyset' ? route : `/${first}/*`;
}
