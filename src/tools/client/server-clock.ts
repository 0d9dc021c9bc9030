// Offset of the gateway's clock from ours, by the SVC-Server-Time of every answer (contract §2). With it signatures are inside the
// gateway's window although our clock is wrong. Portable.

export class ServerClock {
  readonly #now: () => number;
  /** Bounds of the offset, by all answers that agree. */
  #leastMs = Number.NEGATIVE_INFINITY;
  #mostMs = Number.POSITIVE_INFINITY;

  /** `now`: our clock, Unix milliseconds. */
  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** Whether an answer has stated the offset yet. */
  get isCompared(): boolean {
    return this.#leastMs !== Number.NEGATIVE_INFINITY;
  }

  /** Milliseconds to add to our clock; 0 until the first answer. */
  get offsetMs(): number {
    return this.isCompared ? (this.#leastMs + this.#mostMs) / 2 : 0;
  }

  /** Our clock in Unix milliseconds. */
  ownNow(): number {
    return this.#now();
  }

  /** Estimate of the gateway's clock, Unix milliseconds. */
  now(): number {
    return this.#now() + this.offsetMs;
  }

  /**
   * Takes in an answer that states `serverMs` at some moment between sending and receiving. The first answer puts the offset in the middle.
   * Later ones narrow the bounds, so that slow answers do no harm. An answer that contradicts them counts alone: clocks drift, and are set.
   */
  observe(sentMs: number, receivedMs: number, serverMs: number): void {
    // Our clock was set back meanwhile: the answer has no information.
    if (receivedMs < sentMs) return;
    const [leastMs, mostMs] = [serverMs - receivedMs, serverMs - sentMs];
    const isContradiction = leastMs > this.#mostMs || mostMs < this.#leastMs;
    this.#leastMs = isContradiction ? leastMs : Math.max(leastMs, this.#leastMs);
    this.#mostMs = isContradiction ? mostMs : Math.min(mostMs, this.#mostMs);
  }
}
