// The terms of markets that callers have asked for. While a market's feed is heard, its terms are used until the feed reports a change of
// them. Otherwise they are read for the request. Main thread.

import { BoundedMap } from '../core/domain/bounded-map.ts';
import { type MarketKey, marketAddress, perVenue, type Venue } from '../core/domain/market.ts';
import type { UnixMillis } from '../core/domain/numbers.ts';
import { fail, ok, type Result } from '../core/domain/result.ts';
import { type Timers, wallTimers } from '../core/runtime/timers.ts';
import { limits } from '../limits.ts';
import { onOutdatedFacts } from './outdated-facts.ts';
import { TermsCache } from './terms-cache.ts';
import type { TermsReading, TradingTerms } from './trading-terms.ts';
import type { FactsRefusal } from './venue.ts';

type ReadTerms = (venue: Venue, address: string) => Promise<TermsReading>;

const DAY_MS = 86_400_000;
/** Terms of a market whose feed is heard are read again in the background after a minute, because no stream reports a change of fees. */
const AGES = { freshMs: 60_000, refusingMs: limits.marketReadCacheMs, usedMs: 30 * DAY_MS };

export class TradingTermsCache {
  readonly #caches: Readonly<Record<Venue, TermsCache<TradingTerms>>>;
  /** All addresses of a market, by each of its addresses: a feed names only one of them. */
  readonly #alike = new BoundedMap<string, readonly string[]>(limits.marketReadsKeptMax);
  readonly #stopHearing: () => void;

  /** `read` never rejects. */
  constructor(read: ReadTerms, timers: Timers = wallTimers) {
    const now = () => timers.now();
    this.#caches = perVenue(venue => {
      const readTerms = async (address: string) => this.#take(await read(venue, address));
      return new TermsCache({ read: readTerms, now, ages: AGES, marketsMax: limits.marketReadsKeptMax });
    });
    this.#stopHearing = onOutdatedFacts(({ venue, address }) => {
      for (const name of this.#alike.get(address) ?? [address]) this.#caches[venue].expire(name);
    });
  }

  /**
   * Returns the terms. `heardSince` is the time since which the market's feed would have reported a change of its terms. Null means that no
   * feed would report one. Never rejects.
   */
  async of(market: MarketKey, heardSince: UnixMillis | null): Promise<Result<TradingTerms, FactsRefusal>> {
    const isCurrent = ({ readAt }: TradingTerms): boolean => heardSince !== null && readAt >= heardSince;
    return this.#caches[market.venue].of(marketAddress(market), isCurrent);
  }

  close(): void {
    this.#stopHearing();
  }

  #take(reading: TermsReading): Result<TradingTerms, FactsRefusal> {
    if (reading.type === 'unknown') return fail({ type: 'unknown-market' });
    if (reading.type !== 'terms') return fail({ type: 'unavailable', message: reading.message });
    const { addresses } = reading.terms;
    for (const address of addresses) this.#alike.set(address, addresses);
    return ok(reading.terms);
  }
}
