// What orders to a market must respect, as venue B describes it (venue-b.md §3.2, §4.2), kept so that no order waits for it: what
// is a little old is used while it is asked for again, what is very old is not used. Only what lets every order through is kept so
// long: an order is refused on what has just been read (contract §4.3). Order workers.

import { type Grid, isOnGrid } from '../../../domain/grid.ts';
import { isObject, type JsonObject, textOf } from '../../../domain/json.ts';
import {
  type MicroShares,
  TICKS_PER_CENT,
  TICKS_PER_DOLLAR,
  type Ticks,
  type UnixMillis,
} from '../../../domain/numbers.ts';
import { fail, ok, type Result } from '../../../domain/result.ts';
import { limits } from '../../../limits.ts';
import type { Timers } from '../../../runtime/timers.ts';
import type { FactsRefusal, TradingFacts, TradingPhase } from '../../venue.ts';
import { type MarketPhase, marketFactsIn } from '../market-facts.ts';
import type { VenueBRest } from './rest.ts';

/** A hundredth of a contract (venue-b.md §0). */
const CENTI_CONTRACT = 10_000 as MicroShares;
type Answer = Result<TradingFacts, FactsRefusal>;

interface KnownMarket {
  readonly facts: TradingFacts;
  /** 0: not stated. */
  readonly closesAt: UnixMillis;
  /** Orders are in whole cents: on nearly every grid the price of none of them can be refused. */
  readonly takesEveryCent: boolean;
  readonly shard: number;
}

interface Entry {
  /** Null: the venue does not know the market. */
  readonly known: KnownMarket | null;
  readonly readAt: UnixMillis;
}

export class VenueBFacts {
  readonly #rest: VenueBRest;
  readonly #timers: Timers;
  readonly #marketsMax: number;
  /** The longest unused first. */
  readonly #entries = new Map<string, Entry>();
  readonly #asked = new Map<string, Promise<Answer>>();

  constructor(rest: VenueBRest, timers: Timers, marketsMax: number = limits.venueBTradedMarketsMax) {
    this.#rest = rest;
    this.#timers = timers;
    this.#marketsMax = marketsMax;
  }

  /** Never rejects. */
  of(ticker: string): Promise<Answer> {
    const entry = this.#entries.get(ticker);
    const ageMs = entry === undefined ? Number.POSITIVE_INFINITY : this.#timers.now() - entry.readAt;
    if (entry === undefined || !this.#isUsable(entry, ageMs)) return this.#ask(ticker);
    // Used: it goes to the end.
    this.#entries.delete(ticker);
    this.#entries.set(ticker, entry);
    if (ageMs > limits.venueBFactsFreshMs) this.#ask(ticker);
    return Promise.resolve(this.#answer(entry.known));
  }

  /** 0, where most markets are, as long as nothing else is known. */
  shardOf(ticker: string): number {
    return this.#entries.get(ticker)?.known?.shard ?? 0;
  }

  /** The venue has contradicted what is known. */
  forget(ticker: string): void {
    this.#entries.delete(ticker);
  }

  #ask(ticker: string): Promise<Answer> {
    const asked = this.#asked.get(ticker);
    if (asked !== undefined) return asked;
    const answer = this.#read(ticker).finally(() => this.#asked.delete(ticker));
    this.#asked.set(ticker, answer);
    return answer;
  }

  async #read(ticker: string): Promise<Answer> {
    const answer = await this.#rest.read(`/markets/${encodeURIComponent(ticker)}`, this.#rest.soon());
    if (answer.type === 'unavailable') return fail({ type: 'unavailable', message: answer.message });
    const readAt = this.#timers.now();
    const known = answer.type === 'missing' ? null : knownMarketOf(ticker, answer.body, readAt);
    if (known === 'unreadable')
      return fail({ type: 'unavailable', message: 'venue B describes the market unreadably' });
    this.#keep(ticker, { known, readAt });
    return this.#answer(known);
  }

  #keep(ticker: string, entry: Entry): void {
    this.#entries.delete(ticker);
    this.#entries.set(ticker, entry);
    if (this.#entries.size <= this.#marketsMax) return;
    for (const oldest of this.#entries.keys()) {
      this.#entries.delete(oldest);
      return;
    }
  }

  #isUsable({ known }: Entry, ageMs: number): boolean {
    const refusesNone = known?.takesEveryCent === true && !this.#isClosed(known);
    // Of a time to come, by a clock that was set back, is of an unknown age.
    return ageMs >= 0 && ageMs <= (refusesNone ? limits.venueBFactsAgeMaxMs : limits.venueBRefusingFactsAgeMaxMs);
  }

  /** Closing by the clock is told nowhere (venue-b.md §4.2). */
  #isClosed({ facts, closesAt }: KnownMarket): boolean {
    return facts.phase === 'CLOSED' || (closesAt !== 0 && this.#timers.now() >= closesAt);
  }

  #answer(known: KnownMarket | null): Answer {
    if (known === null) return fail({ type: 'unknown-market' });
    return ok(this.#isClosed(known) ? { ...known.facts, phase: 'CLOSED' } : known.facts);
  }
}

function takesEveryCent(grid: Grid): boolean {
  for (let price = TICKS_PER_CENT; price < TICKS_PER_DOLLAR; price += TICKS_PER_CENT) {
    if (!isOnGrid(grid, price as Ticks)) return false;
  }
  return true;
}

/** Opening by the clock is told nowhere either. */
function tradingPhaseOf(phase: MarketPhase, status: string): TradingPhase {
  if (phase === 'CLOSED' || phase === 'RESOLVED') return 'CLOSED';
  return status === 'initialized' ? 'PAUSED' : phase;
}

function knownMarketOf(ticker: string, body: JsonObject, readAt: UnixMillis): KnownMarket | null | 'unreadable' {
  const described = marketFactsIn(body);
  if (described === null || !isObject(body.market)) return 'unreadable';
  // Whatever it answers for, it is not what was asked for.
  if (described.ticker !== ticker) return null;
  const { grid, phase, closeTime } = described;
  const { status, exchange_index: shard } = body.market;
  const facts: TradingFacts = {
    grid,
    sizeMin: CENTI_CONTRACT,
    sizeStep: CENTI_CONTRACT,
    phase: tradingPhaseOf(phase, textOf(status)),
    readAt,
  };
  return {
    facts,
    closesAt: closeTime,
    takesEveryCent: takesEveryCent(grid),
    shard: typeof shard === 'number' && shard >= 0 ? shard : 0,
  };
}
