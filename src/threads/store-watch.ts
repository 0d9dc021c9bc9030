// Looks through the files from which the order store would be built anew, slowly and all the time, and says what is damaged there: what
// is read comes from elsewhere and is right all the same, until a power cut. The store keeper's thread.

import { limits } from '../limits.ts';
import type { Log } from '../runtime/log.ts';
import type { Metrics } from '../runtime/metrics.ts';
import type { Timers } from '../runtime/timers.ts';
import { NoDescriptor } from '../store/durable/files.ts';
import type { OpenedOrderStore } from '../store/order-store.ts';
import { StoreError } from '../store/store-error.ts';

interface StoreWatchParts {
  readonly store: Pick<OpenedOrderStore, 'durable'>;
  readonly timers: Timers;
  readonly metrics: Metrics;
  readonly log: Log;
}

export class StoreWatch {
  readonly #parts: StoreWatchParts;
  readonly #damages: number;
  readonly #rounds: number;
  /** Null between two. */
  #round: Generator | null = null;
  #cancelTimer: () => void = () => {};

  constructor(parts: StoreWatchParts) {
    this.#parts = parts;
    this.#damages = parts.metrics.counter('store_damages_total');
    this.#rounds = parts.metrics.counter('store_rounds_total');
    this.#later(limits.storeLookPauseMs);
  }

  close(): void {
    this.#cancelTimer();
    this.#round?.return(undefined);
  }

  #later(pauseMs: number): void {
    this.#cancelTimer = this.#parts.timers.after(pauseMs, () => this.#look());
  }

  #look(): void {
    const { store, metrics, log } = this.#parts;
    try {
      this.#round ??= store.durable.lookThrough();
      if (this.#round.next().done !== true) {
        this.#later(limits.storeLookPauseMs);
        return;
      }
      metrics.add(this.#rounds);
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      // Without a descriptor nothing was looked at: the next round begins anew.
      if (!(error instanceof NoDescriptor)) {
        metrics.add(this.#damages);
        log.warn('the order store is damaged on disk', { error: error.message });
      }
    }
    this.#round = null;
    this.#later(limits.storeLookRestMs);
  }
}
