// Lets concurrent reads of one market share one request. The result also answers reads shortly afterwards (contract §7: at most a second
// old). The numbers of requests and of results are bounded. Main thread.

import { SUMMARY_VENUES, type SummaryVenue } from '../core/domain/market-summary.ts';
import { limits } from '../limits.ts';
import { busy, type MarketReading } from './market-read.ts';

export type ReadMarket = (venue: SummaryVenue, marketId: string) => Promise<MarketReading>;

interface Kept {
  readonly reading: MarketReading;
  readonly untilMs: number;
}

export class MarketReadCache {
  readonly #read: ReadMarket;
  readonly #nowMs: () => number;
  readonly #underWay = byVenue<Map<string, Promise<MarketReading>>>(() => new Map());
  /** Oldest first, which is also the order of expiry. */
  readonly #kept = byVenue<Map<string, Kept>>(() => new Map());

  /** `read` never rejects. `nowMs` is the time of a monotonic clock. */
  constructor(read: ReadMarket, nowMs: () => number) {
    this.#read = read;
    this.#nowMs = nowMs;
  }

  read(venue: SummaryVenue, marketId: string): Promise<MarketReading> {
    const kept = this.#kept[venue].get(marketId);
    if (kept !== undefined && kept.untilMs > this.#nowMs()) return Promise.resolve(kept.reading);
    const underWay = this.#underWay[venue];
    const same = underWay.get(marketId);
    if (same !== undefined) return same;
    if (underWay.size >= limits.marketReadsWaitingMax) {
      return Promise.resolve(busy(venue, 'too many markets are being read (marketReadsWaitingMax)', 1_000));
    }
    const began = this.#begin(venue, marketId);
    underWay.set(marketId, began);
    return began;
  }

  async #begin(venue: SummaryVenue, marketId: string): Promise<MarketReading> {
    const reading = await this.#read(venue, marketId);
    this.#underWay[venue].delete(marketId);
    this.#keep(this.#kept[venue], marketId, { reading, untilMs: this.#nowMs() + limits.marketReadCacheMs });
    return reading;
  }

  #keep(kept: Map<string, Kept>, marketId: string, entry: Kept): void {
    kept.delete(marketId);
    kept.set(marketId, entry);
    for (const [oldest, { untilMs }] of kept) {
      if (untilMs > this.#nowMs() && kept.size <= limits.marketReadsKeptMax) return;
      kept.delete(oldest);
    }
  }
}

function byVenue<T>(make: () => T): Readonly<Record<SummaryVenue, T>> {
  return Object.fromEntries(SUMMARY_VENUES.map(venue => [venue, make()])) as Record<SummaryVenue, T>;
}
