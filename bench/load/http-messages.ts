// What a rig says to the processes and threads of a run over HTTP, and what they answer.

import type { Venue } from '../../src/domain/market.ts';
import type { FeedTarget } from '../../src/threads/feed-messages.ts';
import type { BenchKey } from './http-signing.ts';
import type { LatencyCounts } from './latencies.ts';

/** What the gateway's process is started with. */
export interface GatewayStart {
  readonly targets: Readonly<Record<Venue, FeedTarget>>;
  /** For its key store: a folder that is there and empty. */
  readonly dataDir: string;
  /** The keys it is to know, without their seeds. */
  readonly keys: readonly Pick<BenchKey, 'keyId' | 'publicKeyHex'>[];
}

/** What the bare server's process is started with: JSON bodies by path. */
export type BareBodies = Readonly<Record<string, string>>;

export type ProcessQuestion =
  | { readonly op: 'cpu' }
  /** Begins to look how late a timer is on the main loop. */
  | { readonly op: 'sample' }
  /** Ends it. */
  | { readonly op: 'lateness' };

/** By how much a 1 ms timer was late. */
export interface Lateness {
  readonly p99Us: number;
}

/** How a server is loaded. */
export interface HttpLoadPlan {
  readonly port: number;
  readonly connections: number;
  /** Open loop: this many are due each second, whatever becomes of them. Null: each connection asks again when answered. */
  readonly requestsPerSecond: number | null;
}

/** One turn of load on one server. */
export interface LoadPlan extends HttpLoadPlan {
  /** Path and query of every request, all of them GET. */
  readonly target: string;
  readonly isSigned: boolean;
  readonly durationMs: number;
}

/** `prepare` connects and signs, outside of what is timed. */
export type LoadRequest = { readonly op: 'prepare'; readonly plan: LoadPlan } | { readonly op: 'run' };

export interface LoadAnswer {
  /** Answers, all of them good: the first other one ends the run. */
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
