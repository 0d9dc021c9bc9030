// Keeps the order store in shape while it is used: makes checkpoints when they are due, and removes what need not be kept any
// longer, a slice at a time between other work. Executions thread.

import { limits } from '../limits.ts';
import type { Log } from '../runtime/log.ts';
import { wallTimers } from '../runtime/timers.ts';
import type { OpenedOrderStore } from '../store/order-store.ts';

export class StoreKeeper {
  readonly #store: OpenedOrderStore;
  readonly #log: Log;
  #timer: NodeJS.Timeout | null = null;
  #work: Promise<void> = Promise.resolve();
  #isClosing = false;

  constructor(store: OpenedOrderStore, log: Log) {
    this.#store = store;
    this.#log = log;
    this.#later(false);
  }

  /** Resolves when it does nothing any more. */
  async close(): Promise<void> {
    this.#isClosing = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    await this.#work;
  }

  #later(isMore: boolean): void {
    if (this.#isClosing) return;
    this.#timer = setTimeout(
      () => {
        this.#work = this.#keep();
      },
      isMore ? limits.storePruneSliceMs : limits.storeKeepMs,
    );
  }

  async #keep(): Promise<void> {
    let isMore = false;
    try {
      isMore = this.#store.prune(wallTimers.now());
      if (this.#store.durable.isCheckpointDue()) await this.#store.durable.checkpoint();
    } catch (error) {
      this.#log.warn('the order store cannot be kept', {
        error: error instanceof Error ? error.message : String(error),
      });
    }
    this.#later(isMore);
  }
}
