// Messages between a rig and the processes and threads of an HTTP run.

import type { Venue } from '../../src/domain/market.ts';
import type { FeedTarget } from '../../src/feeds/feed-messages.ts';
import type { BenchKey } from './http-signing.ts';
import type { LatencyCounts } from './latencies.ts';

/** Start data of the gateway's process. */
export interface GatewayStart {
  readonly targets: Readonly<Record<Venue, FeedTarget>>;
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
  /** Ends it. */
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
