// Decides who answers an operation that was handed to the engine. The engine answers once it claims the operation, or the main thread once
// it gives the operation up, never both. Each operation in flight has one slot of shared memory. Main and engine thread.

import { limits } from '../../limits.ts';

/** The exclusive upper bound of operation numbers, so that a number fits a slot of Int32. */
const NUMBERS_END = 2 ** 31;

export class Claims {
  readonly memory: SharedArrayBuffer;
  /** The slots. A slot holds the number of an operation that no thread has claimed. 0 means that the slot is free. */
  readonly #places: Int32Array;
  #number = 0;

  constructor(memory = new SharedArrayBuffer(limits.engineClaimsMax * Int32Array.BYTES_PER_ELEMENT)) {
    this.memory = memory;
    this.#places = new Int32Array(memory);
  }

  /** Returns the number of a new, unclaimed operation. Throws a RangeError if no slot is free. Main thread. */
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

  /** Returns whether the operation is still unclaimed. Any thread. */
  isOffered(number: number): boolean {
    return Atomics.load(this.#places, this.#placeOf(number)) === number;
  }

  /** Claims the operation. Returns true to exactly one of the threads that try. Any thread. */
  take(number: number): boolean {
    return Atomics.compareExchange(this.#places, this.#placeOf(number), number, 0) === number;
  }

  #placeOf(number: number): number {
    return number % this.#places.length;
  }
}
