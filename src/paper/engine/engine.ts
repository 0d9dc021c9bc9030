// The matching engine of the paper exchanges, as described in engine-types.ts: one book for each market, accounts and orders. It checks a
// request, performs it, then reports changed levels. A refused request has no effect. Pure and single-threaded: time comes with each
// request, and the same requests give the same events. Listeners must not call back.

import { ASK, BID, type Level, type Side } from '../../core/domain/market.ts';
import {
  type MicroDollars,
  type MicroShares,
  TICKS_PER_DOLLAR,
  type Ticks,
  type UnixMillis,
} from '../../core/domain/numbers.ts';
import { assert, fail, ok, type Result } from '../../core/domain/result.ts';
import { limits } from '../../limits.ts';
import { Accounts, closable, type Held } from './accounts.ts';
import type {
  AccountId,
  AccountView,
  EngineEvent,
  EngineRefusal,
  HoldingView,
  MarketId,
  MarketSpec,
  MarketState,
  NewOrder,
  OrderId,
  OrderView,
  Placed,
  QueueView,
} from './engine-types.ts';
import { isSize, Matching, notOpen, otherSide, refusalOfAmend, refusalOfNew, wantedSize } from './matching.ts';
import { type Account, Market, type Order } from './order.ts';
import { OrderTable } from './order-table.ts';
import { RestingOrders } from './resting-orders.ts';

type Hit = Pick<NewOrder, 'account' | 'effect' | 'size'> & { readonly order: OrderId };

const HIT = { timeInForce: { type: 'IOC' }, postOnly: false, reduceOnly: false, selfTrade: 'allow' } as const;

export class Engine {
  readonly #emit: (event: EngineEvent) => void;
  readonly #accounts = new Accounts();
  readonly #markets: Market[] = [];
  readonly #orders: OrderTable;
  readonly #resting = new RestingOrders();
  readonly #matching: Matching;

  constructor({ emit }: { readonly emit: (event: EngineEvent) => void }) {
    this.#emit = emit;
    this.#orders = new OrderTable(limits.paperEndedOrdersMax);
    this.#matching = new Matching({ accounts: this.#accounts, orders: this.#orders, resting: this.#resting, emit });
  }

  addAccount(cash: MicroDollars): AccountId {
    const account = this.#accounts.add();
    assert(this.#accounts.deposit(account, cash), `an account cannot begin with ${cash}`);
    return account.id;
  }

  /** Adds cash. A negative amount withdraws, as far as free cash allows. Returns false if there was no effect. */
  deposit(account: AccountId, amount: MicroDollars): boolean {
    const owner = this.#accounts.find(account);
    return owner !== undefined && this.#accounts.deposit(owner, amount);
  }

  addMarket(spec: MarketSpec): MarketId {
    const id = this.#markets.length as MarketId;
    this.#markets.push(new Market(id, spec));
    return id;
  }

  /** Sets the state of a market. A settled market stays settled. */
  setState(market: MarketId, state: 'OPEN' | 'PAUSED' | 'CLOSED', now: UnixMillis): void {
    this.expire(now);
    const it = this.#market(market);
    if (it.state === 'SETTLED' || it.state === state) return;
    this.#enter(it, state);
    this.#resting.emitLevels(this.#emit);
  }

  place(request: NewOrder, now: UnixMillis): Result<Placed, EngineRefusal> {
    this.expire(now);
    const market = this.#markets[request.market];
    if (market === undefined) return fail('unknown-market');
    const account = this.#accounts.find(request.account);
    if (account === undefined) return fail('unknown-account');
    const size = wantedSize(account, market, request);
    const objection = refusalOfNew(this.#accounts, account, market, request, size, now);
    if (objection !== null) return fail(objection);

    const order = this.#orders.open(account, market, request, size);
    this.#accounts.reserve(order);
    this.#emit({ type: 'accepted', order: order.id, at: now });
    const filled = this.#matching.match(order);
    if (order.resting > 0) {
      const { type } = request.timeInForce;
      if (type === 'IOC' || type === 'FOK') this.#matching.end(order, 'ioc');
      else this.#resting.enter(order);
    }
    this.#accounts.redeemNet(order);
    this.#resting.emitLevels(this.#emit);
    return ok({ order: order.id, filled, resting: order.resting });
  }

  /** Fills a resting order of another account, at any place of its queue, because a trade of a venue has reached it. */
  hit({ account, order: id, effect, size }: Hit, now: UnixMillis): Result<Placed, EngineRefusal> {
    this.expire(now);
    const maker = this.#orders.live(id);
    if (maker === undefined || maker.level === null) return fail('unknown-order');
    const { market, price } = maker;
    const owner = this.#account(account);
    const terms = { effect, side: otherSide(maker.side), price, size: Math.min(size, maker.resting) as MicroShares };
    const objection = notOpen(market) ?? this.#accounts.refusalOf(owner, market, terms, null);
    if (objection !== null) return fail(objection);
    const request: NewOrder = { ...terms, ...HIT, account, market: market.id };
    const taker = this.#orders.open(owner, market, request, terms.size);
    this.#accounts.reserve(taker);
    this.#emit({ type: 'accepted', order: taker.id, at: now });
    this.#matching.hit(taker, maker);
    this.#accounts.redeemNet(taker);
    this.#resting.emitLevels(this.#emit);
    return ok({ order: taker.id, filled: terms.size, resting: 0 as MicroShares });
  }

  /** Moves a resting order ahead of `next`, another order of its price. Null moves it to the end of its queue. */
  move(order: OrderId, next: OrderId | null, now: UnixMillis): void {
    this.expire(now);
    const it = this.#orders.live(order);
    if (it !== undefined && it.level !== null) this.#resting.move(it, next && this.#orders.live(next));
    this.#resting.emitLevels(this.#emit);
  }

  /** Puts an order of an earlier run back into the book. Its reservation must be free, and it must not cross. */
  resume(request: NewOrder, held: Held): OrderId {
    const [account, market] = [this.#account(request.account), this.#market(request.market)];
    const order = this.#orders.open(account, market, request, request.size);
    this.#accounts.hold(order, held);
    this.#emit({ type: 'accepted', order: order.id, at: 0 as UnixMillis });
    this.#resting.enter(order);
    this.#resting.emitLevels(this.#emit);
    return order.id;
  }

  /** Cancels an order. Returns the size that was cancelled. */
  cancel(account: AccountId, order: OrderId, now: UnixMillis): Result<MicroShares, EngineRefusal> {
    this.expire(now);
    const found = this.#find(account, order);
    if (!found.ok) return found;
    const size = this.#matching.end(found.value, 'user');
    this.#resting.emitLevels(this.#emit);
    return ok(size);
  }

  /** Cancels the orders of an account, in all markets or in one. Returns their number. */
  cancelAll(account: AccountId, market: MarketId | null, now: UnixMillis): number {
    this.expire(now);
    const owner = this.#accounts.find(account);
    const only = market === null ? null : this.#markets[market];
    if (owner === undefined || only === undefined) return 0;
    const orders = this.#resting.ofAccount(owner, only);
    for (const order of orders) this.#matching.end(order, 'user');
    this.#resting.emitLevels(this.#emit);
    return orders.length;
  }

  /** Reduces the resting size to `to`; 0 cancels. The order keeps its place. Returns the size that was removed. */
  decrease(account: AccountId, order: OrderId, to: MicroShares, now: UnixMillis): Result<MicroShares, EngineRefusal> {
    this.expire(now);
    const found = this.#find(account, order);
    if (!found.ok) return found;
    const it = found.value;
    if (to >= it.resting || (to !== 0 && !isSize(it.market.spec, to))) return fail('invalid-size');
    const less = (it.resting - to) as MicroShares;
    if (to === 0) this.#matching.end(it, 'decrease');
    else {
      this.#resting.lessen(it, less);
      it.resting = to;
      this.#accounts.shrink(it);
      this.#accounts.redeemNet(it);
      this.#emit({ type: 'amended', order, price: it.price, resting: to });
    }
    this.#resting.emitLevels(this.#emit);
    return ok(less);
  }

  /**
   * Changes price, size and expiry. An order with the same price and no larger size keeps its place. Otherwise it moves to the end of the
   * queue, and may match first. An absent `expiresAt` leaves the expiry; null removes it.
   */
  amend(
    account: AccountId,
    order: OrderId,
    price: Ticks,
    resting: MicroShares,
    now: UnixMillis,
    expiresAt?: UnixMillis | null,
  ): Result<Placed, EngineRefusal> {
    this.expire(now);
    const found = this.#find(account, order);
    if (!found.ok) return found;
    const it = found.value;
    const isPast = typeof expiresAt === 'number' && expiresAt <= now;
    const objection = isPast ? 'expired' : refusalOfAmend(this.#accounts, it, price, resting);
    if (objection !== null) return fail(objection);
    const keepsPlace = price === it.price && resting <= it.resting;
    if (!keepsPlace) this.#resting.leave(it);
    else if (resting < it.resting) this.#resting.lessen(it, (it.resting - resting) as MicroShares);
    this.#accounts.release(it);
    it.price = price;
    it.resting = resting;
    if (expiresAt !== undefined) this.#resting.setExpiry(it, expiresAt);
    this.#accounts.reserve(it);
    this.#emit({ type: 'amended', order, price, resting });
    const filled = keepsPlace ? (0 as MicroShares) : this.#matching.match(it);
    if (!keepsPlace && it.resting > 0) this.#resting.enter(it);
    this.#accounts.redeemNet(it);
    this.#resting.emitLevels(this.#emit);
    return ok({ order, filled, resting: it.resting });
  }

  /** The time at which the next resting order expires. Null means that none does. */
  get nextExpiry(): UnixMillis | null {
    return this.#resting.nextExpiry;
  }

  /** Cancels the expired orders, the soonest first. Every request with a time begins with this. */
  expire(now: UnixMillis): void {
    let order = this.#resting.due(now);
    if (order === null) return;
    for (; order !== null; order = this.#resting.due(now)) this.#matching.end(order, 'expiry');
    this.#resting.emitLevels(this.#emit);
  }

  /** Cancels the market's resting orders, then pays every holding in cash, once. */
  settle(market: MarketId, yesValue: Ticks): Result<void, EngineRefusal> {
    const it = this.#markets[market];
    if (it === undefined) return fail('unknown-market');
    if (it.state === 'SETTLED') return fail('market-closed');
    if (!Number.isInteger(yesValue) || yesValue < 0 || yesValue > TICKS_PER_DOLLAR) return fail('off-grid');
    this.#enter(it, 'SETTLED');
    this.#accounts.settle(it, yesValue);
    this.#emit({ type: 'settled', market, yesValue });
    this.#resting.emitLevels(this.#emit);
    it.clear();
    return ok(undefined);
  }

  /** Converts dollars into pairs, one dollar for each pair. */
  mintPair(account: AccountId, market: MarketId, size: MicroShares): Result<void, EngineRefusal> {
    return this.#withShares(account, market, size, (owner, it) => {
      if (owner.cash < size) return fail('insufficient-cash');
      this.#accounts.movePairs(owner, it, size);
      return ok(undefined);
    });
  }

  /** Converts unreserved pairs into dollars, one dollar for each pair. */
  redeemPair(account: AccountId, market: MarketId, size: MicroShares): Result<void, EngineRefusal> {
    return this.#withShares(account, market, size, (owner, it) => {
      const holding = it.holdingOf(owner);
      if (closable(holding, BID) < size || closable(holding, ASK) < size) return fail('insufficient-holding');
      this.#accounts.movePairs(owner, it, -size as MicroShares);
      return ok(undefined);
    });
  }

  /** Transfers unreserved shares that an order of `side` opens (YES for a bid) to another account. */
  giveShares(
    from: AccountId,
    to: AccountId,
    market: MarketId,
    side: Side,
    size: MicroShares,
  ): Result<void, EngineRefusal> {
    const receiver = this.#accounts.find(to);
    if (receiver === undefined) return fail('unknown-account');
    return this.#withShares(from, market, size, (giver, it) => {
      if (closable(it.holdingOf(giver), otherSide(side)) < size) return fail('insufficient-holding');
      this.#accounts.giveShares(giver, receiver, it, side, size);
      return ok(undefined);
    });
  }

  account(id: AccountId): AccountView {
    const { cash, reserved } = this.#account(id);
    return { cash, reserved };
  }

  holding(account: AccountId, market: MarketId): HoldingView {
    const { yes, no, yesReserved, noReserved } = this.#market(market).holdingOf(this.#account(account));
    return { yes, no, yesReserved, noReserved };
  }

  /** Returns undefined for an unknown order, or for one that was dropped long after its end. */
  order(id: OrderId): OrderView | undefined {
    return this.#orders.view(id);
  }

  /** Returns the size that is ahead of an order at its price. 0 for an order that has ended. */
  queueAhead(order: OrderId): MicroShares {
    let sum = 0;
    for (let it = this.#orders.live(order)?.ahead; it; it = it.ahead) sum += it.resting;
    return sum as MicroShares;
  }

  /** Returns the orders at a price, front of the queue first. */
  queue(market: MarketId, side: Side, price: Ticks): QueueView[] {
    const queue: QueueView[] = [];
    for (let it = this.#market(market).book.front(side, price); it !== null; it = it.behind)
      queue.push({ order: it.id, place: it.place, size: it.resting, account: it.account.id });
    return queue;
  }

  /** Yields the levels, best first. */
  *levels(market: MarketId, side: Side): Generator<Level> {
    for (const { price, size } of this.#market(market).book.levels(side)) yield { price, size };
  }

  best(market: MarketId, side: Side): Level | null {
    const level = this.#market(market).book.best(side);
    return level === null ? null : { price: level.price, size: level.size };
  }

  state(market: MarketId): MarketState {
    return this.#market(market).state;
  }

  /** The open interest: the number of pairs. Each pair is backed by a dollar. */
  pot(market: MarketId): MicroShares {
    return this.#market(market).pot;
  }

  /** The fees of all matches, and the rounding of settlements. */
  get feesTaken(): MicroDollars {
    return this.#accounts.feesTaken;
  }

  #enter(market: Market, state: MarketState): void {
    market.state = state;
    this.#emit({ type: 'market', market: market.id, state });
    if (state !== 'CLOSED' && state !== 'SETTLED') return;
    for (const order of this.#resting.inMarket(market)) this.#matching.end(order, 'close');
  }

  #withShares(
    account: AccountId,
    market: MarketId,
    size: MicroShares,
    move: (owner: Account, market: Market) => Result<void, EngineRefusal>,
  ): Result<void, EngineRefusal> {
    const it = this.#markets[market];
    if (it === undefined) return fail('unknown-market');
    const owner = this.#accounts.find(account);
    if (owner === undefined) return fail('unknown-account');
    if (it.state === 'SETTLED') return fail('market-closed');
    return Number.isSafeInteger(size) && size > 0 ? move(owner, it) : fail('invalid-size');
  }

  #find(account: AccountId, id: OrderId): Result<Order, EngineRefusal> {
    const order = this.#orders.live(id);
    if (order !== undefined) return order.account.id === account ? ok(order) : fail('not-owner');
    const owner = this.#orders.ownerOfEnded(id);
    if (owner === undefined) return fail('unknown-order');
    return fail(owner === account ? 'order-done' : 'not-owner');
  }

  #account(id: AccountId): Account {
    const account = this.#accounts.find(id);
    assert(account !== undefined, `account ${id} is unknown`);
    return account;
  }

  #market(id: MarketId): Market {
    const market = this.#markets[id];
    assert(market !== undefined, `market ${id} is unknown`);
    return market;
  }
}

export function giveKeptShares(
  engine: Engine,
  [from, to]: readonly [from: AccountId, to: AccountId],
  market: MarketId,
  { yes, no }: Pick<HoldingView, 'yes' | 'no'>,
): void {
  const pairs = Math.max(yes, no) as MicroShares;
  if (pairs > 0) assertDone(engine.mintPair(from, market, pairs));
  if (yes > 0) assertDone(engine.giveShares(from, to, market, BID, yes));
  if (no > 0) assertDone(engine.giveShares(from, to, market, ASK, no));
}

function assertDone(result: Result<void, EngineRefusal>): void {
  assert(result.ok, `kept shares cannot be given: ${result.ok ? '' : result.error}`);
}
