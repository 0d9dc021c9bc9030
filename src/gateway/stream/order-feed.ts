// The stream's port to orders: events from the engine's thread, and queries to the history's thread. Main thread.

import type { Order } from '../../core/domain/order.ts';
import type { ActorEventRecord } from '../../core/store/order-records.ts';
import type { OrderNews } from '../../orders/engine/engine-messages.ts';
import type { HaltChange } from '../../orders/engine/halt-change.ts';

/** The open orders for one message of a snapshot. */
export interface OpenOrdersPart {
  readonly orders: readonly Order[];
  readonly hasMore: boolean;
}

/** Queries reject with a StoreError if the history cannot answer. An answer includes every event that was heard before the query. */
export interface OrderFeed {
  /**
   * The base URL of the gateway that owns the pod. Null means that this gateway owns it. Another gateway gets no events of the pod, and
   * cancels nothing.
   */
  readonly otherOwner: string | null;
  /**
   * The stored events after the cursor `after`, in the order of their cursors. Null means that some of them are no longer stored, or that
   * the cursor belongs to another store.
   */
  events(actorId: string, after: number, rowsMax: number): Promise<readonly ActorEventRecord[] | null>;
  /** The cursor of the actor's last event. 0 means that there is no event yet. */
  lastCursor(actorId: string): Promise<number>;
  /** The PENDING, SUBMITTED and OPEN orders of both venues. Each part is read on demand. */
  openOrders(actorId: string): AsyncIterator<OpenOrdersPart, undefined>;
  /** Sets whether the actor's news contain the whole events. The setting takes effect later, so the first news may lack them. */
  follow(actorId: string, isFollowed: boolean): void;
  /** Calls `listener` with the news of each event once, in cursor order without a gap. Returns a function that stops the calls. */
  listen(listener: (news: readonly OrderNews[]) => void): () => void;
  /** The triggered protections and the reached loss limits that concern the actor now. */
  halts(actorId: string): readonly HaltChange[];
  /** Calls `listener` with each change of a protection or a loss limit. Returns a function that stops the calls. */
  listenHalts(listener: (change: HaltChange) => void): () => void;
  /**
   * Cancels the key's open orders. Resolves with false if for some of them not even a cancel request was recorded. The caller must then
   * repeat the call with `isAgain`, which is not counted a second time.
   */
  cancelAllOf(keyId: string, actorId: string, podId: string, isAgain?: boolean): Promise<boolean>;
}
