// Queue of work slices that each occupy a thread for some milliseconds. One slice runs between two turns of everything else, so that many
// users delay others no longer than one does. Any thread.

export class TurnQueue {
  readonly #yieldTo: (task: () => void) => void;
  /** In order of arrival. */
  readonly #waiting = new Set<() => void>();
  #isPlanned = false;

  /** `yieldTo` calls after everything else has had its turn. */
  constructor(yieldTo: (task: () => void) => void) {
    this.#yieldTo = yieldTo;
  }

  /** Runs `slice` in its turn; the returned function cancels it. */
  add(slice: () => void): () => void {
    // A closure of its own, so that one function may wait twice.
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
        // Set after the call: a timer set before it would be due at once.
        this.#isPlanned = false;
        if (this.#waiting.size > 0) this.#plan();
      }
    });
  }
}
