// A side's occupied slots as a two-level bitmap: one bit per slot, one summary bit per word. Finds the best price, and
// the next one after it, without looking at empty slots. `words` and `summary` are indexes into `i32`. Any thread.

import { BID, type Side } from '../domain/market.ts';

export function occupy(i32: Int32Array, words: number, summary: number, slot: number): void {
  const word = slot >>> 5;
  i32[words + word] = i32[words + word]! | (1 << (slot & 31));
  i32[summary + (word >>> 5)] = i32[summary + (word >>> 5)]! | (1 << (word & 31));
}

export function vacate(i32: Int32Array, words: number, summary: number, slot: number): void {
  const word = slot >>> 5;
  const left = i32[words + word]! & ~(1 << (slot & 31));
  i32[words + word] = left;
  if (left === 0) i32[summary + (word >>> 5)] = i32[summary + (word >>> 5)]! & ~(1 << (word & 31));
}

/** The best slot of a side that is strictly worse than `slot`: the next lower bid or the next higher ask; −1 if none. */
export function nextWorse(
  i32: Int32Array,
  words: number,
  summary: number,
  capacity: number,
  side: Side,
  slot: number,
): number {
  return side === BID ? lower(i32, words, summary, slot) : higher(i32, words, summary, capacity, slot);
}

function lower(i32: Int32Array, words: number, summary: number, slot: number): number {
  if (slot <= 0) return -1;
  const word = (slot - 1) >>> 5;
  const here = i32[words + word]! & (-1 >>> (31 - ((slot - 1) & 31)));
  if (here !== 0) return (word << 5) + 31 - Math.clz32(here);
  if (word === 0) return -1;
  let at = (word - 1) >>> 5;
  let bits = i32[summary + at]! & (-1 >>> (31 - ((word - 1) & 31)));
  while (bits === 0) {
    if (at === 0) return -1;
    at -= 1;
    bits = i32[summary + at]!;
  }
  const found = (at << 5) + 31 - Math.clz32(bits);
  return (found << 5) + 31 - Math.clz32(i32[words + found]!);
}

function higher(i32: Int32Array, words: number, summary: number, capacity: number, slot: number): number {
  const from = slot + 1;
  if (from >= capacity) return -1;
  const word = from >>> 5;
  const here = i32[words + word]! & (-1 << (from & 31));
  if (here !== 0) return (word << 5) + lowestBit(here);
  const next = word + 1;
  const wordCount = capacity >>> 5;
  if (next >= wordCount) return -1;
  let at = next >>> 5;
  let bits = i32[summary + at]! & (-1 << (next & 31));
  const last = (wordCount - 1) >>> 5;
  while (bits === 0) {
    if (at === last) return -1;
    at += 1;
    bits = i32[summary + at]!;
  }
  const found = (at << 5) + lowestBit(bits);
  return (found << 5) + lowestBit(i32[words + found]!);
}

function lowestBit(bits: number): number {
  return 31 - Math.clz32(bits & -bits);
}
