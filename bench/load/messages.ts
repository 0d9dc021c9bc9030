// Messages between a rig and its subscribers' thread, and the process between.

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
