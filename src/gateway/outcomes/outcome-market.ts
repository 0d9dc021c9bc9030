// One market of the catalog while it has followers: the books and fees of all its routes, and the best routes as they are now. It
// requests missing books and fees again until it has them. Main thread.

import type { FeeModel } from '../../domain/fees.ts';
import { type MarketKey, marketAddress, type Venue } from '../../domain/market.ts';
import type { UnixMillis } from '../../domain/numbers.ts';
import { pause, type Timers } from '../../runtime/timers.ts';
import type { TradingTermsCache } from '../../venues/trading-terms-cache.ts';
import type { OutcomeMessage, OutcomeQuote, RouteQuote } from '../../wire/messages.ts';
import type { StreamBook } from '../stream/book.ts';
import type { StreamBooks } from '../stream/books.ts';
import type { PacedStream, PacedValue } from '../stream/paced-stream.ts';
import type { VenueStream } from '../stream/venue-stream.ts';
import { bestRoutes } from './best-routes.ts';
import type { CatalogMarketRoutes } from './catalog-market.ts';

export interface OutcomeParts {
  readonly books: StreamBooks;
  readonly streams: Readonly<Record<Venue, VenueStream>>;
  readonly terms: TradingTermsCache;
  readonly timers: Timers;
}

/** The far end of some routes: a book and its fees. */
interface End {
  readonly market: MarketKey;
  /** Null: no feed carries it now. */
  book: StreamBook | null;
  fees: FeeModel | null;
  stopWatching: () => void;
}

/** How long the first message waits for books and fees. */
const READY_MS = 2_000;
/** Between two checks for missing parts; fees come from a cache. */
const LOOK_MS = 10_000;

export class OutcomeMarket implements PacedValue<OutcomeMessage> {
  /** Those that send its changes. */
  readonly streams = new Set<PacedStream<OutcomeMessage>>();
  readonly title: string;
  readonly #parts: OutcomeParts;
  readonly #market: CatalogMarketRoutes;
  readonly #ends = new Map<string, End>();
  readonly #ready: Promise<void>;
  #cancelLook: () => void = () => {};
  #isClosed = false;
  #latest: OutcomeMessage | null = null;
  /** Ages and fees are as of then. */
  #latestAt = 0;

  constructor(parts: OutcomeParts, market: CatalogMarketRoutes) {
    this.#parts = parts;
    this.#market = market;
    this.title = market.title;
    for (const { market: book } of market.outcomes.flatMap(({ routes }) => routes)) {
      this.#ends.set(nameOf(book), { market: book, book: null, fees: null, stopWatching: () => {} });
    }
    this.#ready = Promise.race([this.#look(), pause(parts.timers, READY_MS)]);
  }

  /** Resolves when it knows all books and fees, or has waited for them. */
  get ready(): Promise<void> {
    return this.#ready;
  }

  latest(): OutcomeMessage {
    const now = this.#parts.timers.now();
    if (this.#latest === null || this.#latestAt !== now) [this.#latest, this.#latestAt] = [this.#compute(now), now];
    return this.#latest;
  }

  /** The age of a route grows without a change. */
  isSame(one: OutcomeMessage, another: OutcomeMessage): boolean {
    return factsOf(one) === factsOf(another);
  }

  later(sent: OutcomeMessage, ms: number): OutcomeMessage {
    const aged = (quote: RouteQuote | null) => quote && { ...quote, ageMs: Math.round(quote.ageMs + ms) };
    const outcomes = sent.outcomes.map(({ name, buy, sell }) => ({ name, buy: aged(buy), sell: aged(sell) }));
    return { ...sent, outcomes };
  }

  /** A book that is not to be trusted any more, or again. */
  isUrgent(next: OutcomeMessage, sent: OutcomeMessage): boolean {
    return JSON.stringify(next.omitted) !== JSON.stringify(sent.omitted);
  }

  close(): void {
    this.#isClosed = true;
    this.#cancelLook();
    for (const end of this.#ends.values()) {
      end.stopWatching();
      if (end.book !== null) this.#parts.books.release(end.book);
    }
  }

  async #look(): Promise<void> {
    await Promise.all(Array.from(this.#ends.values(), end => this.#complete(end)));
    if (this.#isClosed) return;
    this.#changed();
    this.#cancelLook = this.#parts.timers.after(LOOK_MS, () => void this.#look());
  }

  async #complete(end: End): Promise<void> {
    const { books, streams, terms } = this.#parts;
    if (end.book === null) {
      const acquisition = await books.acquire(end.market);
      if ('refusal' in acquisition) return;
      const { book } = acquisition;
      if (this.#isClosed) {
        books.release(book);
        return;
      }
      end.book = book;
      end.stopWatching = streams[book.venue].tops.watch(book, () => this.#changed());
      this.#changed();
    }
    const read = await terms.of(end.market, end.book.state === 'LIVE' ? end.book.boundAt : null);
    if (!read.ok || this.#isClosed) return;
    end.fees = read.value.fees;
    this.#changed();
  }

  #changed(): void {
    this.#latest = null;
    for (const stream of this.streams) stream.offer();
  }

  #compute(now: UnixMillis): OutcomeMessage {
    const { id, notes } = this.#market;
    const outcomes = this.#market.outcomes.map(({ name, routes }) => ({
      name,
      routes: routes.map(route => {
        const { book, fees } = this.#ends.get(nameOf(route.market))!;
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
