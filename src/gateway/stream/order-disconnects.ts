// cancelOnDisconnect (contract §8): the open orders of a signing key are cancelled once its last subscription that asked for it
// has been gone for the grace, unless another one is opened by then. Where that cannot be begun, as there is no room for it, or is
// neither recorded nor confirmed, it is tried again. A gateway that goes away cancels nothing: what outlives it is cancel-after. Main thread.

import { fullActorId, type SigningKey } from '../../domain/identity.ts';
import { limits } from '../../limits.ts';
import type { Timers } from '../../runtime/timers.ts';
import type { OrderFeed } from './order-feed.ts';

export class OrderDisconnects {
  readonly #feed: OrderFeed;
  readonly #timers: Timers;
  /** Subscriptions that are open and asked for it, by the id of their key. */
  readonly #armed = new Map<string, number>();
  /** What ends a grace that runs, by the id of its key. */
  readonly #graces = new Map<string, () => void>();

  constructor(feed: OrderFeed, timers: Timers) {
    this.#feed = feed;
    this.#timers = timers;
  }

  arm({ keyId }: SigningKey): void {
    this.#graces.get(keyId)?.();
    this.#graces.delete(keyId);
    this.#armed.set(keyId, (this.#armed.get(keyId) ?? 0) + 1);
  }

  /** Such a subscription has ended as its owner wished. True if it was the key's last. */
  disarm({ keyId }: SigningKey): boolean {
    const left = (this.#armed.get(keyId) ?? 1) - 1;
    if (left > 0) this.#armed.set(keyId, left);
    else this.#armed.delete(keyId);
    return left <= 0;
  }

  /** Its connection is gone. */
  lose(key: SigningKey): void {
    if (!this.disarm(key)) return;
    let isOver = false;
    let cancelTimer = this.#timers.after(limits.cancelOnDisconnectGraceMs, () => void attempt());
    const attempt = async (): Promise<void> => {
      const isBegun = await this.#feed.cancelAllOf(key.keyId, fullActorId(key), key.podId);
      if (isOver) return;
      if (isBegun) this.#graces.delete(key.keyId);
      else cancelTimer = this.#timers.after(limits.cancelOnDisconnectRetryMs, () => void attempt());
    };
    this.#graces.set(key.keyId, () => {
      isOver = true;
      cancelTimer();
    });
  }
}
