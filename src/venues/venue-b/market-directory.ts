// The markets that the feed carries: each with its book and what is known of its state, found by ticker, by the ticker's
// bytes and by book. Venue B's feed thread.

import type { Grid } from '../../domain/grid.ts';
import type { BookId } from '../../domain/market.ts';
import type { Ticks, UnixMillis } from '../../domain/numbers.ts';
import { assert } from '../../domain/result.ts';
import { limits } from '../../limits.ts';
import type { MarketFacts, MarketPhase } from './market-facts.ts';
import { TickerTable } from './ticker-table.ts';

export class Market {
  readonly ticker: string;
  readonly book: BookId;
  grid: Grid;
  /** Of the book's ladder. */
  step: Ticks;
  phase: MarketPhase;
  /** 0 if the venue states none. */
  closeTime: UnixMillis;
  /** Whether nobody but the clock has said that it is closed. */
  isClosedByClock = false;
  /** When the venue is to be asked (again) for a snapshot, by the clock that is never set; Infinity if it need not be. */
  askAt = Number.POSITIVE_INFINITY;
  /** Not asked before this time, so that a book that cannot be recovered does not ask all the time. */
  askNotBefore = 0;
  /** The grid is in doubt: the facts are to be read before the next snapshot. */
  needsFacts = false;
  /** Events of its life so far: facts asked for before the latest of them may be older than it. */
  news = 0;
  readonly #takesDeltas: Uint8Array;

  constructor(facts: MarketFacts, book: BookId, takesDeltas: Uint8Array) {
    this.ticker = facts.ticker;
    this.book = book;
    this.grid = facts.grid;
    this.step = facts.step;
    this.phase = facts.phase;
    this.closeTime = facts.closeTime;
    this.#takesDeltas = takesDeltas;
    this.awaitsSnapshot = true;
  }

  /** Deltas mean nothing until the next snapshot: at first, after any loss, and for good once the market is closed. */
  get awaitsSnapshot(): boolean {
    return this.#takesDeltas[this.book] === 0;
  }

  set awaitsSnapshot(isAwaiting: boolean) {
    this.#takesDeltas[this.book] = isAwaiting ? 0 : 1;
  }

  /** Whether the venue sends news of it: a closed market's book stays as it was last seen. */
  get isFollowed(): boolean {
    return this.phase === 'OPEN' || this.phase === 'PAUSED';
  }
}

export class MarketDirectory {
  readonly tickers: TickerTable = new TickerTable();
  readonly #byTicker = new Map<string, Market>();
  readonly #byBook: (Market | undefined)[] = [];
  /** By book: the one fact that every delta asks for, apart from the markets, so that it stays in the cache. */
  readonly #takesDeltas = new Uint8Array(limits.booksPerVenueMax);

  /** Enters a market that has just got its book. */
  add(facts: MarketFacts, book: BookId): Market {
    const market = new Market(facts, book, this.#takesDeltas);
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

  takesDeltas(book: BookId): boolean {
    return this.#takesDeltas[book] === 1;
  }

  /** The market of a book that `tickers` has found. */
  of(book: BookId): Market {
    const market = this.#byBook[book];
    assert(market !== undefined, 'a book in the table has its market');
    return market;
  }

  all(): Iterable<Market> {
    return this.#byTicker.values();
  }
}
