// The effects of the current request: its events so far, and the orders, positions, accounts and levels that it has changed. When the
// request ends, each of them gets one new picture, and the observers get the events. Thread of the paper exchanges.

import type { Side } from '../../core/domain/market.ts';
import {
  type MicroDollars,
  type MicroShares,
  TICKS_PER_DOLLAR,
  type Ticks,
  type UnixMillis,
} from '../../core/domain/numbers.ts';
import { assert } from '../../core/domain/result.ts';
import type { Timers } from '../../core/runtime/timers.ts';
import { limits } from '../../limits.ts';
import type { PriceGrid } from '../catalog/listings.ts';
import type { Held } from '../engine/accounts.ts';
import type { Engine } from '../engine/engine.ts';
import type { EngineEvent, HoldingView } from '../engine/engine-types.ts';
import type { Keeping } from '../kept-rows.ts';
import type { MarketResult, VenueBMarket } from './market.ts';
import { type Position, RecordHistory } from './position.ts';
import type {
  FillRecord,
  OrderRecord,
  Owner,
  SettlementRecord,
  UpdateReason,
  VenueBEvent,
  VenueBObserver,
} from './records.ts';
import type { OwnerAccount, ShardAccount, VenueBOrder } from './venue-b-order.ts';

export class Journal {
  readonly #engine: Engine;
  readonly #keeping: Keeping;
  readonly #history = new RecordHistory();
  readonly #levels = new LevelChanges();
  readonly #orders: VenueBOrder[] = [];
  readonly #positions: Position[] = [];
  readonly #accounts: OwnerAccount[] = [];
  readonly #events: VenueBEvent[] = [];
  #observers: readonly VenueBObserver[] = [];
  #now = 0 as UnixMillis;

  constructor(engine: Engine, keeping: Keeping) {
    this.#engine = engine;
    this.#keeping = keeping;
  }

  get now(): UnixMillis {
    return this.#now;
  }

  observe(observer: VenueBObserver): () => void {
    this.#observers = [...this.#observers, observer];
    return () => {
      this.#observers = this.#observers.filter(other => other !== observer);
    };
  }

  begin(now: UnixMillis): void {
    this.#now = now;
  }

  emit(event: VenueBEvent): void {
    this.#events.push(event);
  }

  touchLevel(market: VenueBMarket, level: Extract<EngineEvent, { type: 'level' }>): void {
    this.#levels.add(market, level);
  }

  settled(settlement: SettlementRecord): void {
    const { owner, market } = settlement;
    this.#keeping.touch('venue_b settlement', `${keyOfOwner(owner)}/${market.ticker}`, () => named(settlement));
  }

  /** Forgets a market that is no longer listed. */
  forget(market: VenueBMarket): void {
    this.#levels.forget(market);
    this.emit({ type: 'forgotten', market });
  }

  touchOrder(order: VenueBOrder): void {
    this.touchAccount(order.account);
    if (order.isTouched) return;
    order.isTouched = true;
    this.#orders.push(order);
  }

  touchPosition(account: OwnerAccount, position: Position): void {
    this.touchAccount(account);
    if (position.isTouched) return;
    position.isTouched = true;
    this.#positions.push(position);
    const id = `${keyOfOwner(account.owner)}/${position.market.ticker}`;
    this.#keeping.touch('venue_b position', id, () => named(position.record));
    this.#keepHolding(account, position.market);
  }

  touchAccount(account: OwnerAccount): void {
    if (account.isTouched) return;
    account.isTouched = true;
    this.#accounts.push(account);
  }

  /** Ends the request. `actor` is the order that acts, if the request belongs to an order. */
  commit(actor: VenueBOrder | null): void {
    const now = this.#now;
    for (const order of this.#orders) {
      order.isTouched = false;
      this.#keepOrder(order);
      this.emit({ type: 'order', order: order.commit(this.#history, now), reason: order.reason });
    }
    for (const position of this.#positions) {
      position.isTouched = false;
      this.emit({ type: 'position', position: position.commit(this.#history, now) });
    }
    for (const account of this.#accounts) {
      account.isTouched = false;
      for (const funded of account.shards) if (funded !== undefined) this.#keepCash(account, funded);
    }
    this.#levels.report(({ market, side, price, size }, change) => {
      this.emit({ type: 'level', market, side, price, size, change, order: actor?.record ?? null, at: now });
    });
    this.#orders.length = 0;
    this.#positions.length = 0;
    this.#accounts.length = 0;
    this.#keepEvents();
    this.#keeping.commit();
    this.#notifyObservers();
  }

  #keepCash({ owner }: OwnerAccount, { shard, id, cash }: ShardAccount): void {
    const { cash: available, reserved } = this.#engine.account(id);
    this.#history.replace(cash, { available, updatedAt: this.#now });
    const kept = { owner, shard, cash: (available + reserved) as MicroDollars } satisfies KeptAccount;
    this.#keeping.touch(
      'venue_b account',
      shard === 0 ? keyOfOwner(owner) : `${keyOfOwner(owner)}/${shard}`,
      () => kept,
    );
  }

  #keepOrder(order: VenueBOrder): void {
    const { orderId, account, market } = order;
    const isOpen = order.status === 'resting';
    const row = (): object => keptOrder(order, this.#engine);
    this.#keeping.touchGame(market.event.game.id);
    this.#keeping.touch('venue_b order', orderId, () => (isOpen ? row() : null));
    if (!isOpen) this.#keeping.touch('venue_b ended', orderId, row);
    this.#keepHolding(account, market);
  }

  #keepHolding(account: OwnerAccount, market: VenueBMarket): void {
    const id = `${keyOfOwner(account.owner)}/${market.ticker}`;
    this.#keeping.touch('venue_b holding', id, () => keptHolding(account, market, this.#engine));
  }

  #keepEvents(): void {
    for (const event of this.#events) {
      if (event.type === 'fill') {
        const { fill } = event;
        this.#keeping.touch('venue_b fill', `${fill.trade.tradeId}/${fill.orderId}`, () => keptFill(fill));
      } else if (event.type === 'lifecycle' || event.type === 'forgotten') {
        const { market, type } = event;
        const row = () => (type === 'forgotten' ? null : keptMarket(market));
        if (keptMarket(market) !== null) this.#keeping.touch('venue_b market', market.ticker, row);
      } else if (event.type === 'group') {
        const { group, change } = event;
        this.#keeping.touch('venue_b group', group.groupId, () => (change === 'deleted' ? null : group));
      }
    }
  }

  #notifyObservers(): void {
    for (const observer of this.#observers) {
      for (const event of this.#events) observer(event);
    }
    this.#events.length = 0;
  }
}

type EngineLevel = Extract<EngineEvent, { type: 'level' }>;

interface TrackedLevel {
  readonly market: VenueBMarket;
  readonly side: Side;
  readonly price: Ticks;
  reported: MicroShares;
  size: MicroShares;
}

type LevelReporter = (level: Omit<TrackedLevel, 'reported'>, change: MicroShares) => void;

/** The price levels as observers know them. A changed level is reported once with its total change, even if it has several events. */
export class LevelChanges {
  /** The levels with orders, by market, then by side and price. */
  readonly #levels: (Map<number, TrackedLevel> | undefined)[] = [];
  readonly #touched: TrackedLevel[] = [];

  forget(market: VenueBMarket): void {
    this.#levels[market.id] = undefined;
  }

  add(market: VenueBMarket, { side, price, size }: EngineLevel): void {
    const levels = this.#levels[market.id] ?? new Map<number, TrackedLevel>();
    this.#levels[market.id] = levels;
    const place = placeOf(side, price);
    let level = levels.get(place);
    if (level === undefined) {
      const reported = 0 as MicroShares;
      level = { market, side, price, reported, size };
      levels.set(place, level);
    }
    level.size = size;
    this.#touched.push(level);
  }

  /** Reports the changed levels, those that shrink first. So a client that follows level by level never sees a crossed book. */
  report(reporter: LevelReporter): void {
    this.#touched.sort((a, b) => Number(a.size > a.reported) - Number(b.size > b.reported));
    for (const level of this.#touched) {
      const change = (level.size - level.reported) as MicroShares;
      level.reported = level.size;
      if (level.size === 0) this.#levels[level.market.id]?.delete(placeOf(level.side, level.price));
      // A level may be listed twice, or have its old size again; then there is nothing to report.
      if (change !== 0) reporter(level, change);
    }
    this.#touched.length = 0;
  }
}

function placeOf(side: Side, price: Ticks): number {
  return side * TICKS_PER_DOLLAR + price;
}

/** A record as it is kept, with the ticker in place of its market. */
export type Kept<T> = Omit<T, 'market'> & { readonly market: string };
export type KeptOrder = Kept<OrderRecord> & {
  readonly postOnly: boolean;
  readonly reason: UpdateReason | null;
  readonly number: number;
  /** The reservation of a resting order. Null if the order does not rest. */
  readonly held: Held | null;
};
export type KeptFill = Omit<FillRecord, 'trade'> & { readonly trade: Kept<FillRecord['trade']> };
export interface KeptAccount {
  readonly owner: Owner;
  readonly shard: number;
  readonly cash: MicroDollars;
}
export interface KeptHolding extends Pick<HoldingView, 'yes' | 'no'> {
  readonly owner: Owner;
  readonly market: string;
}
export interface KeptMarket {
  readonly outcome: MarketResult | null;
  /** The changed price grid. Undefined means that the listing's grid holds. */
  readonly grid?: PriceGrid;
}

function keyOfOwner({ userId, subaccount }: Owner): string {
  return `${userId}/${subaccount}`;
}

function keptOrder(order: VenueBOrder, engine: Engine): KeptOrder {
  const view = order.status === 'resting' && order.engineId !== null ? engine.order(order.engineId) : undefined;
  const held = view === undefined ? null : { closing: view.closing, reserved: view.reserved };
  const { postOnly, reason, number } = order;
  return { ...named(order.record), postOnly, reason, number, held };
}

function keptFill(fill: FillRecord): KeptFill {
  return { ...fill, trade: named(fill.trade) };
}

function named<T extends { readonly market: VenueBMarket }>(record: T): Kept<T> {
  return { ...record, market: record.market.ticker };
}

function keptHolding(account: OwnerAccount, market: VenueBMarket, engine: Engine): KeptHolding | null {
  const { owner } = account;
  const { yes, no } = engine.holding(account.idIn(market), market.id);
  return yes === 0 && no === 0 ? null : { owner, market: market.ticker, yes, no };
}

/** Returns null if nothing of the market has changed since its listing. */
function keptMarket({ outcome, grid, listing }: VenueBMarket): KeptMarket | null {
  if (grid !== listing.grid) return { outcome, grid };
  return outcome === null ? null : { outcome };
}

interface RequestsParts {
  readonly engine: Engine;
  readonly journal: Journal;
  readonly timers: Timers;
  /** Called after each request. It may make requests of its own. */
  readonly afterwards: () => void;
}

export class Requests {
  readonly #parts: RequestsParts;
  readonly #expiry: Alarm;
  #isBusy = false;

  constructor(parts: RequestsParts) {
    this.#parts = parts;
    this.#expiry = new Alarm(parts.timers, () => this.run(null, () => {}));
  }

  /** Runs a request. `actor` is the order that acts, if any. */
  run<T>(actor: VenueBOrder | null, work: (now: UnixMillis) => T): T {
    const { engine, timers, afterwards } = this.#parts;
    const now = timers.now();
    const next = engine.nextExpiry;
    if (next !== null && next <= now) this.#perform(null, now, () => engine.expire(now));
    const result = this.#perform(actor, now, work);
    this.#awaitExpiry();
    afterwards();
    return result;
  }

  #perform<T>(actor: VenueBOrder | null, now: UnixMillis, work: (now: UnixMillis) => T): T {
    const { journal } = this.#parts;
    assert(!this.#isBusy, 'an observer must not call the exchange');
    this.#isBusy = true;
    journal.begin(now);
    const result = work(now);
    journal.commit(actor);
    this.#isBusy = false;
    return result;
  }

  /** Sets the alarm for the next expiry. An alarm for an order that has ended meanwhile does no harm. */
  #awaitExpiry(): void {
    const next = this.#parts.engine.nextExpiry;
    if (next !== null && (this.#expiry.at === null || next < this.#expiry.at)) this.#expiry.set(next);
  }
}

export class Alarm {
  readonly #timers: Timers;
  readonly #ring: () => void;
  #at: UnixMillis | null = null;
  #stop: (() => void) | null = null;

  constructor(timers: Timers, ring: () => void) {
    this.#timers = timers;
    this.#ring = ring;
  }

  /** The time for which the alarm is set. Null means that it is not set. */
  get at(): UnixMillis | null {
    return this.#at;
  }

  /** Sets the alarm, in place of an earlier time. Null stops the alarm. */
  set(at: UnixMillis | null): void {
    this.#stop?.();
    this.#stop = null;
    this.#at = at;
    if (at !== null) this.#wait(at);
  }

  #wait(at: UnixMillis): void {
    const delayMs = Math.min(Math.max(at - this.#timers.now(), 0), limits.paperAlarmMs);
    this.#stop = this.#timers.after(delayMs, () => {
      if (this.#timers.now() < at) return this.#wait(at);
      this.#at = null;
      this.#stop = null;
      this.#ring();
    });
  }
}
