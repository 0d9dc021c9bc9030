// How long turns wait for the engine: it counts those that it has handled, in memory that main reads. Main and engine thread.

export class TurnWaits {
  readonly memory: SharedArrayBuffer;
  readonly #handled: Uint32Array;
  /** When main sent each turn from `#first` on. */
  readonly #sentAtMs: number[] = [];
  /** Place of the oldest turn that was not known to be handled at the last look. */
  #first = 0;
  #known = 0;

  constructor(memory = new SharedArrayBuffer(Uint32Array.BYTES_PER_ELEMENT)) {
    this.memory = memory;
    this.#handled = new Uint32Array(memory);
  }

  /** The engine has handled one more. */
  countHandled(): void {
    Atomics.add(this.#handled, 0, 1);
  }

  /** Main sends one more. */
  countSent(nowMs: number): void {
    this.#look();
    this.#sentAtMs.push(nowMs);
  }

  /** How long the oldest turn has waited; 0 if no turn waits. */
  oldestMs(nowMs: number): number {
    this.#look();
    const sentAtMs = this.#sentAtMs[this.#first];
    return sentAtMs === undefined ? 0 : nowMs - sentAtMs;
  }

  #look(): void {
    const handled = Atomics.load(this.#handled, 0);
    // The count starts anew after its greatest number.
    this.#first += (handled - this.#known) >>> 0;
    this.#known = handled;
    if (2 * this.#first < this.#sentAtMs.length) return;
    if (this.#first === this.#sentAtMs.length) this.#sentAtMs.length = 0;
    else this.#sentAtMs.splice(0, this.#first);
    this.#first = 0;
  }
}
