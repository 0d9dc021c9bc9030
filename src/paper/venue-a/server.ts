// Venue A on a loopback port: the REST of its CLOB, and its streams. The server authenticates callers, asks for faults, and dispatches to
// the routes of rest/. Thread of the paper exchanges.

import { unreachable } from '../../core/domain/result.ts';
import { type HttpRoute, jsonReply, listen, type Reply, type SocketRoute } from '../../core/net/listen.ts';
import type { Timers } from '../../core/runtime/timers.ts';
import { limits } from '../../limits.ts';
import type { ChainId } from '../../venues/venue-a/exchanges.ts';
import { parseJsonBytes } from '../../venues/venue-json.ts';
import type { Faults } from '../faults/faults.ts';
import { withFaults } from '../faults/with-faults.ts';
import { authorityOf, type Before, NOT_SERVED, routeAfter } from '../http-server.ts';
import type { VenueAExchange } from './exchange.ts';
import { BUSY, Relayer, relayerRoutes } from './relayer/relayer.ts';
import type { VenueAAccess } from './rest/access.ts';
import { marketRoutes, priceRoutes } from './rest/market-routes.ts';
import { OrderAdmission } from './rest/order-admission.ts';
import { instantOrderRoutes, orderRoutes } from './rest/order-routes.ts';
import { keyRoutes, portfolioRoutes } from './rest/owner-routes.ts';
import {
  type Call,
  edgeReply,
  errorReply,
  INVALID_API_KEY,
  INVALID_L1_HEADERS,
  type RateTier,
  SignerLimits,
  tooManyRequests,
  type VenueARoute,
} from './rest/route.ts';

interface VenueAServerOptions {
  readonly exchange: VenueAExchange;
  readonly access: VenueAAccess;
  readonly faults: Faults;
  readonly timers: Timers;
  readonly chainId: ChainId;
  readonly host: string;
  /** 0 picks a free port. */
  readonly port: number;
  /** `instant` means that every posted order counts as matched whole at once, without a counterparty. */
  readonly mode: 'exact' | 'instant';
  /** The rate tier of each signer. By default it is unlimited. */
  readonly tier?: RateTier;
  /** The routes `/ws/market` and `/ws/user`. */
  readonly sockets: readonly SocketRoute<never>[];
  /** A function for which each request waits. By default no request waits. */
  readonly before?: Before | null;
}

export interface VenueAServer {
  readonly port: number;
  readonly restUrl: string;
  readonly marketStreamUrl: string;
  readonly userStreamUrl: string;
  close(): void;
}

/** Starts the server. Rejects if the address cannot be bound. */
export async function startVenueAServer(options: VenueAServerOptions): Promise<VenueAServer> {
  const { host, port, sockets, before = null } = options;
  const listener = await listen({
    host,
    port,
    sockets,
    http: routesOf(options).map(route => routeAfter(before, httpRoute(options, route))),
    bodyBytesMax: limits.paperVenueABodyBytesMax,
    refuse: {
      notFound: () => jsonReply(404, { error: 'Not Found', ...NOT_SERVED }),
      methodNotAllowed: () => edgeReply(405),
      malformed: (_request, problem) => errorReply(400, problem),
      bodyTooLarge: () => edgeReply(413),
      failed: () => edgeReply(500),
    },
  });
  const address = authorityOf(host, listener.port);
  return {
    port: listener.port,
    restUrl: `http://${address}`,
    marketStreamUrl: `ws://${address}/ws/market`,
    userStreamUrl: `ws://${address}/ws/user`,
    close: () => listener.close(),
  };
}

function routesOf(options: VenueAServerOptions): VenueARoute[] {
  const { exchange, access, chainId, faults, mode, tier = 'Unlimited', timers } = options;
  const admission = new OrderAdmission({ exchange, access, chainId });
  const signers = new SignerLimits(tier, () => timers.now());
  const exact = [
    ...keyRoutes(access),
    ...orderRoutes({ exchange, admission, signers }),
    ...portfolioRoutes({ exchange, wallets: access.wallets, chainId }),
    ...priceRoutes(exchange),
    ...marketRoutes(exchange),
    ...relayerRoutes(new Relayer({ exchange, wallets: access.wallets, faults, timers }), access.wallets),
  ];
  if (mode === 'exact') return exact;
  const instant = instantOrderRoutes(exchange, chainId);
  const isReplaced = (route: VenueARoute) =>
    instant.some(({ method, path }) => method === route.method && path === route.path);
  return [...instant, ...exact.filter(route => !isReplaced(route))];
}

const NO_QUERY = new URLSearchParams();
const FAULT_REPLIES = { rateLimited: () => tooManyRequests(1), status: edgeReply };
/** The replies for faults at the relayer. Clients send a request again after this 400 of the relayer. */
const RELAYER_FAULTS = {
  ...FAULT_REPLIES,
  status: (status: number) => (status === 400 ? errorReply(status, BUSY) : edgeReply(status)),
};

/** Makes the HTTP route: it authenticates the caller, asks for a fault, and calls the handler. */
function httpRoute({ access, faults, timers }: VenueAServerOptions, route: VenueARoute): HttpRoute {
  const { method, path } = route;
  const operation = `${method.toUpperCase()} ${path}`;
  const replies = route.access === 'relayer' ? RELAYER_FAULTS : FAULT_REPLIES;
  const faulted = (key: string, act: () => Reply): Reply | Promise<Reply> =>
    withFaults(faults, { venue: 'venue_a', key, operation }, timers, act, replies);
  const handle: HttpRoute['handle'] = (request, parameters) => {
    const { body, query } = request;
    const callOf = (key: string): Call => ({
      parameters,
      query: query === '' ? NO_QUERY : new URLSearchParams(query),
      body: body.length === 0 ? undefined : parseJsonBytes(body),
      staleMs: key === '' ? 0 : faults.staleMs({ venue: 'venue_a', key }),
    });
    switch (route.access) {
      case 'public':
        return faulted('', () => route.handle(callOf('')));
      case 'relayer': {
        const key = access.relayerKey(request);
        return key === null ? INVALID_API_KEY : faulted(key, () => route.handle(callOf(key)));
      }
      case 'l1': {
        const claim = access.attested(request);
        if (claim === null) return INVALID_L1_HEADERS;
        const { address, nonce } = claim;
        return faulted('', () => route.handle({ ...callOf(''), address, nonce }));
      }
      case 'l2': {
        const caller = access.authenticated(request);
        if (caller === null) return INVALID_API_KEY;
        return faulted(caller.apiKey, () => route.handle({ ...callOf(caller.apiKey), caller }));
      }
      default:
        return unreachable(route);
    }
  };
  return { method, pattern: path, handle };
}
