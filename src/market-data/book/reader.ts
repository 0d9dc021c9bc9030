// Reads books while another thread writes them: copies, compares the version, and tries again a bounded number of
// times. A reader writes nothing to shared memory and never delays a writer. Any thread.

import {
  BOOK_STATES,
  type BookId,
  type BookState,
  type Level,
  PRIMARY,
  STATE_REASONS,
  type StateReason,
  type View,
} from '../../core/domain/market.ts';
import { type MicroShares, TICKS_PER_DOLLAR, type Ticks } from '../../core/domain/numbers.ts';
import { limits } from '../../limits.ts';
import { lowestBit, nextWord } from './ladder.ts';
import {
  BEST_MASK,
  H_CHECKSUM,
  H_EDGES,
  H_LAST_TRADE,
  H_STATUS,
  H_VERSION,
  HF_EPOCH,
  HF_RECEIVED_AT,
  HF_SEQ,
  HF_VENUE_TIME,
  headerOf,
  LINE_I32,
  ladderCapacity,
  NO_SLOT,
  P_LADDER,
  P_STEP,
  placeOf,
  STATUS_BYTE,
  STATUS_REASON_SHIFT,
  sideLength,
  sizesOffset,
  summaryWords,
} from './layout.ts';
import type { Region } from './memory.ts';

/** One side of a copied book, best first; only the first `count` entries are valid. */
export interface SideCopy {
  count: number;
  /** Prices in ticks. */
  readonly prices: Int32Array;
  /** Sizes in micro-shares. */
  readonly sizes: Float64Array;
}

/** A consistent copy of a book; reused for every read. */
export class BookCopy {
  readonly bids: SideCopy;
  readonly asks: SideCopy;
  state: BookState = 'RESYNCING';
  reason: StateReason = 'OPENING';
  epoch = 0;
  seq = 0;
  venueTime = 0;
  receivedAt = 0;
  /** The unsigned checksum of the view that was read. */
  checksum = 0;
  /** The price of the last trade in ticks, in the view that was read. 0 means that no trade is known. */
  lastTrade = 0;

  /** Holds up to `depth` levels a side. */
  constructor(depth: number) {
    this.bids = { count: 0, prices: new Int32Array(depth), sizes: new Float64Array(depth) };
    this.asks = { count: 0, prices: new Int32Array(depth), sizes: new Float64Array(depth) };
  }
}

/** The offsets in shared memory at which the cache lines of a book's view begin. */
export interface BookLines {
  readonly header: number;
  readonly place: number;
  /** Whether the view is not the primary one. */
  readonly isComplement: boolean;
}

export function linesOf(book: BookId, view: View): BookLines {
  return { header: headerOf(book), place: placeOf(book), isComplement: view !== PRIMARY };
}

/** The number of levels in the finest grid, both ends included: a copy of this depth holds any whole book. */
export const WHOLE_BOOK = TICKS_PER_DOLLAR + 1;

export class BookReader {
  readonly #i32: Int32Array;
  readonly #f64: Float64Array;
  #step = 0;
  #capacity = 0;
  #sideLength = 0;
  #sizes = 0;
  #summaryWords = 0;
  #prefetched = 0;

  constructor(region: Region) {
    this.#i32 = region.i32;
    this.#f64 = region.f64;
  }

  /** Copies the best levels of a view, as many as `copy` holds. Returns false if every attempt met a write. */
  read(book: BookId, view: View, copy: BookCopy): boolean {
    const version = headerOf(book) + H_VERSION;
    const i32 = this.#i32;
    for (let attempt = 0; attempt < limits.bookReadAttemptsMax; attempt++) {
      const before = Atomics.load(i32, version);
      if (before & 1) continue;
      this.#copyLevels(book, view, copy);
      this.#copyFacts(headerOf(book), view, copy);
      this.#copyLastTrade(book, view, copy);
      if (Atomics.load(i32, version) === before) return true;
    }
    return false;
  }

  /**
   * Returns the best price of a side in ticks. Returns 0 if the book is not LIVE or the side is empty, and a negative number if every
   * attempt met a write.
   */
  best({ header, place, isComplement }: BookLines, isAsk: boolean): number {
    const i32 = this.#i32;
    const edge = header + H_EDGES + (isAsk !== isComplement ? 1 : 0);
    for (let attempt = 0; attempt < limits.bookReadAttemptsMax; attempt++) {
      const before = Atomics.load(i32, header + H_VERSION);
      if (before & 1) continue;
      const slot = i32[edge]! & BEST_MASK;
      const distance = slot * i32[place + P_STEP]!;
      const state = BOOK_STATES[i32[header + H_STATUS]! & STATUS_BYTE];
      if (Atomics.load(i32, header + H_VERSION) !== before) continue;
      if (state !== 'LIVE' || slot === NO_SLOT) return 0;
      return isAsk ? distance : TICKS_PER_DOLLAR - distance;
    }
    return -1;
  }

  /** Returns the book's epoch. The epoch is valid even during a write: a single number is never half written, and epochs only grow. */
  epochOf(book: BookId): number {
    return this.#f64[(headerOf(book) >>> 1) + HF_EPOCH]!;
  }

  #copyLevels(book: BookId, view: View, copy: BookCopy): void {
    const i32 = this.#i32;
    const header = headerOf(book);
    const place = placeOf(book);
    const start = i32[place + P_LADDER]!;
    const step = i32[place + P_STEP]!;
    if (step !== this.#step) this.#measure(step);
    const capacity = this.#capacity;
    const asks = start + this.#sideLength;
    const bestBid = i32[header + H_EDGES]! & BEST_MASK;
    const bestAsk = i32[header + H_EDGES + 1]! & BEST_MASK;
    this.#prefetch(start, bestBid);
    this.#prefetch(asks, bestAsk);
    // In the complement, the bids of the primary view are asks at slot × step. Its asks are bids at one dollar less slot × step
    // (layout.ts).
    if (view === PRIMARY) {
      copySide(i32, this.#f64, start, capacity, bestBid, TICKS_PER_DOLLAR, -step, copy.bids);
      copySide(i32, this.#f64, asks, capacity, bestAsk, 0, step, copy.asks);
    } else {
      copySide(i32, this.#f64, asks, capacity, bestAsk, TICKS_PER_DOLLAR, -step, copy.bids);
      copySide(i32, this.#f64, start, capacity, bestBid, 0, step, copy.asks);
    }
  }

  /**
   * Loads the cache lines of a side's best levels, all at once. V8 drops a load whose value is not used; the XOR into `#prefetched` uses
   * the values.
   */
  #prefetch(start: number, best: number): void {
    if (best === NO_SLOT) return;
    const i32 = this.#i32;
    const size = (start + this.#sizes + best) * 2;
    const bits = start * 2 + this.#summaryWords + (best >>> 5);
    // Ten levels take two lines or three.
    this.#prefetched = this.#prefetched ^ i32[bits]! ^ i32[size]! ^ i32[size + LINE_I32]!;
  }

  #measure(step: number): void {
    this.#step = step;
    this.#capacity = ladderCapacity(step);
    this.#sideLength = sideLength(this.#capacity);
    this.#sizes = sizesOffset(this.#capacity);
    this.#summaryWords = summaryWords(this.#capacity);
  }

  #copyFacts(header: number, view: View, copy: BookCopy): void {
    const status = this.#i32[header + H_STATUS]!;
    const times = header >>> 1;
    copy.state = BOOK_STATES[status & STATUS_BYTE]!;
    copy.reason = STATE_REASONS[(status >> STATUS_REASON_SHIFT) & STATUS_BYTE]!;
    copy.checksum = this.#i32[header + H_CHECKSUM + view]! >>> 0;
    copy.epoch = this.#f64[times + HF_EPOCH]!;
    copy.seq = this.#f64[times + HF_SEQ]!;
    copy.venueTime = this.#f64[times + HF_VENUE_TIME]!;
    copy.receivedAt = this.#f64[times + HF_RECEIVED_AT]!;
  }

  #copyLastTrade(book: BookId, view: View, copy: BookCopy): void {
    const price = this.#i32[headerOf(book) + H_LAST_TRADE]!;
    copy.lastTrade = view === PRIMARY || price === 0 ? price : TICKS_PER_DOLLAR - price;
  }
}

/** Returns the levels of a copied side, best first. */
export function levelsOf({ count, prices, sizes }: SideCopy): Level[] {
  return Array.from({ length: count }, (_, index) => ({
    price: prices[index]! as Ticks,
    size: sizes[index]! as MicroShares,
  }));
}

/** Copies a side from its block at `start`, best first. The price at a slot is `origin + slot × stride`. */
function copySide(
  i32: Int32Array,
  f64: Float64Array,
  start: number,
  capacity: number,
  best: number,
  origin: number,
  stride: number,
  into: SideCopy,
): void {
  const { prices, sizes } = into;
  const depth = prices.length;
  const block = start * 2;
  const words = block + summaryWords(capacity);
  const sizesAt = start + sizesOffset(capacity);
  let count = 0;
  let word = best >>> 5;
  while (word < capacity >>> 5) {
    for (let bits = i32[words + word]!; bits !== 0 && count < depth; bits &= bits - 1) {
      const slot = (word << 5) + lowestBit(bits);
      prices[count] = origin + slot * stride;
      sizes[count] = f64[sizesAt + slot]!;
      count += 1;
    }
    if (count === depth) break;
    word = nextWord(i32, block, capacity, word + 1);
  }
  into.count = count;
}
