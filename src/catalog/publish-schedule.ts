// Decides when to show the catalog: the first news at once, later news after a pause, complete readings after a shorter pause. The pause
// lets readers finish with the catalog before the last one, because its memory is overwritten next. Catalog thread.

import type { Timers } from '../core/runtime/timers.ts';
import { limits } from '../limits.ts';

export class PublishSchedule {
  readonly #timers: Timers;
  readonly #show: () => void;
  #shownAt = Number.NEGATIVE_INFINITY;
  #dueAt = Number.POSITIVE_INFINITY;
  #cancel: () => void = () => {};

  constructor(timers: Timers, show: () => void) {
    this.#timers = timers;
    this.#show = show;
  }

  /** Call when something is new. */
  publishLater(): void {
    this.#within(limits.catalogShowMs);
  }

  /** Call when a reading is complete. */
  publishSoon(): void {
    this.#within(limits.catalogShowPauseMs);
  }

  stop(): void {
    this.#cancel();
  }

  #within(pauseMs: number): void {
    const now = this.#timers.elapsed();
    const dueAt = Math.max(now, this.#shownAt + pauseMs);
    if (dueAt >= this.#dueAt) return;
    this.#cancel();
    this.#dueAt = dueAt;
    this.#cancel = this.#timers.after(dueAt - now, () => {
      this.#dueAt = Number.POSITIVE_INFINITY;
      this.#show();
      // The pause counts from the end of the work. So other work gets its turn in between, even if this work takes long.
      this.#shownAt = this.#timers.elapsed();
    });
  }
}
