// Reads one venue market with its terms and the best levels of its book. The read subscribes the market's book for as long as books linger,
// so that further reads need not ask the venue. Main thread.

import type { MarketKey, Venue } from '../core/domain/market.ts';
import { fail, ok, type Result, unreachable } from '../core/domain/result.ts';
import { type Timers, turn, wallTimers } from '../core/runtime/timers.ts';
import { BookCopy } from '../market-data/book/reader.ts';
import type { FeedRefusal } from '../venues/feed.ts';
import type { TradingTerms } from '../venues/trading-terms.ts';
import type { TradingTermsCache } from '../venues/trading-terms-cache.ts';
import type { FactsRefusal } from '../venues/venue.ts';
import { type Refusal, refusal } from './api/api-refusals.ts';
import type { StreamBook } from './stream/book.ts';
import type { StreamBooks } from './stream/books.ts';
import type { VenueStream } from './stream/venue-stream.ts';

interface VenueMarketsParts {
  readonly books: StreamBooks;
  readonly streams: Readonly<Record<Venue, VenueStream>>;
  readonly terms: TradingTermsCache;
  readonly timers?: Timers;
}

interface VenueMarket {
  readonly terms: TradingTerms;
  /** A copy that belongs to the caller. */
  readonly book: BookCopy;
}

export type WhileRead = VenueMarkets['whileRead'];
export type ReadVenueMarket = (market: MarketKey) => Promise<Result<VenueMarket, Refusal>>;

const LEVELS_SHOWN = 10;
/** The longest time that a read waits for the first levels of a book that was not subscribed. */
const FIRST_LEVELS_MS = 2_000;
const READS_MAX = 3;

export class VenueMarkets {
  readonly #parts: VenueMarketsParts;
  readonly #timers: Timers;

  constructor(parts: VenueMarketsParts) {
    this.#parts = parts;
    this.#timers = parts.timers ?? wallTimers;
  }

  /** Reads a market. Never rejects. If the book has no levels in time, it is returned with its state. */
  read(market: MarketKey): Promise<Result<VenueMarket, Refusal>> {
    return this.whileRead(market, it => it);
  }

  /** Reads a market as `read` does. The book stays subscribed until `work` has ended. Rejects only if `work` rejects. */
  async whileRead<T>(market: MarketKey, work: (answer: Result<VenueMarket, Refusal>) => T | Promise<T>): Promise<T> {
    const { books } = this.#parts;
    const acquisition = await books.acquire(market);
    if ('refusal' in acquisition) return work(fail(refusalOf(acquisition.refusal)));
    const { book } = acquisition;
    try {
      return await work(await this.#read(market, book));
    } finally {
      books.release(book);
    }
  }

  async #read(market: MarketKey, book: StreamBook): Promise<Result<VenueMarket, Refusal>> {
    await this.#firstLevels(book);
    const copy = await this.#copy(book);
    const heardSince = copy?.state === 'LIVE' ? book.boundAt : null;
    const read = await this.#parts.terms.of(market, heardSince);
    if (copy === null) return fail(refusal('unavailable', 'the book of this market cannot be read now'));
    if (read.ok) return ok({ terms: read.value, book: copy });
    if (read.error.type === 'unknown-market') return fail(refusal('notFound', 'the venue has no such market'));
    return fail(refusal('unavailable', read.error.message));
  }

  /** Subscribes a market for another gateway. Never rejects. `release` must be called once. */
  async acquire(market: MarketKey): Promise<{ readonly release: () => void } | { readonly refusal: FeedRefusal }> {
    const { books } = this.#parts;
    const acquisition = await books.acquire(market);
    if ('refusal' in acquisition) return acquisition;
    return { release: () => books.release(acquisition.book) };
  }

  /** Reads only the terms of a market, which need not be subscribed. Never rejects. */
  terms(market: MarketKey): Promise<Result<TradingTerms, FactsRefusal>> {
    const { books, terms } = this.#parts;
    const book = books.find(market);
    return terms.of(market, book?.state === 'LIVE' ? book.boundAt : null);
  }

  /** Resolves when the book has levels, or when the time to wait for them is over. */
  async #firstLevels(book: StreamBook): Promise<void> {
    if (book.isPublished) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const waiter = { onSnapshot: () => resolve() };
    book.waiters.add(waiter);
    const cancel = this.#timers.after(FIRST_LEVELS_MS, resolve);
    await promise;
    cancel();
    book.waiters.delete(waiter);
  }

  /** Copies the book's levels. Returns null if every attempt met a write, or if the feed has just lost the book. */
  async #copy(book: StreamBook): Promise<BookCopy | null> {
    const copy = new BookCopy(LEVELS_SHOWN);
    for (let attempt = 0; attempt < READS_MAX; attempt++) {
      if (this.#parts.streams[book.venue].copy(book, copy)) return copy;
      await turn(this.#timers);
    }
    return null;
  }
}

function refusalOf({ code, message }: FeedRefusal): Refusal {
  switch (code) {
    case 'UNKNOWN_MARKET':
      return refusal('notFound', message);
    case 'BOOK_LIMIT':
    case 'VENUE_UNAVAILABLE':
      return refusal('unavailable', message);
    default:
      return unreachable(code);
  }
}
