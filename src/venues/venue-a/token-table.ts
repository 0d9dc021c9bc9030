// Maps the bytes of a token id (up to 78 digits) to its slot without a string. Open addressing with linear probing over
// fixed-width copies of the ids. A slot is the market's book × 2 + the view. Venue A's feed thread.

import type { BookId, View } from '../../domain/market.ts';
import { isTokenId } from '../../domain/market-address.ts';
import { assert } from '../../domain/result.ts';
import { limits } from '../../limits.ts';

const ROW_BYTES = limits.venueATokenIdBytesMax;
const SLOTS_MAX = limits.booksPerVenueMax * 2;
const LENGTH_BYTE = ROW_BYTES - 1;
const STRIDE_BYTES = 8;
const BUCKETS_MIN = 1024;
const BUCKET_WORDS = 2;
const MULTIPLIER = 0x2c1b3c6d;
const NO_TOKEN = -1;

/** The slot of one view of a market. */
export function tokenSlot(book: BookId, view: View): number {
  return book * 2 + view;
}

export function bookOfSlot(slot: number): BookId {
  return (slot >> 1) as BookId;
}

export function viewOfSlot(slot: number): View {
  return (slot & 1) as View;
}

export class TokenTable {
  /** A row per slot: the digits, zeros, and in the last byte the number of digits (0: no token). */
  readonly #rows = new DataView(new ArrayBuffer(SLOTS_MAX * ROW_BYTES));
  /** Pairs: the hash, and the slot + 1 (0: empty). */
  #buckets = new Int32Array(BUCKETS_MIN * BUCKET_WORDS);
  #shift = 32 - Math.log2(BUCKETS_MIN);
  #size = 0;

  /** Adds a token id that is not in the table yet. */
  insert(token: string, slot: number): void {
    assert(isTokenId(token), 'a token id that cannot be one');
    const row = slot * ROW_BYTES;
    assert(this.lengthOf(slot) === 0, 'a slot has one token');
    for (let index = 0; index < token.length; index += 1) this.#rows.setUint8(row + index, token.charCodeAt(index));
    this.#rows.setUint8(row + LENGTH_BYTE, token.length);
    this.#size += 1;
    if (this.#size * 2 * BUCKET_WORDS > this.#buckets.length) this.#grow();
    this.#place(hashOf(this.#rows, row, token.length), slot);
  }

  remove(slot: number): void {
    const length = this.lengthOf(slot);
    assert(length !== 0, 'the slot has no token');
    const mask = this.#buckets.length / BUCKET_WORDS - 1;
    let hole = hashOf(this.#rows, slot * ROW_BYTES, length) >>> this.#shift;
    while (this.#buckets[hole * BUCKET_WORDS + 1] !== slot + 1) hole = (hole + 1) & mask;
    // Later entries of the run move into the hole if their probing passes it, so no tombstones are needed.
    for (let next = (hole + 1) & mask; this.#buckets[next * BUCKET_WORDS + 1] !== 0; next = (next + 1) & mask) {
      const home = this.#buckets[next * BUCKET_WORDS]! >>> this.#shift;
      if (((next - home) & mask) < ((next - hole) & mask)) continue;
      this.#buckets.copyWithin(hole * BUCKET_WORDS, next * BUCKET_WORDS, (next + 1) * BUCKET_WORDS);
      hole = next;
    }
    this.#buckets[hole * BUCKET_WORDS + 1] = 0;
    this.#rows.setUint8(slot * ROW_BYTES + LENGTH_BYTE, 0);
    this.#size -= 1;
  }

  /** The slot of the token id of `length` bytes at `at` in `frame`; −1 if there is none. */
  find(frame: DataView, at: number, length: number): number {
    const buckets = this.#buckets;
    const mask = (buckets.length >> 1) - 1;
    const hash = hashOf(frame, at, length);
    for (let bucket = hash >>> this.#shift; ; bucket = (bucket + 1) & mask) {
      const slot = buckets[(bucket << 1) + 1]! - 1;
      if (slot < 0) return NO_TOKEN;
      if (buckets[bucket << 1] === hash && this.holds(slot, frame, at, length)) return slot;
    }
  }

  /** Digits of the token in a slot, 0 if there is none. */
  lengthOf(slot: number): number {
    return this.#rows.getUint8(slot * ROW_BYTES + LENGTH_BYTE);
  }

  /**
   * Whether the slot's token is the `length` bytes at `at` in `frame`. Compares eight digits at a time, the last eight
   * overlapping. As a double, digits are an ordinary number, equal only to itself.
   */
  holds(slot: number, frame: DataView, at: number, length: number): boolean {
    const rows = this.#rows;
    const row = slot * ROW_BYTES;
    if (rows.getUint8(row + LENGTH_BYTE) !== length) return false;
    if (length < STRIDE_BYTES) {
      for (let index = 0; index < length; index += 1) {
        if (frame.getUint8(at + index) !== rows.getUint8(row + index)) return false;
      }
      return true;
    }
    const last = length - STRIDE_BYTES;
    for (let index = 0; index < last; index += STRIDE_BYTES) {
      if (frame.getFloat64(at + index, true) !== rows.getFloat64(row + index, true)) return false;
    }
    return frame.getFloat64(at + last, true) === rows.getFloat64(row + last, true);
  }

  #place(hash: number, slot: number): void {
    const mask = this.#buckets.length / BUCKET_WORDS - 1;
    let bucket = hash >>> this.#shift;
    while (this.#buckets[bucket * BUCKET_WORDS + 1] !== 0) bucket = (bucket + 1) & mask;
    this.#buckets[bucket * BUCKET_WORDS] = hash;
    this.#buckets[bucket * BUCKET_WORDS + 1] = slot + 1;
  }

  /** Doubles the buckets. They stay at most half full, so that a miss ends after a probe or two. */
  #grow(): void {
    const old = this.#buckets;
    this.#buckets = new Int32Array(old.length * 2);
    this.#shift -= 1;
    for (let at = 0; at < old.length; at += BUCKET_WORDS) {
      if (old[at + 1] !== 0) this.#place(old[at]!, old[at + 1]! - 1);
    }
  }
}

/** Token ids are hashes themselves: their first and last digits are distributed well enough. */
function hashOf(bytes: DataView, at: number, length: number): number {
  let hash = length;
  if (length < STRIDE_BYTES) {
    for (let index = 0; index < length; index += 1) hash = Math.imul(hash ^ bytes.getUint8(at + index), MULTIPLIER);
  } else {
    const last = bytes.getInt32(at + length - 4, true);
    const before = bytes.getInt32(at + length - 8, true);
    hash = Math.imul(
      bytes.getInt32(at, true) ^ Math.imul(before ^ Math.imul(last, MULTIPLIER), MULTIPLIER),
      MULTIPLIER,
    );
  }
  return Math.imul(hash ^ (hash >>> 15), MULTIPLIER);
}
