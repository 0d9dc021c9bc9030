// Cursor of our own order events: a new subscription starts after it, without a gap or a repetition. Portable.

import { type MicroShares, parseMicroShares } from '../../core/domain/numbers.ts';
import {
  ORDERS,
  type OrdersAcknowledgement,
  type OrdersMessage,
  type OrdersSnapshot,
} from '../../core/wire/messages.ts';

export interface OrderSubscription {
  /** Events after this cursor come first; 0: all that the gateway keeps. Absent: only new events. */
  readonly from?: number;
  /** The gateway cancels this key's open orders after 10 seconds without us. Needs the scope `trade`. */
  readonly cancelOnDisconnect?: boolean;
  /** Shares: the gateway sends `queue` whenever the queue ahead of a working order has changed by as many. Absent: never. */
  readonly queueStep?: string;
}

export class OrderCursor {
  readonly #cancelOnDisconnect: boolean;
  readonly #queueStep: { readonly queueStep?: MicroShares };
  #cursor: number | null;
  /** Id of the open request; messages before its answer belong to an earlier subscription. */
  #awaited: string | null = null;

  /** Throws a RangeError for a step that is no number of shares. */
  constructor({ from, cancelOnDisconnect = false, queueStep }: OrderSubscription) {
    this.#cursor = from ?? null;
    this.#cancelOnDisconnect = cancelOnDisconnect;
    const step = queueStep === undefined ? null : parseMicroShares(queueStep);
    if (queueStep !== undefined && step === null) throw new RangeError('queueStep: must be a decimal');
    this.#queueStep = step === null ? {} : { queueStep: step };
  }

  /** Cursor of the last known event; null until the first request is answered. */
  get cursor(): number | null {
    return this.#cursor;
  }

  /** Id of the request that is not answered yet; null: none. */
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
   * Only the last part of a snapshot moves the cursor: after a disconnect before it the client asks for the whole snapshot
   * again. False if the message is of another subscription.
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
