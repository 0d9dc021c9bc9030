// How far our clock is from the gateway's, learnt from the SVC-Server-Time of every answer (contract §2), so that what we
// sign is inside its window although our own clock is not. Portable.

export class ServerClock {
  readonly #now: () => number;
  /** The offset is between these, by every answer so far that the others do not contradict. */
  #leastMs = Number.NEGATIVE_INFINITY;
  #mostMs = Number.POSITIVE_INFINITY;

  /** `now` is our own clock in Unix milliseconds. */
  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** Whether an answer has told the offset yet. */
  get isCompared(): boolean {
    return this.#leastMs !== Number.NEGATIVE_INFINITY;
  }

  /** What to add to our own clock, in milliseconds; 0 until an answer has told. */
  get offsetMs(): number {
    return this.isCompared ? (this.#leastMs + this.#mostMs) / 2 : 0;
  }

  /** Our own clock, Unix milliseconds. */
  ownNow(): number {
    return this.#now();
  }

  /** The gateway's clock as far as we know, Unix milliseconds. */
  now(): number {
    return this.#now() + this.offsetMs;
  }

  /**
   * An answer said that it was `serverMs` somewhere between sending and receiving: the first one puts the offset in the
   * middle. Later ones narrow it down, so that a slow answer teaches nothing false; one that contradicts them (clocks
   * drift, and are set) counts alone.
   */
  observe(sentMs: number, receivedMs: number, serverMs: number): void {
    // Our own clock was set back meanwhile: the answer says nothing.
    if (receivedMs < sentMs) return;
    const [leastMs, mostMs] = [serverMs - receivedMs, serverMs - sentMs];
    const isContradiction = leastMs > this.#mostMs || mostMs < this.#leastMs;
    this.#leastMs = isContradiction ? leastMs : Math.max(leastMs, this.#leastMs);
    this.#mostMs = isContradiction ? mostMs : Math.min(mostMs, this.#mostMs);
  }
}
