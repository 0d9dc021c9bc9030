// Messages from the main thread to the shared file's thread.

import type { Venue } from '../domain/market.ts';
import type { Log } from '../runtime/log.ts';
import type { FeedSubscription } from '../venues/feed.ts';

export interface ShmThreadData {
  readonly arena: SharedArrayBuffer;
  readonly path: string;
  /** i32 0 rises with each message, and wakes the thread. */
  readonly wake: SharedArrayBuffer;
  /** Whether the thread polls without a pause. */
  readonly spins: boolean;
  readonly logLevel: Log['level'];
}

export type ToShm =
  | { readonly op: 'list'; readonly venue: Venue; readonly address: string; readonly binding: FeedSubscription }
  | { readonly op: 'unlist'; readonly venue: Venue; readonly address: string }
  /** Every lasting thread ends on this message. */
  | 'close';
