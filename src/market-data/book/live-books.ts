// Best prices and last trades by market, of LIVE books only. A book that is not LIVE has no price: its levels may be out of date. Engine
// thread.

import type { BookState, Venue } from '../../core/domain/market.ts';
import type { Ticks } from '../../core/domain/numbers.ts';
import { type MarketPrices, NO_PRICES } from '../../core/domain/position.ts';
import { limits } from '../../limits.ts';
import { BookIndexReader, indexKey } from './book-index.ts';
import type { Sides } from './derive-no.ts';
import { type Arena, indexOf, regionOf } from './memory.ts';
import { BookCopy, BookReader, levelsOf, type SideCopy, WHOLE_BOOK } from './reader.ts';

export class LiveBooks {
  readonly #index: BookIndexReader;
  readonly #readers: Readonly<Record<Venue, BookReader>>;
  readonly #best = new BookCopy(1);
  readonly #whole = new BookCopy(WHOLE_BOOK);

  constructor(arena: Arena) {
    this.#index = new BookIndexReader(indexOf(arena));
    const readerOf = (venue: Venue): BookReader => new BookReader(regionOf(arena, venue));
    this.#readers = { venue_a: readerOf('venue_a'), venue_b: readerOf('venue_b') };
  }

  /** Best prices of a LIVE book; the last trade of any book that a feed carries. */
  prices(venue: Venue, address: string): MarketPrices {
    const copy = this.#best;
    if (!this.#read(venue, address, copy)) return NO_PRICES;
    const isLive = copy.state === LIVE;
    return {
      bid: isLive ? bestOf(copy.bids) : null,
      ask: isLive ? bestOf(copy.asks) : null,
      lastTrade: copy.lastTrade === 0 ? null : (copy.lastTrade as Ticks),
    };
  }

  /** All levels; null unless the book is LIVE. */
  sides(venue: Venue, address: string): Sides | null {
    const copy = this.#whole;
    if (!this.#read(venue, address, copy) || copy.state !== LIVE) return null;
    return { bids: levelsOf(copy.bids), asks: levelsOf(copy.asks) };
  }

  /** False: no feed carries the market, or every attempt to read met a write. */
  #read(venue: Venue, address: string, copy: BookCopy): boolean {
    const key = indexKey(venue, address);
    for (let attempt = 0; attempt < limits.bookLookUpsMax; attempt++) {
      const found = this.#index.find(key);
      if (found === null) return false;
      const isRead = this.#readers[venue].read(found.book, found.view, copy);
      // If the book was assigned to another market meanwhile, the copy has that market's levels.
      if (isRead && this.#index.find(key)?.stamp === found.stamp) return true;
    }
    return false;
  }
}

const LIVE: BookState = 'LIVE';

function bestOf({ count, prices }: SideCopy): Ticks | null {
  return count === 0 ? null : (prices[0] as Ticks);
}
