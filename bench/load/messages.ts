// What a rig says to its subscribers' thread and to the process between, and what they answer.

import type { BenchKey } from './http-signing.ts';
import type { LatencyCounts } from './latencies.ts';
import type { Schedule } from './venue.ts';

export interface SubscribersWorkerData {
  readonly url: string;
  /** What each signs its upgrade with, if it must. */
  readonly key: BenchKey | null;
  readonly count: number;
  /** First message of each, if any. */
  readonly hello: string;
  /** Each is ready once it has received a message that holds this text; at once if empty. */
  readonly readyText: string;
  /** How the messages that count begin. */
  readonly dataPrefix: string;
  /** i32 0: messages that all of them together have received; it wraps. */
  readonly progress: SharedArrayBuffer;
}

/** `schedule` null: no latencies. */
export type SubscribersRequest =
  | { readonly op: 'begin'; readonly firstSeq: number; readonly schedule: Schedule | null }
  | { readonly op: 'finish'; readonly lastSeq: number; readonly timeoutMs: number };

export interface Received {
  readonly deliveries: number;
  /** Missing from what each subscriber should have received, and received out of turn. */
  readonly lost: number;
  /** Monotonic ms of the last delivery. */
  readonly lastAtMs: number;
  readonly latencies: LatencyCounts;
}

export interface CpuAnswer {
  /** User and system time of the whole process so far. */
  readonly cpuMs: number;
}
