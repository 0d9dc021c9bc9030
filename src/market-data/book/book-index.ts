// Maps every market that a feed carries to its book in the arena. A hash table with open addressing. The key is a digest of venue and
// address: 128 bits of SHA-256, so that keys collide neither by chance nor on purpose. layout.ts has the offsets; book-index-writer.ts is
// the only writer. Any thread.

import { hash } from 'node:crypto';
import type { BookId, Venue, View } from '../../core/domain/market.ts';
import { sleepThread } from '../../core/runtime/clock.ts';
import { limits } from '../../limits.ts';
import {
  INDEX_ENTRIES_I32,
  INDEX_ENTRY_I32,
  INDEX_VERSION,
  X_DIGEST,
  X_DIGEST_WORDS,
  X_PLACE,
  X_STAMP,
} from './layout.ts';

const MASK = limits.bookIndexSlotsMax - 1;

/** The words of a digest, as an entry stores them. */
export type IndexKey = Int32Array;

export function indexKey(venue: Venue, address: string): IndexKey {
  const digest = hash('sha256', `${venue} ${address}`, 'buffer');
  return Int32Array.from({ length: X_DIGEST_WORDS }, (_, word) => digest.readInt32LE(word * 4));
}

/** Returns the slot of the key's entry, or the free slot in which the entry would be written. */
export function indexSlotOf(i32: Int32Array, key: IndexKey): number {
  let slot = homeOf(key[0]!);
  // The steps are bounded, because a reader may find no free slot while the writer moves entries.
  for (let step = 0; step <= MASK && !isFreeOrHolds(i32, slot, key); step++) slot = (slot + 1) & MASK;
  return slot;
}

/** Returns the slot at which the search for a digest begins. */
export function homeOf(firstWord: number): number {
  return firstWord & MASK;
}

export function entryOf(slot: number): number {
  return INDEX_ENTRIES_I32 + slot * INDEX_ENTRY_I32;
}

interface IndexedBook {
  readonly book: BookId;
  readonly view: View;
  /** The number of this assignment: each assignment of a book to a market gets a new number. */
  readonly stamp: number;
}

/** The time between two attempts to read while the index is being written. */
const PAUSE_MS = 0.05;

export class BookIndexReader {
  readonly #i32: Int32Array;

  constructor(i32: Int32Array) {
    this.#i32 = i32;
  }

  /** The version of the index: changes whenever a market gets or loses a book. */
  get version(): number {
    return Atomics.load(this.#i32, INDEX_VERSION);
  }

  /** Returns null if the market has no book, and `busy` if every attempt met a write. */
  find(key: IndexKey): IndexedBook | null | 'busy' {
    const i32 = this.#i32;
    for (let attempt = 0; attempt < limits.bookReadAttemptsMax; attempt++) {
      const before = Atomics.load(i32, INDEX_VERSION);
      if (before & 1) continue;
      const entry = entryOf(indexSlotOf(i32, key));
      const [place, stamp] = [i32[entry + X_PLACE]!, i32[entry + X_STAMP]!];
      if (Atomics.load(i32, INDEX_VERSION) !== before) continue;
      return place === 0 ? null : { book: ((place - 1) >> 1) as BookId, view: ((place - 1) & 1) as View, stamp };
    }
    return 'busy';
  }

  /**
   * Returns null if the market has no book. Waits until a write ends, even if the system keeps the writing thread off its core for long.
   */
  findPatiently(key: IndexKey): IndexedBook | null {
    for (;;) {
      const found = this.find(key);
      if (found !== 'busy') return found;
      sleepThread(PAUSE_MS);
    }
  }
}

function isFreeOrHolds(i32: Int32Array, slot: number, key: IndexKey): boolean {
  const entry = entryOf(slot);
  if (i32[entry + X_PLACE] === 0) return true;
  for (let word = 0; word < X_DIGEST_WORDS; word++) if (i32[entry + X_DIGEST + word] !== key[word]) return false;
  return true;
}
