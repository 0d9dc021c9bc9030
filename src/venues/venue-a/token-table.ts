// Maps the bytes of a token id (up to 78 digits) to its slot, without making a string, by fixed-width copies of the ids. A slot is the
// market's book × 2 + the view. A slot's entry is the slot + 1. Venue A's feed thread.

import { type BookId, isTokenId, type View } from '../../core/domain/market.ts';
import { assert } from '../../core/domain/result.ts';
import { limits } from '../../limits.ts';
import { isSameText, ProbingTable } from '../probing-table.ts';

const ROW_BYTES = limits.venueATokenIdBytesMax;
const SLOTS_MAX = limits.booksPerVenueMax * 2;
const LENGTH_BYTE = ROW_BYTES - 1;
const STRIDE_BYTES = 8;
const MULTIPLIER = 0x2c1b3c6d;
const NO_TOKEN = -1;

/** Returns the slot of one view of a market. */
export function tokenSlot(book: BookId, view: View): number {
  return book * 2 + view;
}

export function bookOfSlot(slot: number): BookId {
  return (slot >> 1) as BookId;
}

export function viewOfSlot(slot: number): View {
  return (slot & 1) as View;
}

export class TokenTable extends ProbingTable {
  /**
   * A row per slot: the digits of the token id, zeros, and in the last byte the number of digits. A number of 0 means that the slot has no
   * token.
   */
  readonly #rows = new DataView(new ArrayBuffer(SLOTS_MAX * ROW_BYTES));

  /** Adds a token id that is not in the table yet. */
  insert(token: string, slot: number): void {
    assert(isTokenId(token), 'a token id that cannot be one');
    const row = slot * ROW_BYTES;
    assert(this.lengthOf(slot) === 0, 'a slot has one token');
    for (let index = 0; index < token.length; index += 1) this.#rows.setUint8(row + index, token.charCodeAt(index));
    this.#rows.setUint8(row + LENGTH_BYTE, token.length);
    this.add(hashOf(this.#rows, row, token.length), slot + 1);
  }

  remove(slot: number): void {
    const length = this.lengthOf(slot);
    assert(length !== 0, 'the slot has no token');
    this.drop(hashOf(this.#rows, slot * ROW_BYTES, length), slot + 1);
    this.#rows.setUint8(slot * ROW_BYTES + LENGTH_BYTE, 0);
  }

  /** Returns the slot of the token id of `length` bytes at `at` in `frame`, or −1 if the table does not have it. */
  find(frame: DataView, at: number, length: number): number {
    const { buckets, shift } = this;
    const mask = (buckets.length >> 1) - 1;
    const hash = hashOf(frame, at, length);
    for (let bucket = hash >>> shift; ; bucket = (bucket + 1) & mask) {
      const slot = buckets[(bucket << 1) + 1]! - 1;
      if (slot < 0) return NO_TOKEN;
      if (buckets[bucket << 1] === hash && this.holds(slot, frame, at, length)) return slot;
    }
  }

  /** Returns the number of digits of the token in a slot, 0 if the slot has no token. */
  lengthOf(slot: number): number {
    return this.#rows.getUint8(slot * ROW_BYTES + LENGTH_BYTE);
  }

  /** Whether the slot's token id equals the `length` bytes at `at` in `frame`. */
  holds(slot: number, frame: DataView, at: number, length: number): boolean {
    return this.lengthOf(slot) === length && isSameText(frame, at, this.#rows, slot * ROW_BYTES, length);
  }
}

/** Hashes a token id by its first and last digits. Token ids are hashes themselves, so these digits are distributed well enough. */
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
