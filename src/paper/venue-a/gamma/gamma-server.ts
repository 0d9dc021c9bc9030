// Gamma on a port of its own, as the venue has it on its own host (venue-a.md §0, §7). Thread of the paper exchanges.

import { type HttpRoute, jsonReply, type Reply } from '../../../core/net/listen.ts';
import { limits } from '../../../limits.ts';
import { type HttpServer, NOT_SERVED, serve } from '../../http-server.ts';
import type { VenueAExchange } from '../exchange.ts';
import type { ScoreOf } from './event-object.ts';
import { Gamma } from './gamma.ts';
import { Query } from './query.ts';

interface GammaServerOptions {
  readonly exchange: VenueAExchange;
  readonly host: string;
  /** 0 picks a free port. */
  readonly port: number;
  /** Without this function no event has a score. */
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

/** The venue has announced the end of the lists without a cursor. */
const ENDED: readonly (readonly [string, string])[] = [
  ['Deprecation', 'true'],
  ['Sunset', 'Fri, 01 May 2026 00:00:00 GMT'],
];

function plainReply(query: Query, answer: (query: Query) => object): Reply {
  const isDeep = query.count('offset', 0, Number.MAX_SAFE_INTEGER) > limits.paperGammaOffsetMax;
  return isDeep ? invalid('offset too large') : { ...jsonReply(200, answer(query)), headers: ENDED };
}

/** A request cannot have both a cursor and an offset. */
function pageReply(query: Query, answer: (query: Query) => object | null): Reply {
  if (query.text('offset') !== '') return invalid('offset is not supported');
  const page = answer(query);
  return page === null ? invalid('after_cursor is invalid') : jsonReply(200, page);
}

function invalid(error: string): Reply {
  return jsonReply(422, { type: 'validation error', error });
}
