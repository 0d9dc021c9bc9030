// Seeded randomness whose rare happenings are numbered, so that a schedule can be played again with some of them only.

import { Random } from '../../src/core/runtime/random.ts';

export class Happenings extends Random {
  /** Numbers of what has happened so far. */
  readonly happened: number[] = [];
  readonly #kept: ReadonlySet<number> | null;
  #number = 0;

  /** `kept`: nothing else happens; null: all that the seed says. */
  constructor(seed: number, kept: ReadonlySet<number> | null = null) {
    super(seed);
    this.#kept = kept;
  }

  /** As `chance`, of something that a schedule can do without: a fault, an order, what a trader does beside it. */
  happens(probability: number): boolean {
    const number = this.#number;
    this.#number += 1;
    // A certain happening takes nothing of the seed.
    const isDrawn = probability >= 1 || this.chance(probability);
    if (!isDrawn || this.#kept?.has(number) === false) return false;
    this.happened.push(number);
    return true;
  }
}
