// What the main thread and a feed thread say to each other. Books and tape go through shared memory; these are the few
// words beside them.

import type { Log } from '../runtime/log.ts';
import type { FeedRefusal, FeedSubscription } from '../venues/feed.ts';

/** How a venue is reached: handed to its thread at start. */
export type FeedTarget =
  | { readonly venue: 'venue_a'; readonly restUrl: string; readonly streamUrl: string }
  | {
      readonly venue: 'venue_b';
      readonly restUrl: string;
      readonly streamUrl: string;
      readonly keyId: string;
      readonly privateKeyPem: string;
    };

export interface FeedThreadData {
  readonly target: FeedTarget;
  readonly arena: SharedArrayBuffer;
  readonly counters: SharedArrayBuffer;
  readonly logLevel: Log['level'];
}

export type ToFeed =
  | { readonly op: 'subscribe'; readonly address: string; readonly request: number }
  | { readonly op: 'unsubscribe'; readonly address: string }
  /** As every lasting thread is asked to end. */
  | 'close';

/** The tape has records and its reader sleeps. */
export const DOORBELL = 0;

/** The answer to a subscription request. */
export interface FeedOutcome {
  readonly address: string;
  /** Number of the `subscribe` that it answers; a later one may exist by now. */
  readonly request: number;
  readonly outcome: FeedSubscription | FeedRefusal;
}

export type FromFeed = typeof DOORBELL | FeedOutcome;
