// Messages between suites and their rigs, and the processes and threads that these start. order-messages.ts has those of orders.

import type { Venue } from '../../src/core/domain/market.ts';
import type { NatsSettings } from '../../src/core/nats/settings.ts';
import type { FeedTarget } from '../../src/market-data/feeds/feed-messages.ts';
import type { BenchKey } from './http-signing.ts';
import type { LatencyCounts } from './latencies.ts';
import type { Schedule } from './venue.ts';

export interface SubscribersWorkerData {
  readonly url: string;
  /** The key that signs each upgrade. Null means no signature. */
  readonly key: BenchKey | null;
  readonly count: number;
  /** The first message of each subscriber, if any. */
  readonly hello: string;
  /** The text that makes a subscriber ready when a message has it. An empty text makes the subscriber ready at once. */
  readonly readyText: string;
  /** The prefix of messages that count. */
  readonly dataPrefix: string;
  /** The i32 0 is the number of messages received by all subscribers together. It wraps. */
  readonly progress: SharedArrayBuffer;
}

/** Without latencies, `schedule` is null. */
export type SubscribersRequest =
  | { readonly op: 'begin'; readonly firstSeq: number; readonly schedule: Schedule | null }
  | { readonly op: 'finish'; readonly lastSeq: number; readonly timeoutMs: number };

export interface Received {
  readonly deliveries: number;
  /** The number of missing messages of all subscribers, and of messages out of order. */
  readonly lost: number;
  /** The time of the last delivery, in monotonic ms. */
  readonly lastAtMs: number;
  readonly latencies: LatencyCounts;
}

export interface CpuAnswer {
  /** The user and system time of the whole process so far. */
  readonly cpuMs: number;
}

/** The start data of the gateway's process. */
export interface GatewayStart {
  readonly targets: Readonly<Record<Venue, FeedTarget>>;
  /** The NATS to which the gateway publishes its books. Null means that it does not publish. */
  readonly publishesTo: NatsSettings | null;
  /** An existing, empty folder for its key store. */
  readonly dataDir: string;
  /** The keys, without seeds. */
  readonly keys: readonly Pick<BenchKey, 'keyId' | 'publicKeyHex'>[];
}

/** The start data of the bare server's process: JSON bodies by path. */
export type BareBodies = Readonly<Record<string, string>>;

export type ProcessQuestion =
  | { readonly op: 'cpu' }
  /** Starts to sample the lateness of a timer on the main loop. */
  | { readonly op: 'sample' }
  /** Ends the samples, and answers with their lateness. */
  | { readonly op: 'lateness' };

/** The lateness of a 1 ms timer. */
export interface Lateness {
  readonly p99Us: number;
}

/** How a server is loaded. */
export interface HttpLoadPlan {
  readonly port: number;
  readonly connections: number;
  /**
   * The requests due each second in an open loop, whether earlier requests are answered or not. Null means that each connection sends the next
   * request when the last is answered.
   */
  readonly requestsPerSecond: number | null;
}

/** One turn of load on one server. */
export interface LoadPlan extends HttpLoadPlan {
  /** The path and query of every request. All requests are GET. */
  readonly target: string;
  readonly isSigned: boolean;
  readonly durationMs: number;
}

/** `prepare` connects and signs, outside of timed parts. */
export type LoadRequest = { readonly op: 'prepare'; readonly plan: LoadPlan } | { readonly op: 'run' };

export interface LoadAnswer {
  /** The number of answers. All answers are good, since the first bad answer ends the run. */
  readonly count: number;
  /** The time from the first request to the last answer. */
  readonly elapsedMs: number;
  /** The latencies since a request was sent, or in an open loop since it was due. */
  readonly latencies: LatencyCounts;
}

export type BadInputRequest = { readonly op: 'begin'; readonly port: number } | { readonly op: 'end' };

export interface BadInputAnswer {
  readonly sent: number;
  readonly elapsedMs: number;
}

export type HopQuestion = { readonly op: 'hops' | 'verifications'; readonly count: number };

export interface HopAnswer {
  readonly p50Us: number;
}

export type OutboundClient = 'pool' | 'undici';

export interface OutboundCallerData {
  readonly port: number;
  readonly path: string;
}

export interface OutboundQuestion {
  readonly client: OutboundClient;
  /** In a closed loop the next request is sent after the last answer. In an open loop 1 000 requests are due each second, answered or not. */
  readonly loop: 'closed' | 'open';
  readonly count: number;
}

export interface OutboundAnswer {
  /** The latencies. In an open loop they count from the time at which a request was due. */
  readonly counts: LatencyCounts;
}

/** Data of a caller of venue B's paper exchange. */
export interface PaperCallerData {
  readonly ticker: string;
  readonly keyId: string;
  /** The private key, which is Ed25519. */
  readonly privateKeyPem: string;
}

/** The request for orders. `port` is the port of the paper exchange, or of a bare server with the same answers. */
export interface OrdersRequest {
  readonly port: number;
  readonly count: number;
}

export const ORDERS_PATH = '/trade-api/v2/portfolio/events/orders';
