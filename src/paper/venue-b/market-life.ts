// The life of venue B's markets (venue-b.md §4.2). The clock opens and closes markets, without an event. The operator pauses, closes early
// and determines markets, with an event. Settlement follows after a delay. Thread of the paper exchanges.

import { TICKS_PER_DOLLAR, type Ticks, type UnixMillis } from '../../core/domain/numbers.ts';
import { assert, unreachable } from '../../core/domain/result.ts';
import type { Timers } from '../../core/runtime/timers.ts';
import { limits } from '../../limits.ts';
import type { PriceGrid } from '../catalog/listings.ts';
import type { Engine } from '../engine/engine.ts';
import type { Faults } from '../faults/faults.ts';
import { type Bookkeeping, type PositionBook, settlePositions } from './bookkeeping.ts';
import { Alarm, type Journal, type Requests } from './journal.ts';
import { type MarketResult, openStateOf, type VenueBMarket } from './market.ts';
import type { OrderLedger } from './order-ledger.ts';
import type { VenueBEvent } from './records.ts';

interface MarketLifeParts {
  readonly engine: Engine;
  readonly requests: Requests;
  readonly journal: Journal;
  readonly bookkeeping: Bookkeeping;
  readonly positions: PositionBook;
  readonly timers: Timers;
  readonly faults: Faults;
}

type LifecycleChange = Extract<VenueBEvent, { type: 'lifecycle' }>['change'];

interface Life {
  /** Rings at the next change by the clock. */
  readonly alarm: Alarm;
  /** Whether the settlement has been disputed once. */
  wasDisputed: boolean;
}

export class MarketLife {
  readonly #parts: MarketLifeParts;
  readonly #lives = new Map<VenueBMarket, Life>();

  constructor(parts: MarketLifeParts) {
    this.#parts = parts;
  }

  /** Adds a new market. From now on the clock opens and closes it. */
  begin(market: VenueBMarket): void {
    const { engine, timers } = this.#parts;
    const alarm = new Alarm(timers, () => this.#continueLife(market));
    this.#lives.set(market, { alarm, wasDisputed: false });
    const isEarly = timers.now() < market.listing.openAt;
    if (isEarly) market.status = 'initialized';
    if (isEarly) engine.setState(market.id, 'PAUSED', timers.now());
    this.#parts.requests.run(null, now => {
      market.updatedAt = now;
      this.#parts.journal.emit({ type: 'lifecycle', market, change: 'created', at: now });
    });
    this.advance(market);
    this.#awaitClock(market);
  }

  /** Forgets a market that is settled and no longer listed. */
  forget(market: VenueBMarket): void {
    this.#lifeOf(market).alarm.set(null);
    this.#lives.delete(market);
    this.#parts.requests.run(null, () => this.#parts.journal.forget(market));
  }

  /** Opens or closes the market if it is time: alarms may be late, and orders must not depend on that. */
  advance(market: VenueBMarket): void {
    const now = this.#parts.timers.now();
    if (market.status === 'initialized' && now >= market.listing.openAt) this.#open(market);
    if (isBeforeClose(market) && now >= market.closeAt) this.#close(market);
  }

  /** Makes a market `inactive`, or active again. Becoming active cancels all resting orders. */
  setPaused(market: VenueBMarket, isPaused: boolean): void {
    const { engine, bookkeeping } = this.#parts;
    if (market.status !== (isPaused ? 'active' : 'inactive')) return;
    this.#change(market, isPaused ? 'deactivated' : 'activated', now => {
      market.status = isPaused ? 'inactive' : 'active';
      if (isPaused) {
        engine.setState(market.id, 'PAUSED', now);
        return;
      }
      bookkeeping.halting(() => engine.setState(market.id, 'CLOSED', now));
      engine.setState(market.id, openStateOf(market), now);
    });
  }

  setCloseAt(market: VenueBMarket, closeAt: UnixMillis): void {
    if (!isBeforeClose(market)) return;
    this.#change(market, 'close_date_updated', () => {
      market.closeAt = closeAt;
    });
    this.advance(market);
    this.#awaitClock(market);
  }

  /** Replaces the market's price grid. */
  setGrid(market: VenueBMarket, grid: PriceGrid): void {
    this.#change(market, 'price_level_structure_updated', () => {
      market.grid = grid;
    });
  }

  /**
   * Determines the market, and closes it first if it is open. It settles after the usual delay unless `delayMs` is given. Its result is
   * `scalar` if the value is neither 0 nor 1.
   */
  determine(market: VenueBMarket, yesValue: Ticks, delayMs: number | null = null): void {
    if (market.status === 'finalized') return;
    if (isBeforeClose(market)) this.setCloseAt(market, this.#parts.timers.now());
    this.#change(market, 'determined', now => {
      market.status = 'determined';
      market.outcome = { result: resultOf(yesValue), yesValue, determinedAt: now, settledAt: null };
    });
    this.#awaitSettlement(market, delayMs);
  }

  /** Takes up the result of an earlier run. A settlement that was not done yet begins again. */
  takeUp(market: VenueBMarket, outcome: MarketResult): void {
    if (outcome.settledAt === null) {
      this.determine(market, outcome.yesValue);
      return;
    }
    this.#lifeOf(market).alarm.set(null);
    market.status = 'finalized';
    market.outcome = outcome;
    market.updatedAt = outcome.settledAt;
    const settled = this.#parts.engine.settle(market.id, outcome.yesValue);
    assert(settled.ok, `market ${market.ticker} cannot be settled`);
  }

  #continueLife(market: VenueBMarket): void {
    switch (market.status) {
      case 'initialized':
      case 'active':
      case 'inactive':
        this.advance(market);
        this.#awaitClock(market);
        break;
      case 'determined':
        this.#trySettling(market);
        break;
      case 'disputed':
        this.#change(market, 'determined', () => {
          market.status = 'determined';
        });
        this.#awaitSettlement(market);
        break;
      case 'closed':
      case 'finalized':
        break;
      default:
        unreachable(market.status);
    }
  }

  #open(market: VenueBMarket): void {
    this.#change(market, null, now => {
      market.status = 'active';
      this.#parts.engine.setState(market.id, openStateOf(market), now);
    });
  }

  #close(market: VenueBMarket): void {
    this.#change(market, null, now => {
      market.status = 'closed';
      this.#parts.engine.setState(market.id, 'CLOSED', now);
    });
  }

  /** Settles the market, unless a fault makes its settlement fail for good, or makes it disputed, which happens at most once. */
  #trySettling(market: VenueBMarket): void {
    const life = this.#lifeOf(market);
    const fault = life.wasDisputed ? null : this.#parts.faults.ofSettlement('venue_b');
    if (fault === 'fails') return;
    if (fault === null) {
      this.#settle(market);
      return;
    }
    life.wasDisputed = true;
    this.#change(market, null, () => {
      market.status = 'disputed';
    });
    this.#awaitSettlement(market);
  }

  #settle(market: VenueBMarket): void {
    const { engine, positions, journal } = this.#parts;
    this.#change(market, 'settled', now => {
      const outcome = { ...outcomeOf(market), settledAt: now };
      market.status = 'finalized';
      market.outcome = outcome;
      const paid = engine.settle(market.id, outcome.yesValue);
      assert(paid.ok, `market ${market.ticker} cannot be settled`);
      settlePositions(positions, market, outcome, journal);
    });
  }

  /** Reports the change `what` to the observers, unless it is null. */
  #change(market: VenueBMarket, what: LifecycleChange | null, work: (now: UnixMillis) => void): void {
    this.#parts.requests.run(null, now => {
      work(now);
      market.updatedAt = now;
      if (what !== null) this.#parts.journal.emit({ type: 'lifecycle', market, change: what, at: now });
    });
  }

  #awaitClock(market: VenueBMarket): void {
    if (isBeforeClose(market)) {
      this.#lifeOf(market).alarm.set(market.status === 'initialized' ? market.listing.openAt : market.closeAt);
    }
  }

  #awaitSettlement(market: VenueBMarket, delayMs: number | null = null): void {
    const { faults, timers } = this.#parts;
    const usualMs = faults.settlementDelayMs('venue_b') ?? limits.paperSettlementTimerS * 1_000;
    this.#lifeOf(market).alarm.set((timers.now() + (delayMs ?? usualMs)) as UnixMillis);
  }

  #lifeOf(market: VenueBMarket): Life {
    const life = this.#lives.get(market);
    assert(life !== undefined, `market ${market.ticker} is not listed here`);
    return life;
  }
}

function isBeforeClose({ status }: VenueBMarket): boolean {
  return status === 'initialized' || status === 'active' || status === 'inactive';
}

function outcomeOf({ ticker, outcome }: VenueBMarket): MarketResult {
  assert(outcome !== null, `market ${ticker} has no result`);
  return outcome;
}

function resultOf(yesValue: Ticks): MarketResult['result'] {
  if (yesValue === TICKS_PER_DOLLAR) return 'yes';
  return yesValue === 0 ? 'no' : 'scalar';
}

interface ExchangeStateParts {
  readonly engine: Engine;
  readonly requests: Requests;
  readonly bookkeeping: Bookkeeping;
  readonly ledger: OrderLedger;
}

export class ExchangeState {
  readonly #parts: ExchangeStateParts;
  #isTrading = true;
  #isExchange = true;

  constructor(parts: ExchangeStateParts) {
    this.#parts = parts;
  }

  get isTradingActive(): boolean {
    return this.#isTrading;
  }

  get isExchangeActive(): boolean {
    return this.#isExchange;
  }

  /** Pauses or resumes trading. Paused trading accepts cancels, but no orders. */
  setTradingActive(isActive: boolean): void {
    this.#isTrading = isActive;
    if (!isActive) this.#cancelOnPause();
  }

  /** Pauses or resumes the exchange. A paused exchange accepts nothing. */
  setExchangeActive(isActive: boolean): void {
    this.#isExchange = isActive;
    if (!isActive) this.#cancelOnPause();
  }

  /** Returns why no order may be placed or amended now. Null means that orders are accepted. */
  refusal(): 'exchange-paused' | 'trading-paused' | null {
    if (!this.#isExchange) return 'exchange-paused';
    return this.#isTrading ? null : 'trading-paused';
  }

  #cancelOnPause(): void {
    const { engine, requests, bookkeeping, ledger } = this.#parts;
    requests.run(null, now =>
      bookkeeping.halting(() => {
        for (const { isCancelledOnPause, accountId, engineId } of ledger.allOpen()) {
          if (isCancelledOnPause && engineId !== null) engine.cancel(accountId, engineId, now);
        }
      }),
    );
  }
}
