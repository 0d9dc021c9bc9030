// Reads the facts of markets again if they may have changed unnoticed. The stream reports each lifecycle event once. Events before its
// subscription (after a reconnection, or when the venue ended it) must be found by REST. Each sweep sends a bounded number of lists, and
// failed lists are repeated. Venue B's feed thread.

import type { Log } from '../../core/runtime/log.ts';
import { limits } from '../../limits.ts';
import type { Market, MarketDirectory } from './market-directory.ts';
import { firstListed, type MarketFacts, type MarketFactsReader } from './market-facts.ts';

interface FactsRefreshParts {
  readonly markets: MarketDirectory;
  readonly facts: MarketFactsReader;
  readonly log: Log;
  readonly onFacts: (market: Market, facts: MarketFacts) => void;
}

interface FactsRequest {
  readonly market: Market;
  /** The number of attempts for this market, including this one. */
  readonly attempts: number;
  /** The market's `news` at the time of the request. If an event came later, it is newer than the answer. */
  readonly news: number;
}

export class FactsRefresh {
  readonly #parts: FactsRefreshParts;
  /**
   * The markets to read, with the number of attempts so far. Each lifecycle subscription gets a new map, by which late answers are
   * recognised.
   */
  #due = new Map<Market, number>();
  #isLifecycleUp = false;
  #generation = 0;

  constructor(parts: FactsRefreshParts) {
    this.#parts = parts;
  }

  /** A number that changes whenever events may have been missed. Facts that were requested at an earlier number must be read again. */
  get generation(): number {
    return this.#generation;
  }

  /** Notes whether the lifecycle subscription is up. When it comes up, the facts of all markets are read. */
  setLifecycleUp(isHearing: boolean): void {
    if (isHearing === this.#isLifecycleUp) return;
    this.#isLifecycleUp = isHearing;
    this.#due = new Map();
    if (!isHearing) return;
    this.#generation += 1;
    for (const market of this.#parts.markets.all()) {
      if (market.phase !== 'RESOLVED') this.add(market);
    }
    this.sweep();
  }

  /** Marks a market, so that the next sweep reads its facts. */
  add(market: Market): void {
    this.#due.set(market, 0);
  }

  /** Sends the requests that this sweep allows. */
  sweep(): void {
    for (let sent = 0; sent < limits.venueBListsPerSweep && this.#due.size > 0; sent += 1) this.#request(this.#take());
  }

  /** Takes as many markets as one request may name. */
  #take(): FactsRequest[] {
    const first = firstListed(this.#due, ([market]) => market.ticker);
    for (const [market] of first) this.#due.delete(market);
    return first
      .filter(([market]) => this.#parts.markets.has(market))
      .map(([market, attempts]) => ({ market, attempts: attempts + 1, news: market.news }));
  }

  async #request(requests: readonly FactsRequest[]): Promise<void> {
    if (requests.length === 0) return;
    const due = this.#due;
    const answer = await this.#parts.facts.readRows(requests.map(({ market }) => market.ticker));
    if (due !== this.#due) return;
    if (answer.ok) this.#apply(requests, answer.value.facts);
    else {
      this.#parts.log.warn('facts of markets cannot be read again', {
        markets: requests.length,
        message: answer.error.message,
      });
      this.#retry(requests);
    }
  }

  #apply(requests: readonly FactsRequest[], facts: readonly MarketFacts[]): void {
    const { markets, log, onFacts } = this.#parts;
    const listed = new Map(facts.map(entry => [entry.ticker, entry]));
    const present = requests.filter(({ market }) => markets.has(market));
    for (const { market, news } of present) {
      const entry = listed.get(market.ticker);
      if (entry !== undefined && market.news === news) onFacts(market, entry);
    }
    const missing = present.filter(({ market }) => !listed.has(market.ticker)).length;
    if (missing > 0) log.warn('venue does not list markets: their facts are kept', { markets: missing });
    this.#retry(present.filter(({ market, news }) => listed.has(market.ticker) && market.news !== news));
  }

  #retry(requests: readonly FactsRequest[]): void {
    const spent = requests.filter(({ attempts }) => attempts >= limits.venueBListAttemptsMax).length;
    if (spent > 0)
      this.#parts.log.warn('facts of markets are not asked for until the next connection', { markets: spent });
    for (const { market, attempts } of requests) {
      if (attempts < limits.venueBListAttemptsMax) this.#due.set(market, attempts);
    }
  }
}
