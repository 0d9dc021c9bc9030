// Measures how long turns wait for the engine. The engine counts the turns that it has handled, in memory that main reads. Main and engine
// thread.

export class TurnWaits {
  readonly memory: SharedArrayBuffer;
  readonly #handled: Uint32Array;
  /** The times at which main sent the turns, from the turn at `#first` on. */
  readonly #sentAtMs: number[] = [];
  /** The index of the oldest turn that was not known to be handled at the last look. */
  #first = 0;
  #known = 0;

  constructor(memory = new SharedArrayBuffer(Uint32Array.BYTES_PER_ELEMENT)) {
    this.memory = memory;
    this.#handled = new Uint32Array(memory);
  }

  /** Counts a turn that the engine has handled. */
  countHandled(): void {
    Atomics.add(this.#handled, 0, 1);
  }

  /** Counts a turn that main sends. */
  countSent(nowMs: number): void {
    this.#advance();
    this.#sentAtMs.push(nowMs);
  }

  /** How long the oldest turn has waited, in milliseconds. 0 means that no turn waits. */
  oldestMs(nowMs: number): number {
    this.#advance();
    const sentAtMs = this.#sentAtMs[this.#first];
    return sentAtMs === undefined ? 0 : nowMs - sentAtMs;
  }

  #advance(): void {
    const handled = Atomics.load(this.#handled, 0);
    // The unsigned difference stays right when the count wraps around after its greatest number.
    this.#first += (handled - this.#known) >>> 0;
    this.#known = handled;
    if (2 * this.#first < this.#sentAtMs.length) return;
    if (this.#first === this.#sentAtMs.length) this.#sentAtMs.length = 0;
    else this.#sentAtMs.splice(0, this.#first);
    this.#first = 0;
  }
}
