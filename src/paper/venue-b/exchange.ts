// Venue B's exchange without its protocol: users and their money, orders, order groups, fills, positions and settlements, on the engine. It
// executes one request at a time; observers get the effects of a request before it returns. Thread of the paper exchanges.

import { BID } from '../../core/domain/market.ts';
import { complementTicks, type MicroDollars, type UnixMillis } from '../../core/domain/numbers.ts';
import { assert } from '../../core/domain/result.ts';
import type { Random } from '../../core/runtime/random.ts';
import type { Timers } from '../../core/runtime/timers.ts';
import { limits } from '../../limits.ts';
import type { VenueBEventListing, VenueBSeries } from '../catalog/listings.ts';
import { Engine } from '../engine/engine.ts';
import { yesCost } from '../engine/engine-types.ts';
import type { Faults } from '../faults/faults.ts';
import type { HouseDesk } from '../flow/market-maker.ts';
import { Uuids } from '../ids.ts';
import { type Keeping, type KeptRows, NOT_KEPT } from '../kept-rows.ts';
import { Bookkeeping, PositionBook } from './bookkeeping.ts';
import { VenueBHouseDesk } from './house-desk.ts';
import { Journal, Requests } from './journal.ts';
import { ListedMarkets, type VenueBMarket } from './market.ts';
import { ExchangeState, MarketLife } from './market-life.ts';
import { OrderEntry } from './order-entry.ts';
import { OrderGroups, OrderLedger } from './order-ledger.ts';
import { VenueBReads } from './reads.ts';
import type { Owner, TradeRecord, VenueBObserver } from './records.ts';
import { type TakenUpParts, takeUp } from './taking-up.ts';
import { Owners } from './venue-b-order.ts';

interface VenueBExchangeParts {
  readonly series: readonly VenueBSeries[];
  readonly events: readonly VenueBEventListing[];
  /** The venue's clock, skew included. */
  readonly timers: Timers;
  readonly faults: Faults;
  /** The seed of ids. */
  readonly random: Random;
  /** Keeps rows for the next start. By default nothing is kept. */
  readonly keeping?: Keeping;
}

export class VenueBExchange {
  readonly series: readonly VenueBSeries[];
  /** The current listings, which change while the exchange runs. */
  readonly events: readonly VenueBEventListing[];
  /** The markets by ticker. */
  readonly markets: ReadonlyMap<string, VenueBMarket>;
  /** The markets by the venue's UUID. */
  readonly marketsById: ReadonlyMap<string, VenueBMarket>;
  readonly groups: OrderGroups;
  readonly orders: OrderEntry;
  readonly life: MarketLife;
  readonly state: ExchangeState;
  readonly #desk: VenueBHouseDesk;
  readonly #listed: ListedMarkets;
  readonly #timers: Timers;
  readonly #engine: Engine;
  readonly #journal: Journal;
  readonly #requests: Requests;
  readonly #bookkeeping: Bookkeeping;
  readonly #owners: Owners;
  readonly #ledger: OrderLedger;
  readonly #taken: TakenUpParts;

  constructor({ series, events, timers, faults, random, keeping = NOT_KEPT }: VenueBExchangeParts) {
    this.series = series;
    this.#timers = timers;
    const engine = new Engine({ emit: event => bookkeeping.handle(event) });
    const listed = new ListedMarkets(engine);
    const journal = new Journal(engine, keeping);
    const positions = new PositionBook();
    const uuids = new Uuids(random);
    const young = { ms: limits.paperYoungMs, timers };
    const ledger = new OrderLedger(young);
    const bookkeeping = new Bookkeeping({ journal, ledger, markets: listed.byId, positions, uuids, young });
    const afterwards = (): void => groups.enforce(bookkeeping.takeMatchedGroups());
    const requests = new Requests({ engine, journal, timers, afterwards });
    const owners = new Owners(engine, young);
    const groups = new OrderGroups({ engine, journal, requests, owners, uuids });
    const life = new MarketLife({ engine, requests, journal, bookkeeping, positions, timers, faults });
    const state = new ExchangeState({ engine, requests, bookkeeping, ledger });
    const now = (): UnixMillis => timers.now();
    const parts = { engine, requests, journal, bookkeeping, ledger, owners, life, state, uuids, now };
    this.orders = new OrderEntry(parts);
    this.#engine = engine;
    this.#journal = journal;
    this.#requests = requests;
    this.#bookkeeping = bookkeeping;
    this.#ledger = ledger;
    this.#owners = owners;
    this.groups = groups;
    this.life = life;
    this.state = state;
    this.events = listed.events;
    this.markets = listed.byTicker;
    this.marketsById = listed.byMarketId;
    this.#listed = listed;
    this.#taken = { engine, journal, bookkeeping, ledger, owners, groups, positions, life, markets: listed.byTicker };
    this.#desk = new VenueBHouseDesk({ engine, requests, state, life });
    assert(this.list(events), 'the first events are too many, or one is listed twice');
  }

  get desk(): HouseDesk {
    return this.#desk;
  }

  now(): UnixMillis {
    return this.#timers.now();
  }

  /** Calls the observer with each event from now on. Returns a function that ends this. */
  observe(observer: VenueBObserver): () => void {
    return this.#journal.observe(observer);
  }

  /** Restores the state of the last run. Call this before anybody trades. */
  takeUp(rows: KeptRows): void {
    takeUp(this.#taken, rows, this.now());
  }

  /** Ends the orders that the clock would have ended since the last run. */
  catchUp(): void {
    this.#requests.run(null, () => {});
  }

  /** Returns the trades of a market, newest first. Null means all markets. */
  trades(market: VenueBMarket | null): Iterable<TradeRecord> {
    return this.#bookkeeping.trades(market);
  }

  /** Returns private reads as they were `staleMs` ago. */
  reads(staleMs: number): VenueBReads {
    return new VenueBReads(this.#owners, this.#ledger, this.now(), staleMs);
  }

  /** Whether there is room for the games and none of them is listed yet. */
  canList(events: readonly VenueBEventListing[]): boolean {
    return this.#listed.canTake(events);
  }

  /** Lists games while the exchange runs. Returns false, without effect, if it cannot list them all. */
  list(events: readonly VenueBEventListing[]): boolean {
    if (!this.canList(events)) return false;
    for (const market of events.flatMap(event => this.#listed.add(event))) {
      this.#desk.list(market);
      this.life.begin(market);
    }
    return true;
  }

  /** Removes events that were settled at that time or before. */
  forgetSettled(since: UnixMillis): void {
    for (const market of this.#listed.removeSettled(since)) {
      this.#desk.forget(market);
      this.#bookkeeping.forget(market);
      this.life.forget(market);
    }
  }

  /** Makes an account for the owner, or adds to its money on a shard. A negative amount withdraws. */
  deposit(owner: Owner, amount: MicroDollars, shard = 0): boolean {
    const account = this.#owners.open(owner, this.now());
    if (account === null || (amount < 0 && account.shards[shard] === undefined)) return false;
    return this.#requests.run(null, () => {
      this.#journal.touchAccount(account);
      return this.#engine.deposit(this.#owners.fund(account, shard, this.now()).id, amount);
    });
  }

  /** Returns the numbers of the user's subaccounts that have an account. */
  subaccounts(userId: string): readonly number[] {
    const accounts = this.#owners.user(userId)?.accounts ?? [];
    return accounts.flatMap(account => account?.owner.subaccount ?? []);
  }

  /** Adds the cost of the owner's resting orders to the sums in `byShard`. */
  addRestingValue(owner: Owner, byShard: Map<number, number>): void {
    for (const { market, side, price, remaining } of this.#owners.find(owner)?.openOrders ?? []) {
      const cost = yesCost(side === BID ? price : complementTicks(price), remaining);
      byShard.set(market.shard, (byShard.get(market.shard) ?? 0) + cost);
    }
  }
}
