// The rules for orders in a market, by venue B's description (venue-b.md §3.2, §4.2). They are cached (terms-cache.ts), also for unknown
// markets. Engine thread.

import { isObject, type JsonObject, textOf } from '../../../core/domain/json.ts';
import type { MicroShares, UnixMillis } from '../../../core/domain/numbers.ts';
import { fail, ok, type Result } from '../../../core/domain/result.ts';
import { type Soon, whenHere } from '../../../core/domain/soon.ts';
import type { Timers } from '../../../core/runtime/timers.ts';
import { limits } from '../../../limits.ts';
import { TermsCache } from '../../terms-cache.ts';
import type { FactsRefusal, TradingFacts, TradingPhase } from '../../venue.ts';
import { type MarketPhase, marketFactsIn } from '../market-facts.ts';
import type { VenueBRest } from './rest.ts';

/** A hundredth of a contract (venue-b.md §0). */
const CENTI_CONTRACT = 10_000 as MicroShares;

/**
 * The least time from now to an expiry. The expiry must still lie ahead when the order reaches the venue, and both sides count whole
 * seconds.
 */
const EXPIRY_LEAD_MS = 1_000;

interface KnownMarket {
  readonly facts: TradingFacts;
  /** The time of closing. 0 if the venue states none. */
  readonly closesAt: UnixMillis;
  readonly shard: number;
}

interface Described {
  /** The market; null if the venue does not know it. */
  readonly known: KnownMarket | null;
  readonly readAt: UnixMillis;
}

const AGES = {
  freshMs: limits.venueBFactsFreshMs,
  refusingMs: limits.venueBRefusingFactsAgeMaxMs,
  usedMs: limits.venueBFactsAgeMaxMs,
};

export class VenueBFacts {
  readonly #rest: VenueBRest;
  readonly #timers: Timers;
  readonly #described: TermsCache<Described>;

  constructor(rest: VenueBRest, timers: Timers, marketsMax: number = limits.venueBTradedMarketsMax) {
    this.#rest = rest;
    this.#timers = timers;
    const now = () => timers.now();
    this.#described = new TermsCache({ read: ticker => this.#read(ticker), now, ages: AGES, marketsMax });
  }

  /** Returns the facts of a market. `passes` is as in `VenueTrading.facts`. Never rejects. */
  of(ticker: string, passes: (facts: TradingFacts) => boolean = isOpen): Soon<Result<TradingFacts, FactsRefusal>> {
    const described = this.#described.of(ticker, ({ known }) => known !== null && passes(this.#current(known)));
    return whenHere(described, it => this.#factsOf(it));
  }

  #factsOf(described: Result<Described, FactsRefusal>): Result<TradingFacts, FactsRefusal> {
    if (!described.ok) return described;
    const { known } = described.value;
    return known === null ? fail({ type: 'unknown-market' }) : ok(this.#current(known));
  }

  /** Returns the shard of a market, or 0, the shard of most markets, until the shard is known. */
  shardOf(ticker: string): number {
    return this.#described.known(ticker)?.known?.shard ?? 0;
  }

  /** Marks the cached facts as outdated, because the venue contradicts them. */
  expire(ticker: string): void {
    this.#described.expire(ticker);
  }

  async #read(ticker: string): Promise<Result<Described, FactsRefusal>> {
    const answer = await this.#rest.read(`/markets/${encodeURIComponent(ticker)}`, this.#rest.deadline());
    if (answer.type === 'unavailable') return fail({ type: 'unavailable', message: answer.message });
    const readAt = this.#timers.now();
    const known = answer.type === 'missing' ? null : knownMarketOf(ticker, answer.body, readAt);
    if (known === 'unreadable')
      return fail({ type: 'unavailable', message: 'venue B describes the market unreadably' });
    return ok({ known, readAt });
  }

  /** Returns the facts with the present phase, because no message reports a closing by the clock (venue-b.md §4.2). */
  #current({ facts, closesAt }: KnownMarket): TradingFacts {
    const isOver = closesAt !== 0 && this.#timers.now() >= closesAt && isOpen(facts);
    return isOver ? { ...facts, phase: 'CLOSED' } : facts;
  }
}

function isOpen({ phase }: TradingFacts): boolean {
  return phase !== 'CLOSED';
}

/** Returns the phase for orders. A market that is not open yet is PAUSED; no message reports an opening by the clock either. */
function tradingPhaseOf(phase: MarketPhase, status: string): TradingPhase {
  if (phase === 'CLOSED' || phase === 'RESOLVED') return 'CLOSED';
  return status === 'initialized' ? 'PAUSED' : phase;
}

function knownMarketOf(ticker: string, body: JsonObject, readAt: UnixMillis): KnownMarket | null | 'unreadable' {
  const described = marketFactsIn(body);
  if (described === null || !isObject(body.market)) return 'unreadable';
  // An answer about another market means that the venue does not know this one.
  if (described.ticker !== ticker) return null;
  const { grid, phase, closeTime } = described;
  const { status, exchange_index: shard } = body.market;
  const facts: TradingFacts = {
    grid,
    sizeMin: CENTI_CONTRACT,
    sizeStep: CENTI_CONTRACT,
    phase: tradingPhaseOf(phase, textOf(status)),
    expiryLeadMs: EXPIRY_LEAD_MS,
    readAt,
  };
  return {
    facts,
    closesAt: closeTime,
    shard: typeof shard === 'number' && shard >= 0 ? shard : 0,
  };
}
