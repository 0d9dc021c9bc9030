// The trading floor of venue A. It collects the engine's events of a request, then reports them in the venue's order (venue-a.md §5.3). The
// order is levels, the trade, changed orders, then a finer tick if the price has come near an end. When the floor reports, all reads are
// already consistent.

import { ASK, BID, type Side } from '../../core/domain/market.ts';
import { TICKS_PER_DOLLAR, type Ticks, type UnixMillis } from '../../core/domain/numbers.ts';
import { assert, unreachable } from '../../core/domain/result.ts';
import type { Timers } from '../../core/runtime/timers.ts';
import { limits } from '../../limits.ts';
import type { Engine } from '../engine/engine.ts';
import type { EngineEvent, Fill, MarketId, OrderId } from '../engine/engine-types.ts';
import { type ClientOrder, isOpen } from './client-order.ts';
import type { HouseAccounts } from './house-accounts.ts';
import type { VenueAKeeper } from './kept-records.ts';
import { FINER_TICK_SIZE, type VenueAMarket, yesPriceOf } from './market.ts';
import type { OrderLedger } from './order-ledger.ts';
import type { Observers, OrderRecord, OrderStatus, Trade, VenueAEvent } from './records.ts';
import type { Settlements, TradeBooking } from './trade-booking.ts';
import type { Party } from './wallet.ts';

type OrderChange = Extract<VenueAEvent, { type: 'order' }>;

interface FloorParts {
  readonly engine: Engine;
  readonly tap: EngineTap;
  /** The markets by the engine's id. */
  readonly markets: readonly (VenueAMarket | undefined)[];
  readonly observers: Observers;
  readonly timers: Timers;
  readonly ledger: OrderLedger;
  readonly house: HouseAccounts;
  readonly booking: TradeBooking;
  readonly settlements: Settlements;
  readonly keeper: VenueAKeeper;
}

export class Floor {
  readonly engine: Engine;
  readonly markets: readonly (VenueAMarket | undefined)[];
  readonly #parts: FloorParts;
  /** The changes of orders in this request, in order. */
  readonly #changes: OrderChange[] = [];
  /**
   * Whether a level changed by an order for the second token, for levels that callers' orders changed. Other levels are taken as changed by
   * the house, which buys the first token by bids and the second by asks.
   */
  readonly #isSecond = new Map<number, boolean>();
  #trade: Trade | null = null;
  #stopWaiting: (() => void) | null = null;

  constructor(parts: FloorParts) {
    this.#parts = parts;
    this.engine = parts.engine;
    this.markets = parts.markets;
  }

  now(): UnixMillis {
    return this.#parts.timers.now();
  }

  /** Begins a request by ending the orders that have expired. */
  expire(now: UnixMillis): void {
    this.engine.expire(now);
    if (this.#parts.tap.cancelled.length > 0) this.conclude(now);
  }

  /** Sets a timer, so that orders expire even without requests. */
  waitForExpiry(): void {
    this.#stopWaiting?.();
    const due = this.engine.nextExpiry;
    if (due === null) return;
    const delayMs = Math.min(Math.max(due - this.now(), 0), limits.paperAlarmMs);
    this.#stopWaiting = this.#parts.timers.after(delayMs, () => {
      this.#stopWaiting = null;
      this.expire(this.now());
      this.waitForExpiry();
    });
  }

  close(): void {
    this.#stopWaiting?.();
    this.#stopWaiting = null;
  }

  /** Changes a caller's order. The end of the request reports the change. */
  change(order: ClientOrder, change: OrderChange['change'], to: Partial<OrderRecord>, now: UnixMillis): OrderRecord {
    const record = order.change(now, to);
    this.emit(record, change);
    return record;
  }

  emit(order: OrderRecord, change: OrderChange['change']): void {
    this.#changes.push({ type: 'order', order, change });
  }

  /** Handles the engine's new events: cancels first, then the fills of `taker`. Reports nothing yet. */
  digest(now: UnixMillis, taker: Party | null, ending: OrderStatus = 'CANCELED'): Trade | null {
    const { ledger, tap } = this.#parts;
    for (const id of tap.cancelled) {
      const order = ledger.resting(id);
      if (order === undefined) continue;
      this.#noteTokenOfLevel(order);
      this.change(order, 'CANCELLATION', { status: ending }, now);
      ledger.end(order);
    }
    tap.cancelled.length = 0;
    if (taker !== null) this.#noteTokenOfLevel(taker);
    if (tap.fills.length === 0) return null;
    assert(taker !== null, 'fills without a taker');
    return this.#book(taker, now);
  }

  /** Reports the collected events. */
  report(now: UnixMillis): void {
    const { tap, observers } = this.#parts;
    this.#keep();
    for (const { market } of tap.levels) this.markets[market]!.bookAt = now;
    for (const level of tap.levels) {
      const { side, price, size } = level;
      const market = this.markets[level.market]!;
      const isSecond = this.#isSecond.get(placeOf(level.market, side, price)) ?? side === ASK;
      observers.emit({ type: 'level', market, side, price, size, isSecond, at: now });
    }
    if (this.#trade !== null) observers.emit({ type: 'trade', trade: this.#trade.record });
    for (const change of this.#changes) observers.emit(change);
    for (const { market } of tap.levels) {
      const it = this.markets[market]!;
      if (it.wantsFinerTick) this.setTickSize(it, FINER_TICK_SIZE, now);
    }
    tap.levels.length = 0;
    this.#changes.length = 0;
    this.#isSecond.clear();
    this.#trade = null;
  }

  /** Sets the tick size. Levels stay: orders between two steps of the new grid remain in the book. */
  setTickSize(market: VenueAMarket, tickSize: string, now: UnixMillis): void {
    const before = market.tickSize;
    if (tickSize === before) return;
    market.tickSize = tickSize;
    this.#parts.keeper.market(market);
    this.#parts.keeper.commit();
    this.#parts.observers.emit({ type: 'tick-size', market, before, at: now });
  }

  conclude(now: UnixMillis, ending: OrderStatus = 'CANCELED'): void {
    this.digest(now, null, ending);
    this.report(now);
  }

  /**
   * Keeps the changed orders and the trade for the next start. The ledger has no house orders, nor an order that was refused at once;
   * neither is kept.
   */
  #keep(): void {
    const { ledger, keeper } = this.#parts;
    if (this.#changes.length === 0) return;
    for (const { order: record } of this.#changes) {
      const order = ledger.find(record.orderId);
      if (order !== undefined) keeper.order(order, isOpen(order.record));
    }
    if (this.#trade !== null) keeper.trade(this.#trade.record);
    keeper.commit();
  }

  #book(taker: Party, now: UnixMillis): Trade {
    const { booking, settlements, house, tap } = this.#parts;
    const { trade, matches, makers, isAmongHouse } = booking.book(taker, tap.fills, now);
    tap.fills.length = 0;
    for (const maker of makers) {
      this.#noteTokenOfLevel(maker);
      this.emit(maker.record, 'UPDATE');
    }
    if (!isAmongHouse) settlements.begin(trade, matches);
    house.mergePairs(taker.market);
    this.#trade = trade;
    return trade;
  }

  #noteTokenOfLevel({ market, token, isBuy, price }: Party): void {
    const side = isBuy === (token === 0) ? BID : ASK;
    this.#isSecond.set(placeOf(market.id, side, yesPriceOf(token, price)), token === 1);
  }
}

function placeOf(market: MarketId, side: Side, price: Ticks): number {
  return (market * 2 + side) * (TICKS_PER_DOLLAR + 1) + price;
}

/** Collects the engine's events of a request until the floor handles them. The engine must not be called meanwhile. */
export class EngineTap {
  readonly fills: Fill[] = [];
  readonly cancelled: OrderId[] = [];
  readonly levels: Extract<EngineEvent, { type: 'level' }>[] = [];

  handle(event: EngineEvent): void {
    switch (event.type) {
      case 'fill':
        this.fills.push(event);
        return;
      case 'cancelled':
        this.cancelled.push(event.order);
        return;
      case 'level':
        this.levels.push(event);
        return;
      case 'accepted':
      case 'amended':
      case 'market':
      case 'settled':
        return;
      default:
        unreachable(event);
    }
  }
}
