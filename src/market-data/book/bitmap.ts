// Occupied slots of a side as a two-level bitmap: one bit per slot, one summary bit per word. Finds the best level and the
// next ones without reading empty slots. It lies at the start of the side's block (layout.ts). Any thread.

import { NO_SLOT, summaryWords } from './layout.ts';

/** `block`: start of the side's block in `i32`. `words`: start of its bits, block + summaryWords(capacity). */
export function occupy(i32: Int32Array, block: number, words: number, slot: number): void {
  const word = slot >>> 5;
  i32[words + word] = i32[words + word]! | (1 << (slot & 31));
  i32[block + (word >>> 5)] = i32[block + (word >>> 5)]! | (1 << (word & 31));
}

export function vacate(i32: Int32Array, block: number, words: number, slot: number): void {
  const word = slot >>> 5;
  const left = i32[words + word]! & ~(1 << (slot & 31));
  i32[words + word] = left;
  if (left === 0) i32[block + (word >>> 5)] = i32[block + (word >>> 5)]! & ~(1 << (word & 31));
}

/** The first occupied slot after `slot`: the next worse level. NO_SLOT if there is none. */
export function nextAfter(i32: Int32Array, block: number, words: number, capacity: number, slot: number): number {
  const word = (slot + 1) >>> 5;
  if (word >= capacity >>> 5) return NO_SLOT;
  const here = i32[words + word]! & (-1 << ((slot + 1) & 31));
  if (here !== 0) return (word << 5) + lowestBit(here);
  const next = nextWord(i32, block, capacity, word + 1);
  return next === NO_SLOT ? NO_SLOT : (next << 5) + lowestBit(i32[words + next]!);
}

/** Writes occupied slots from `best` on into `slots`, at most `count`; returns how many. */
export function collect(
  i32: Int32Array,
  block: number,
  words: number,
  capacity: number,
  best: number,
  slots: Int32Array,
  count: number,
): number {
  let found = 0;
  let word = best >>> 5;
  while (word < capacity >>> 5) {
    for (let bits = i32[words + word]!; bits !== 0 && found < count; bits &= bits - 1) {
      slots[found] = (word << 5) + lowestBit(bits);
      found += 1;
    }
    if (found === count) break;
    word = nextWord(i32, block, capacity, word + 1);
  }
  return found;
}

/** The first word from `word` on whose summary bit is set; NO_SLOT if there is none. */
export function nextWord(i32: Int32Array, block: number, capacity: number, word: number): number {
  if (word >= capacity >>> 5) return NO_SLOT;
  const summaries = summaryWords(capacity);
  let at = word >>> 5;
  let bits = i32[block + at]! & (-1 << (word & 31));
  while (bits === 0) {
    at += 1;
    if (at >= summaries) return NO_SLOT;
    bits = i32[block + at]!;
  }
  return (at << 5) + lowestBit(bits);
}

export function lowestBit(bits: number): number {
  return 31 - Math.clz32(bits & -bits);
}
