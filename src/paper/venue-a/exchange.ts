// Venue A's exchange without its protocol: wallets and their money, orders, trades and their settlement, and heartbeats, on the engine. It
// knows neither the wire nor signatures. It executes one request at a time; observers get the effects of a request before it returns.

import type { MicroDollars, MicroShares, UnixMillis } from '../../core/domain/numbers.ts';
import { assert, type Result } from '../../core/domain/result.ts';
import type { Random } from '../../core/runtime/random.ts';
import type { Timers } from '../../core/runtime/timers.ts';
import { limits } from '../../limits.ts';
import type { VenueAEventListing, VenueASport } from '../catalog/listings.ts';
import { Engine } from '../engine/engine.ts';
import type { AccountId } from '../engine/engine-types.ts';
import type { Faults } from '../faults/faults.ts';
import type { HouseDesk } from '../flow/market-maker.ts';
import { type Keeping, type KeptRows, NOT_KEPT } from '../kept-rows.ts';
import { Admission } from './admission.ts';
import { Cancels, Heartbeats } from './cancels.ts';
import { EngineTap, Floor } from './floor.ts';
import { HouseAccounts } from './house-accounts.ts';
import { VenueADesk } from './house-desk.ts';
import { VenueAKeeper } from './kept-records.ts';
import { isTickSize, ListedMarkets, type ListedToken, type VenueAMarket } from './market.ts';
import { OrderLedger } from './order-ledger.ts';
import { Placement } from './placement.ts';
import {
  type ConversionRecord,
  type Execution,
  type NewOrder,
  Observers,
  type OrderRecord,
  type TokenIndex,
  type Trade,
  type TradeRecord,
  type VenueAObserver,
  type VenueAPosition,
  type VenueARefusal,
  type VenueMode,
} from './records.ts';
import { Resolutions } from './resolution.ts';
import { takeUp } from './taking-up.ts';
import { Settlements, TradeBooking } from './trade-booking.ts';
import { type ApprovalId, Wallets } from './wallet.ts';

interface VenueAExchangeParts {
  readonly sports: readonly VenueASport[];
  readonly events: readonly VenueAEventListing[];
  /** The venue's clock, skew included. */
  readonly timers: Timers;
  readonly faults: Faults;
  /** The seed of ids and transaction hashes. */
  readonly random: Random;
  /** Keeps rows for the next start. By default nothing is kept. */
  readonly keeping?: Keeping;
}

export class VenueAExchange {
  readonly sports: readonly VenueASport[];
  /** The current listings, which change while the exchange runs. */
  readonly events: readonly VenueAEventListing[];
  /** The markets by condition id. */
  readonly markets: ReadonlyMap<string, VenueAMarket>;
  /** The tokens by token id. */
  readonly tokens: ReadonlyMap<string, ListedToken>;
  readonly cancels: Cancels;
  readonly heartbeats: Heartbeats;
  readonly resolutions: Resolutions;
  readonly #desk: VenueADesk;
  readonly #listed: ListedMarkets;
  readonly #timers: Timers;
  readonly #observers = new Observers();
  readonly #ledger: OrderLedger;
  readonly #wallets: Wallets;
  readonly #house: HouseAccounts;
  readonly #booking: TradeBooking;
  readonly #settlements: Settlements;
  readonly #floor: Floor;
  readonly #keeper: VenueAKeeper;
  readonly #placement: Placement;
  readonly #stops = new Map<VenueAMarket, () => void>();
  #mode: VenueMode = 'normal';

  constructor({ sports, events, timers, faults, random, keeping = NOT_KEPT }: VenueAExchangeParts) {
    const young = { ms: limits.paperYoungMs, timers };
    const [observers, ledger, tap] = [this.#observers, new OrderLedger(young), new EngineTap()];
    const engine = new Engine({ emit: event => tap.handle(event) });
    const listed = new ListedMarkets(engine);
    const markets = listed.byId;
    const keeper = new VenueAKeeper(keeping, engine);
    const wallets = new Wallets({ engine, timers, random, young, keeper });
    const house = new HouseAccounts(engine, random);
    const booking = new TradeBooking(ledger, house, random, young);
    const settlements = new Settlements({ engine, house, timers, faults, random, observers, keeper });
    const floor = new Floor({ engine, tap, markets, observers, timers, ledger, house, booking, settlements, keeper });
    const admission = new Admission(engine, ledger);
    this.sports = sports;
    this.events = listed.events;
    this.markets = listed.byCondition;
    this.tokens = listed.byToken;
    this.#listed = listed;
    this.#timers = timers;
    this.#ledger = ledger;
    this.#wallets = wallets;
    this.#house = house;
    this.#booking = booking;
    this.#settlements = settlements;
    this.#keeper = keeper;
    this.#floor = floor;
    this.#placement = new Placement({ floor, ledger, wallets, admission, timers });
    this.cancels = new Cancels(floor, ledger);
    this.resolutions = new Resolutions({ floor, wallets, house, settlements, observers, keeper });
    this.heartbeats = new Heartbeats(timers, random, owner => this.cancels.cancelAll(owner, null, null));
    this.#desk = new VenueADesk(floor, house, () => this.#mode === 'normal');
    assert(this.list(events), 'the first events are too many, or one is listed twice');
  }

  get desk(): HouseDesk {
    return this.#desk;
  }

  get mode(): VenueMode {
    return this.#mode;
  }

  now(): UnixMillis {
    return this.#timers.now();
  }

  /** Calls the observer with each event from now on. Returns a function that ends this. */
  observe(observer: VenueAObserver): () => void {
    return this.#observers.add(observer);
  }

  /** Restores the state of the last run. Call this before anybody trades. */
  takeUp(rows: KeptRows): void {
    const [floor, wallets, house, placement] = [this.#floor, this.#wallets, this.#house, this.#placement];
    const [booking, settlements, resolutions] = [this.#booking, this.#settlements, this.resolutions];
    takeUp({ floor, wallets, house, placement, booking, settlements, resolutions, markets: this.markets }, rows);
  }

  /** Ends the orders that the clock would have ended since the last run. */
  catchUp(): void {
    this.cancels.endStarted();
    this.#floor.waitForExpiry();
  }

  /** Cancels all timers. */
  close(): void {
    for (const stop of this.#stops.values()) stop();
    this.#stops.clear();
    this.heartbeats.close();
    this.#placement.close();
    this.#settlements.close();
    this.#floor.close();
  }

  /** Whether there is room for the games and none of them is listed yet. */
  canList(events: readonly VenueAEventListing[]): boolean {
    return this.#listed.canTake(events);
  }

  /** Lists games while the exchange runs. Returns false, without effect, if it cannot list them all. */
  list(events: readonly VenueAEventListing[]): boolean {
    if (!this.canList(events)) return false;
    const markets = events.flatMap(event => this.#listed.add(event));
    for (const market of markets) {
      this.#desk.list(market);
      if (market.listing.clearsBookOnStart) this.#waitForStart(market);
    }
    for (const market of markets) this.#observers.emit({ type: 'created', market, at: this.now() });
    return true;
  }

  /** Removes the events that have been over since that time or longer, and pays out their unredeemed winners. */
  forgetEnded(since: UnixMillis): void {
    for (const market of this.#listed.removeEnded(since)) {
      for (const wallet of this.#wallets) {
        this.resolutions.redeem(wallet, market);
        wallet.leave(market);
      }
      this.#desk.forget(market);
      this.#booking.forget(market);
      this.#keeper.forget(market);
      this.#observers.emit({ type: 'forgotten', market, at: this.now() });
    }
  }

  /** Makes a wallet, or adds to its money. A negative amount withdraws. Addresses are compared without case. */
  deposit(wallet: string, amount: MicroDollars): boolean {
    return this.#wallets.deposit(wallet, amount);
  }

  /** Returns the wallet's free and reserved pUSD, which is its holding on chain. */
  collateral(wallet: string): MicroDollars {
    const found = this.#wallets.find(wallet);
    return found === undefined ? (0 as MicroDollars) : this.#wallets.collateral(found);
  }

  /** Returns the net part of the wallet's pUSD that came by deposits and conversions. */
  brought(wallet: string): MicroDollars {
    return this.#wallets.find(wallet)?.brought ?? (0 as MicroDollars);
  }

  /** Returns the wallet's shares of one token on chain. */
  shares(wallet: string, market: VenueAMarket, token: TokenIndex): MicroShares {
    return this.#wallets.find(wallet)?.size(market, token) ?? (0 as MicroShares);
  }

  /** Returns the wallet's positions in all markets in which it has ever bought shares. */
  *positions(wallet: string): Generator<VenueAPosition> {
    const found = this.#wallets.find(wallet);
    for (const { market, token, position } of found?.positions() ?? []) {
      const { size, bought, cost, realizedPnl } = position;
      if (bought > 0) yield { wallet: found!.address, market, token, size, bought, cost, realizedPnl };
    }
  }

  /** Makes pairs of shares from dollars, one dollar for each pair. Returns false if the wallet has too few dollars. */
  split(wallet: string, market: VenueAMarket, size: MicroShares): boolean {
    const found = this.#wallets.find(wallet);
    return found !== undefined && this.#wallets.split(found, market, size);
  }

  merge(wallet: string, market: VenueAMarket, size: MicroShares): boolean {
    const found = this.#wallets.find(wallet);
    return found !== undefined && this.#wallets.merge(found, market, size);
  }

  /** Pays out the wallet's shares of a resolved market. Returns the amount. */
  redeem(wallet: string, market: VenueAMarket): MicroDollars {
    const found = this.#wallets.find(wallet);
    return found === undefined ? (0 as MicroDollars) : this.resolutions.redeem(found, market);
  }

  /** Pays out this many shares of each token. Returns null, without effect, if the market has no result or the wallet has fewer shares. */
  redeemShares(wallet: string, market: VenueAMarket, sizes: readonly [MicroShares, MicroShares]): MicroDollars | null {
    const found = this.#wallets.find(wallet);
    if (found === undefined || market.resolution === null) return null;
    if (sizes.some((size, token) => size > found.size(market, token as TokenIndex))) return null;
    return this.resolutions.redeem(found, market, sizes);
  }

  /** Returns the nonce of the wallet's next transaction on the chain. */
  nonce(wallet: string): number {
    return this.#wallets.find(wallet)?.nonce ?? 0;
  }

  /** Counts a transaction of the wallet. `isUsed` is false if the chain takes back a transaction that has used a nonce. */
  useNonce(wallet: string, isUsed = true): void {
    const found = this.#wallets.find(wallet);
    assert(found !== undefined, `there is no wallet ${wallet}`);
    found.nonce += isUsed ? 1 : -1;
    this.#keeper.wallet(found);
    this.#keeper.commit();
  }

  /** Gives an approval of Protocol V2, or takes it back. */
  approve(wallet: string, approval: ApprovalId, isGiven: boolean): void {
    const revoked = this.#wallets.find(wallet)?.revoked;
    if (isGiven) revoked?.delete(approval);
    else revoked?.add(approval);
  }

  revoked(wallet: string): ReadonlySet<ApprovalId> {
    return this.#wallets.find(wallet)?.revoked ?? NONE_REVOKED;
  }

  place(order: NewOrder): Result<Execution, VenueARefusal> {
    return this.#placement.place(order, this.#mode);
  }

  /** Whether an order with this id was ever posted. */
  isKnown(orderId: string): boolean {
    return this.#ledger.isKnown(orderId);
  }

  order(owner: string, orderId: string, staleMs: number): OrderRecord | null {
    const order = this.#ledger.find(orderId);
    if (order?.owner !== owner) return null;
    return staleMs === 0 ? order.record : order.asOf((this.now() - staleMs) as UnixMillis);
  }

  /** Returns the owner's open orders, newest first. */
  *openOrders(owner: string, staleMs: number): Generator<OrderRecord> {
    if (staleMs > 0) yield* this.#ledger.openAsOf(owner, (this.now() - staleMs) as UnixMillis);
    else for (const order of this.#ledger.open(owner)) yield order.record;
  }

  /** Returns the trades in which the owner was taker or maker, newest first. */
  *trades(owner: string, staleMs: number): Generator<TradeRecord> {
    const at = (this.now() - staleMs) as UnixMillis;
    for (const trade of this.#ledger.trades(owner)) {
      const record = staleMs === 0 ? trade.record : trade.asOf(at);
      if (record !== null) yield record;
    }
  }

  /** Returns the splits, merges and redemptions of a wallet, newest first. */
  conversions(wallet: string): Iterable<ConversionRecord> {
    return this.#wallets.find(wallet)?.conversions.newestFirst() ?? [];
  }

  /** Returns the trades of one wallet, newest first. Null means all wallets. */
  tradesOfWallet(wallet: string | null): Iterable<TradeRecord> {
    if (wallet === null) return recordsOf(this.#booking.trades);
    return recordsOf(this.#wallets.find(wallet)?.trades.newestFirst() ?? []);
  }

  tradesOfMarket(market: VenueAMarket): Iterable<TradeRecord> {
    return recordsOf(this.#booking.tradesOf(market));
  }

  setMode(mode: VenueMode): void {
    this.#mode = mode;
  }

  setAcceptingOrders(market: VenueAMarket, isAccepting: boolean): void {
    market.isAcceptingOrders = isAccepting && market.resolution === null;
  }

  /** Sets the tick size. Resting orders stay at their levels. Returns false, without effect, if the venue has no such tick size. */
  setTickSize(market: VenueAMarket, tickSize: string): boolean {
    if (!isTickSize(tickSize)) return false;
    this.#floor.setTickSize(market, tickSize, this.now());
    return true;
  }

  /** Sums all money, so that a caller can check that none appears or disappears. */
  audit(): MoneyAudit {
    return auditMoney(this.#floor.engine, this.markets.values(), this.#wallets, this.#house);
  }

  /** Clears the book of a market once, when its game starts. Until then a timer checks the clock daily. */
  #waitForStart(market: VenueAMarket): void {
    const leftMs = market.event.game.startsAt - this.now();
    if (leftMs <= 0) return;
    const isLast = leftMs <= limits.paperAlarmMs;
    const stop = this.#timers.after(Math.min(leftMs, limits.paperAlarmMs), () => {
      this.#stops.delete(market);
      if (isLast) this.resolutions.clearBook(market, this.now());
      else this.#waitForStart(market);
    });
    this.#stops.set(market, stop);
  }
}

const NONE_REVOKED: ReadonlySet<ApprovalId> = new Set();

function* recordsOf(trades: Iterable<Trade>): Generator<TradeRecord> {
  for (const { record } of trades) yield record;
}

/** The sums of all money. Always `wallets + house + escrow + pots + fees = deposited`. */
interface MoneyAudit {
  /** The free and reserved dollars of all wallets. */
  readonly wallets: MicroDollars;
  readonly house: MicroDollars;
  readonly escrow: MicroDollars;
  /** The part of the escrow that callers see as theirs: proceeds of trades that will fail, and unredeemed shares. */
  readonly owed: MicroDollars;
  /** The dollars of the markets: one for each pair of shares. */
  readonly pots: MicroDollars;
  readonly fees: MicroDollars;
  readonly deposited: MicroDollars;
}

function auditMoney(
  engine: Engine,
  markets: Iterable<VenueAMarket>,
  wallets: Wallets,
  house: HouseAccounts,
): MoneyAudit {
  const moneyOf = (id: AccountId) => {
    const { cash, reserved } = engine.account(id);
    return cash + reserved;
  };
  const sum = <T>(items: Iterable<T>, value: (item: T) => number) => {
    let total = 0;
    for (const item of items) total += value(item);
    return total as MicroDollars;
  };
  return {
    wallets: sum(wallets, it => moneyOf(it.account)),
    house: sum([house.quotes, house.takes, house.treasury], moneyOf),
    escrow: moneyOf(house.escrow) as MicroDollars,
    owed: sum(wallets, it => it.withheld + sum(it.claims.values(), claim => claim)),
    pots: sum(markets, it => engine.pot(it.id)),
    fees: engine.feesTaken,
    deposited: (wallets.deposited + house.deposited) as MicroDollars,
  };
}
