// Maps the bytes of a ticker to its book without a string: open addressing with linear probing over fixed-width copies of
// the tickers. A book's id is its row, so a market needs no allocation. Venue B's feed thread.

import type { BookId } from '../../domain/market.ts';
import { assert } from '../../domain/result.ts';
import { limits } from '../../limits.ts';

/** One row per book: the ticker's bytes, padded with zeros. */
const ROW_BYTES = limits.venueBTickerBytesMax;
/**
 * A bucket is two words: the whole hash, and an entry that packs the ticker's length above the book's id + 1 (0: empty).
 * So a look-up touches two cache lines, the bucket's and the row's.
 */
const BUCKET_WORDS = 2;
const BUCKETS_MIN = 1024;
const BOOK_BITS = 20;
const BOOK_MASK = (1 << BOOK_BITS) - 1;
export const TICKER_HASH_SEED = 0x2545f491;

const encoder = new TextEncoder();

/** Continues a ticker's hash with its next four bytes; the last word is padded with zeros. */
export function mixTickerHash(hash: number, word: number): number {
  const mixed = Math.imul(hash ^ word, 0x9e3779b1);
  // Rotation moves the high bytes of a word down, which multiplication never does.
  return (mixed << 15) | (mixed >>> 17);
}

export class TickerTable {
  readonly #rows = new Uint8Array(limits.booksPerVenueMax * ROW_BYTES);
  readonly #rowView = new DataView(this.#rows.buffer);
  readonly #lengths = new Uint8Array(limits.booksPerVenueMax);
  #buckets = new Int32Array(BUCKETS_MIN * BUCKET_WORDS);
  #shift = 32 - Math.log2(BUCKETS_MIN);
  #size = 0;

  /** Whether a text can be a ticker. Others are never looked up, sent to the venue or put into a path. */
  static accepts(ticker: string): boolean {
    return ticker.length <= limits.venueBTickerBytesMax && /^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(ticker);
  }

  /** Adds a ticker that is not in the table yet. */
  insert(ticker: string, book: BookId): void {
    assert(TickerTable.accepts(ticker), 'a ticker that cannot be one');
    assert(book < BOOK_MASK && this.#lengths[book] === 0, 'a book has one ticker');
    const row = this.#rows.subarray(book * ROW_BYTES, (book + 1) * ROW_BYTES).fill(0);
    this.#lengths[book] = encoder.encodeInto(ticker, row).written;
    this.#size += 1;
    if (this.#size * 2 * BUCKET_WORDS > this.#buckets.length) this.#grow();
    this.#place(this.#hashOf(book), this.#entryOf(book));
  }

  remove(book: BookId): void {
    assert(this.#lengths[book] !== 0, 'the book has no ticker');
    const mask = this.#buckets.length / BUCKET_WORDS - 1;
    const entry = this.#entryOf(book);
    let hole = this.#hashOf(book) >>> this.#shift;
    while (this.#buckets[hole * BUCKET_WORDS + 1] !== entry) hole = (hole + 1) & mask;
    // Later entries of the run move into the hole if their probing passes it, so no tombstones are needed.
    for (let next = (hole + 1) & mask; this.#buckets[next * BUCKET_WORDS + 1] !== 0; next = (next + 1) & mask) {
      const home = this.#buckets[next * BUCKET_WORDS]! >>> this.#shift;
      if (((next - home) & mask) < ((next - hole) & mask)) continue;
      this.#buckets.copyWithin(hole * BUCKET_WORDS, next * BUCKET_WORDS, (next + 1) * BUCKET_WORDS);
      hole = next;
    }
    this.#buckets[hole * BUCKET_WORDS + 1] = 0;
    this.#lengths[book] = 0;
    this.#size -= 1;
  }

  /** The book of the ticker at `at` in `frame`, with the caller's `hash` of it; −1 if there is none. */
  find(frame: DataView, at: number, length: number, hash: number): number {
    const buckets = this.#buckets;
    const mask = (buckets.length >> 1) - 1;
    for (let bucket = hash >>> this.#shift; ; bucket = (bucket + 1) & mask) {
      const entry = buckets[bucket * BUCKET_WORDS + 1]!;
      if (entry === 0) return -1;
      if (buckets[bucket * BUCKET_WORDS] !== hash || entry >>> BOOK_BITS !== length) continue;
      const book = (entry & BOOK_MASK) - 1;
      if (this.#matches(frame, at, length, book)) return book;
    }
  }

  /** Compares eight bytes at a time, as doubles: ASCII text makes no NaN. The last eight may overlap. */
  #matches(frame: DataView, at: number, length: number, book: number): boolean {
    const rows = this.#rowView;
    const row = book * ROW_BYTES;
    if (length < 8) return matchesShort(frame, at, rows, row, length);
    for (let from = 0; from < length - 8; from += 8) {
      if (frame.getFloat64(at + from, true) !== rows.getFloat64(row + from, true)) return false;
    }
    return frame.getFloat64(at + length - 8, true) === rows.getFloat64(row + length - 8, true);
  }

  #entryOf(book: number): number {
    return (this.#lengths[book]! << BOOK_BITS) | (book + 1);
  }

  #hashOf(book: number): number {
    const row = book * ROW_BYTES;
    let hash = TICKER_HASH_SEED;
    for (let from = 0; from < this.#lengths[book]!; from += 4) {
      hash = mixTickerHash(hash, this.#rowView.getInt32(row + from, true));
    }
    return hash;
  }

  #place(hash: number, entry: number): void {
    const mask = this.#buckets.length / BUCKET_WORDS - 1;
    let bucket = hash >>> this.#shift;
    while (this.#buckets[bucket * BUCKET_WORDS + 1] !== 0) bucket = (bucket + 1) & mask;
    this.#buckets[bucket * BUCKET_WORDS] = hash;
    this.#buckets[bucket * BUCKET_WORDS + 1] = entry;
  }

  /** Doubles the buckets. They stay at most half full, so that a miss ends after a probe or two. */
  #grow(): void {
    const old = this.#buckets;
    this.#buckets = new Int32Array(old.length * 2);
    this.#shift -= 1;
    for (let at = 0; at < old.length; at += BUCKET_WORDS) {
      if (old[at + 1] !== 0) this.#place(old[at]!, old[at + 1]!);
    }
  }
}

function matchesShort(frame: DataView, at: number, rows: DataView, row: number, length: number): boolean {
  if (length < 4) {
    const mask = (1 << (length * 8)) - 1;
    return (frame.getInt32(at, true) & mask) === rows.getInt32(row, true);
  }
  const last = length - 4;
  return (
    frame.getInt32(at, true) === rows.getInt32(row, true) &&
    frame.getInt32(at + last, true) === rows.getInt32(row + last, true)
  );
}
