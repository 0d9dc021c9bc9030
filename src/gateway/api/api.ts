// Puts together the API of the main thread's door: the parts of order-entry.ts, the older family, lists, documents, and the admission to
// streams. Main thread.

import { randomBytes } from 'node:crypto';
import type { CatalogLink } from '../../catalog/catalog-link.ts';
import { Tickets } from '../../core/auth/tickets.ts';
import type { Actor, SigningKey } from '../../core/domain/identity.ts';
import type { Venue } from '../../core/domain/market.ts';
import type { Result } from '../../core/domain/result.ts';
import {
  type Header,
  type HttpRoute,
  type InboundRequest,
  jsonText,
  type Refusals,
  type Reply,
} from '../../core/net/listen.ts';
import type { ActorsOf } from '../../core/store/key-store.ts';
import type { ReadMarket } from '../../venues/market-read-cache.ts';
import type { BestOfEvent } from '../outcomes/outcome-hub.ts';
import { type PodHandlerParts, podHandlers } from '../pod/pod-handlers.ts';
import type { TradeDesk } from '../trade/trade-desk.ts';
import type { ReadVenueMarket, WhileRead } from '../venue-markets.ts';
import { otherOwnerRefusal } from './api-refusals.ts';
import type { ContractDocuments } from './contract-documents.ts';
import { time, type VenueStanding, whoami } from './identity.ts';
import { eventBest, listCompetitions, listSports, marketHandlers, venueMarket } from './market-operations.ts';
import { olderHandlers, olderMarket } from './older-operations.ts';
import type { Handler, Operation } from './operation.ts';
import { OPERATIONS, type UpgradeId } from './operations.ts';
import { OrderEntry, type OrderEntryParts } from './order-entry.ts';
import { performedBy } from './order-operations.ts';
import { previewHandler } from './preview-operations.ts';
import { createAddQueues, type Queues, withQueuesOnRequest } from './queue-operations.ts';
import { createTicket } from './stream-admission.ts';

export interface ApiParts extends OrderEntryParts {
  readonly actorsOf: ActorsOf;
  readonly readMarket: ReadMarket;
  readonly whileMarketRead: WhileRead;
  readonly bestOf: BestOfEvent;
  readonly queues: Queues;
  readonly contract: ContractDocuments;
  readonly standing: (podId: string, venue: Venue) => VenueStanding;
  readonly catalog: CatalogLink;
  /** Null means that /v1/pod is not served. */
  readonly pod: Omit<PodHandlerParts, 'operations' | 'actorsOf'> | null;
}

export interface Api {
  readonly routes: readonly HttpRoute[];
  readonly refusals: Refusals;
  /** Decides whether a caller may open a stream. Returns the caller's signing key, or the refusal. */
  admitStream(request: InboundRequest): Result<SigningKey, Reply>;
  /** Decides whether a caller may open /v1/trade. Returns the caller's signing key, or the refusal. */
  admitTrade(request: InboundRequest): Result<SigningKey, Reply>;
  /** Performs the requests of /v1/trade. */
  readonly tradeDesk: TradeDesk;
  /** Completes the refusal of a stream's upgrade. */
  refusedUpgrade(operationId: UpgradeId, request: InboundRequest, reply: Reply): Reply;
  /** The headers of the answer that opens a stream. */
  streamStamps(): readonly Header[];
  /** The `RateLimit` headers of the key that signed an upgrade. */
  upgradeRates(key: SigningKey): readonly Header[];
  /** Counts a request on a stream. Returns false if the request exceeds the key's limit of reads. */
  takeRead(keyId: string): boolean;
  /** The actors of all pods, as of the last reading of the key store. */
  actors(): readonly Actor[];
  close(): void;
}

/** Encodes the document once, for all callers. Documents need no key, so their callers must cost little. */
function documentReply(text: string): () => Reply {
  const reply = { ...jsonText(200, ''), body: Buffer.from(text) };
  return () => reply;
}

/** Adds the method HEAD to the route of an open operation, because caches and probes send it (RFC 9110 §9.3.2). */
function withHead({ family }: Operation, route: HttpRoute): readonly HttpRoute[] {
  return family === 'open' ? [route, { ...route, method: 'head' }] : [route];
}

/** Throws if the key store cannot be read. */
export function createApi(parts: ApiParts): Api {
  const { profile, catalog, actorsOf, standing, isTradable } = parts;
  const tickets = new Tickets(randomBytes);
  const entry = new OrderEntry(parts);
  const { openapi, asyncapi } = parts.contract;
  const readVenueMarket: ReadVenueMarket = market => parts.whileMarketRead(market, it => it);
  const queued = createAddQueues(parts.queues, performedBy(parts.operations));
  const pod = podOperations(parts);
  const server = entry.serve(
    { catalog, queued },
    {
      orders: entry.handlers,
      catalog: marketHandlers({ isTradable, catalog }),
      signed: {
        getWhoami: whoami({ profile, standing, rates: entry.rates }),
        getTime: time,
        createStreamTicket: createTicket(tickets, '/v1/orderbook'),
        createTradeTicket: tradeTicket(tickets, parts.otherOwner),
        ...pod,
        ...(pod.listPodOrders && { listPodOrders: withQueuesOnRequest(queued, pod.listPodOrders) }),
        listSports,
        listCompetitions,
        getEventBest: eventBest(parts.bestOf),
        previewVenueAOrder: previewHandler('venue_a', parts),
        previewVenueBOrder: previewHandler('venue_b', parts),
        getVenueAMarket: venueMarket('venue_a', readVenueMarket),
        getVenueBMarket: venueMarket('venue_b', readVenueMarket),
      },
      older: {
        ...olderHandlers(performedBy(parts.operations), actorsOf),
        getOlderMarket: olderMarket(parts.readMarket),
      },
      open: { getOpenapi: documentReply(openapi), getAsyncapi: documentReply(asyncapi) },
    },
  );
  return {
    routes: OPERATIONS.flatMap(operation => withHead(operation, server.route(operation))),
    refusals: server.refusals,
    admitStream: entry.admitter(tickets, { scope: 'read', bucket: 'reads' }),
    admitTrade: entry.tradeAdmitter(tickets),
    tradeDesk: entry.desk,
    refusedUpgrade: (operationId, request, reply) => server.refusedUpgrade(operationId, request, reply),
    streamStamps: () => server.streamStamps(),
    upgradeRates: key => entry.admission.upgradeRates(key),
    takeRead: keyId => entry.admission.takeRead(keyId),
    actors: () => entry.keys.lastRead.actors,
    close: () => entry.close(),
  };
}

/** Issues tickets for /v1/trade. A ticket is valid only at the gateway that issued it, so only the owner of the pod issues it. */
function tradeTicket(tickets: Tickets, elsewhere: ApiParts['otherOwner']): Handler<SigningKey> {
  const create = createTicket(tickets, '/v1/trade');
  return call => {
    const owner = elsewhere();
    return owner === null ? create(call) : otherOwnerRefusal(owner);
  };
}

function podOperations({ pod, operations, actorsOf }: ApiParts): ReturnType<typeof podHandlers> {
  return pod === null ? {} : podHandlers({ ...pod, operations, actorsOf });
}
