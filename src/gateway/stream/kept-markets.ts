// Markets that stay subscribed even if no client wants them (contract §5). They are requested in rounds. A market that was not requested in
// a whole round is released. Only a few markets at a time are subscribed at the feeds. A refused market is retried later. Main thread.

import { type MarketKey, marketAddress } from '../../core/domain/market.ts';
import type { Timers } from '../../core/runtime/timers.ts';
import { limits } from '../../limits.ts';
import type { FeedRefusal } from '../../venues/feed.ts';
import type { StreamBook } from './book.ts';
import type { StreamBooks } from './books.ts';

interface KeptMarketsParts {
  readonly books: StreamBooks;
  readonly timers: Timers;
  /** Is called when a market cannot be subscribed for now. */
  readonly onRefused: (market: MarketKey, why: string) => void;
}

interface Kept {
  readonly market: MarketKey;
  /** The number of the last round that requested the market. */
  round: number;
  /** Null until the feed knows the market. */
  book: StreamBook | null;
  refusals: number;
  cancelRetry: () => void;
}

export class KeptMarkets {
  readonly #parts: KeptMarketsParts;
  readonly #byName = new Map<string, Kept>();
  /** The markets that are not yet requested at their feeds. */
  readonly #waiting = new Set<Kept>();
  #requestsInFlight = 0;
  #round = 0;
  #isClosed = false;

  constructor(parts: KeptMarketsParts) {
    this.#parts = parts;
  }

  /** The number of markets that are to be kept. */
  get count(): number {
    return this.#byName.size;
  }

  beginRound(): void {
    this.#round += 1;
  }

  keep(market: MarketKey): void {
    const name = nameOf(market);
    const known = this.#byName.get(name);
    if (known !== undefined) {
      known.round = this.#round;
      return;
    }
    if (this.#byName.size >= limits.keptMarketsMax) {
      this.#parts.onRefused(market, `keptMarketsMax ${limits.keptMarketsMax} is reached`);
      return;
    }
    const kept: Kept = { market, round: this.#round, book: null, refusals: 0, cancelRetry: () => {} };
    this.#byName.set(name, kept);
    this.#waiting.add(kept);
    this.#requestNext();
  }

  /** Ends a round. Releases the markets that were not requested since the round began. */
  endRound(): void {
    for (const kept of [...this.#byName.values()]) if (kept.round < this.#round) this.#drop(kept);
  }

  /** Requests no more markets. Subscriptions stay until the feeds close. */
  close(): void {
    this.#isClosed = true;
    for (const { cancelRetry } of this.#byName.values()) cancelRetry();
  }

  #requestNext(): void {
    for (const kept of this.#waiting) {
      if (this.#requestsInFlight === limits.keptMarketsAskedMax) return;
      this.#waiting.delete(kept);
      void this.#request(kept);
    }
  }

  async #request(kept: Kept): Promise<void> {
    this.#requestsInFlight += 1;
    const outcome = await this.#parts.books.acquire(kept.market);
    this.#requestsInFlight -= 1;
    if (this.#isClosed) return;
    const isWanted = this.#byName.get(nameOf(kept.market)) === kept;
    if ('refusal' in outcome) {
      if (isWanted) this.#scheduleRetry(kept, outcome.refusal);
    } else if (isWanted) kept.book = outcome.book;
    else this.#parts.books.release(outcome.book);
    this.#requestNext();
  }

  #scheduleRetry(kept: Kept, { code, message }: FeedRefusal): void {
    this.#parts.onRefused(kept.market, message);
    const pauseMs =
      code === 'UNKNOWN_MARKET'
        ? limits.keptMarketUnknownMs
        : Math.min(limits.keptMarketRetryMs * 2 ** kept.refusals, limits.keptMarketRetryMsMax);
    kept.refusals += 1;
    kept.cancelRetry = this.#parts.timers.after(pauseMs, () => {
      this.#waiting.add(kept);
      this.#requestNext();
    });
  }

  #drop(kept: Kept): void {
    this.#byName.delete(nameOf(kept.market));
    this.#waiting.delete(kept);
    kept.cancelRetry();
    if (kept.book !== null) this.#parts.books.release(kept.book);
  }
}

function nameOf(market: MarketKey): string {
  return `${market.venue} ${marketAddress(market)}`;
}
