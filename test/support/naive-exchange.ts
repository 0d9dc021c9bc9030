// The matching engine in its simplest form: the naive twin of src/paper/engine. Every question filters and sorts the list of live orders
// anew, and level events are the differences between two pictures of the books. The twin shares types with the engine, but no code.

import { ASK, BID, type Side } from '../../src/core/domain/market.ts';
import type { MicroDollars, MicroShares, Ticks, UnixMillis } from '../../src/core/domain/numbers.ts';
import { fail, ok, type Result } from '../../src/core/domain/result.ts';
import type {
  AccountId,
  AccountView,
  CancelReason,
  EngineEvent,
  EngineRefusal,
  HoldingView,
  MarketId,
  MarketSpec,
  MarketState,
  NewOrder,
  OrderId,
  Placed,
} from '../../src/paper/engine/engine-types.ts';
import { dollars, min, NaiveLedger, type NaiveOrder, shares, sum } from './naive-ledger.ts';

interface Level {
  readonly market: MarketId;
  readonly side: Side;
  readonly price: Ticks;
  readonly size: bigint;
}

export class NaiveExchange {
  readonly #emit: (event: EngineEvent) => void;
  readonly #ledger = new NaiveLedger();
  readonly #orders: NaiveOrder[] = [];
  #ranks = 0;

  constructor({ emit }: { emit: (event: EngineEvent) => void }) {
    this.#emit = emit;
  }

  get feesTaken(): MicroDollars {
    return dollars(this.#ledger.fees);
  }

  addAccount(cash: MicroDollars): AccountId {
    const account = this.#ledger.addAccount();
    this.deposit(account, cash);
    return account;
  }

  addMarket(spec: MarketSpec): MarketId {
    return (this.#ledger.markets.push({ spec, state: 'OPEN', pot: 0n }) - 1) as MarketId;
  }

  deposit(account: AccountId, amount: MicroDollars): boolean {
    return Number.isSafeInteger(amount) && this.#ledger.deposit(account, BigInt(amount));
  }

  setState(market: MarketId, state: 'OPEN' | 'PAUSED' | 'CLOSED', now: UnixMillis): void {
    this.expire(now);
    const it = this.#ledger.markets[market];
    if (it === undefined || it.state === 'SETTLED' || it.state === state) return;
    this.#request(() => this.#enter(market, state));
  }

  place(wish: NewOrder, now: UnixMillis): Result<Placed, EngineRefusal> {
    this.expire(now);
    return this.#request(() => this.#place(wish, now));
  }

  cancel(account: AccountId, id: OrderId, now: UnixMillis): Result<MicroShares, EngineRefusal> {
    this.expire(now);
    return this.#request(() => {
      const found = this.#find(account, id);
      return found.ok ? ok(this.#end(found.value, 'user')) : found;
    });
  }

  cancelAll(account: AccountId, market: MarketId | null, now: UnixMillis): number {
    this.expire(now);
    return this.#request(() => {
      const theirs = this.#ledger.live.filter(it => it.wish.account === account);
      const chosen = theirs.filter(it => market === null || it.wish.market === market);
      for (const order of byId(chosen)) this.#end(order, 'user');
      return chosen.length;
    });
  }

  decrease(account: AccountId, id: OrderId, to: MicroShares, now: UnixMillis): Result<MicroShares, EngineRefusal> {
    this.expire(now);
    return this.#request(() => {
      const found = this.#find(account, id);
      if (!found.ok) return found;
      const order = found.value;
      const isSize = to === 0 || isSizeOf(this.#ledger.markets[order.wish.market]!.spec, to);
      if (!isSize || BigInt(to) >= order.rest) return fail('invalid-size');
      const less = order.rest - BigInt(to);
      if (to === 0) this.#end(order, 'decrease');
      else {
        this.#shrink(order, BigInt(to));
        this.#emit({ type: 'amended', order: id, price: order.price, resting: to });
      }
      return ok(shares(less));
    });
  }

  amend(
    account: AccountId,
    id: OrderId,
    price: Ticks,
    resting: MicroShares,
    now: UnixMillis,
  ): Result<Placed, EngineRefusal> {
    this.expire(now);
    return this.#request(() => {
      const found = this.#find(account, id);
      return found.ok ? this.#amend(found.value, price, resting) : found;
    });
  }

  expire(now: UnixMillis): void {
    this.#request(() => {
      const due = byId(this.#ledger.live.filter(it => expiryOf(it) <= now)).sort((a, b) => expiryOf(a) - expiryOf(b));
      for (const order of due) this.#end(order, 'expiry');
    });
  }

  settle(market: MarketId, yesValue: Ticks): Result<void, EngineRefusal> {
    const it = this.#ledger.markets[market];
    if (it === undefined) return fail('unknown-market');
    if (it.state === 'SETTLED') return fail('market-closed');
    if (!Number.isInteger(yesValue) || yesValue < 0 || yesValue > 10_000) return fail('off-grid');
    return this.#request(() => {
      this.#enter(market, 'SETTLED');
      this.#ledger.settle(market, yesValue);
      this.#emit({ type: 'settled', market, yesValue });
      return ok(undefined);
    });
  }

  mintPair(account: AccountId, market: MarketId, size: MicroShares): Result<void, EngineRefusal> {
    return this.#changePairs(account, market, size, 1n);
  }

  redeemPair(account: AccountId, market: MarketId, size: MicroShares): Result<void, EngineRefusal> {
    return this.#changePairs(account, market, size, -1n);
  }

  giveShares(
    from: AccountId,
    to: AccountId,
    market: MarketId,
    side: Side,
    size: MicroShares,
  ): Result<void, EngineRefusal> {
    const it = this.#ledger.markets[market];
    if (!this.#ledger.knows(to)) return fail('unknown-account');
    if (it === undefined) return fail('unknown-market');
    if (!this.#ledger.knows(from)) return fail('unknown-account');
    if (it.state === 'SETTLED') return fail('market-closed');
    if (!Number.isSafeInteger(size) || size <= 0) return fail('invalid-size');
    const { yes, no, yesReserved, noReserved } = this.holding(from, market);
    if ((side === BID ? yes - yesReserved : no - noReserved) < size) return fail('insufficient-holding');
    this.#ledger.giveShares(from, to, market, side, BigInt(size));
    return ok(undefined);
  }

  account(id: AccountId): AccountView {
    return { cash: dollars(this.#ledger.cash(id)), reserved: dollars(this.#ledger.reserved(id)) };
  }

  holding(account: AccountId, market: MarketId): HoldingView {
    const { yes, no } = this.#ledger.holding(account, market);
    const promised = (side: Side) => shares(this.#ledger.promised(account, market, side));
    return { yes: shares(yes), no: shares(no), yesReserved: promised(ASK), noReserved: promised(BID) };
  }

  levels(market: MarketId, side: Side): Iterable<{ price: Ticks; size: MicroShares }> {
    const levels = this.#picture().filter(it => it.market === market && it.side === side);
    if (side === BID) levels.reverse();
    return levels.map(it => ({ price: it.price, size: shares(it.size) }));
  }

  pot(market: MarketId): MicroShares {
    return shares(this.#ledger.markets[market]!.pot);
  }

  #place(wish: NewOrder, now: UnixMillis): Result<Placed, EngineRefusal> {
    const market = this.#ledger.markets[wish.market];
    if (market === undefined) return fail('unknown-market');
    if (!this.#ledger.knows(wish.account)) return fail('unknown-account');
    if (market.state !== 'OPEN') return fail(market.state === 'PAUSED' ? 'market-paused' : 'market-closed');
    if (!market.spec.isOnGrid(wish.price)) return fail('off-grid');
    if (!isSizeOf(market.spec, wish.size) || this.#isTooMuch(wish, wish.price, wish.size, null))
      return fail('invalid-size');
    if (wish.timeInForce.type === 'GTD' && wish.timeInForce.expiresAt <= now) return fail('expired');
    const step = BigInt(market.spec.sizeStep);
    const reducible = (this.#ledger.closable(wish, null) / step) * step;
    const rest = wish.reduceOnly ? min(BigInt(wish.size), reducible) : BigInt(wish.size);
    if (rest === 0n) return fail('nothing-to-reduce');
    const id = this.#orders.length as OrderId;
    const meter = market.spec.fees.meter(wish.side);
    const order: NaiveOrder = { id, wish, meter, price: wish.price, rest, closing: 0n, isResting: false, rank: 0 };
    order.closing = this.#closingOf(order, null);
    const refusal = this.#refusalOf(order, null);
    if (refusal !== null) return fail(refusal);
    this.#orders.push(order);
    this.#ledger.live.push(order);
    this.#emit({ type: 'accepted', order: id, at: now });
    return ok(this.#match(order));
  }

  #amend(order: NaiveOrder, price: Ticks, resting: MicroShares): Result<Placed, EngineRefusal> {
    const { state, spec } = this.#ledger.markets[order.wish.market]!;
    if (state !== 'OPEN') return fail('market-paused');
    if (!spec.isOnGrid(price)) return fail('off-grid');
    if (!isSizeOf(spec, resting) || this.#isTooMuch(order.wish, price, resting, order)) return fail('invalid-size');
    const next: NaiveOrder = { ...order, price, rest: BigInt(resting) };
    next.closing = this.#closingOf(next, order);
    const refusal = this.#refusalOf(next, order);
    if (refusal !== null) return fail(refusal);
    const keepsPlace = price === order.price && next.rest <= order.rest;
    this.#emit({ type: 'amended', order: order.id, price, resting });
    Object.assign(order, { price, rest: next.rest, closing: next.closing });
    if (keepsPlace) {
      this.#ledger.redeem(order);
      return ok({ order: order.id, filled: 0 as MicroShares, resting });
    }
    order.isResting = false;
    return ok(this.#match(order));
  }

  /** Fills the order as far as the book allows; then the order rests or ends. */
  #match(order: NaiveOrder): Placed {
    const { timeInForce, selfTrade, account } = order.wish;
    let filled = 0n;
    for (let maker = this.#meets(order)[0]; order.rest > 0n && maker !== undefined; maker = this.#meets(order)[0]) {
      const isOwn = maker.wish.account === account;
      if (isOwn && selfTrade === 'taker') this.#end(order, 'self-trade');
      else if (isOwn && selfTrade === 'maker') this.#end(maker, 'self-trade');
      else filled += this.#fill(order, maker);
    }
    if (order.rest > 0n) {
      if (timeInForce.type === 'IOC' || timeInForce.type === 'FOK') this.#end(order, 'ioc');
      else Object.assign(order, { isResting: true, rank: this.#ranks++ });
    }
    this.#ledger.redeem(order);
    return { order: order.id, filled: shares(filled), resting: shares(order.rest) };
  }

  /** Returns the resting orders that the order crosses, best first, then oldest. */
  #meets(order: NaiveOrder): NaiveOrder[] {
    const sign = order.wish.side === BID ? 1 : -1;
    return this.#ledger.live
      .filter(it => it.isResting && it.wish.market === order.wish.market && it.wish.side !== order.wish.side)
      .filter(it => sign * (order.price - it.price) >= 0)
      .sort((a, b) => sign * (a.price - b.price) || a.rank - b.rank);
  }

  #fill(taker: NaiveOrder, maker: NaiveOrder): bigint {
    const market = this.#ledger.markets[taker.wish.market]!;
    const { price } = maker;
    const size = min(taker.rest, maker.rest);
    const potBefore = market.pot;
    const takerFee = this.#ledger.trade(taker, 'taker', price, size);
    const makerFee = this.#ledger.trade(maker, 'maker', price, size);
    this.#ledger.redeem(taker);
    this.#ledger.redeem(maker);
    this.#emit({
      type: 'fill',
      market: taker.wish.market,
      taker: taker.id,
      maker: maker.id,
      takerSide: taker.wish.side,
      price,
      size: shares(size),
      takerFee,
      makerFee,
      minted: Number(market.pot - potBefore),
    });
    return size;
  }

  /** Returns the reason to refuse an order. `before` is the present state of an order that is to be amended. */
  #refusalOf(order: NaiveOrder, before: NaiveOrder | null): EngineRefusal | null {
    const { account, effect, timeInForce, postOnly } = order.wish;
    const cash = this.#ledger.cash(account) + (before === null ? 0n : this.#ledger.need(before));
    if (this.#ledger.need(order) > cash) return 'insufficient-cash';
    if (effect === 'close' && this.#ledger.closable(order.wish, before) < order.rest) return 'insufficient-holding';
    if (postOnly && this.#meets(order).length > 0) return 'post-only-cross';
    if (timeInForce.type === 'FOK' && this.#volumeFor(order) < order.rest) return 'fok-insufficient';
    return null;
  }

  /** Returns whether a level would become larger than a number can hold exactly. */
  #isTooMuch({ market, side }: NewOrder, price: Ticks, size: MicroShares, before: NaiveOrder | null): boolean {
    const level = this.#ledger.live
      .filter(it => it.isResting && it !== before)
      .filter(it => it.wish.market === market && it.wish.side === side && it.price === price);
    return sum(level.map(it => it.rest)) + BigInt(size) > BigInt(Number.MAX_SAFE_INTEGER);
  }

  /**
   * Returns the size that others offer to the order. With self-trade prevention `taker`, only counts up to an order of the same account.
   */
  #volumeFor(order: NaiveOrder): bigint {
    const offers = this.#meets(order);
    const own = offers.findIndex(it => it.wish.account === order.wish.account);
    const reach = order.wish.selfTrade === 'taker' && own >= 0 ? offers.slice(0, own) : offers;
    return sum(reach.filter(it => it.wish.account !== order.wish.account).map(it => it.rest));
  }

  #closingOf(order: NaiveOrder, before: NaiveOrder | null): bigint {
    if (order.wish.effect === 'open') return 0n;
    return order.wish.effect === 'close' ? order.rest : min(order.rest, this.#ledger.closable(order.wish, before));
  }

  #changePairs(account: AccountId, market: MarketId, size: MicroShares, sign: bigint): Result<void, EngineRefusal> {
    const it = this.#ledger.markets[market];
    if (it === undefined) return fail('unknown-market');
    if (!this.#ledger.knows(account)) return fail('unknown-account');
    if (it.state === 'SETTLED') return fail('market-closed');
    if (!Number.isSafeInteger(size) || size <= 0) return fail('invalid-size');
    const { yes, no, yesReserved, noReserved } = this.holding(account, market);
    if (sign > 0n && this.account(account).cash < size) return fail('insufficient-cash');
    if (sign < 0n && Math.min(yes - yesReserved, no - noReserved) < size) return fail('insufficient-holding');
    this.#ledger.changePairs(account, market, sign * BigInt(size));
    return ok(undefined);
  }

  #enter(market: MarketId, state: MarketState): void {
    this.#ledger.markets[market]!.state = state;
    this.#emit({ type: 'market', market, state });
    if (state !== 'CLOSED' && state !== 'SETTLED') return;
    for (const order of byId(this.#ledger.live.filter(it => it.wish.market === market))) this.#end(order, 'close');
  }

  #find(account: AccountId, id: OrderId): Result<NaiveOrder, EngineRefusal> {
    const order = this.#orders[id];
    if (order === undefined) return fail('unknown-order');
    if (order.wish.account !== account) return fail('not-owner');
    return order.rest === 0n ? fail('order-done') : ok(order);
  }

  #end(order: NaiveOrder, reason: CancelReason): MicroShares {
    const size = shares(order.rest);
    this.#emit({ type: 'cancelled', order: order.id, size, reason });
    this.#shrink(order, 0n);
    return size;
  }

  /** Shrinks an order. The opening part is removed first. */
  #shrink(order: NaiveOrder, to: bigint): void {
    order.closing = min(order.closing, to);
    this.#ledger.setRest(order, to);
    this.#ledger.redeem(order);
  }

  #request<T>(run: () => T): T {
    const before = this.#picture();
    const result = run();
    const after = this.#picture();
    const gone = before.filter(it => !after.some(other => isSamePlace(it, other)));
    const news = after.filter(it => !before.some(other => isSamePlace(it, other) && it.size === other.size));
    for (const level of inOrder([...gone.map(it => ({ ...it, size: 0n })), ...news]))
      this.#emit({ type: 'level', ...level, size: shares(level.size) });
    return result;
  }

  /** Returns every level of every book: by market, bids then asks, by price. */
  #picture(): Level[] {
    const levels = new Map<string, Level>();
    for (const { isResting, price, rest, wish } of this.#ledger.live) {
      const key = `${wish.market} ${wish.side} ${price}`;
      const size = (levels.get(key)?.size ?? 0n) + rest;
      if (isResting) levels.set(key, { market: wish.market, side: wish.side, price, size });
    }
    return inOrder([...levels.values()]);
  }
}

function isSizeOf(spec: MarketSpec, size: number): boolean {
  return Number.isSafeInteger(size) && size > 0 && size % spec.sizeStep === 0;
}

function expiryOf({ wish }: NaiveOrder): number {
  return wish.timeInForce.type === 'GTD' ? wish.timeInForce.expiresAt : Number.POSITIVE_INFINITY;
}

function isSamePlace(a: Level, b: Level): boolean {
  return a.market === b.market && a.side === b.side && a.price === b.price;
}

function inOrder(levels: Level[]): Level[] {
  return levels.sort((a, b) => a.market - b.market || a.side - b.side || a.price - b.price);
}

function byId(orders: NaiveOrder[]): NaiveOrder[] {
  return [...orders].sort((a, b) => a.id - b.id);
}
