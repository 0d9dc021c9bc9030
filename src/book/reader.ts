// Reading books that another thread is writing: copy, check the version, try again a bounded number of times, then say
// busy. A reader writes nothing to shared memory and never holds a writer up. Any thread.

import {
  ASK,
  BID,
  BOOK_STATES,
  type BookId,
  type BookState,
  PRIMARY,
  type Side,
  STATE_REASONS,
  type StateReason,
  type View,
} from '../domain/market.ts';
import { TICKS_PER_DOLLAR } from '../domain/numbers.ts';
import { limits } from '../limits.ts';
import { nextWorse } from './bitmap.ts';
import {
  bitmapWords,
  H_BEST,
  H_CAPACITY,
  H_CHECKSUM,
  H_LADDER,
  H_REASON,
  H_STATE,
  H_STEP,
  H_VERSION,
  HEADER_F64,
  HEADER_I32,
  HF_EPOCH,
  HF_RECEIVED_AT,
  HF_SEQ,
  HF_VENUE_TIME,
  summaryWords,
} from './layout.ts';
import { BOOKS_F64, BOOKS_I32, type Region } from './memory.ts';

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
    const header = BOOKS_I32 + book * HEADER_I32;
    const i32 = this.#i32;
    for (let attempt = 0; attempt < limits.bookReadAttemptsMax; attempt++) {
      const version = Atomics.load(i32, header + H_VERSION);
      if (version & 1) continue;
      this.#copySide(header, BID, view, view === PRIMARY ? copy.bids : copy.asks);
      this.#copySide(header, ASK, view, view === PRIMARY ? copy.asks : copy.bids);
      this.#copyFacts(book, header, view, copy);
      if (Atomics.load(i32, header + H_VERSION) === version) return true;
    }
    return false;
  }

  #copySide(header: number, side: Side, view: View, into: SideCopy): void {
    const i32 = this.#i32;
    const capacity = i32[header + H_CAPACITY]!;
    const start = i32[header + H_LADDER]!;
    const step = i32[header + H_STEP]!;
    const bits = (start + 2 * capacity) * 2;
    const words = bits + side * bitmapWords(capacity);
    const summary = bits + 2 * bitmapWords(capacity) + side * summaryWords(capacity);
    const sizes = start + side * capacity;
    const { prices, sizes: sizesInto } = into;
    const depth = prices.length;
    let slot = i32[header + H_BEST + side]!;
    let count = 0;
    while (slot >= 0 && count < depth) {
      prices[count] = view === PRIMARY ? slot * step : TICKS_PER_DOLLAR - slot * step;
      sizesInto[count] = this.#f64[sizes + slot]!;
      count += 1;
      slot = nextWorse(i32, words, summary, capacity, side, slot);
    }
    into.count = count;
  }

  #copyFacts(book: BookId, header: number, view: View, copy: BookCopy): void {
    const times = BOOKS_F64 + book * HEADER_F64;
    copy.state = BOOK_STATES[this.#i32[header + H_STATE]!]!;
    copy.reason = STATE_REASONS[this.#i32[header + H_REASON]!]!;
    copy.checksum = this.#i32[header + H_CHECKSUM + view]! >>> 0;
    copy.epoch = this.#f64[times + HF_EPOCH]!;
    copy.seq = this.#f64[times + HF_SEQ]!;
    copy.venueTime = this.#f64[times + HF_VENUE_TIME]!;
    copy.receivedAt = this.#f64[times + HF_RECEIVED_AT]!;
  }
}
