// The Data API, venue A's public record of holdings, results and approvals (venue-a.md §8), on a port of its own. Thread of the paper
// exchanges.

import { type HttpRoute, jsonReply, type Reply } from '../../../core/net/listen.ts';
import { type HttpServer, NOT_SERVED, serve } from '../../http-server.ts';
import type { VenueAExchange } from '../exchange.ts';
import { Query } from '../gamma/query.ts';
import { approvalsReply, resolutionsReply } from './chain-answers.ts';
import { positionsReply } from './position-answers.ts';
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
    ofUser('/v2/positions', (user, query) => positionsReply(exchange, user, query)),
    route('/v2/resolutions', query => resolutionsReply(exchange, query)),
    ofUser('/v2/approvals', user => approvalsReply(exchange, user)),
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
    return ADDRESS.test(user) ? answer(user, query) : invalidRequest('user', 'an address');
  });
}
