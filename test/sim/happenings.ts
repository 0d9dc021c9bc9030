// Seeded randomness with numbers for its rare happenings, so that a schedule can be played again with only some of them.

import { Random } from '../../src/core/runtime/random.ts';

export class Happenings extends Random {
  /** The numbers of the happenings so far. */
  readonly happened: number[] = [];
  readonly #kept: ReadonlySet<number> | null;
  #number = 0;

  /** With `kept`, only these happenings take place. Null means all happenings of the seed. */
  constructor(seed: number, kept: ReadonlySet<number> | null = null) {
    super(seed);
    this.#kept = kept;
  }

  /** Like `chance`, for something that a schedule can do without: a fault, an order, or another act of a trader. */
  happens(probability: number): boolean {
    const number = this.#number;
    this.#number += 1;
    // A certain happening consumes no randomness of the seed.
    const isDrawn = probability >= 1 || this.chance(probability);
    if (!isDrawn || this.#kept?.has(number) === false) return false;
    this.happened.push(number);
    return true;
  }
}
