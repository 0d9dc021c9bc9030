// One market of the catalog while it has followers: the books and fees of all its routes, and the best routes now. The market follows the
// catalog, because a venue may list the market later. It requests missing books and fees until it has them. Main thread.

import type { FeeModel } from '../../core/domain/fees.ts';
import { type MarketKey, marketAddress, type Venue } from '../../core/domain/market.ts';
import type { UnixMillis } from '../../core/domain/numbers.ts';
import { pause, type Timers } from '../../core/runtime/timers.ts';
import type { OutcomeMessage, OutcomeQuote, RouteQuote } from '../../core/wire/messages.ts';
import type { TradingTermsCache } from '../../venues/trading-terms-cache.ts';
import type { StreamBook } from '../stream/book.ts';
import type { StreamBooks } from '../stream/books.ts';
import type { PacedStream, PacedValue } from '../stream/paced-stream.ts';
import type { VenueStream } from '../stream/venue-stream.ts';
import { bestRoutes } from './best-routes.ts';
import type { CatalogMarketRoutes, NoMarket } from './catalog-market.ts';

export interface OutcomeParts {
  readonly books: StreamBooks;
  readonly streams: Readonly<Record<Venue, VenueStream>>;
  readonly terms: TradingTermsCache;
  readonly timers: Timers;
}

/** A book that some routes lead to, with its fees. */
interface RoutedBook {
  readonly market: MarketKey;
  /** Null means that no feed carries the book now. */
  book: StreamBook | null;
  fees: FeeModel | null;
  stopWatching: () => void;
  /** Whether the book was requested and no answer has arrived yet. */
  isAwaited: boolean;
  /** Whether the catalog no longer has a route to the book, or nobody follows the market any more. */
  isReleased: boolean;
}

/** Reads the market from the catalog if the catalog is new. Returns null if there is no newer catalog. */
type NewRoutes = () => CatalogMarketRoutes | NoMarket | null;

/** The longest time that the first message waits for books and fees. */
const READY_MS = 2_000;
/** The interval between two checks for missing books and fees. Fees come from a cache. */
const RETRY_MS = 10_000;

export class OutcomeMarket implements PacedValue<OutcomeMessage> {
  /** The streams that send the market's changes. */
  readonly streams = new Set<PacedStream<OutcomeMessage>>();
  readonly #parts: OutcomeParts;
  readonly #newRoutes: NewRoutes;
  readonly #onEnd: (none: NoMarket) => void;
  readonly #routedBooks = new Map<string, RoutedBook>();
  #market: CatalogMarketRoutes;
  #ready: Promise<void>;
  #cancelRetry: () => void = () => {};
  #isClosed = false;
  #latest: OutcomeMessage | null = null;
  /** The time that the ages and fees in `#latest` refer to. */
  #latestAt = 0;

  /** `onEnd` is called when the catalog no longer has the market. */
  constructor(parts: OutcomeParts, market: CatalogMarketRoutes, newRoutes: NewRoutes, onEnd: (none: NoMarket) => void) {
    this.#parts = parts;
    this.#newRoutes = newRoutes;
    this.#onEnd = onEnd;
    this.#market = market;
    this.#follow(market);
    this.#ready = this.#retryMissing();
  }

  get title(): string {
    return this.#market.title;
  }

  /** Takes over the routes of the newest catalog. */
  refresh(): void {
    const market = this.#newRoutes();
    if (market === null || JSON.stringify(market) === JSON.stringify(this.#market)) return;
    if ('currentId' in market) {
      this.#onEnd(market);
      return;
    }
    this.#follow(market);
    this.#changed();
    this.#ready = this.#withinReadyTime(this.#completeAll());
  }

  /** Resolves when all books and fees are known, or when the time to wait for them is over. */
  get ready(): Promise<void> {
    return this.#ready;
  }

  latest(): OutcomeMessage {
    const now = this.#parts.timers.now();
    if (this.#latest === null || this.#latestAt !== now) [this.#latest, this.#latestAt] = [this.#compute(now), now];
    return this.#latest;
  }

  /** Compares two messages without the ages of their routes, because ages grow without a change. */
  isSame(one: OutcomeMessage, another: OutcomeMessage): boolean {
    return factsOf(one) === factsOf(another);
  }

  aged(sent: OutcomeMessage, ms: number): OutcomeMessage {
    const aged = (quote: RouteQuote | null) => quote && { ...quote, ageMs: Math.round(quote.ageMs + ms) };
    const outcomes = sent.outcomes.map(({ name, buy, sell }) => ({ name, buy: aged(buy), sell: aged(sell) }));
    return { ...sent, outcomes };
  }

  /** Whether a route has joined or left the omitted ones: a book is no longer to be trusted, or is again. */
  isUrgent(next: OutcomeMessage, sent: OutcomeMessage): boolean {
    return JSON.stringify(next.omitted) !== JSON.stringify(sent.omitted);
  }

  close(): void {
    this.#isClosed = true;
    this.#cancelRetry();
    for (const end of this.#routedBooks.values()) this.#leave(end);
  }

  #follow(market: CatalogMarketRoutes): void {
    this.#market = market;
    const books = new Map(market.outcomes.flatMap(it => it.routes.map(route => [nameOf(route.market), route.market])));
    for (const [name, end] of this.#routedBooks) {
      if (books.has(name)) continue;
      this.#leave(end);
      this.#routedBooks.delete(name);
    }
    for (const [name, book] of books) {
      const end: RoutedBook = {
        market: book,
        book: null,
        fees: null,
        stopWatching: () => {},
        isAwaited: false,
        isReleased: false,
      };
      if (!this.#routedBooks.has(name)) this.#routedBooks.set(name, end);
    }
  }

  #leave(end: RoutedBook): void {
    end.isReleased = true;
    end.stopWatching();
    if (end.book !== null) this.#parts.books.release(end.book);
  }

  #withinReadyTime(done: Promise<void>): Promise<void> {
    return Promise.race([done, pause(this.#parts.timers, READY_MS)]);
  }

  async #completeAll(): Promise<void> {
    await Promise.all(Array.from(this.#routedBooks.values(), end => this.#complete(end)));
  }

  async #retryMissing(): Promise<void> {
    this.refresh();
    if (this.#isClosed) return;
    // The wait is bounded, so that a venue that does not answer delays no other route.
    await this.#withinReadyTime(this.#completeAll());
    if (this.#isClosed) return;
    this.#changed();
    this.#cancelRetry = this.#parts.timers.after(RETRY_MS, () => void this.#retryMissing());
  }

  async #complete(end: RoutedBook): Promise<void> {
    const { books, streams, terms } = this.#parts;
    if (end.isAwaited) return;
    if (end.book === null) {
      end.isAwaited = true;
      const acquisition = await books.acquire(end.market);
      end.isAwaited = false;
      if ('refusal' in acquisition) return;
      const { book } = acquisition;
      if (end.isReleased) {
        books.release(book);
        return;
      }
      end.book = book;
      end.stopWatching = streams[book.venue].tops.watch(book, () => this.#changed());
      this.#changed();
    }
    const read = await terms.of(end.market, end.book.state === 'LIVE' ? end.book.boundAt : null);
    if (!read.ok || end.isReleased) return;
    end.fees = read.value.fees;
    this.#changed();
  }

  #changed(): void {
    this.#latest = null;
    for (const stream of this.streams) stream.update();
  }

  #compute(now: UnixMillis): OutcomeMessage {
    const { id, notes } = this.#market;
    const outcomes = this.#market.outcomes.map(({ name, routes }) => ({
      name,
      routes: routes.map(route => {
        const { book, fees } = this.#routedBooks.get(nameOf(route.market))!;
        const quote = book === null ? null : this.#parts.streams[book.venue].tops.best(book);
        return { route, book: quote, fees };
      }),
    }));
    return { type: 'outcome', catalogMarket: id, ...bestRoutes(outcomes, now), notes };
  }
}

function factsOf({ outcomes, omitted }: OutcomeMessage): string {
  return JSON.stringify([outcomes.map(withoutAges), omitted]);
}

function withoutAges({ name, buy, sell }: OutcomeQuote): readonly unknown[] {
  const facts = (quote: RouteQuote | null) => quote && { ...quote, ageMs: 0 };
  return [name, facts(buy), facts(sell)];
}

function nameOf(market: MarketKey): string {
  return `${market.venue} ${marketAddress(market)}`;
}
