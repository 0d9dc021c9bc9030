// Messages between the main thread and a feed thread. Books and tape go through shared memory instead.

import type { Venue } from '../../core/domain/market.ts';
import type { NatsSettings } from '../../core/nats/settings.ts';
import type { Log } from '../../core/runtime/log.ts';
import type { FeedRefusal, FeedSubscription } from '../../venues/feed.ts';
import type { RecordedSource } from '../recording/timeline.ts';

/** The address of a venue. */
export type VenueTarget =
  | { readonly venue: 'venue_a'; readonly restUrl: string; readonly streamUrl: string }
  | {
      readonly venue: 'venue_b';
      readonly restUrl: string;
      readonly streamUrl: string;
      readonly keyId: string;
      readonly privateKeyPem: string;
    };

/** The source of a feed thread, given at the thread's start: a venue, a recording, or a publisher whose books come by NATS. */
export type FeedTarget =
  | VenueTarget
  | { readonly venue: Venue; readonly recorded: RecordedSource }
  | { readonly venue: Venue; readonly nats: NatsSettings };

export interface FeedThreadData {
  readonly target: FeedTarget;
  readonly arena: SharedArrayBuffer;
  readonly counters: SharedArrayBuffer;
  readonly logLevel: Log['level'];
}

export type ToFeed =
  | { readonly op: 'subscribe'; readonly address: string; readonly request: number }
  | { readonly op: 'unsubscribe'; readonly address: string }
  /** Every lasting thread ends on this message. */
  | 'close';

/** The message that the tape has records while its reader sleeps. */
export const DOORBELL = 0;

/** The outcome of a subscription request. */
export interface FeedOutcome {
  readonly address: string;
  /** The number of the `subscribe` message that this outcome answers. The market may have been dropped and requested again meanwhile. */
  readonly request: number;
  readonly outcome: FeedSubscription | FeedRefusal;
}

export type FromFeed = typeof DOORBELL | FeedOutcome;
