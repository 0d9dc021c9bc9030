// Seeded randomness: the same seed gives the same session on every machine. Any thread.

export class Random {
  #state: number;

  /** `seed` counts as an unsigned 32-bit integer. */
  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** The seed with which another source goes on where this source stands. */
  get state(): number {
    return this.#state;
  }

  /** Returns a uniform number in [0, 1). Mulberry32: 32 bits of state are enough for simulated markets. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** Returns a uniform integer in 0 … bound − 1. */
  below(bound: number): number {
    return Math.floor(this.next() * bound);
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  /** Returns an element of a list, which must not be empty. */
  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)]!;
  }

  exponential(mean: number): number {
    return -mean * Math.log(1 - this.next());
  }

  /** Returns an approximately standard normal number: the sum of twelve uniform numbers (Irwin–Hall). */
  normal(): number {
    let sum = -6;
    for (let index = 0; index < 12; index += 1) sum += this.next();
    return sum;
  }

  hex(digits: number): string {
    return Array.from({ length: digits }, () => this.below(16).toString(16)).join('');
  }
}
