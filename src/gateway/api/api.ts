// The signed API: keys, admission, operations, and the way into the stream. Main thread.

import { randomBytes } from 'node:crypto';
import { Tickets } from '../../auth/tickets.ts';
import type { CatalogLink } from '../../catalog/catalog-link.ts';
import type { CheckPool } from '../../checks/check-pool.ts';
import type { ActorLimits } from '../../domain/actor-limits.ts';
import type { Actor, SigningKey } from '../../domain/identity.ts';
import type { Venue } from '../../domain/market.ts';
import { fail, ok, type Result } from '../../domain/result.ts';
import type { RateProfile } from '../../limits.ts';
import type { Metrics } from '../../metrics/metrics.ts';
import {
  type Header,
  type HttpRoute,
  type InboundRequest,
  jsonText,
  type Refusals,
  type Reply,
} from '../../net/listen.ts';
import type { OrderIds } from '../../orders/order-ids.ts';
import type { Log } from '../../runtime/log.ts';
import type { KeyStore } from '../../store/key-store.ts';
import type { ActorsOf } from '../../store/pod-actors.ts';
import type { Operations } from '../../trading/operations.ts';
import type { ReadMarket } from '../../venues/market-read-cache.ts';
import type { BestOfEvent } from '../outcomes/event-best.ts';
import { type PodHandlerParts, podHandlers } from '../pod/pod-handlers.ts';
import type { WhyNot } from '../socket-clients.ts';
import { TradeDesk } from '../trade/trade-desk.ts';
import type { ReadVenueMarket } from '../venue-markets.ts';
import { Admission, type Needs } from './admission.ts';
import type { ContractDocuments } from './contract-documents.ts';
import { Cors } from './cors.ts';
import { ratesOf, time, type VenueStanding, whoami } from './identity.ts';
import { LiveKeys } from './live-keys.ts';
import { eventBest, listCompetitions, listSports, marketHandlers, venueMarket } from './market-operations.ts';
import { olderHandlers, olderMarket } from './older-operations.ts';
import type { Operation } from './operation.ts';
import { OPERATIONS, type UpgradeId } from './operations.ts';
import { orderHandlers, performedBy } from './order-operations.ts';
import { signedRefusal } from './replies.ts';
import { ApiServer } from './serve.ts';
import { createTicket, StreamAdmission } from './stream-admission.ts';

export interface ApiParts {
  readonly store: KeyStore;
  readonly checks: CheckPool;
  readonly operations: Operations;
  readonly actorsOf: ActorsOf;
  readonly readMarket: ReadMarket;
  readonly readVenueMarket: ReadVenueMarket;
  readonly bestOf: BestOfEvent;
  readonly metrics: Metrics;
  readonly profile: RateProfile;
  readonly contract: ContractDocuments;
  /** Of pages that may call the API. */
  readonly corsOrigins: readonly string[];
  readonly log: Log;
  readonly orderIds: Pick<OrderIds, 'of'>;
  readonly standing: (podId: string, venue: Venue) => VenueStanding;
  readonly catalog: CatalogLink;
  /** Null: /v1/pod is not served. */
  readonly pod: Omit<PodHandlerParts, 'operations' | 'actorsOf'> | null;
  readonly isDraining: () => boolean;
  /** Keys have changed: connections of keys that may not be used any more must end. */
  readonly onKeysChanged: (whyNot: WhyNot) => void;
}

export interface Api {
  readonly routes: readonly HttpRoute[];
  readonly refusals: Refusals;
  /** Whether a caller may open a stream: its signing key, or the refusal. */
  admitStream(request: InboundRequest): Result<SigningKey, Reply>;
  /** Whether a caller may open /v1/trade. */
  admitTrade(request: InboundRequest): Result<SigningKey, Reply>;
  /** Performs the requests of /v1/trade. */
  readonly tradeDesk: TradeDesk;
  /** Completes the refusal of a stream's upgrade. */
  refusedUpgrade(operationId: UpgradeId, request: InboundRequest, reply: Reply): Reply;
  /** Headers of the answer that opens a stream. */
  streamStamps(request: InboundRequest): readonly Header[];
  /** Counts a request on a stream; false if it exceeds the key's limit of reads. */
  takeRead(keyId: string): boolean;
  /** Of all pods, as of the last look at the key store. */
  actors(): readonly Actor[];
  close(): void;
}

const RUN_NAME_BYTES = 4;

/** Encoded once: callers of it prove no key. */
function document(text: string): () => Reply {
  const reply = { ...jsonText(200, ''), body: Buffer.from(text) };
  return () => reply;
}

/** Open operations also take HEAD, as caches and probes send it (RFC 9110 §9.3.2). */
function withHead({ family }: Operation, route: HttpRoute): readonly HttpRoute[] {
  return family === 'open' ? [route, { ...route, method: 'head' }] : [route];
}

/** Throws if the key store cannot be read. */
export function createApi(parts: ApiParts): Api {
  const { metrics, log, profile, isDraining, catalog, orderIds } = parts;
  const tickets = new Tickets(randomBytes);
  const keys = new LiveKeys(parts.store, log, keyring => {
    const isRevoked = (keyId: string): boolean => (keyring.signingKey(keyId)?.key.revokedAt ?? null) !== null;
    admission.forgetKeys(isRevoked);
    parts.onKeysChanged((keyId, address) => {
      if (isRevoked(keyId)) return 'the signing key was revoked';
      const isAdmitted = keyring.signingKey(keyId)?.admits(address) ?? false;
      return isAdmitted ? null : `the signing key may not be used from ${address}`;
    });
  });
  const admission = new Admission({ keys, checks: parts.checks, operations: parts.operations, metrics, profile });
  const streamAdmission = new StreamAdmission(admission, tickets);
  const { openapi, asyncapi } = parts.contract;
  const nextRequestId = requestIds(randomBytes(RUN_NAME_BYTES).toString('hex'));
  const perform = performedBy(parts.operations);
  const limitsOf = (key: SigningKey): ActorLimits => keys.known.limitsOf(key);
  const isTradable = (podId: string, venue: Venue): boolean => parts.standing(podId, venue).tradable;
  const rates = ratesOf(admission, parts.operations);
  const server = new ApiServer(
    { admission, perform, catalog, metrics, log, nextRequestId, isDraining, cors: new Cors(parts.corsOrigins) },
    {
      orders: orderHandlers({ isTradable, limitsOf, orderIds }),
      catalog: marketHandlers({ isTradable, catalog }),
      signed: {
        getWhoami: whoami({ profile, limitsOf, standing: parts.standing, rates }),
        getTime: time,
        createStreamTicket: createTicket(tickets, '/v1/orderbook'),
        createTradeTicket: createTicket(tickets, '/v1/trade'),
        ...podOperations(parts),
        listSports,
        listCompetitions,
        getEventBest: eventBest(parts.bestOf),
        getVenueAMarket: venueMarket('venue_a', parts.readVenueMarket),
        getVenueBMarket: venueMarket('venue_b', parts.readVenueMarket),
      },
      older: { ...olderHandlers(perform, parts.actorsOf), getOlderMarket: olderMarket(parts.readMarket) },
      open: { getOpenapi: document(openapi), getAsyncapi: document(asyncapi) },
    },
  );
  const admitted = (needs: Needs) => (request: InboundRequest) => {
    const caller = streamAdmission.admit(request, needs);
    return caller.ok ? ok(caller.value) : fail(signedRefusal(caller.error));
  };
  return {
    routes: OPERATIONS.flatMap(operation => withHead(operation, server.route(operation))),
    refusals: server.refusals,
    admitStream: admitted({ scope: 'read', bucket: 'reads' }),
    admitTrade: admitted({ scope: 'trade', bucket: 'reads' }),
    tradeDesk: new TradeDesk({
      admission,
      operations: parts.operations,
      isTradable,
      limitsOf,
      orderIds,
      rates,
      isDraining,
      metrics,
      log,
    }),
    refusedUpgrade: (operationId, request, reply) => server.refusedUpgrade(operationId, request, reply),
    streamStamps: request => server.streamStamps(request),
    takeRead: keyId => admission.takeRead(keyId),
    actors: () => keys.known.actors,
    close: () => keys.close(),
  };
}

function podOperations({ pod, operations, actorsOf }: ApiParts): ReturnType<typeof podHandlers> {
  return pod === null ? {} : podHandlers({ ...pod, operations, actorsOf });
}

/** `SVC-Request-Id`: unique across restarts, cheap, sortable within one run. Returns a function that gives the next id: a prefix for this run, then a count. */
function requestIds(randomHex: string): () => string {
  let count = 0;
  return () => `req_${randomHex}_${(++count).toString(36)}`;
}
