// The feed's three subscriptions of one connection: books, trades, and the life of markets. Venue B's feed thread.

import { Subscription } from './subscription.ts';

export interface StreamParts {
  readonly send: (command: string) => void;
  /** Milliseconds of a clock that is never set. */
  readonly elapsed: () => number;
  /** The venue no longer carries the market's book, perhaps until it is added anew. */
  readonly onBookDeleted: (ticker: string) => void;
  /** Trades of these markets may be missing before now. */
  readonly onTradesMissed: (tickers: Iterable<string>) => void;
}

export class StreamSubscriptions {
  readonly books: Subscription;
  readonly trades: Subscription;
  readonly lifecycle: Subscription;
  readonly #all: readonly Subscription[];
  #idLast = 0;

  constructor(parts: StreamParts) {
    const { send, elapsed, onBookDeleted, onTradesMissed } = parts;
    const shared = { send, elapsed, nextId: () => ++this.#idLast, onDeleted: () => {}, onMissed: () => {} };
    this.books = new Subscription({
      ...shared,
      channel: 'orderbook_delta',
      isByMarket: true,
      hasSnapshots: true,
      onDeleted: onBookDeleted,
    });
    this.trades = new Subscription({
      ...shared,
      channel: 'trade',
      isByMarket: true,
      hasSnapshots: false,
      onMissed: onTradesMissed,
    });
    this.lifecycle = new Subscription({
      ...shared,
      channel: 'market_lifecycle_v2',
      isByMarket: false,
      hasSnapshots: false,
    });
    this.#all = [this.lifecycle, this.books, this.trades];
  }

  /** Subscribes to a market's book and trades. */
  want(ticker: string): void {
    this.books.want(ticker);
    this.trades.want(ticker);
  }

  unwant(ticker: string): void {
    this.books.unwant(ticker);
    this.trades.unwant(ticker);
  }

  /** Asks again for a market's snapshot. */
  refresh(ticker: string): void {
    this.books.refresh(ticker);
  }

  flush(): void {
    for (const subscription of this.#all) subscription.flush();
  }

  bySid(sid: number): Subscription | null {
    return this.#all.find(subscription => subscription.sid === sid) ?? null;
  }

  /** The subscription that awaits the answer to this command. */
  awaiting(id: number | null): Subscription | null {
    return this.#all.find(subscription => subscription.awaits(id)) ?? null;
  }

  /** Handles `subscribed`. */
  opened(channel: string, sid: number): void {
    this.#all.find(candidate => candidate.channel === channel)?.opened(sid);
  }
}
