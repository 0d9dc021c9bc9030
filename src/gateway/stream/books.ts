// Counts the users of books, and takes in the feeds' reports. A market is subscribed once at its feed, for all its users. It is released
// some time after its last user has left. An index tells other threads the place of each book. Main thread.

import { type MarketKey, marketAddress, type Venue, type View } from '../../core/domain/market.ts';
import { type Timers, wallTimers } from '../../core/runtime/timers.ts';
import type { StreamCodec } from '../../core/wire/messages.ts';
import { limits } from '../../limits.ts';
import type { FeedRefusal, FeedSubscription } from '../../venues/feed.ts';
import { StreamBook } from './book.ts';

type Acquisition = { readonly book: StreamBook } | { readonly refusal: FeedRefusal };

/** The part of the feeds that this registry uses. */
interface BookSource {
  subscribe(venue: Venue, address: string): void;
  unsubscribe(venue: Venue, address: string): void;
}

/** Is notified of the book of each market. */
export interface BookPlaces {
  put(venue: Venue, address: string, binding: FeedSubscription): void;
  /** The market has no book any more. This is called before the feed is asked to end the subscription. */
  remove(venue: Venue, address: string): void;
}

interface Pending {
  readonly answer: Promise<Acquisition>;
  readonly settle: (acquisition: Acquisition) => void;
}

const UNANSWERED: FeedRefusal = {
  code: 'VENUE_UNAVAILABLE',
  message: `the venue has not described this market within ${limits.subscribeAnswerMs} ms`,
};

export class StreamBooks {
  readonly #codecs: readonly StreamCodec[];
  readonly #source: BookSource;
  readonly #places: BookPlaces;
  readonly #lingerMs: number;
  readonly #timers: Timers;
  readonly #byAddress: Readonly<Record<Venue, Map<string, StreamBook>>> = { venue_a: new Map(), venue_b: new Map() };
  /** The books by book id, with two views for each id. Finds the subscribers of a tape record. */
  readonly #byBinding: Readonly<Record<Venue, (StreamBook | undefined)[]>> = { venue_a: [], venue_b: [] };
  readonly #pending = new Map<StreamBook, Pending>();
  readonly #dropTimers = new Map<StreamBook, NodeJS.Timeout>();
  /** The functions that cancel a book's pending retry at its feed. */
  readonly #retries = new Map<StreamBook, () => void>();
  #nextIndex = 0;

  constructor(
    codecs: readonly StreamCodec[],
    source: BookSource,
    places: BookPlaces,
    lingerMs: number,
    timers: Timers = wallTimers,
  ) {
    this.#codecs = codecs;
    this.#source = source;
    this.#places = places;
    this.#lingerMs = lingerMs;
    this.#timers = timers;
  }

  /** Adds a user to a market. Resolves when the feed knows or refuses the market. Each acquired book must be released once. */
  acquire(market: MarketKey): Promise<Acquisition> {
    const book = this.find(market) ?? this.#add(market);
    this.#cancelDrop(book);
    book.users += 1;
    return this.#pending.get(book)?.answer ?? Promise.resolve({ book });
  }

  release(book: StreamBook): void {
    book.users -= 1;
    if (book.users > 0) return;
    this.#dropTimers.set(
      book,
      setTimeout(() => this.#drop(book), this.#lingerMs),
    );
  }

  /** Takes in the feed's answer to a `subscribe`. Returns the book if it is bound now. */
  settle(venue: Venue, address: string, outcome: FeedSubscription | FeedRefusal): StreamBook | null {
    const book = this.#byAddress[venue].get(address);
    if (book === undefined) return null;
    const pending = this.#pending.get(book);
    this.#pending.delete(book);
    if ('book' in outcome) {
      this.#bind(book, outcome);
      pending?.settle({ book });
      return book;
    }
    if (pending === undefined) this.#scheduleRetry(book);
    else {
      this.#drop(book);
      pending.settle({ refusal: outcome });
    }
    return null;
  }

  /** Makes all book ids void, because the feed's thread died. Returns the books that lost their binding. */
  unbind(venue: Venue): readonly StreamBook[] {
    const books = this.of(venue);
    for (const book of books) this.#unbind(book);
    return books;
  }

  /** Subscribes every market in use again, because the feed's thread was replaced. */
  subscribeAgain(venue: Venue): void {
    for (const book of this.of(venue)) this.#source.subscribe(venue, book.address);
  }

  /** The book that a tape record for this view belongs to. Returns undefined if there is no such book. */
  boundTo(venue: Venue, bookId: number, view: View): StreamBook | undefined {
    return this.#byBinding[venue][bookId * 2 + view];
  }

  find(market: MarketKey): StreamBook | undefined {
    return this.#byAddress[market.venue].get(marketAddress(market));
  }

  of(venue: Venue): readonly StreamBook[] {
    return [...this.#byAddress[venue].values()];
  }

  close(): void {
    for (const timer of this.#dropTimers.values()) clearTimeout(timer);
    this.#dropTimers.clear();
    for (const cancel of this.#retries.values()) cancel();
    this.#retries.clear();
    for (const pending of this.#pending.values()) pending.settle({ refusal: UNANSWERED });
    this.#pending.clear();
  }

  #add(market: MarketKey): StreamBook {
    const book = new StreamBook(market, this.#nextIndex, this.#codecs);
    this.#nextIndex += 1;
    this.#byAddress[market.venue].set(book.address, book);
    this.#pending.set(book, this.#expectAnswer(book));
    this.#source.subscribe(market.venue, book.address);
    return book;
  }

  #expectAnswer({ venue, address }: StreamBook): Pending {
    const { promise, resolve } = Promise.withResolvers<Acquisition>();
    const cancel = this.#timers.after(limits.subscribeAnswerMs, () => this.settle(venue, address, UNANSWERED));
    const settle = (acquisition: Acquisition): void => {
      cancel();
      resolve(acquisition);
    };
    return { answer: promise, settle };
  }

  #bind(book: StreamBook, binding: FeedSubscription): void {
    this.#cancelRetry(book);
    book.binding = binding;
    book.boundAt = this.#timers.now();
    book.refusals = 0;
    this.#byBinding[book.venue][binding.book * 2 + binding.view] = book;
    this.#places.put(book.venue, book.address, binding);
  }

  #unbind(book: StreamBook): void {
    if (book.binding !== null) this.#byBinding[book.venue][book.binding.book * 2 + book.binding.view] = undefined;
    book.binding = null;
    this.#places.remove(book.venue, book.address);
  }

  /**
   * Subscribes the market again after a pause. If a restarted feed cannot describe a market in use, it does not reach its venue for now.
   */
  #scheduleRetry(book: StreamBook): void {
    this.#cancelRetry(book);
    const pauseMs = Math.min(limits.subscribeRetryMs * 2 ** book.refusals, limits.subscribeRetryMsMax);
    book.refusals += 1;
    this.#retries.set(
      book,
      this.#timers.after(pauseMs, () => {
        this.#retries.delete(book);
        this.#source.subscribe(book.venue, book.address);
      }),
    );
  }

  #cancelRetry(book: StreamBook): void {
    this.#retries.get(book)?.();
    this.#retries.delete(book);
  }

  #cancelDrop(book: StreamBook): void {
    clearTimeout(this.#dropTimers.get(book));
    this.#dropTimers.delete(book);
  }

  #drop(book: StreamBook): void {
    this.#cancelDrop(book);
    this.#cancelRetry(book);
    this.#byAddress[book.venue].delete(book.address);
    // The book is unbound before its feed ends the subscription, because the feed may then give the memory to another market.
    this.#unbind(book);
    this.#source.unsubscribe(book.venue, book.address);
  }
}
