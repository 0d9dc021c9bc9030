// The cursor of our own order events. A new subscription starts after it, without a gap and without repeating an event. Portable.

import { type MicroShares, parseMicroShares } from '../../core/domain/numbers.ts';
import {
  ORDERS,
  type OrdersAcknowledgement,
  type OrdersMessage,
  type OrdersSnapshot,
} from '../../core/wire/messages.ts';

export interface OrderSubscription {
  /** The events after this cursor are sent first. 0 means all events that the gateway keeps. Absent means only new events. */
  readonly from?: number;
  /** Whether the gateway cancels this key's open orders after 10 seconds without our connection. Needs the scope `trade`. */
  readonly cancelOnDisconnect?: boolean;
  /**
   * A number of shares. The gateway sends `queue` whenever the queue ahead of a working order has changed by this many shares. Absent means
   * that it never sends `queue`.
   */
  readonly queueStep?: string;
}

export class OrderCursor {
  readonly #cancelOnDisconnect: boolean;
  readonly #queueStep: { readonly queueStep?: MicroShares };
  #cursor: number | null;
  /** The id of the open request. Messages before its answer belong to an earlier subscription. */
  #awaited: string | null = null;

  /** Throws a RangeError if `queueStep` is no number of shares. */
  constructor({ from, cancelOnDisconnect = false, queueStep }: OrderSubscription) {
    this.#cursor = from ?? null;
    this.#cancelOnDisconnect = cancelOnDisconnect;
    const step = queueStep === undefined ? null : parseMicroShares(queueStep);
    if (queueStep !== undefined && step === null) throw new RangeError('queueStep: must be a decimal');
    this.#queueStep = step === null ? {} : { queueStep: step };
  }

  /** The cursor of the last known event. Null until the first request is answered. */
  get cursor(): number | null {
    return this.#cursor;
  }

  /** The id of the request that is not answered yet. Null means that there is none. */
  get awaited(): string | null {
    return this.#awaited;
  }

  request(id: string): OrdersMessage {
    this.#awaited = id;
    const options = { cancelOnDisconnect: this.#cancelOnDisconnect, ...this.#queueStep };
    return { op: 'subscribe', id, channel: ORDERS, from: this.#cursor, ...options };
  }

  awaits(id: string | null): boolean {
    return id !== null && id === this.#awaited;
  }

  begin({ id, cursor }: Extract<OrdersAcknowledgement, { type: 'subscribed' }>): void {
    if (!this.awaits(id)) return;
    this.#awaited = null;
    this.#cursor = cursor;
  }

  /**
   * Takes in a part of a snapshot. Only the last part moves the cursor. If the connection is lost before the last part, the client requests
   * the whole snapshot again. Returns false if the message belongs to another subscription.
   */
  replace({ id, cursor, hasMore }: OrdersSnapshot): boolean {
    if (this.#awaited !== null && !this.awaits(id)) return false;
    if (hasMore) return true;
    this.#awaited = null;
    this.#cursor = cursor;
    return true;
  }

  take(cursor: number): 'next' | 'known' | 'gap' {
    if (this.#awaited !== null || this.#cursor === null || cursor <= this.#cursor) return 'known';
    if (cursor !== this.#cursor + 1) return 'gap';
    this.#cursor = cursor;
    return 'next';
  }
}
