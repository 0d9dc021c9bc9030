// The only writer of the book index: assigns books to markets, and removes each assignment before the market's feed drops the book. A
// version guards the index, as versions guard books. When an entry is removed, later entries move up into its place, so that a look-up can
// end at the first free slot. Main thread.

import type { Venue } from '../../core/domain/market.ts';
import { assert } from '../../core/domain/result.ts';
import { limits } from '../../limits.ts';
import type { FeedSubscription } from '../../venues/feed.ts';
import { entryOf, homeOf, indexKey, indexSlotOf } from './book-index.ts';
import { INDEX_ENTRY_I32, INDEX_VERSION, X_DIGEST, X_PLACE, X_STAMP } from './layout.ts';

const MASK = limits.bookIndexSlotsMax - 1;

export class BookIndexWriter {
  readonly #i32: Int32Array;
  #stamp = 0;
  #size = 0;

  constructor(i32: Int32Array) {
    this.#i32 = i32;
  }

  /** Assigns a book to a market, in place of the market's earlier book. */
  put(venue: Venue, address: string, { book, view }: FeedSubscription): void {
    const key = indexKey(venue, address);
    const entry = entryOf(indexSlotOf(this.#i32, key));
    if (this.#i32[entry + X_PLACE] === 0) this.#size += 1;
    assert(this.#size < limits.bookIndexSlotsMax, 'every feed bounds its books, and all of them fit');
    this.#stamp += 1;
    this.#turn();
    this.#i32.set(key, entry + X_DIGEST);
    this.#i32[entry + X_PLACE] = book * 2 + view + 1;
    this.#i32[entry + X_STAMP] = this.#stamp;
    this.#turn();
  }

  /**
   * Removes the market's entry. Later look-ups do not find the book. A reader that found the entry before sees by its stamp that the book
   * is gone.
   */
  remove(venue: Venue, address: string): void {
    const slot = indexSlotOf(this.#i32, indexKey(venue, address));
    if (this.#i32[entryOf(slot) + X_PLACE] === 0) return;
    this.#size -= 1;
    this.#turn();
    this.#i32[entryOf(this.#closeGap(slot)) + X_PLACE] = 0;
    this.#turn();
  }

  /** Moves later entries up if a look-up would stop at the gap before it reaches them. Returns the slot of the gap after the moves. */
  #closeGap(from: number): number {
    const i32 = this.#i32;
    let gap = from;
    for (let slot = (gap + 1) & MASK; i32[entryOf(slot) + X_PLACE] !== 0; slot = (slot + 1) & MASK) {
      const entry = entryOf(slot);
      const wayFromHome = (slot - homeOf(i32[entry + X_DIGEST]!)) & MASK;
      const wayFromGap = (slot - gap) & MASK;
      if (wayFromHome < wayFromGap) continue;
      i32.copyWithin(entryOf(gap), entry, entry + INDEX_ENTRY_I32);
      gap = slot;
    }
    return gap;
  }

  /** Makes the version odd before a write to the index and even after it. Both steps are a read-modify-write, as for books. */
  #turn(): void {
    Atomics.add(this.#i32, INDEX_VERSION, 1);
  }
}
