// The port through which the stream learns what has happened to orders: news from the engine's thread, and questions to the
// history's thread. Main thread.

import type { Order } from '../../domain/order.ts';
import type { OrderEventRecord } from '../../store/order-records.ts';

/** Open orders of one message of a snapshot. */
export interface OpenOrdersPart {
  readonly orders: readonly Order[];
  readonly hasMore: boolean;
}

/**
 * Each question rejects with a StoreError when the history cannot answer it. An answer holds every event that was heard before the
 * question was asked.
 */
export interface OrderFeed {
  /** Those that are kept, oldest first; null: what followed `after` is not kept any more, or the cursor is of another store. */
  events(actorId: string, after: number, rowsMax: number): Promise<readonly OrderEventRecord[] | null>;
  /** 0 before the first event. */
  lastCursor(actorId: string): Promise<number>;
  /** PENDING, SUBMITTED and OPEN ones of both venues, each part read when it is asked for. */
  openOrders(actorId: string): AsyncIterator<OpenOrdersPart, undefined>;
  /** Hears each event once, in the order of the cursors and without a gap. Returns what ends it. */
  listen(hear: (events: readonly OrderEventRecord[]) => void): () => void;
  /** Cancels what the key has open. False: not all of it could be so much as wanted cancelled, and it must be asked for again. */
  cancelAllOf(keyId: string, actorId: string, podId: string): Promise<boolean>;
}
