// Reading books that another thread is writing: copy, check the version, try again a bounded number of times, then say
// busy. A reader writes nothing to shared memory and never holds a writer up. Any thread.

import {
  BOOK_STATES,
  type BookId,
  type BookState,
  PRIMARY,
  STATE_REASONS,
  type StateReason,
  type View,
} from '../domain/market.ts';
import { TICKS_PER_DOLLAR } from '../domain/numbers.ts';
import { limits } from '../limits.ts';
import { collect } from './bitmap.ts';
import {
  D_CAPACITY,
  D_LADDER,
  D_STEP,
  directoryOf,
  H_BEST,
  H_CHECKSUM,
  H_STATUS,
  H_VERSION,
  HF_EPOCH,
  HF_RECEIVED_AT,
  HF_SEQ,
  HF_VENUE_TIME,
  headerOf,
  STATUS_BYTE,
  STATUS_REASON_SHIFT,
  sideLength,
  sizesOffset,
  summaryWords,
} from './layout.ts';
import type { Region } from './memory.ts';

/** One side of a copied book, best first; only the first `count` entries mean something. */
export interface SideCopy {
  count: number;
  /** Ticks. */
  readonly prices: Int32Array;
  /** Micro-shares. */
  readonly sizes: Float64Array;
}

/** A consistent copy of a book, reused from read to read. */
export class BookCopy {
  readonly bids: SideCopy;
  readonly asks: SideCopy;
  state: BookState = 'RESYNCING';
  reason: StateReason = 'OPENING';
  epoch = 0;
  seq = 0;
  venueTime = 0;
  receivedAt = 0;
  /** Unsigned; of the view that was read. */
  checksum = 0;

  /** Holds up to `depth` levels a side. */
  constructor(depth: number) {
    this.bids = { count: 0, prices: new Int32Array(depth), sizes: new Float64Array(depth) };
    this.asks = { count: 0, prices: new Int32Array(depth), sizes: new Float64Array(depth) };
  }
}

/** Levels of the finest grid, both ends included: a copy of this depth holds any book whole. */
export const WHOLE_BOOK = TICKS_PER_DOLLAR + 1;

export class BookReader {
  readonly #i32: Int32Array;
  readonly #f64: Float64Array;

  constructor(region: Region) {
    this.#i32 = region.i32;
    this.#f64 = region.f64;
  }

  /** Copies the best levels of a view, as many as `copy` holds. False: busy, the writer was in the way every time. */
  read(book: BookId, view: View, copy: BookCopy): boolean {
    const version = headerOf(book) + H_VERSION;
    const i32 = this.#i32;
    for (let attempt = 0; attempt < limits.bookReadAttemptsMax; attempt++) {
      const before = Atomics.load(i32, version);
      if (before & 1) continue;
      this.#copyLevels(book, view, copy);
      this.#copyFacts(headerOf(book), view, copy);
      if (Atomics.load(i32, version) === before) return true;
    }
    return false;
  }

  #copyLevels(book: BookId, view: View, copy: BookCopy): void {
    const entry = directoryOf(book);
    const start = this.#i32[entry + D_LADDER]!;
    const capacity = this.#i32[entry + D_CAPACITY]!;
    const step = this.#i32[entry + D_STEP]!;
    const best = headerOf(book) + H_BEST;
    const asks = start + sideLength(capacity);
    // Seen from the complement, bids are asks whose slot is their price, and the other way round (layout.ts).
    const [bidsInto, asksInto] = view === PRIMARY ? [copy.bids, copy.asks] : [copy.asks, copy.bids];
    this.#copySide(start, capacity, this.#i32[best]!, bidsInto);
    this.#copySide(asks, capacity, this.#i32[best + 1]!, asksInto);
    priceBids(copy.bids, step);
    priceAsks(copy.asks, step);
  }

  /** Copies slots and sizes; slots are turned into prices afterwards. */
  #copySide(start: number, capacity: number, best: number, into: SideCopy): void {
    const block = start * 2;
    const { prices, sizes } = into;
    const words = block + summaryWords(capacity);
    const count = collect(this.#i32, block, words, capacity, best, prices, prices.length);
    const from = start + sizesOffset(capacity);
    for (let index = 0; index < count; index++) sizes[index] = this.#f64[from + prices[index]!]!;
    into.count = count;
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
}

function priceBids(bids: SideCopy, step: number): void {
  for (let index = 0; index < bids.count; index++) bids.prices[index] = TICKS_PER_DOLLAR - bids.prices[index]! * step;
}

function priceAsks(asks: SideCopy, step: number): void {
  for (let index = 0; index < asks.count; index++) asks.prices[index] = asks.prices[index]! * step;
}
