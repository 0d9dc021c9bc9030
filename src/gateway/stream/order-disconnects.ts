// cancelOnDisconnect (contract §8). The open orders of a signing key are cancelled once its last subscription with cancelOnDisconnect has
// been gone for the grace period. The cancel is retried if it finds no room, or if it is neither recorded nor confirmed. A gateway that
// stops cancels nothing: use cancel-after for that, which outlives the gateway. Main thread.

import { fullActorId, type SigningKey } from '../../core/domain/identity.ts';
import type { Timers } from '../../core/runtime/timers.ts';
import { limits } from '../../limits.ts';
import type { OrderFeed } from './order-feed.ts';

/** A signing key and its owner. */
export type DisconnectingKey = Pick<SigningKey, 'keyId' | 'podId' | 'actorId'>;

export class OrderDisconnects {
  readonly #feed: OrderFeed;
  readonly #timers: Timers;
  /** The number of open subscriptions with cancelOnDisconnect, by key id. */
  readonly #armed = new Map<string, number>();
  /** The functions that end a running grace period, by key id. */
  readonly #graces = new Map<string, () => void>();

  constructor(feed: OrderFeed, timers: Timers) {
    this.#feed = feed;
    this.#timers = timers;
  }

  arm({ keyId }: DisconnectingKey): void {
    this.#graces.get(keyId)?.();
    this.#graces.delete(keyId);
    this.#armed.set(keyId, (this.#armed.get(keyId) ?? 0) + 1);
  }

  /** Ends a subscription as its owner asked. Returns true if it was the key's last. */
  disarm({ keyId }: DisconnectingKey): boolean {
    const left = (this.#armed.get(keyId) ?? 1) - 1;
    if (left > 0) this.#armed.set(keyId, left);
    else this.#armed.delete(keyId);
    return left <= 0;
  }

  /** Ends a subscription because its connection is gone. If it was the key's last, the grace period begins. */
  lose(key: DisconnectingKey): void {
    if (!this.disarm(key)) return;
    let isOver = false;
    let cancelTimer = this.#timers.after(limits.cancelOnDisconnectGraceMs, () => void attempt(false));
    const attempt = async (isAgain: boolean): Promise<void> => {
      const isBegun = await this.#feed.cancelAllOf(key.keyId, fullActorId(key), key.podId, isAgain);
      if (isOver) return;
      if (isBegun) this.#graces.delete(key.keyId);
      else cancelTimer = this.#timers.after(limits.cancelOnDisconnectRetryMs, () => void attempt(true));
    };
    this.#graces.set(key.keyId, () => {
      isOver = true;
      cancelTimer();
    });
  }
}
