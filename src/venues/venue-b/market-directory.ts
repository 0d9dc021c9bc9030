// The feed's markets, each with its book and known state. They are found by ticker, by the bytes of the ticker, and by book. Venue B's feed
// thread.

import type { Grid } from '../../core/domain/grid.ts';
import type { BookId } from '../../core/domain/market.ts';
import { TICKS_PER_DOLLAR, type Ticks, type UnixMillis } from '../../core/domain/numbers.ts';
import { assert } from '../../core/domain/result.ts';
import { limits } from '../../limits.ts';
import type { MarketFacts, MarketPhase } from './market-facts.ts';
import { TickerTable } from './ticker-table.ts';

export class Market {
  readonly ticker: string;
  readonly book: BookId;
  grid: Grid;
  /**
   * The step of the book's ladder. The step only gets finer, because orders between the prices of a coarser grid stay (venue-b.md §3.2).
   */
  step: Ticks;
  /** The largest step that has a price for every level that had no slot on the ladder so far. */
  heldStep = TICKS_PER_DOLLAR as Ticks;
  phase: MarketPhase;
  /** The time of closing, 0 if the venue states none. */
  closeTime: UnixMillis;
  /** Whether the market was closed by the clock alone, without the venue's word. */
  isClosedByClock = false;
  /** The time, by the monotonic clock, at which to ask the venue (again) for a snapshot. Infinity means that no request is due. */
  askAt = Number.POSITIVE_INFINITY;
  /** The earliest time of the next request for a snapshot, so that a book beyond recovery does not cause requests all the time. */
  askNotBefore = 0;
  /** Whether the grid is in doubt, so that the facts must be read before the next snapshot. */
  needsFacts = false;
  /** The number of lifecycle events of the market. Facts that were requested before the latest event may be older than the event. */
  news = 0;
  readonly #takesDeltas: Uint8Array;
  readonly #messages: Uint32Array;

  constructor(facts: MarketFacts, book: BookId, takesDeltas: Uint8Array, messages: Uint32Array) {
    this.ticker = facts.ticker;
    this.book = book;
    this.grid = facts.grid;
    this.step = facts.step;
    this.phase = facts.phase;
    this.closeTime = facts.closeTime;
    this.#takesDeltas = takesDeltas;
    this.#messages = messages;
    this.awaitsSnapshot = true;
  }

  /** Whether deltas are ignored until the next snapshot. This is so at first, after any loss, and for good once the market is closed. */
  get awaitsSnapshot(): boolean {
    return this.#takesDeltas[this.book] === 0;
  }

  set awaitsSnapshot(isAwaiting: boolean) {
    this.#takesDeltas[this.book] = isAwaiting ? 0 : 1;
  }

  /** The number of messages about the market's book. The count may wrap around. */
  get messages(): number {
    return this.#messages[this.book]!;
  }

  /** Whether the venue sends updates of the book. The book of a closed market stays as it was last seen. */
  get isFollowed(): boolean {
    return this.phase === 'OPEN' || this.phase === 'PAUSED';
  }
}

export class MarketDirectory {
  readonly tickers: TickerTable = new TickerTable();
  readonly #byTicker = new Map<string, Market>();
  readonly #byBook: (Market | undefined)[] = [];
  /** Whether each book takes deltas. These flags are apart from the markets so that they stay in the cache: every delta reads them. */
  readonly #takesDeltas = new Uint8Array(limits.booksPerVenueMax);
  readonly #messages = new Uint32Array(limits.booksPerVenueMax);

  /** Adds a market that has just got its book. */
  add(facts: MarketFacts, book: BookId): Market {
    const market = new Market(facts, book, this.#takesDeltas, this.#messages);
    this.#byTicker.set(market.ticker, market);
    while (this.#byBook.length <= market.book) this.#byBook.push(undefined);
    this.#byBook[market.book] = market;
    this.tickers.insert(market.ticker, market.book);
    return market;
  }

  remove(market: Market): void {
    this.#byTicker.delete(market.ticker);
    this.#byBook[market.book] = undefined;
    this.tickers.remove(market.book);
  }

  get(ticker: string): Market | undefined {
    return this.#byTicker.get(ticker);
  }

  has(market: Market): boolean {
    return this.#byBook[market.book] === market;
  }

  countMessage(book: BookId): void {
    this.#messages[book]! += 1;
  }

  takesDeltas(book: BookId): boolean {
    return this.#takesDeltas[book] === 1;
  }

  /** Returns the market of a book that `tickers` has found. */
  of(book: BookId): Market {
    const market = this.#byBook[book];
    assert(market !== undefined, 'a book in the table has its market');
    return market;
  }

  all(): Iterable<Market> {
    return this.#byTicker.values();
  }
}
