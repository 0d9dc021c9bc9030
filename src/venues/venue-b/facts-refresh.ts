// Facts of markets that may have changed unheard. The life of markets is told once, on the stream, and not again: whatever
// happened before its subscription began (a reconnection, or the venue ended it) has to be asked for by REST, in lists that
// are sent a bounded number per sweep and given again if they fail. Venue B's feed thread.

import { limits } from '../../limits.ts';
import type { Log } from '../../runtime/log.ts';
import type { Market, MarketDirectory } from './market-directory.ts';
import type { MarketFacts, MarketFactsReader } from './market-facts.ts';

export interface FactsRefreshParts {
  readonly markets: MarketDirectory;
  readonly facts: MarketFactsReader;
  readonly log: Log;
  readonly onFacts: (market: Market, facts: MarketFacts) => void;
}

interface Asked {
  readonly market: Market;
  /** Times that the market has been asked for, this one included. */
  readonly attempts: number;
  /** Of the market when it was asked for: an event that has come since is newer than the answer. */
  readonly news: number;
}

export class FactsRefresh {
  readonly #parts: FactsRefreshParts;
  /** To be asked for, with the attempts so far; a new map for every hearing, so that late answers are known as such. */
  #due = new Map<Market, number>();
  #isHearing = false;
  #since = 0;

  constructor(parts: FactsRefreshParts) {
    this.#parts = parts;
  }

  /** Changes whenever events may have been missed: facts that were asked for at another value have to be asked for again. */
  get since(): number {
    return this.#since;
  }

  /** Whether the life of markets is heard from now on. Where that begins, the facts of all markets are asked for. */
  hear(isHearing: boolean): void {
    if (isHearing === this.#isHearing) return;
    this.#isHearing = isHearing;
    this.#due = new Map();
    if (!isHearing) return;
    this.#since += 1;
    for (const market of this.#parts.markets.all()) {
      if (market.phase !== 'RESOLVED') this.add(market);
    }
    this.sweep();
  }

  /** The facts of this market are to be asked for with the next sweep. */
  add(market: Market): void {
    this.#due.set(market, 0);
  }

  /** Sends what may be sent until the next sweep. */
  sweep(): void {
    for (let sent = 0; sent < limits.venueBListsPerSweep && this.#due.size > 0; sent += 1) this.#ask(this.#take());
  }

  /** As many markets as one request may name. */
  #take(): Asked[] {
    const asked: Asked[] = [];
    let bytes = 0;
    for (const [market, attempts] of this.#due) {
      bytes += market.ticker.length + 1;
      if (bytes > limits.venueBTickerListBytes) break;
      this.#due.delete(market);
      if (this.#parts.markets.has(market)) asked.push({ market, attempts: attempts + 1, news: market.news });
    }
    return asked;
  }

  async #ask(asked: readonly Asked[]): Promise<void> {
    if (asked.length === 0) return;
    const due = this.#due;
    const answer = await this.#parts.facts.readList(asked.map(({ market }) => market.ticker));
    if (due !== this.#due) return;
    if (answer.ok) this.#apply(asked, answer.value);
    else {
      this.#parts.log.warn('facts not read again', { markets: asked.length, message: answer.error.message });
      this.#again(asked);
    }
  }

  #apply(asked: readonly Asked[], facts: readonly MarketFacts[]): void {
    const { markets, log, onFacts } = this.#parts;
    const listed = new Map(facts.map(entry => [entry.ticker, entry]));
    const present = asked.filter(({ market }) => markets.has(market));
    for (const { market, news } of present) {
      const entry = listed.get(market.ticker);
      if (entry !== undefined && market.news === news) onFacts(market, entry);
    }
    const missing = present.filter(({ market }) => !listed.has(market.ticker)).length;
    if (missing > 0) log.warn('markets not listed, their facts kept', { markets: missing });
    this.#again(present.filter(({ market, news }) => listed.has(market.ticker) && market.news !== news));
  }

  #again(asked: readonly Asked[]): void {
    const spent = asked.filter(({ attempts }) => attempts >= limits.venueBListAttemptsMax).length;
    if (spent > 0) this.#parts.log.warn('facts given up until the next connection', { markets: spent });
    for (const { market, attempts } of asked) {
      if (attempts < limits.venueBListAttemptsMax) this.#due.set(market, attempts);
    }
  }
}
