// Best prices and last trades by market. Only a LIVE book has best prices: the levels of any other book may be out of date. Engine thread.

import type { BookState, Venue } from '../../core/domain/market.ts';
import type { Ticks } from '../../core/domain/numbers.ts';
import { type BestOf, type MarketPrices, NO_PRICES } from '../../core/domain/position.ts';
import { limits } from '../../limits.ts';
import type { FeedSubscription } from '../../venues/feed.ts';
import { BookIndexReader, indexKey } from './book-index.ts';
import type { Sides } from './derive-no.ts';
import { type Arena, indexOf, regionOf } from './memory.ts';
import { BookCopy, type BookLines, BookReader, levelsOf, linesOf, type SideCopy, WHOLE_BOOK } from './reader.ts';

export class LiveBooks {
  readonly #index: BookIndexReader;
  readonly #readers: Readonly<Record<Venue, BookReader>>;
  readonly #best = new BookCopy(1);
  readonly #whole = new BookCopy(WHOLE_BOOK);
  /**
   * The place of each book, by address. Without this map a look-up would compute a digest of the address, which costs more than all the
   * rest.
   */
  readonly #places: Readonly<Record<Venue, Map<string, Place>>> = { venue_a: new Map(), venue_b: new Map() };

  constructor(arena: Arena) {
    this.#index = new BookIndexReader(indexOf(arena));
    const readerOf = (venue: Venue): BookReader => new BookReader(regionOf(arena, venue));
    this.#readers = { venue_a: readerOf('venue_a'), venue_b: readerOf('venue_b') };
  }

  /** Returns the best prices, if the market's book is LIVE, and the last trade, if any feed carries the market. */
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

  /** See `BestOf`. Allocates memory only if the index has changed or the market is new. */
  readonly best: BestOf = (venue, address, isAsk) => {
    for (let attempt = 0; attempt < limits.bookLookUpsMax; attempt++) {
      const { version } = this.#index;
      const known = this.#places[venue].get(address);
      const { lines } = known?.version === version ? known : this.#find(venue, address, version);
      if (lines === null) return null;
      const price = this.#readers[venue].best(lines, isAsk);
      // The price counts only if the index is unchanged: after a change the book may be another market's.
      if (price >= 0 && this.#index.version === version) return price === 0 ? null : (price as Ticks);
    }
    return 'busy';
  };

  #find(venue: Venue, address: string, version: number): Place {
    const places = this.#places[venue];
    const found = this.#index.find(indexKey(venue, address));
    const place = { version, lines: found === null ? null : linesOf(found.book, found.view) };
    if (places.size >= limits.booksPerVenueMax) places.clear();
    places.set(address, place);
    return place;
  }

  /** Returns all levels, or null if the book is not LIVE. */
  sides(venue: Venue, address: string): Sides | null {
    const copy = this.#whole;
    if (!this.#read(venue, address, copy) || copy.state !== LIVE) return null;
    return { bids: levelsOf(copy.bids), asks: levelsOf(copy.asks) };
  }

  /** Returns false if no feed carries the market, or if every attempt to read met a write. */
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

interface Place {
  /** The version of the index at the look-up. */
  readonly version: number;
  /** Null means that no feed carries the market. */
  readonly lines: BookLines | null;
}

const LIVE: BookState = 'LIVE';

function bestOf({ count, prices }: SideCopy): Ticks | null {
  return count === 0 ? null : (prices[0] as Ticks);
}

/**
 * A message to a thread that reads books. `list` says that the market has this book from now on; `unlist` says that the market has no book
 * any more.
 */
export type BookListing =
  | { readonly op: 'list'; readonly venue: Venue; readonly address: string; readonly binding: FeedSubscription }
  | { readonly op: 'unlist'; readonly venue: Venue; readonly address: string };

export class ListedBooks {
  readonly #send: (message: BookListing) => void;
  readonly #isWanted: (venue: Venue, address: string) => boolean;
  /** The last `list` message of each market that has a book, by venue and address. */
  readonly #listed = new Map<string, BookListing>();

  /** `isWanted` says whether the thread reads a market's book. By default the thread reads all books. */
  constructor(say: (message: BookListing) => void, isWanted: (venue: Venue, address: string) => boolean = () => true) {
    this.#send = say;
    this.#isWanted = isWanted;
  }

  get size(): number {
    return this.#listed.size;
  }

  /** Records that a market has this book from now on, and tells the thread. */
  put(venue: Venue, address: string, binding: FeedSubscription): void {
    if (!this.#isWanted(venue, address)) return;
    const message: BookListing = { op: 'list', venue, address, binding };
    this.#listed.set(`${venue} ${address}`, message);
    this.#send(message);
  }

  /** Sends no message if the market has no book. */
  remove(venue: Venue, address: string): void {
    if (this.#listed.delete(`${venue} ${address}`)) this.#send({ op: 'unlist', venue, address });
  }

  /** Sends the books of all markets to a thread that knows no market yet, for example after the thread's restart. */
  sendAll(): void {
    for (const message of this.#listed.values()) this.#send(message);
  }
}
