// Decides who answers an operation that was handed to the engine. The engine answers once it claims the operation, or the main thread once
// it gives the operation up, never both. Each operation in flight has one slot of shared memory. Main and engine thread.

import { limits } from '../../limits.ts';

/** Bound of operation numbers: they fit an Int32 slot. */
const NUMBERS_END = 2 ** 31;

export class Claims {
  readonly memory: SharedArrayBuffer;
  /** Number of the operation that nobody has claimed; 0: free. */
  readonly #places: Int32Array;
  #number = 0;

  constructor(memory = new SharedArrayBuffer(limits.engineClaimsMax * Int32Array.BYTES_PER_ELEMENT)) {
    this.memory = memory;
    this.#places = new Int32Array(memory);
  }

  /** The number of a new, unclaimed operation. Throws a RangeError if no slot is free. Main thread. */
  offer(): number {
    for (let tries = 0; tries < this.#places.length; tries += 1) {
      this.#number = (this.#number + 1) % NUMBERS_END;
      const place = this.#placeOf(this.#number);
      if (this.#number === 0 || Atomics.load(this.#places, place) !== 0) continue;
      Atomics.store(this.#places, place, this.#number);
      return this.#number;
    }
    throw new RangeError('more operations are under way than there is room for (engineClaimsMax)');
  }

  /** Whether the operation is still unclaimed. Any thread. */
  isOffered(number: number): boolean {
    return Atomics.load(this.#places, this.#placeOf(number)) === number;
  }

  /** Claims the operation: true for exactly one of all threads that try. Any thread. */
  take(number: number): boolean {
    return Atomics.compareExchange(this.#places, this.#placeOf(number), number, 0) === number;
  }

  #placeOf(number: number): number {
    return number % this.#places.length;
  }
}
