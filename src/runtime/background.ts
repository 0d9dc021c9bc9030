// Work that nobody waits for, until whoever it belongs to ends: then no more of it begins, and what is under way is waited for, so
// that what it uses can be closed. Any thread.

export class Background {
  readonly #works = new Set<Promise<unknown>>();
  readonly #survive: (error: unknown) => void;
  #isEnding = false;

  /** `survive`: told why a work failed; what it throws ends the thread. */
  constructor(
    survive: (error: unknown) => void = error => {
      throw error;
    },
  ) {
    this.#survive = survive;
  }

  /** What could as well be done after the next start may be left. */
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

  /** Resolves when nothing is under way. */
  async end(): Promise<void> {
    this.#isEnding = true;
    await Promise.all(this.#works);
  }
}
