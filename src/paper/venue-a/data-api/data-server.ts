// The Data API, venue A's public record of holdings and trades (venue-a.md §8), on a port of its own. It also answers about whole
// markets. Thread of the paper exchanges.

import type { MicroShares } from '../../../domain/numbers.ts';
import { type HttpRoute, jsonReply, type Reply } from '../../../net/listen.ts';
import { type HttpServer, NOT_SERVED, serve } from '../../http-server.ts';
import type { VenueAExchange } from '../exchange.ts';
import { Query } from '../gamma/query.ts';
import type { VenueAMarket } from '../market.ts';
import { approvalsReply, resolutionsReply } from './chain-answers.ts';
import { exactNumber } from './json-number.ts';
import { closedPositionsReply, positionsReply, positionsV2Reply, tradedReply, valueReply } from './position-answers.ts';
import { activityReply, holdersReply, tradesReply } from './trade-answers.ts';
import { invalidRequest } from './v2-replies.ts';

interface DataServerOptions {
  readonly exchange: VenueAExchange;
  readonly host: string;
  /** 0 picks a free port. */
  readonly port: number;
}

export function startDataServer({ exchange, host, port }: DataServerOptions): Promise<HttpServer> {
  const notFound = () => jsonReply(404, { error: 'not found', ...NOT_SERVED });
  return serve({ host, port, http: dataRoutes(exchange), refuse: { notFound } });
}

function dataRoutes(exchange: VenueAExchange): HttpRoute[] {
  return [
    route('/', () => jsonReply(200, { data: 'OK' })),
    route('/oi', query => openInterestReply(exchange, query)),
    route('/live-volume', query => liveVolumeOf(exchange, query)),
    ofUser('/positions', (user, query) => positionsReply(exchange, user, query)),
    ofUser('/closed-positions', (user, query) => closedPositionsReply(exchange, user, query)),
    ofUser('/value', (user, query) => valueReply(exchange, user, query)),
    ofUser('/activity', (user, query) => activityReply(exchange, user, query)),
    ofUser('/traded', user => tradedReply(exchange, user)),
    route('/trades', query => tradesOf(exchange, query)),
    route('/holders', query => (query.text('market') === '' ? missing('market') : holdersReply(exchange, query))),
    ofUserV2('/v2/positions', (user, query) => positionsV2Reply(exchange, user, query)),
    route('/v2/resolutions', query => resolutionsReply(exchange, query)),
    ofUserV2('/v2/approvals', user => approvalsReply(exchange, user)),
  ];
}

const ADDRESS = /^0x[0-9a-fA-F]{40}$/;

function route(pattern: string, answer: (query: Query) => Reply): HttpRoute {
  return { method: 'get', pattern, handle: request => answer(new Query(request)) };
}

/** A request about one wallet. */
function ofUser(pattern: string, answer: (user: string, query: Query) => Reply): HttpRoute {
  return route(pattern, query => {
    const user = query.text('user');
    if (user === '') return missing('user');
    return ADDRESS.test(user) ? answer(user, query) : invalid('user');
  });
}

function liveVolumeOf(exchange: VenueAExchange, query: Query): Reply {
  const id = query.text('id');
  if (id === '') return missing('id');
  return /^[1-9]\d{0,14}$/.test(id) ? liveVolumeReply(exchange, id) : invalid('id');
}

function tradesOf(exchange: VenueAExchange, query: Query): Reply {
  const user = query.text('user');
  if (user !== '' && !ADDRESS.test(user)) return invalid('user');
  return tradesReply(exchange, user === '' ? null : user, query);
}

function ofUserV2(pattern: string, answer: (user: string, query: Query) => Reply): HttpRoute {
  return route(pattern, query => {
    const user = query.text('user');
    return ADDRESS.test(user) ? answer(user, query) : invalidRequest('user', 'an address');
  });
}

function missing(name: string): Reply {
  return jsonReply(400, { error: `required query param '${name}' not provided` });
}

function invalid(name: string): Reply {
  return jsonReply(400, { error: `invalid query param '${name}'` });
}

/** The venue's name for all markets together. */
const ALL_MARKETS = 'GLOBAL';

/** A row for each requested market that is listed; without a request one row for all of them. */
function openInterestReply(exchange: VenueAExchange, query: Query): Reply {
  const asked = query.list('market');
  if (asked === null) {
    const all = sumOf(exchange.markets.values(), ({ openInterest }) => openInterest);
    return jsonReply(200, [{ market: ALL_MARKETS, value: exactNumber(all) }]);
  }
  const markets = [...asked].flatMap(id => exchange.markets.get(id.toLowerCase()) ?? []);
  return jsonReply(
    200,
    markets.map(({ conditionId, openInterest }) => ({ market: conditionId, value: exactNumber(openInterest) })),
  );
}

/** `eventId`: digits. An unlisted event has no volume. */
function liveVolumeReply(exchange: VenueAExchange, eventId: string): Reply {
  const markets = [...exchange.markets.values()].filter(({ event }) => event.id === eventId);
  const total = sumOf(markets, ({ volume }) => volume);
  const rows = markets.map(({ conditionId, volume }) => ({ market: conditionId, value: exactNumber(volume) }));
  return jsonReply(200, [{ total: exactNumber(total), markets: rows }]);
}

function sumOf(markets: Iterable<VenueAMarket>, amount: (market: VenueAMarket) => MicroShares): MicroShares {
  let sum = 0;
  for (const market of markets) sum += amount(market);
  return sum as MicroShares;
}
