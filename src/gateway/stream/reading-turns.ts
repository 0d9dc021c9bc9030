// Followers that have much to read, one after another: one question at a time is with the history, and everything else on the
// thread has its turn before the next. However many come back at once, one page is in memory. Main thread.

import { type Timers, turn } from '../../runtime/timers.ts';

export class ReadingTurns {
  readonly #timers: Timers;
  /** In the order in which they came. */
  readonly #waiting = new Set<() => Promise<void>>();
  #isBusy = false;

  constructor(timers: Timers) {
    this.#timers = timers;
  }

  /** Calls `read` when it is its turn, at once if nobody reads; the returned function calls it off. */
  add(read: () => Promise<void>): () => void {
    this.#waiting.add(read);
    if (!this.#isBusy) void this.#run();
    return () => this.#waiting.delete(read);
  }

  async #run(): Promise<void> {
    this.#isBusy = true;
    // Those that come meanwhile are visited too.
    for (const read of this.#waiting) {
      this.#waiting.delete(read);
      await read();
      await turn(this.#timers);
    }
    this.#isBusy = false;
  }
}
