// The stream's port to orders: events from the engine thread, and questions to the history thread. Main thread.

import type { Order } from '../../core/domain/order.ts';
import type { ActorEventRecord } from '../../core/store/order-records.ts';
import type { OrderNews } from '../../orders/engine/engine-messages.ts';
import type { HaltChange } from '../../orders/engine/halt-change.ts';

/** Open orders for one message of a snapshot. */
export interface OpenOrdersPart {
  readonly orders: readonly Order[];
  readonly hasMore: boolean;
}

/**
 * Questions reject with a StoreError when the history cannot answer. An answer includes every event that was heard before the
 * question.
 */
export interface OrderFeed {
  /**
   * Base URL of the gateway that owns the pod; null if this one does. A gateway that does not own the pod gets no events, and cancels
   * nothing.
   */
  readonly elsewhere: string | null;
  /** Stored events after `after`, oldest first. Null if some of them are no longer stored, or the cursor is of another store. */
  events(actorId: string, after: number, rowsMax: number): Promise<readonly ActorEventRecord[] | null>;
  /** 0 before the first event. */
  lastCursor(actorId: string): Promise<number>;
  /** PENDING, SUBMITTED and OPEN orders of both venues. Each part is read on demand. */
  openOrders(actorId: string): AsyncIterator<OpenOrdersPart, undefined>;
  /** Whether the actor's news bring the whole events. It takes effect later: the first news may lack them. */
  follow(actorId: string, isFollowed: boolean): void;
  /** Gets the news of each event once, in cursor order without a gap. Returns a function that stops it. */
  listen(hear: (news: readonly OrderNews[]) => void): () => void;
  /** Triggered protections and reached loss limits that concern an actor now. */
  halts(actorId: string): readonly HaltChange[];
  /** Gets each change of a protection or a loss limit. Returns a function that stops it. */
  listenHalts(hear: (change: HaltChange) => void): () => void;
  /**
   * Cancels the key's open orders. False: for some of them not even a cancel request was recorded, and the caller must repeat it
   * (`isAgain`): that is not counted anew.
   */
  cancelAllOf(keyId: string, actorId: string, podId: string, isAgain?: boolean): Promise<boolean>;
}
