// Caches the terms of markets, so that no order to a market in use waits for them. Old terms are read again in the background; terms that
// the venue contradicts are dropped. Terms that would refuse an order are read again first (contract §4.3). Bounded: the market that was
// read longest ago goes first, and markets in use are read again and again. Any thread.

import { BoundedMap } from '../core/domain/bounded-map.ts';
import type { UnixMillis } from '../core/domain/numbers.ts';
import { ok, type Result } from '../core/domain/result.ts';
import type { Soon } from '../core/domain/soon.ts';
import type { FactsRefusal } from './venue.ts';

interface TermsAges {
  /** Beyond this age terms are used, and read again in the background. */
  readonly freshMs: number;
  /** Beyond this age terms do not refuse an order. */
  readonly refusingMs: number;
  /** Beyond this age terms are not used at all. */
  readonly usedMs: number;
}

interface TermsCacheParts<Terms> {
  /** Reads the terms from the venue. Never rejects; errors are not cached. */
  readonly read: (market: string) => Promise<Result<Terms, FactsRefusal>>;
  readonly now: () => UnixMillis;
  readonly ages: TermsAges;
  readonly marketsMax: number;
}

/** Older than any age that is used. */
const OUTDATED = Number.NEGATIVE_INFINITY as UnixMillis;

export class TermsCache<Terms extends { readonly readAt: UnixMillis }> {
  readonly #parts: TermsCacheParts<Terms>;
  readonly #terms: BoundedMap<string, Terms>;
  /** Each market has at most one request in flight. */
  readonly #reading = new Map<string, Promise<Result<Terms, FactsRefusal>>>();

  constructor(parts: TermsCacheParts<Terms>) {
    this.#parts = parts;
    this.#terms = new BoundedMap(parts.marketsMax);
  }

  /** Terms that fail `passes` are fresh or have just been read. Never rejects. */
  of(market: string, passes: (terms: Terms) => boolean): Soon<Result<Terms, FactsRefusal>> {
    const { now, ages } = this.#parts;
    const terms = this.#terms.get(market);
    const ageMs = terms === undefined ? Number.POSITIVE_INFINITY : now() - terms.readAt;
    // Terms from the future, after the clock was set back, have an unknown age.
    if (terms === undefined || ageMs < 0 || ageMs > ages.usedMs) return this.#read(market);
    if (ageMs > ages.refusingMs && !passes(terms)) return this.#read(market);
    if (ageMs > ages.freshMs) void this.#read(market);
    return ok(terms);
  }

  /** Terms of any age, for terms that never change. */
  known(market: string): Terms | undefined {
    return this.#terms.get(market);
  }

  /** The venue contradicts the terms: the next order reads them again. A read in flight may be as old. */
  outdate(market: string): void {
    const terms = this.#terms.get(market);
    if (terms !== undefined) this.#terms.set(market, { ...terms, readAt: OUTDATED });
    this.#reading.delete(market);
  }

  #read(market: string): Promise<Result<Terms, FactsRefusal>> {
    const reading = this.#reading.get(market);
    if (reading !== undefined) return reading;
    const asked: Promise<Result<Terms, FactsRefusal>> = this.#parts.read(market).then(answer => {
      // Outdated meanwhile: the read in flight may predate the change.
      if (this.#reading.get(market) !== asked) return answer;
      this.#reading.delete(market);
      if (answer.ok) {
        // Reinsert the market as the youngest.
        this.#terms.delete(market);
        this.#terms.set(market, answer.value);
      }
      return answer;
    });
    this.#reading.set(market, asked);
    return asked;
  }
}
