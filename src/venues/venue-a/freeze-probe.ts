// Tells a frozen stream from quiet markets. The venue's stream is known to freeze: the socket stays open and answers every
// PING, but no book event comes for hours (py-clob-client #292), and neither hashes nor the silence watchdog can notice what
// is not sent. A market nobody trades looks the same, so REST is asked: a connection without a book event for a while has
// one of its books compared with the venue's. One probe per connection at a time. Venue A's feed thread.

import { limits } from '../../limits.ts';
import { COUNTER } from '../../runtime/counters.ts';
import type { FeedParts } from '../feed.ts';
import type { BookDocument } from './book-document.ts';
import type { MarketBook } from './market-book.ts';
import { fetchBook } from './market-facts.ts';

export interface FreezeProbeOptions {
  readonly parts: FeedParts;
  /** Base of the REST interface, without a slash at the end. */
  readonly restUrl: string;
  /** Those of the connection, as they come and go. */
  readonly markets: ReadonlyMap<MarketBook, unknown>;
  /** The stream is behind REST at `market` and does not catch up. Nothing more is probed until the next `start`. */
  onFrozen(market: MarketBook): void;
  /** REST has no book of it. */
  onNoBook(market: MarketBook): void;
}

export class FreezeProbe {
  readonly #options: FreezeProbeOptions;
  /** By the clock that is never set. */
  #heardAt = 0;
  /** `#heardAt` at the last probe: while it stays so, each probe takes the next market. */
  #probedSince = 0;
  #turn = 0;
  /** Tells the answer to an earlier connection's probe. */
  #run = 0;
  #cancelTimer: () => void = () => {};

  constructor(options: FreezeProbeOptions) {
    this.#options = options;
  }

  /** The connection is up. */
  start(): void {
    this.stop();
    this.heard();
    this.#lookAfter(limits.venueAQuietMs);
  }

  /** The connection is gone; an answer under way concerns nobody. */
  stop(): void {
    this.#run += 1;
    this.#cancelTimer();
  }

  /** A book event arrived on the connection. Hot: once per event, so no timer is touched. */
  heard(): void {
    this.#heardAt = this.#options.parts.timers.elapsed();
  }

  #lookAfter(delayMs: number): void {
    this.#cancelTimer = this.#options.parts.timers.after(delayMs, () => this.#look());
  }

  #look(): void {
    const quietMs = this.#options.parts.timers.elapsed() - this.#heardAt;
    if (quietMs < limits.venueAQuietMs) {
      this.#lookAfter(limits.venueAQuietMs - quietMs);
      return;
    }
    const market = this.#choose();
    if (market === null) this.#lookAfter(limits.venueAQuietMs);
    else void this.#probe(market);
  }

  /** Each in turn, the one that was active last first: there a freeze shows soonest. */
  #choose(): MarketBook | null {
    const proven = [...this.#options.markets.keys()].filter(market => market.isProven);
    proven.sort((one, other) => other.lastEventTime - one.lastEventTime);
    this.#turn = this.#heardAt === this.#probedSince ? this.#turn + 1 : 0;
    this.#probedSince = this.#heardAt;
    return proven[this.#turn % proven.length] ?? null;
  }

  async #probe(market: MarketBook): Promise<void> {
    const { parts, restUrl, markets, onFrozen } = this.#options;
    const run = this.#run;
    const { lastEventTime } = market;
    const isStillSilent = () => markets.has(market) && market.isProven && market.lastEventTime === lastEventTime;
    const document = await fetchBook(parts.get, restUrl, market.facts.primaryToken);
    if (this.#run !== run) return;
    if (!this.#isBehind(market, document)) {
      this.#lookAfter(limits.venueAQuietMs);
      return;
    }
    this.#cancelTimer = parts.timers.after(limits.venueAFreezeGraceMs, () => {
      if (isStillSilent()) onFrozen(market);
      else this.#lookAfter(limits.venueAQuietMs);
    });
  }

  #isBehind(market: MarketBook, document: BookDocument | null): boolean {
    const { counters, log } = this.#options.parts;
    if (document === null) this.#options.onNoBook(market);
    const isUpToDate = document === null ? null : market.isUpToDate(document);
    if (isUpToDate === null)
      log.warn('no book from venue to probe a quiet stream with', { market: market.facts.conditionId });
    else if (isUpToDate) counters.count(COUNTER.quietProbes);
    return isUpToDate === false;
  }
}
