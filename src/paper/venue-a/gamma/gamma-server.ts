// Gamma, venue A's public list of events and markets, on a port of its own (venue-a.md §0, §7). Thread of the paper exchanges.

import { type HttpRoute, jsonReply, type Reply } from '../../../core/net/listen.ts';
import { limits } from '../../../limits.ts';
import type { VenueAEventListing } from '../../catalog/listings.ts';
import { type HttpServer, NOT_SERVED, serve } from '../../http-server.ts';
import type { VenueAExchange } from '../exchange.ts';
import type { VenueAMarket } from '../market.ts';
import {
  bareEventObject,
  type EventView,
  eventObject,
  eventView,
  marketObject,
  type ScoreOf,
  tagObject,
} from './event-object.ts';
import {
  eventMatches,
  type KeysetPage,
  keysetPage,
  marketMatches,
  ordered,
  type Page,
  paged,
  pageOf,
  Query,
} from './query.ts';

interface GammaServerOptions {
  readonly exchange: VenueAExchange;
  readonly host: string;
  /** 0 picks a free port. */
  readonly port: number;
  /** Returns the scores of games. Without this function no event has a score. */
  readonly scoreOf?: ScoreOf;
}

export function startGammaServer({
  exchange,
  host,
  port,
  scoreOf = () => null,
}: GammaServerOptions): Promise<HttpServer> {
  const notFound = () => jsonReply(404, { type: 'not found error', error: 'route not found', ...NOT_SERVED });
  return serve({ host, port, http: gammaRoutes(exchange, scoreOf), refuse: { notFound } });
}

function gammaRoutes(exchange: VenueAExchange, scoreOf: ScoreOf): HttpRoute[] {
  const gamma = new Gamma(exchange, scoreOf);
  const list = (pattern: string, answer: (query: Query) => object): HttpRoute => ({
    method: 'get',
    pattern,
    handle: request => plainReply(new Query(request), answer),
  });
  const byCursor = (pattern: string, answer: (query: Query) => object | null): HttpRoute => ({
    method: 'get',
    pattern,
    handle: request => pageReply(new Query(request), answer),
  });
  const one = (pattern: string, answer: (value: string, query: Query) => object | null): HttpRoute => ({
    method: 'get',
    pattern,
    handle: (request, [value = '']) => oneReply(pattern, value, answer(value, new Query(request))),
  });
  return [
    { method: 'get', pattern: '/status', handle: () => ({ status: 200, contentType: 'text/plain', body: 'OK' }) },
    list('/events', query => gamma.events(query)),
    byCursor('/events/keyset', query => gamma.eventsByCursor(query)),
    one('/events/:id', id => gamma.event('id', id)),
    one('/events/slug/:slug', slug => gamma.event('slug', slug)),
    list('/markets', query => gamma.markets(query)),
    byCursor('/markets/keyset', query => gamma.marketsByCursor(query)),
    one('/markets/:id', (id, query) => gamma.market('id', id, query)),
    one('/markets/slug/:slug', (slug, query) => gamma.market('slug', slug, query)),
  ];
}

function oneReply(pattern: string, value: string, found: object | null): Reply {
  if (found !== null) return jsonReply(200, found);
  const key = pattern.includes('/:id') ? 'id' : 'slug';
  if (key === 'id' && !/^\d+$/.test(value)) return invalid('id is invalid');
  return jsonReply(404, { type: 'not found error', error: `${key} not found` });
}

/** The lists without a cursor, whose end the venue has announced. */
const ENDED: readonly (readonly [string, string])[] = [
  ['Deprecation', 'true'],
  ['Sunset', 'Fri, 01 May 2026 00:00:00 GMT'],
];

function plainReply(query: Query, answer: (query: Query) => object): Reply {
  const isDeep = query.count('offset', 0, Number.MAX_SAFE_INTEGER) > limits.paperGammaOffsetMax;
  return isDeep ? invalid('offset too large') : { ...jsonReply(200, answer(query)), headers: ENDED };
}

/** Answers with a page. A request must not have both a cursor and an offset. */
function pageReply(query: Query, answer: (query: Query) => object | null): Reply {
  if (query.text('offset') !== '') return invalid('offset is not supported');
  const page = answer(query);
  return page === null ? invalid('after_cursor is invalid') : jsonReply(200, page);
}

function invalid(error: string): Reply {
  return jsonReply(422, { type: 'validation error', error });
}

export class Gamma {
  readonly #exchange: VenueAExchange;
  readonly #scoreOf: ScoreOf;

  constructor(exchange: VenueAExchange, scoreOf: ScoreOf) {
    this.#exchange = exchange;
    this.#scoreOf = scoreOf;
  }

  events(query: Query): object[] {
    return paged(this.#eventsFor(query), listPage(query)).map(view => this.#eventObject(view));
  }

  /** Returns null if the cursor is invalid. */
  eventsByCursor(query: Query): object | null {
    const page = keysetPage(this.#allEvents(query), eventMatches(query), query, ({ listing }) => listing.id);
    return page === null ? null : keysetAnswer('events', page, view => this.#eventObject(view));
  }

  event(key: 'id' | 'slug', value: string): object | null {
    const listing = this.#exchange.events.find(each => each[key] === value);
    return listing === undefined ? null : this.#eventObject(eventView(this.#exchange, listing));
  }

  markets(query: Query): object[] {
    return paged(this.#marketsFor(query), listPage(query)).map(market => this.#marketObject(market, query));
  }

  marketsByCursor(query: Query): object | null {
    const page = keysetPage(this.#allMarkets(query), marketMatches(query), query, ({ listing }) => listing.id);
    return page === null ? null : keysetAnswer('markets', page, market => this.#marketObject(market, query));
  }

  market(key: 'id' | 'slug', value: string, query: Query): object | null {
    for (const market of this.#exchange.markets.values()) {
      if (market.listing[key] === value) return this.#marketObject(market, query);
    }
    return null;
  }

  #eventsFor(query: Query): readonly EventView[] {
    return this.#allEvents(query).filter(eventMatches(query));
  }

  #marketsFor(query: Query): readonly VenueAMarket[] {
    return this.#allMarkets(query).filter(marketMatches(query));
  }

  #allEvents(query: Query): readonly EventView[] {
    const views = this.#exchange.events.map(listing => eventView(this.#exchange, listing));
    return ordered(views, query, ({ listing }) => listing.id);
  }

  #allMarkets(query: Query): readonly VenueAMarket[] {
    return ordered([...this.#exchange.markets.values()], query, ({ listing }) => listing.id);
  }

  #eventObject(view: EventView): object {
    return eventObject(view, this.#scoreOf(view.listing.game.id), this.#exchange.now());
  }

  #bareEvent(listing: VenueAEventListing): object {
    return bareEventObject(eventView(this.#exchange, listing), this.#scoreOf(listing.game.id), this.#exchange.now());
  }

  #marketObject(market: VenueAMarket, query: Query): object {
    const event = this.#bareEvent(market.event);
    const tags = query.flag('include_tag') === true ? { tags: market.event.tags.map(tagObject) } : {};
    return { ...marketObject(market), events: [event], ...tags };
  }
}

function listPage(query: Query): Page {
  return pageOf(query, limits.paperGammaRowsPerPage, limits.paperGammaRowsMax, limits.paperGammaOffsetMax);
}

function keysetAnswer<Row>(name: string, { rows, nextCursor }: KeysetPage<Row>, write: (row: Row) => object): object {
  return { [name]: rows.map(write), ...(nextCursor === null ? {} : { next_cursor: nextCursor }) };
}
