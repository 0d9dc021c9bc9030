// One book's ladder, selected from shared memory: sizes by slot, bitmaps, level counts and best prices. Selecting looks
// its place up once, so that a batch of changes pays for it once. Feed threads, inside the book's seqlock.

import { ASK, BID, PRIMARY, type Side, type View } from '../domain/market.ts';
import { TICKS_PER_DOLLAR } from '../domain/numbers.ts';
import { nextWorse, occupy, vacate } from './bitmap.ts';
import { CHECKSUM_DEPTH, type ChecksumWriter } from './checksum.ts';
import {
  bitmapWords,
  H_BEST,
  H_CAPACITY,
  H_LADDER,
  H_LEVELS,
  H_RECIPROCAL,
  H_STEP,
  H_WINDOW,
  RECIPROCAL_BITS,
  summaryWords,
} from './layout.ts';
import type { Region } from './memory.ts';

export class Ladder {
  readonly #i32: Int32Array;
  readonly #f64: Float64Array;
  #header = 0;
  #step = 0;
  #reciprocal = 0;
  #capacity = 0;
  #start = 0;

  constructor(region: Region) {
    this.#i32 = region.i32;
    this.#f64 = region.f64;
  }

  /** Selects the ladder of the book whose header starts at `header`. */
  select(header: number): void {
    const i32 = this.#i32;
    this.#header = header;
    this.#step = i32[header + H_STEP]!;
    this.#reciprocal = i32[header + H_RECIPROCAL]!;
    this.#capacity = i32[header + H_CAPACITY]!;
    this.#start = i32[header + H_LADDER]!;
  }

  /** Gives the book at `header` an empty ladder of `capacity` slots at `start`, and selects it. */
  install(header: number, step: number, capacity: number, start: number): void {
    const i32 = this.#i32;
    i32[header + H_STEP] = step;
    i32[header + H_RECIPROCAL] = Math.ceil(2 ** RECIPROCAL_BITS / step);
    i32[header + H_CAPACITY] = capacity;
    i32[header + H_LADDER] = start;
    this.select(header);
    this.#forgetLevels();
  }

  get step(): number {
    return this.#step;
  }

  /** Slot of a price, −1 if it has none on this grid. */
  slotOf(price: number): number {
    const slot = (price * this.#reciprocal) >>> RECIPROCAL_BITS;
    return price >= 0 && price <= TICKS_PER_DOLLAR && slot * this.#step === price ? slot : -1;
  }

  sizeAt(side: Side, slot: number): number {
    return this.#f64[this.#start + side * this.#capacity + slot]!;
  }

  best(side: Side): number {
    return this.#i32[this.#header + H_BEST + side]!;
  }

  /** Stores a size that differs from `old`, what is there now. */
  store(side: Side, slot: number, size: number, old: number): void {
    const i32 = this.#i32;
    this.#f64[this.#start + side * this.#capacity + slot] = size;
    const bestAt = this.#header + H_BEST + side;
    const levelsAt = this.#header + H_LEVELS + side;
    const best = i32[bestAt]!;
    if (old === 0) {
      occupy(i32, this.#bits(side), this.#summary(side), slot);
      i32[levelsAt] = i32[levelsAt]! + 1;
      if (best === -1 || (side === BID ? slot > best : slot < best)) i32[bestAt] = slot;
    } else if (size === 0) {
      vacate(i32, this.#bits(side), this.#summary(side), slot);
      i32[levelsAt] = i32[levelsAt]! - 1;
      if (slot === best) i32[bestAt] = this.nextWorse(side, slot);
    }
  }

  nextWorse(side: Side, slot: number): number {
    return nextWorse(this.#i32, this.#bits(side), this.#summary(side), this.#capacity, side, slot);
  }

  /** Best bid at or above best ask. */
  isCrossed(): boolean {
    const bid = this.best(BID);
    const ask = this.best(ASK);
    return bid !== -1 && ask !== -1 && bid >= ask;
  }

  clear(): void {
    const capacity = this.#capacity;
    const words = (this.#start + 2 * capacity) * 2;
    this.#f64.fill(0, this.#start, this.#start + 2 * capacity);
    this.#i32.fill(0, words, words + 2 * (bitmapWords(capacity) + summaryWords(capacity)));
    this.#forgetLevels();
  }

  /** Whether a change at this slot can change the checksum: it is among the ten best of its side, or there are fewer. */
  isInWindow(side: Side, slot: number): boolean {
    const window = this.#i32[this.#header + H_WINDOW + side]!;
    return window === -1 || (side === BID ? slot >= window : slot <= window);
  }

  /** The checksum of a view, as a signed word; remembers how far down it looked. */
  checksum(writer: ChecksumWriter, view: View): number {
    writer.begin();
    this.#addWindow(writer, view === PRIMARY ? BID : ASK, view);
    this.#addWindow(writer, view === PRIMARY ? ASK : BID, view);
    return writer.finish();
  }

  #addWindow(writer: ChecksumWriter, side: Side, view: View): void {
    let slot = this.best(side);
    let last = -1;
    let count = 0;
    while (slot !== -1 && count < CHECKSUM_DEPTH) {
      const price = slot * this.#step;
      writer.level(view === PRIMARY ? price : TICKS_PER_DOLLAR - price, this.sizeAt(side, slot));
      last = slot;
      count += 1;
      slot = this.nextWorse(side, slot);
    }
    this.#i32[this.#header + H_WINDOW + side] = count === CHECKSUM_DEPTH ? last : -1;
  }

  #bits(side: Side): number {
    return (this.#start + 2 * this.#capacity) * 2 + side * bitmapWords(this.#capacity);
  }

  #summary(side: Side): number {
    const capacity = this.#capacity;
    return (this.#start + 2 * capacity) * 2 + 2 * bitmapWords(capacity) + side * summaryWords(capacity);
  }

  #forgetLevels(): void {
    for (const side of [BID, ASK]) {
      this.#i32[this.#header + H_BEST + side] = -1;
      this.#i32[this.#header + H_LEVELS + side] = 0;
      this.#i32[this.#header + H_WINDOW + side] = -1;
    }
  }
}
