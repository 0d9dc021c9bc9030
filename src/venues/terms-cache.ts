// What markets ask of orders, kept so that no order of a market in use waits for it: read once, read again in the background when it
// has aged, not used any more when the venue contradicts it. Only what would refuse an order is read again before it does (contract §4.3).
// Bounded: the market that was read longest ago goes, and those in use are read again and again. Any thread.

import { BoundedMap } from '../domain/bounded-map.ts';
import type { UnixMillis } from '../domain/numbers.ts';
import { ok, type Result } from '../domain/result.ts';
import type { FactsRefusal } from './venue.ts';

export interface TermsAges {
  /** Older terms are used, and read again meanwhile. */
  readonly freshMs: number;
  /** Older ones do not refuse an order. */
  readonly refusingMs: number;
  /** Older ones are not used at all. */
  readonly usedMs: number;
}

export interface TermsCacheParts<Terms> {
  /** What the venue says now. Never rejects; what is not known is not kept. */
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
  /** One request at a time for a market. */
  readonly #reading = new Map<string, Promise<Result<Terms, FactsRefusal>>>();

  constructor(parts: TermsCacheParts<Terms>) {
    this.#parts = parts;
    this.#terms = new BoundedMap(parts.marketsMax);
  }

  /** Terms that the order at hand does not pass are as good as new. Never rejects. */
  of(market: string, passes: (terms: Terms) => boolean): Promise<Result<Terms, FactsRefusal>> {
    const { now, ages } = this.#parts;
    const terms = this.#terms.get(market);
    const ageMs = terms === undefined ? Number.POSITIVE_INFINITY : now() - terms.readAt;
    // Of a time to come, by a clock that was set back, is of an unknown age.
    if (terms === undefined || ageMs < 0 || ageMs > ages.usedMs) return this.#read(market);
    if (ageMs > ages.refusingMs && !passes(terms)) return this.#read(market);
    if (ageMs > ages.freshMs) void this.#read(market);
    return Promise.resolve(ok(terms));
  }

  /** Whatever their age: for what never changes. */
  known(market: string): Terms | undefined {
    return this.#terms.get(market);
  }

  /** The venue contradicts them: the next order reads them anew. A reading under way may be no newer. */
  outdate(market: string): void {
    const terms = this.#terms.get(market);
    if (terms !== undefined) this.#terms.set(market, { ...terms, readAt: OUTDATED });
    this.#reading.delete(market);
  }

  #read(market: string): Promise<Result<Terms, FactsRefusal>> {
    const reading = this.#reading.get(market);
    if (reading !== undefined) return reading;
    const asked: Promise<Result<Terms, FactsRefusal>> = this.#parts.read(market).then(answer => {
      // Outdated meanwhile: what was under way may be of before.
      if (this.#reading.get(market) !== asked) return answer;
      this.#reading.delete(market);
      if (answer.ok) {
        // As the youngest.
        this.#terms.delete(market);
        this.#terms.set(market, answer.value);
      }
      return answer;
    });
    this.#reading.set(market, asked);
    return asked;
  }
}
