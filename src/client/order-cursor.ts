// How far our own orders were followed, and what to ask for so that nothing is missed and nothing is told twice. Portable.

import { ORDERS, type OrdersAcknowledgement, type OrdersMessage, type OrdersSnapshot } from '../wire/messages.ts';

export interface OrderSubscription {
  /** Everything after this cursor is told first, 0 for all that is kept; from now on without it. */
  readonly from?: number;
  /** The gateway cancels this key's open orders when we have been gone for 10 seconds. Needs the scope `trade`. */
  readonly cancelOnDisconnect?: boolean;
}

export class OrderCursor {
  readonly #cancelOnDisconnect: boolean;
  #cursor: number | null;
  /** Id of the request that is not answered yet: what comes before its answer is of an earlier subscription. */
  #awaited: string | null = null;

  constructor({ from, cancelOnDisconnect = false }: OrderSubscription) {
    this.#cursor = from ?? null;
    this.#cancelOnDisconnect = cancelOnDisconnect;
  }

  /** Of the last event that we know of; null while not even the first request was answered. */
  get cursor(): number | null {
    return this.#cursor;
  }

  request(id: string): OrdersMessage {
    this.#awaited = id;
    return { op: 'subscribe', id, channel: ORDERS, from: this.#cursor, cancelOnDisconnect: this.#cancelOnDisconnect };
  }

  awaits(id: string | null): boolean {
    return id !== null && id === this.#awaited;
  }

  begin({ id, cursor }: Extract<OrdersAcknowledgement, { type: 'subscribed' }>): void {
    if (!this.awaits(id)) return;
    this.#awaited = null;
    this.#cursor = cursor;
  }

  /** Only the last part moves the cursor: whoever is cut off before asks for all of it again. False if it is not for us. */
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
