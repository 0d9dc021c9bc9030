// What was started, to be closed in reverse. A part that cannot be closed keeps no other from it. Any thread.

export class Closers {
  readonly #closers: (() => unknown)[] = [];

  push(close: () => unknown): void {
    this.#closers.push(close);
  }

  /** The newest first, one after the other; also what is started meanwhile. Returns what failed. */
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
