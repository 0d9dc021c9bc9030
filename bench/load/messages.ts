// Messages between suites and their rigs, and the processes and threads that these start. order-messages.ts has those of orders.

import type { Venue } from '../../src/core/domain/market.ts';
import type { NatsSettings } from '../../src/core/nats/settings.ts';
import type { FeedTarget } from '../../src/market-data/feeds/feed-messages.ts';
import type { BenchKey } from './http-signing.ts';
import type { LatencyCounts } from './latencies.ts';
import type { Schedule } from './venue.ts';

export interface SubscribersWorkerData {
  readonly url: string;
  /** Signs each upgrade; null: no signature. */
  readonly key: BenchKey | null;
  readonly count: number;
  /** First message of each, if any. */
  readonly hello: string;
  /** A subscriber is ready once it has received a message with this text; at once if empty. */
  readonly readyText: string;
  /** Prefix of messages that count. */
  readonly dataPrefix: string;
  /** i32 0: messages received by all subscribers together; it wraps. */
  readonly progress: SharedArrayBuffer;
}

/** `schedule` null: no latencies. */
export type SubscribersRequest =
  | { readonly op: 'begin'; readonly firstSeq: number; readonly schedule: Schedule | null }
  | { readonly op: 'finish'; readonly lastSeq: number; readonly timeoutMs: number };

export interface Received {
  readonly deliveries: number;
  /** Missing messages of each subscriber, and those out of order. */
  readonly lost: number;
  /** Monotonic ms of the last delivery. */
  readonly lastAtMs: number;
  readonly latencies: LatencyCounts;
}

export interface CpuAnswer {
  /** User and system time of the whole process so far. */
  readonly cpuMs: number;
}

/** Start data of the gateway's process. */
export interface GatewayStart {
  readonly targets: Readonly<Record<Venue, FeedTarget>>;
  /** Publishes its books there; null: it does not. */
  readonly publishesTo: NatsSettings | null;
  /** An existing, empty folder for its key store. */
  readonly dataDir: string;
  /** Its keys, without seeds. */
  readonly keys: readonly Pick<BenchKey, 'keyId' | 'publicKeyHex'>[];
}

/** Start data of the bare server's process: JSON bodies by path. */
export type BareBodies = Readonly<Record<string, string>>;

export type ProcessQuestion =
  | { readonly op: 'cpu' }
  /** Starts to sample the lateness of a timer on the main loop. */
  | { readonly op: 'sample' }
  /** Ends the samples. */
  | { readonly op: 'lateness' };

/** Lateness of a 1 ms timer. */
export interface Lateness {
  readonly p99Us: number;
}

/** How a server is loaded. */
export interface HttpLoadPlan {
  readonly port: number;
  readonly connections: number;
  /** Open loop: requests due each second, answered or not. Null: each connection sends the next when answered. */
  readonly requestsPerSecond: number | null;
}

/** One turn of load on one server. */
export interface LoadPlan extends HttpLoadPlan {
  /** Path and query of every request; all are GET. */
  readonly target: string;
  readonly isSigned: boolean;
  readonly durationMs: number;
}

/** `prepare` connects and signs, outside of timed parts. */
export type LoadRequest = { readonly op: 'prepare'; readonly plan: LoadPlan } | { readonly op: 'run' };

export interface LoadAnswer {
  /** Answers. All are good: the first bad one ends the run. */
  readonly count: number;
  /** From the first request to the last answer. */
  readonly elapsedMs: number;
  /** Since a request was sent; in an open loop since it was due. */
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
  /** Closed: the next request is sent after the last answer. Open: 1 000 are due each second, answered or not. */
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

/** `port`: of the paper exchange, or of a bare server with the same answers. */
export interface OrdersRequest {
  readonly port: number;
  readonly count: number;
}

export const ORDERS_PATH = '/trade-api/v2/portfolio/events/orders';
