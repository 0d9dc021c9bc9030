// Keeps the order store in shape while it is used: makes checkpoints when they are due, removes what need not be kept any longer, a
// slice at a time between others' work, and lets nobody hold on to room who is dead. A thread of its own.

import { wordsOf } from '../domain/error-words.ts';
import { limits } from '../limits.ts';
import type { Log } from '../runtime/log.ts';
import type { Timers } from '../runtime/timers.ts';
import type { OpenedOrderStore } from '../store/order-store.ts';

export class StoreKeeper {
  readonly #store: OpenedOrderStore;
  readonly #timers: Timers;
  readonly #log: Log;
  #cancelTimer: () => void = () => {};
  #work: Promise<void> = Promise.resolve();
  #isClosing = false;

  constructor(store: OpenedOrderStore, timers: Timers, log: Log) {
    this.#store = store;
    this.#timers = timers;
    this.#log = log;
    store.durable.abandonCheckpoint();
    this.#later(false);
  }

  /** Resolves when it does nothing any more. */
  async close(): Promise<void> {
    this.#isClosing = true;
    this.#cancelTimer();
    await this.#work;
  }

  #later(isMore: boolean): void {
    if (this.#isClosing) return;
    this.#cancelTimer = this.#timers.after(isMore ? limits.storePruneSliceMs : limits.storeKeepMs, () => {
      this.#work = this.#keep();
    });
  }

  async #keep(): Promise<void> {
    let isMore = false;
    try {
      this.#store.durable.forgetDeadReaders();
      isMore = this.#store.prune(this.#timers.now());
      if (this.#store.durable.isCheckpointDue()) await this.#store.durable.checkpoint();
    } catch (error) {
      this.#log.warn('the order store cannot be kept', {
        error: wordsOf(error),
      });
    }
    this.#later(isMore);
  }
}
