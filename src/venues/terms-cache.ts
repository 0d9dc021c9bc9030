// Caches the terms of markets, so that no order in a market that is in use waits for them. Old terms are read again in the background.
// Terms that the venue contradicts are dropped. Terms that would refuse an order are read again first (contract §4.3). Bounded: the market
// whose terms were read longest ago is dropped first, and markets in use are read again and again. Any thread.

import { BoundedMap } from '../core/domain/bounded-map.ts';
import type { UnixMillis } from '../core/domain/numbers.ts';
import { ok, type Result } from '../core/domain/result.ts';
import type { Soon } from '../core/domain/soon.ts';
import type { FactsRefusal } from './venue.ts';

interface TermsAges {
  /** The age beyond which terms are still used, but read again in the background. */
  readonly freshMs: number;
  /** The age beyond which terms no longer refuse an order. */
  readonly refusingMs: number;
  /** The age beyond which terms are not used at all. */
  readonly usedMs: number;
}

interface TermsCacheParts<Terms> {
  /** Reads the terms from the venue. Never rejects; errors are not cached. */
  readonly read: (market: string) => Promise<Result<Terms, FactsRefusal>>;
  readonly now: () => UnixMillis;
  readonly ages: TermsAges;
  readonly marketsMax: number;
}

/** The time of outdated terms, which makes them older than any age that is used. */
const OUTDATED = Number.NEGATIVE_INFINITY as UnixMillis;

export class TermsCache<Terms extends { readonly readAt: UnixMillis }> {
  readonly #parts: TermsCacheParts<Terms>;
  readonly #terms: BoundedMap<string, Terms>;
  /** The read in flight of each market; a market has at most one. */
  readonly #reading = new Map<string, Promise<Result<Terms, FactsRefusal>>>();

  constructor(parts: TermsCacheParts<Terms>) {
    this.#parts = parts;
    this.#terms = new BoundedMap(parts.marketsMax);
  }

  /** Returns the terms of a market. Terms that fail `passes` are younger than `refusingMs`, or have just been read. Never rejects. */
  of(market: string, passes: (terms: Terms) => boolean): Soon<Result<Terms, FactsRefusal>> {
    const { now, ages } = this.#parts;
    const terms = this.#terms.get(market);
    const ageMs = terms === undefined ? Number.POSITIVE_INFINITY : now() - terms.readAt;
    // The age is negative, and so unknown, if the clock was set back after the read.
    if (terms === undefined || ageMs < 0 || ageMs > ages.usedMs) return this.#read(market);
    if (ageMs > ages.refusingMs && !passes(terms)) return this.#read(market);
    if (ageMs > ages.freshMs) void this.#read(market);
    return ok(terms);
  }

  /** Returns the terms at any age, for uses of terms that never change. */
  known(market: string): Terms | undefined {
    return this.#terms.get(market);
  }

  /**
   * Marks the terms as outdated, because the venue contradicts them: the next order reads them again. A read in flight does not count,
   * because it may be as old.
   */
  expire(market: string): void {
    const terms = this.#terms.get(market);
    if (terms !== undefined) this.#terms.set(market, { ...terms, readAt: OUTDATED });
    this.#reading.delete(market);
  }

  #read(market: string): Promise<Result<Terms, FactsRefusal>> {
    const reading = this.#reading.get(market);
    if (reading !== undefined) return reading;
    const read: Promise<Result<Terms, FactsRefusal>> = this.#parts.read(market).then(answer => {
      // The terms were outdated during this read, so the answer may predate the change and is not cached.
      if (this.#reading.get(market) !== read) return answer;
      this.#reading.delete(market);
      if (answer.ok) {
        // Insert the market anew, as the one that was read last.
        this.#terms.delete(market);
        this.#terms.set(market, answer.value);
      }
      return answer;
    });
    this.#reading.set(market, read);
    return read;
  }
}
