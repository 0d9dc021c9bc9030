// When the catalog is shown: the first news at once, later ones together after a while, and a whole reading sooner. Never so often
// that a reader of the last but one could still be at it: its memory is written next. Catalog thread.

import { limits } from '../limits.ts';
import type { Timers } from '../runtime/timers.ts';

export class Showing {
  readonly #timers: Timers;
  readonly #show: () => void;
  #shownAt = Number.NEGATIVE_INFINITY;
  #dueAt = Number.POSITIVE_INFINITY;
  #cancel: () => void = () => {};

  constructor(timers: Timers, show: () => void) {
    this.#timers = timers;
    this.#show = show;
  }

  /** Something is new. */
  later(): void {
    this.#within(limits.catalogShowMs);
  }

  /** All is known. */
  soon(): void {
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
      // From its end on: however long it takes, there is time for others in between.
      this.#shownAt = this.#timers.elapsed();
    });
  }
}
