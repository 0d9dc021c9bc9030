// Best prices and last trades by market. Only a LIVE book has best prices: the levels of any other book may be out of date. Threads of the
// engine and of the guard.

import type { BookId, BookState, Venue, View } from '../../core/domain/market.ts';
import type { Ticks } from '../../core/domain/numbers.ts';
import { type BestOf, type MarketPrices, NO_PRICES } from '../../core/domain/position.ts';
import { sleepThread } from '../../core/runtime/clock.ts';
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
  readonly #busyIndex: Place = { version: 0, found: 'busy', isStuck: false };
  readonly #sleep: (ms: number) => void;

  /** `sleep` stops the thread for a time in milliseconds. */
  constructor(arena: Arena, sleep: (ms: number) => void = sleepThread) {
    this.#index = new BookIndexReader(indexOf(arena));
    const readerOf = (venue: Venue): BookReader => new BookReader(regionOf(arena, venue));
    this.#readers = { venue_a: readerOf('venue_a'), venue_b: readerOf('venue_b') };
    this.#sleep = sleep;
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
      const place = this.#placeOf(venue, address);
      if (place.found === null) return null;
      const price = place.found === 'busy' ? -1 : this.#readers[venue].best(place.found.lines, isAsk);
      if (price < 0) {
        if (!this.#waitFor(place, attempt)) break;
      } else if (this.#isCurrent(place)) return price === 0 ? null : (price as Ticks);
    }
    return 'busy';
  };

  /** Returns all levels, or null if the book is not LIVE. */
  sides(venue: Venue, address: string): Sides | null {
    const copy = this.#whole;
    if (!this.#read(venue, address, copy) || copy.state !== LIVE) return null;
    return { bids: levelsOf(copy.bids), asks: levelsOf(copy.asks) };
  }

  /** Returns false if no feed carries the market, or if every attempt to read met a write. */
  #read(venue: Venue, address: string, copy: BookCopy): boolean {
    for (let attempt = 0; attempt < limits.bookLookUpsMax; attempt++) {
      const place = this.#placeOf(venue, address);
      if (place.found === null) return false;
      if (place.found === 'busy' || !this.#readers[venue].read(place.found.book, place.found.view, copy)) {
        if (!this.#waitFor(place, attempt)) return false;
      } else if (this.#isCurrent(place)) return true;
    }
    return false;
  }

  /** Returns `#busyIndex` if the index is being written. */
  #placeOf(venue: Venue, address: string): Place {
    const { version } = this.#index;
    const places = this.#places[venue];
    const known = places.get(address);
    if (known?.version === version) return known;
    const found = this.#index.find(indexKey(venue, address));
    if (found === 'busy') return this.#busyIndex;
    this.#busyIndex.isStuck = false;
    const placed = found === null ? null : { ...found, lines: linesOf(found.book, found.view) };
    const place: Place = { version, found: placed, isStuck: false };
    if (places.size >= limits.booksPerVenueMax) places.clear();
    places.set(address, place);
    return place;
  }

  /** Whether the place was this market's when it was read. After a change of the index the book may be another market's. */
  #isCurrent(place: Place): boolean {
    place.isStuck = false;
    return this.#index.version === place.version;
  }

  /**
   * Sleeps while the book or the index is being written, each time twice as long. The system may have taken the writing thread off its
   * core. Returns false after 32 ms, and at once if the last look-up waited in vain.
   */
  #waitFor(place: Place, attempt: number): boolean {
    if (place.isStuck) return false;
    place.isStuck = attempt === limits.bookLookUpsMax - 1;
    if (!place.isStuck) this.#sleep(FIRST_SLEEP_MS * 2 ** attempt);
    return !place.isStuck;
  }
}

interface Place {
  /** The version of the index at the look-up. */
  readonly version: number;
  /** Null means that no feed carries the market. */
  readonly found: { readonly book: BookId; readonly view: View; readonly lines: BookLines } | 'busy' | null;
  /** Whether the last look-up waited in vain for a write to end. */
  isStuck: boolean;
}

const FIRST_SLEEP_MS = 0.25;

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
