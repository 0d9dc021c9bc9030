// Queue of followers with much to read. One question at a time goes to the history, and other work gets its turn before the
// next. So one page is in memory, however many clients come back at once. Main thread.

import { type Timers, turn } from '../../runtime/timers.ts';

export class ReadingTurns {
  readonly #timers: Timers;
  /** In order of arrival. */
  readonly #waiting = new Set<() => Promise<void>>();
  #isBusy = false;

  constructor(timers: Timers) {
    this.#timers = timers;
  }

  /** Calls `read` in its turn, at once if none is under way. The returned function cancels it. */
  add(read: () => Promise<void>): () => void {
    this.#waiting.add(read);
    if (!this.#isBusy) void this.#run();
    return () => this.#waiting.delete(read);
  }

  async #run(): Promise<void> {
    this.#isBusy = true;
    // The loop also visits those added meanwhile.
    for (const read of this.#waiting) {
      this.#waiting.delete(read);
      await read();
      await turn(this.#timers);
    }
    this.#isBusy = false;
  }
}
