// Venue B on a socket, for any client of the venue: REST below /trade-api/v2, and on the same port the stream (venue-b.md §14). Thread of
// the paper exchanges.

import { listen, type Reply } from '../../core/net/listen.ts';
import type { Random } from '../../core/runtime/random.ts';
import type { Timers } from '../../core/runtime/timers.ts';
import type { Faults } from '../faults/faults.ts';
import { OpenStreams } from '../faults/with-faults.ts';
import { authorityOf, type Before, NOT_SERVED, routeAfter } from '../http-server.ts';
import { Uuids } from '../ids.ts';
import type { VenueBExchange } from './exchange.ts';
import type { VenueBAccess } from './rest/access.ts';
import { accountRoutes, costsRoute, exchangeRoutes } from './rest/account-routes.ts';
import { errorOf, errorReply, type VenueBError } from './rest/errors.ts';
import { eventRoutes } from './rest/event-routes.ts';
import type { Funds } from './rest/funds.ts';
import { marketRoutes } from './rest/market-routes.ts';
import { orderGroupRoutes } from './rest/order-group-routes.ts';
import { instantRoutes, orderRoutes } from './rest/order-routes.ts';
import { portfolioRoutes } from './rest/portfolio-routes.ts';
import { DayHistory, type VenueBRoute, write } from './rest/route.ts';
import { DEFAULT_COST, httpRoute, withoutSlash } from './rest/serving.ts';
import { subaccountRoutes, transferRoutes } from './rest/transfer-routes.ts';
import { streamRoute } from './stream/stream-route.ts';
import { REST_PATH, STREAM_PATH } from './wire-text.ts';

interface VenueBServerOptions {
  readonly exchange: VenueBExchange;
  readonly access: VenueBAccess;
  readonly faults: Faults;
  /** The timers of faults that delay answers. */
  readonly timers: Timers;
  /** The seed of the ids of keys and transfers. */
  readonly random: Random;
  readonly host: string;
  /** 0 picks a free port. */
  readonly port: number;
  /** `instant` means that new orders are not checked, and answered as filled. */
  readonly mode: 'exact' | 'instant';
  /** Called for each error of the simulator itself. The caller gets a 500. */
  readonly onFailure?: (error: unknown) => void;
  /** The registry of open streams. */
  readonly streams?: OpenStreams;
  readonly funds: Funds;
  /** A function for which each request waits. By default no request waits. */
  readonly before?: Before | null;
}

export interface VenueBServer {
  readonly port: number;
  /** The base address of REST, which ends in `/trade-api/v2`. */
  readonly restUrl: string;
  readonly streamUrl: string;
  close(): void;
}

const UNKNOWN_PATH = errorReply(errorOf(404, 'not_found', NOT_SERVED.details));
const METHOD_NOT_ALLOWED = errorReply(errorOf(405, 'method_not_allowed'));
const BODY_TOO_LARGE = errorReply(errorOf(413, 'request_body_too_large'));
const FAILED = errorReply(errorOf(500, 'internal_server_error'));

const DEPRECATED: VenueBError = {
  status: 410,
  error: {
    code: 'deprecated_v1_order_endpoint',
    message: 'deprecated v1 order endpoint',
    details: 'use the V2 endpoints below /portfolio/events/orders',
  },
};
/** The routes that the venue has removed, with the costs that it still lists. */
const REMOVED: readonly (readonly ['post' | 'delete', path: string, cost: number])[] = [
  ['post', '', 20],
  ['delete', '', DEFAULT_COST],
  ['delete', '/:order_id', 4],
  ['post', '/:order_id/amend', 20],
  ['post', '/:order_id/decrease', 20],
  ['post', '/batched', 20],
  ['delete', '/batched', 4],
];

const removedRoutes: readonly VenueBRoute[] = REMOVED.map(([method, path, cost]) =>
  write(method, `/portfolio/orders${path}`, () => errorReply(DEPRECATED), { scope: 'write::trade', cost }),
);

const ROUTES_WITH_COSTS: readonly VenueBRoute[] = [
  ...accountRoutes,
  ...exchangeRoutes,
  ...marketRoutes,
  ...eventRoutes,
  ...orderRoutes,
  ...portfolioRoutes,
  ...orderGroupRoutes,
  ...subaccountRoutes,
  ...transferRoutes,
  ...removedRoutes,
];
export const VENUE_B_ROUTES: readonly VenueBRoute[] = [...ROUTES_WITH_COSTS, costsRoute(ROUTES_WITH_COSTS)];

export async function startVenueBServer(options: VenueBServerOptions): Promise<VenueBServer> {
  const { exchange, access, faults, timers, mode, host, streams = new OpenStreams(), before = null } = options;
  const uuids = new Uuids(options.random);
  const days = new DayHistory();
  exchange.observe(days.hear);
  const parts = { ...options, uuids, days };
  const instant = mode === 'instant' ? instantRoutes(() => exchange.now(), uuids) : [];
  const exact = VENUE_B_ROUTES.map(route => routeAfter(before, httpRoute(parts, route), route.path)).filter(
    ({ method, pattern }) => !instant.some(it => it.method === method && it.pattern === pattern),
  );
  const listener = await listen({
    host,
    port: options.port,
    http: [...exact, ...instant],
    sockets: [
      streams.watch(streamRoute({ exchange, authenticate: request => access.authenticate(request), faults, timers })),
    ],
    refuse: {
      notFound: (request): Reply => (/[^/]\/$/.test(request.path) ? withoutSlash(request) : UNKNOWN_PATH),
      methodNotAllowed: () => METHOD_NOT_ALLOWED,
      bodyTooLarge: () => BODY_TOO_LARGE,
      failed: (_request, error) => {
        options.onFailure?.(error);
        return FAILED;
      },
    },
  });
  const address = authorityOf(host, listener.port);
  return {
    port: listener.port,
    restUrl: `http://${address}${REST_PATH}`,
    streamUrl: `ws://${address}${STREAM_PATH}`,
    close: () => listener.close(),
  };
}
