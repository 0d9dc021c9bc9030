// The port through which the stream learns what has happened to orders: the store's numbered events, and news of them as they
// are committed. Main thread; the news come from whichever thread made them.

import type { Order } from '../../domain/order.ts';
import type { OrderEventRecord } from '../../store/order-records.ts';

export interface OrderFeed {
  /**
   * Of those that are kept, oldest first; null: what followed `after` is not kept any more, or the cursor is of another store.
   * Throws a StoreError, as every read here, if the disk is at fault.
   */
  events(actorId: string, after: number, rowsMax: number): readonly OrderEventRecord[] | null;
  /** 0 before the first event. */
  lastCursor(actorId: string): number;
  /** PENDING, SUBMITTED and OPEN ones of both venues, read as they are taken. */
  openOrders(actorId: string): Iterator<Order>;
  /**
   * Hears of every event after it was committed, in any order, from several threads, and perhaps not at all: `events` is what
   * is true. Returns what ends it.
   */
  listen(hear: (events: readonly OrderEventRecord[]) => void): () => void;
  /** Cancels what the key has open. False: not all of it could be so much as wanted cancelled, and it must be asked for again. */
  cancelAllOf(keyId: string, actorId: string, podId: string): Promise<boolean>;
}
