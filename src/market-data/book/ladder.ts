// The levels of one book in shared memory: sizes by slot, bitmaps, best slots. `select` looks their places up once for a batch
// of changes. Feed threads, inside the book's seqlock.

import { ASK, BID, PRIMARY, type Side, type View } from '../../core/domain/market.ts';
import { TICKS_PER_DOLLAR } from '../../core/domain/numbers.ts';
import { limits } from '../../limits.ts';
import { collect, nextAfter, occupy, vacate } from './bitmap.ts';
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

  /** Slot of a price on a side; NO_SLOT for a price outside the grid, or not strictly between 0 and 1. */
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

  /** Loads the cache lines of a coming `store`, all at once. V8 drops a load without a use; the sum is that use. */
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

  /** Sets the size at a slot; 0 removes the level. True if the checksum may change: the slot is among the ten best. */
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

  /** Whether best bid ≥ best ask. */
  isCrossed(): boolean {
    // The distances of a bid and an ask at one price add up to one dollar; with a NO_SLOT the sum is larger.
    return this.best(BID) + this.best(ASK) <= this.#lastSlot;
  }

  clear(): void {
    this.#f64.fill(0, this.#start, this.#start + 2 * this.#sideLength);
    this.#forgetBest();
  }

  /** Unsigned checksum of a view; also records how many levels it covers. */
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
    // A bid of the primary view is an ask of the complement, where its slot is its price.
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

/** Allocates ladders of a region: a bump allocator with one free list per capacity, because a venue has few grids. */
export class LadderPool {
  readonly #f64: Float64Array;
  readonly #freeByCapacity = new Map<number, number[]>();
  #next = LADDERS_START_F64;
  readonly #end = LADDERS_START_F64 + limits.ladderBytesPerVenue / F64_BYTES;

  constructor(region: Region) {
    this.#f64 = region.f64;
  }

  /** Start of an empty ladder, in `f64`; null when `ladderBytesPerVenue` is used up. */
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
