// Slices of work that each keep a thread for some milliseconds, of whoever has some: one of them between two turns of everything else, so
// that many who have work at once keep nobody waiting longer than one does. Any thread.

export class TurnQueue {
  readonly #yieldTo: (task: () => void) => void;
  /** In the order in which they came. */
  readonly #waiting = new Set<() => void>();
  #isPlanned = false;

  /** `yieldTo` calls after everything else has had its turn. */
  constructor(yieldTo: (task: () => void) => void) {
    this.#yieldTo = yieldTo;
  }

  /** Runs `slice` when it is its turn; the returned function calls it off. */
  add(slice: () => void): () => void {
    // Of its own, so that one function may wait twice.
    const own = (): void => slice();
    this.#waiting.add(own);
    this.#plan();
    return () => this.#waiting.delete(own);
  }

  #plan(): void {
    if (this.#isPlanned) return;
    this.#isPlanned = true;
    this.#yieldTo(() => {
      const [next] = this.#waiting;
      try {
        if (next !== undefined) this.#waiting.delete(next);
        next?.();
      } finally {
        // Behind it: a timer that was set before it would be due at once.
        this.#isPlanned = false;
        if (this.#waiting.size > 0) this.#plan();
      }
    });
  }
}
