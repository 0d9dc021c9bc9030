// Has in the store's state, soon after it is committed and together, what all threads have committed: each of them keeps beside the state what
// is not there yet. A thread of its own, as the state may be slow to take it.

import { wordsOf } from '../domain/error-words.ts';
import { limits } from '../limits.ts';
import type { Log } from '../runtime/log.ts';
import type { Timers } from '../runtime/timers.ts';
import type { OpenedOrderStore } from '../store/order-store.ts';

export class StoreFlusher {
  readonly #durable: Pick<OpenedOrderStore['durable'], 'flush' | 'rings' | 'rung'>;
  readonly #timers: Pick<Timers, 'after'>;
  readonly #log: Log;
  #cancelTimer: () => void = () => {};
  #isClosing = false;
  #isFailing = false;

  constructor({ durable }: Pick<OpenedOrderStore, 'durable'>, timers: Pick<Timers, 'after'>, log: Log) {
    this.#durable = durable;
    this.#timers = timers;
    this.#log = log;
    this.#flush();
  }

  close(): void {
    this.#isClosing = true;
    this.#cancelTimer();
  }

  /** What is committed after this look at the bell rings it once more. */
  #flush(): void {
    if (this.#isClosing) return;
    const { rings } = this.#durable;
    const isFlushed = this.#tryToFlush();
    const pauseMs = isFlushed ? limits.storeFlushPauseMs : limits.storeFlushRetryMs;
    this.#cancelTimer = this.#timers.after(pauseMs, () => {
      if (isFlushed) void this.#durable.rung(rings).then(() => this.#flush());
      else this.#flush();
    });
  }

  /** Nothing is lost when it fails, as the journal has it; commits are refused once there is too much of it. */
  #tryToFlush(): boolean {
    try {
      this.#durable.flush();
      if (this.#isFailing) this.#log.info('the order store is flushed again');
      this.#isFailing = false;
      return true;
    } catch (error) {
      if (!this.#isFailing) this.#log.warn('the order store cannot be flushed', { error: wordsOf(error) });
      this.#isFailing = true;
      return false;
    }
  }
}
