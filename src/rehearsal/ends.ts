// Closes what was started, newest first, including what starts after the close began. Any thread.

export class Ends {
  readonly #ends: (() => unknown)[] = [];
  #closed: Promise<void> | null = null;

  add(end: () => unknown): void {
    if (this.#closed === null) this.#ends.push(end);
    else this.#closed = this.#closed.then(async () => void (await end()));
  }

  /** Rejects if one of them fails; the others still run. */
  close(): Promise<void> {
    this.#closed ??= this.#run();
    return this.#closed;
  }

  async #run(): Promise<void> {
    const faults: unknown[] = [];
    for (const end of this.#ends.splice(0).reverse()) {
      try {
        await end();
      } catch (error) {
        faults.push(error);
      }
    }
    if (faults.length > 0) throw faults[0];
  }
}
