// Parts that were started, to be closed in reverse. A part that cannot be closed keeps no other from it. Any thread.

export class Closers {
  readonly #closers: (() => unknown)[] = [];

  push(close: () => unknown): void {
    this.#closers.push(close);
  }

  /** Closes the newest part first, one after the other, and parts that start meanwhile. Returns the failures. */
  async closeAll(): Promise<readonly unknown[]> {
    const failures: unknown[] = [];
    for (let close = this.#closers.pop(); close !== undefined; close = this.#closers.pop()) {
      try {
        await close();
      } catch (error) {
        failures.push(error);
      }
    }
    return failures;
  }
}
