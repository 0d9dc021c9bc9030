// Maps the bytes of a ticker to its book, without making a string, by fixed-width copies of the tickers. A book's id is the number of its
// row, so a market needs no allocation. Venue B's feed thread.

import type { BookId } from '../../core/domain/market.ts';
import { assert } from '../../core/domain/result.ts';
import { limits } from '../../limits.ts';
import { BUCKET_WORDS, isSameText, ProbingTable } from '../probing-table.ts';

/** Each book has one row: the ticker's bytes, padded with zeros. */
const ROW_BYTES = limits.venueBTickerBytesMax;
/** An entry packs the ticker's length above the book's id + 1, so that a look-up touches two cache lines: the bucket's and the row's. */
const BOOK_BITS = 20;
const BOOK_MASK = (1 << BOOK_BITS) - 1;
export const TICKER_HASH_SEED = 0x2545f491;

const encoder = new TextEncoder();

/** Continues a ticker's hash with the ticker's next four bytes. The last word is padded with zeros. */
export function mixTickerHash(hash: number, word: number): number {
  const mixed = Math.imul(hash ^ word, 0x9e3779b1);
  // Rotation moves the high bytes of a word down, which multiplication never does.
  return (mixed << 15) | (mixed >>> 17);
}

export class TickerTable extends ProbingTable {
  readonly #rows = new Uint8Array(limits.booksPerVenueMax * ROW_BYTES);
  readonly #rowView = new DataView(this.#rows.buffer);
  readonly #lengths = new Uint8Array(limits.booksPerVenueMax);

  /** Whether a text can be a ticker. Any other text is never looked up, sent to the venue or put into a path. */
  static accepts(ticker: string): boolean {
    return ticker.length <= limits.venueBTickerBytesMax && /^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(ticker);
  }

  /** Adds a ticker that is not in the table yet. */
  insert(ticker: string, book: BookId): void {
    assert(TickerTable.accepts(ticker), 'a ticker that cannot be one');
    assert(book < BOOK_MASK && this.#lengths[book] === 0, 'a book has one ticker');
    const row = this.#rows.subarray(book * ROW_BYTES, (book + 1) * ROW_BYTES).fill(0);
    this.#lengths[book] = encoder.encodeInto(ticker, row).written;
    this.add(this.#hashOf(book), this.#entryOf(book));
  }

  remove(book: BookId): void {
    assert(this.#lengths[book] !== 0, 'the book has no ticker');
    this.drop(this.#hashOf(book), this.#entryOf(book));
    this.#lengths[book] = 0;
  }

  /** Returns the book of the ticker at `at` in `frame`, or −1 if the table does not have the ticker. `hash` is the ticker's hash. */
  find(frame: DataView, at: number, length: number, hash: number): number {
    const { buckets, shift } = this;
    const mask = (buckets.length >> 1) - 1;
    for (let bucket = hash >>> shift; ; bucket = (bucket + 1) & mask) {
      const entry = buckets[bucket * BUCKET_WORDS + 1]!;
      if (entry === 0) return -1;
      if (buckets[bucket * BUCKET_WORDS] !== hash || entry >>> BOOK_BITS !== length) continue;
      const book = (entry & BOOK_MASK) - 1;
      if (isSameText(frame, at, this.#rowView, book * ROW_BYTES, length)) return book;
    }
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
}
