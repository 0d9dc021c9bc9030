// The levels of one book in shared memory: sizes by slot, bitmaps of occupied slots, and the best slots. `select` looks up where the levels
// are, once for a batch of changes. Feed threads, inside the book's seqlock.

import { ASK, BID, PRIMARY, type Side, type View } from '../../core/domain/market.ts';
import { TICKS_PER_DOLLAR } from '../../core/domain/numbers.ts';
import { limits } from '../../limits.ts';
import { CHECKSUM_DEPTH, type ChecksumWriter } from './checksum.ts';
import {
  BEST_MASK,
  distanceOf,
  F64_BYTES,
  H_EDGES,
  headerOf,
  LADDERS_START_F64,
  LAST_SHIFT,
  ladderCapacity,
  NO_SLOT,
  P_LADDER,
  P_STEP,
  placeOf,
  priceAt,
  RECIPROCAL_BITS,
  reciprocalOf,
  sideLength,
  sizesOffset,
  summaryWords,
} from './layout.ts';
import type { Region } from './memory.ts';

/**
 * Marks a slot as occupied. `block` is the start of the side's block in `i32`. `words` is the start of its bitmap: block +
 * summaryWords(capacity).
 */
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

/** Returns the first occupied slot after `slot`, which is the next worse level, or NO_SLOT if no worse level exists. */
export function nextAfter(i32: Int32Array, block: number, words: number, capacity: number, slot: number): number {
  const word = (slot + 1) >>> 5;
  if (word >= capacity >>> 5) return NO_SLOT;
  const here = i32[words + word]! & (-1 << ((slot + 1) & 31));
  if (here !== 0) return (word << 5) + lowestBit(here);
  const next = nextWord(i32, block, capacity, word + 1);
  return next === NO_SLOT ? NO_SLOT : (next << 5) + lowestBit(i32[words + next]!);
}

/** Writes at most `count` occupied slots, from `best` on, into `slots`. Returns the number of slots written. */
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

/** Returns the first word, from `word` on, whose summary bit is set, or NO_SLOT if no such word exists. */
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

export class Ladder {
  readonly #i32: Int32Array;
  readonly #f64: Float64Array;
  readonly #slots = new Int32Array(CHECKSUM_DEPTH);
  #header = 0;
  #start = 0;
  #capacity = 0;
  #step = 0;
  #lastSlot = 0;
  #reciprocal = 0;
  #sideLength = 0;
  #sizes = 0;
  #summaryWords = 0;
  #prefetched = 0;

  constructor(region: Region) {
    this.#i32 = region.i32;
    this.#f64 = region.f64;
  }

  select(book: number): void {
    const place = placeOf(book);
    const i32 = this.#i32;
    this.#header = headerOf(book);
    this.#start = i32[place + P_LADDER]!;
    const step = i32[place + P_STEP]!;
    if (step !== this.#step) this.#measure(step);
  }

  /** Assigns the empty ladder at `start` to a book, and selects it. */
  install(book: number, step: number, start: number): void {
    const place = placeOf(book);
    this.#i32[place + P_STEP] = step;
    this.#i32[place + P_LADDER] = start;
    this.select(book);
    this.#forgetBest();
  }

  get start(): number {
    return this.#start;
  }

  get capacity(): number {
    return this.#capacity;
  }

  get step(): number {
    return this.#step;
  }

  /** Returns the slot of a price on a side. Returns NO_SLOT if the price is outside the grid, or not strictly between 0 and 1. */
  slotOf(side: Side, price: number): number {
    const distance = distanceOf(side, price);
    const slot = (distance * this.#reciprocal) >>> RECIPROCAL_BITS;
    return slot * this.#step === distance && distance > 0 && distance < TICKS_PER_DOLLAR ? slot : NO_SLOT;
  }

  priceAt(side: Side, slot: number): number {
    return priceAt(side, slot, this.#step);
  }

  sizeAt(side: Side, slot: number): number {
    return this.#f64[this.#start + side * this.#sideLength + this.#sizes + slot]!;
  }

  /**
   * Loads the cache lines that the next `store` needs, all at once. V8 drops a load whose value is not used; the XOR into `#prefetched`
   * uses the values.
   */
  prefetch(side: Side, slot: number): void {
    const word = this.#block(side) + this.#summaryWords + (slot >>> 5);
    this.#prefetched = this.#prefetched ^ this.#i32[word]! ^ this.#i32[this.#header + H_EDGES + side]!;
  }

  best(side: Side): number {
    return this.#i32[this.#header + H_EDGES + side]! & BEST_MASK;
  }

  nextWorse(side: Side, slot: number): number {
    const block = this.#block(side);
    return nextAfter(this.#i32, block, block + this.#summaryWords, this.#capacity, slot);
  }

  /** Sets the size at a slot; 0 removes the level. Returns true if the slot is among the ten best, so that the checksum may change. */
  store(side: Side, slot: number, size: number): boolean {
    const i32 = this.#i32;
    const start = this.#start + side * this.#sideLength;
    const edgesAt = this.#header + H_EDGES + side;
    const block = start * 2;
    const words = block + this.#summaryWords;
    const edges = i32[edgesAt]!;
    const best = edges & BEST_MASK;
    this.#f64[start + this.#sizes + slot] = size;
    if (size !== 0) {
      occupy(i32, block, words, slot);
      if (slot < best) i32[edgesAt] = edges - best + slot;
    } else {
      vacate(i32, block, words, slot);
      if (slot === best) i32[edgesAt] = edges - best + nextAfter(i32, block, words, this.#capacity, slot);
    }
    return slot <= edges >>> LAST_SHIFT;
  }

  /** Whether the best bid is at or above the best ask. */
  isCrossed(): boolean {
    // A bid and an ask at the same price have distances that add up to one dollar. If a side is empty, NO_SLOT makes the sum larger.
    return this.best(BID) + this.best(ASK) <= this.#lastSlot;
  }

  clear(): void {
    this.#f64.fill(0, this.#start, this.#start + 2 * this.#sideLength);
    this.#forgetBest();
  }

  /** Returns the unsigned checksum of a view. Also records the last slot that the checksum covers on each side. */
  checksum(writer: ChecksumWriter, view: View): number {
    writer.begin();
    this.#addSide(writer, view === PRIMARY ? BID : ASK, view);
    this.#addSide(writer, view === PRIMARY ? ASK : BID, view);
    return writer.finish();
  }

  #addSide(writer: ChecksumWriter, side: Side, view: View): void {
    const block = this.#block(side);
    const slots = this.#slots;
    const words = block + this.#summaryWords;
    const count = collect(this.#i32, block, words, this.#capacity, this.best(side), slots, CHECKSUM_DEPTH);
    // A bid of the primary view is an ask of the complement, at the price slot × step.
    const isAskOfView = (side === ASK) === (view === PRIMARY);
    for (let index = 0; index < count; index++) {
      const distance = slots[index]! * this.#step;
      writer.level(isAskOfView ? distance : TICKS_PER_DOLLAR - distance, this.sizeAt(side, slots[index]!));
    }
    const last = count === CHECKSUM_DEPTH ? slots[count - 1]! : NO_SLOT;
    this.#i32[this.#header + H_EDGES + side] = this.best(side) | (last << LAST_SHIFT);
  }

  #block(side: Side): number {
    return (this.#start + side * this.#sideLength) * 2;
  }

  #measure(step: number): void {
    const capacity = ladderCapacity(step);
    this.#step = step;
    this.#reciprocal = reciprocalOf(step);
    this.#lastSlot = TICKS_PER_DOLLAR / step;
    this.#capacity = capacity;
    this.#sideLength = sideLength(capacity);
    this.#sizes = sizesOffset(capacity);
    this.#summaryWords = summaryWords(capacity);
  }

  #forgetBest(): void {
    const none = NO_SLOT | (NO_SLOT << LAST_SHIFT);
    this.#i32.fill(none, this.#header + H_EDGES, this.#header + H_EDGES + 2);
  }
}

/** Allocates ladders in a region: a bump allocator with a free list for each capacity. A venue has few grids, so the lists are few. */
export class LadderPool {
  readonly #f64: Float64Array;
  readonly #freeByCapacity = new Map<number, number[]>();
  #next = LADDERS_START_F64;
  readonly #end = LADDERS_START_F64 + limits.ladderBytesPerVenue / F64_BYTES;

  constructor(region: Region) {
    this.#f64 = region.f64;
  }

  /** Returns the start of an empty ladder, in `f64`, or null if `ladderBytesPerVenue` is used up. */
  allocate(capacity: number): number | null {
    const length = 2 * sideLength(capacity);
    const reused = this.#freeByCapacity.get(capacity)?.pop();
    const start = reused ?? this.#next;
    if (reused === undefined) {
      if (start + length > this.#end) return null;
      this.#next += length;
    }
    this.#f64.fill(0, start, start + length);
    return start;
  }

  release(start: number, capacity: number): void {
    const free = this.#freeByCapacity.get(capacity);
    if (free === undefined) this.#freeByCapacity.set(capacity, [start]);
    else free.push(start);
  }
}
