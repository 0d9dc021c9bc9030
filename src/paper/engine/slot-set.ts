// A set of small numbers that finds its smallest member, and the next one after any, without scanning absent ones. Each number has one bit,
// and each word one summary bit. Holds the occupied prices of one side of a book.

import { TICKS_PER_DOLLAR } from '../../core/domain/numbers.ts';

const WORDS = (TICKS_PER_DOLLAR >>> 5) + 1;
const SUMMARY_WORDS = (WORDS >>> 5) + 1;

/** "There is none": larger than every slot. */
export const NO_SLOT = TICKS_PER_DOLLAR + 1;

/** Members are 0 … 10 000. */
export class SlotSet {
  readonly #words = new Int32Array(WORDS);
  readonly #summary = new Int32Array(SUMMARY_WORDS);

  add(slot: number): void {
    const word = slot >>> 5;
    this.#words[word]! |= 1 << (slot & 31);
    this.#summary[word >>> 5]! |= 1 << (word & 31);
  }

  delete(slot: number): void {
    const word = slot >>> 5;
    this.#words[word]! &= ~(1 << (slot & 31));
    if (this.#words[word] === 0) this.#summary[word >>> 5]! &= ~(1 << (word & 31));
  }

  /** The first member from `slot` on; NO_SLOT if there is none. */
  firstFrom(slot: number): number {
    const word = slot >>> 5;
    if (word >= WORDS) return NO_SLOT;
    const here = this.#words[word]! & (-1 << (slot & 31));
    if (here !== 0) return (word << 5) + lowestBit(here);
    return this.#firstFromWord(word + 1);
  }

  #firstFromWord(word: number): number {
    let at = word >>> 5;
    if (at >= SUMMARY_WORDS) return NO_SLOT;
    let bits = this.#summary[at]! & (-1 << (word & 31));
    while (bits === 0) {
      at += 1;
      if (at === SUMMARY_WORDS) return NO_SLOT;
      bits = this.#summary[at]!;
    }
    const found = (at << 5) + lowestBit(bits);
    return (found << 5) + lowestBit(this.#words[found]!);
  }
}

function lowestBit(bits: number): number {
  return 31 - Math.clz32(bits & -bits);
}
