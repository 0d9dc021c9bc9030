// Work for which no caller waits. Once the owner ends, no new work begins, and running work is awaited, so that its resources can be
// closed. Any thread.

import { ChurningSet } from '../domain/churn.ts';

export class Background {
  readonly #works = new ChurningSet<Promise<unknown>>();
  readonly #survive: (error: unknown) => void;
  #isEnding = false;

  /** `survive` gets the error of work that failed. An error that `survive` throws ends the thread. */
  constructor(
    survive: (error: unknown) => void = error => {
      throw error;
    },
  ) {
    this.#survive = survive;
  }

  /** Whether the owner is ending: work that can wait for the next start should then not begin. */
  get isEnding(): boolean {
    return this.#isEnding;
  }

  begin(work: () => Promise<unknown>): void {
    if (this.#isEnding) return;
    const done = work()
      .catch(this.#survive)
      .finally(() => this.#works.delete(done));
    this.#works.add(done);
  }

  /** Ends the owner: begins no new work, and resolves when no work is running. */
  async end(): Promise<void> {
    this.#isEnding = true;
    await Promise.all(this.#works);
  }
}
