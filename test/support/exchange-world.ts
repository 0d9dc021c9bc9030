// The knowledge of a matching engine's caller: its accounts and listed markets, the live orders and the levels. The world derives the live
// orders and the levels from results and events alone. The world chooses the steps, and the engine's own views are compared with the
// world's.

import { ASK, BID, type Side } from '../../src/core/domain/market.ts';
import type { MicroDollars, MicroShares, Ticks, UnixMillis } from '../../src/core/domain/numbers.ts';
import type {
  AccountId,
  Effect,
  EngineEvent,
  FeeMeter,
  Fill,
  MarketId,
  MarketState,
  NewOrder,
  OrderId,
} from '../../src/paper/engine/engine-types.ts';
import { noFees } from './exchange-fees.ts';
import type { Place, Request } from './exchange-steps.ts';
import type { NaiveExchange } from './naive-exchange.ts';

/** The operations of both the engine and its naive twin. */
export type Exchange = { readonly [Name in keyof NaiveExchange]: NaiveExchange[Name] };

export interface LiveOrder {
  readonly id: OrderId;
  readonly account: AccountId;
  readonly market: MarketId;
  readonly side: Side;
  readonly effect: Effect;
  readonly meter: FeeMeter;
  /** The order as its caller asked for it. Null means that the order never existed. */
  readonly wish: NewOrder | null;
  price: Ticks;
  rest: number;
  filled: number;
  cost: number;
  fees: number;
}

const NOBODY: LiveOrder = {
  id: 1_234_567 as OrderId,
  account: 0 as AccountId,
  market: 0 as MarketId,
  side: BID,
  effect: 'net',
  meter: noFees.meter(BID),
  wish: null,
  price: 5_000 as Ticks,
  rest: 0,
  filled: 0,
  cost: 0,
  fees: 0,
};
const PAST_ORDERS = 64;

/**
 * The first half of the accounts has one signed position in each market; the other half deals in outcome tokens; the last account does
 * both.
 */
export class ExchangeWorld {
  readonly accounts: AccountId[] = [];
  readonly places: readonly Place[];
  /** The market that is listed now in each slot. */
  readonly slots: MarketId[] = [];
  /** The live orders, in the order of their places in queues. */
  readonly live = new Map<OrderId, LiveOrder>();
  /** The orders that the last request has ended. */
  readonly ended: LiveOrder[] = [];
  /** The number of times that each thing has happened. */
  readonly counts = new Map<string, number>();
  deposited = 0;
  readonly #states: MarketState[] = [];
  readonly #past: LiveOrder[] = [];
  /** The levels by market and side. */
  readonly #levels: Map<Ticks, MicroShares>[] = [];
  #now = 1_000_000 as UnixMillis;
  /** The time of the last request that had a time. */
  #asked = 0 as UnixMillis;
  #exchange: Exchange | null = null;
  #request: Request | null = null;
  #placed: LiveOrder | null = null;

  constructor(places: readonly Place[]) {
    this.places = places;
  }

  open(exchange: Exchange, cash: readonly MicroDollars[]): void {
    this.#exchange = exchange;
    for (const amount of cash) {
      this.accounts.push(exchange.addAccount(amount));
      this.deposited += amount;
    }
    this.places.forEach((place, slot) => {
      this.list(slot, exchange.addMarket(place.spec));
    });
  }

  list(slot: number, market: MarketId): void {
    this.slots[slot] = market;
    this.#states[market] = 'OPEN';
    this.#levels[2 * market] = new Map();
    this.#levels[2 * market + 1] = new Map();
  }

  isNet(account: AccountId): boolean {
    return this.accounts.indexOf(account) < this.accounts.length / 2;
  }

  isMixed(account: AccountId): boolean {
    return account === this.accounts.at(-1);
  }

  tick(ms: number): UnixMillis {
    this.#now = (this.#now + ms) as UnixMillis;
    return this.#now;
  }

  stateOf(market: MarketId): MarketState {
    return this.#states[market]!;
  }

  /** Returns an order that is done, or that never existed. */
  past(pick: number): LiveOrder {
    return this.#past[pick % PAST_ORDERS] ?? NOBODY;
  }

  best(market: MarketId, side: Side): Ticks | null {
    for (const { price } of this.#exchange!.levels(market, side)) return price;
    return null;
  }

  cash(account: AccountId): MicroDollars {
    return this.accounts.includes(account) ? this.#exchange!.account(account).cash : (0 as MicroDollars);
  }

  /** Returns whether an order should have been cancelled by now. */
  isOver({ wish }: LiveOrder): boolean {
    return wish?.timeInForce.type === 'GTD' && wish.timeInForce.expiresAt <= this.#asked;
  }

  /** Returns the size that an order of this side could close. */
  held(account: AccountId, market: MarketId, side: Side): number {
    if (!this.accounts.includes(account) || this.stateOf(market) === 'SETTLED') return 0;
    const { yes, no, yesReserved, noReserved } = this.#exchange!.holding(account, market);
    return side === ASK ? yes - yesReserved : no - noReserved;
  }

  /** Returns the levels as the events have reported them. */
  reported(market: MarketId, side: Side): ReadonlyMap<Ticks, MicroShares> {
    return this.#levels[2 * market + side]!;
  }

  begin(request: Request): void {
    this.#request = request;
    if ('now' in request) this.#asked = request.now;
    this.#placed = null;
    this.ended.length = 0;
  }

  end(): void {
    const order = this.#placed;
    if (order === null || order.wish === null) return;
    const { reduceOnly, postOnly, size, timeInForce } = order.wish;
    // A reduced order is done although it has neither filled nor cancelled the size by which it was reduced.
    if (reduceOnly && this.live.delete(order.id)) {
      this.ended.push(order);
      this.count('reduced');
    }
    const isAtOnce = timeInForce.type === 'IOC' || timeInForce.type === 'FOK';
    if (isAtOnce && this.live.has(order.id)) throw new Error(`order ${order.id} rests, as ${timeInForce.type}`);
    if (timeInForce.type === 'FOK' && !reduceOnly) same(order.filled, size, 'filled of fill-or-kill order', order.id);
    if (postOnly) same(order.filled, 0, 'taken by post-only order', order.id);
  }

  count(what: string): void {
    this.counts.set(what, (this.counts.get(what) ?? 0) + 1);
  }

  watch(event: EngineEvent): void {
    switch (event.type) {
      case 'accepted':
        this.#accept(event.order);
        return;
      case 'cancelled':
        this.count(`cancelled: ${event.reason}`);
        this.#reduce(event.order, event.size);
        return;
      case 'amended':
        this.#amend(this.live.get(event.order)!, event.price, event.resting);
        return;
      case 'fill':
        this.#countFill(event);
        this.#fill(event.taker, 'taker', event);
        this.#fill(event.maker, 'maker', event);
        return;
      case 'level':
        if (event.size === 0) this.#levels[2 * event.market + event.side]!.delete(event.price);
        else this.#levels[2 * event.market + event.side]!.set(event.price, event.size);
        return;
      case 'market':
        this.count(`market: ${event.state}`);
        this.#states[event.market] = event.state;
        return;
      default:
        this.count('settled');
        this.#states[event.market] = 'SETTLED';
    }
  }

  #accept(id: OrderId): void {
    if (this.#request?.call !== 'place') throw new Error(`order ${id} accepted that nobody has placed`);
    const wish = this.#request.order;
    const { market, size, reduceOnly, timeInForce, postOnly } = wish;
    const meter = this.places[this.slots.indexOf(market)]!.spec.fees.meter(wish.side);
    this.#placed = { ...wish, id, meter, wish, rest: size, filled: 0, cost: 0, fees: 0 };
    this.live.set(id, this.#placed);
    this.count(`accepted: ${timeInForce.type}${postOnly ? ' post-only' : ''}${reduceOnly ? ' reduce-only' : ''}`);
  }

  /** Amends an order. A new price or a larger size moves the order to the end of the queue. */
  #amend(order: LiveOrder, price: Ticks, rest: number): void {
    if (price !== order.price || rest > order.rest) {
      this.live.delete(order.id);
      this.live.set(order.id, order);
    }
    Object.assign(order, { price, rest });
  }

  #fill(id: OrderId, role: 'taker' | 'maker', { price, size, takerFee, makerFee }: Fill): void {
    const order = this.live.get(id)!;
    const fee = role === 'taker' ? takerFee : makerFee;
    const asked = order.meter.charge(role, price, size);
    if (fee > asked || fee < 0) throw new Error(`order ${id} is charged ${fee}, not ${asked}`);
    if (fee < asked) this.#countCut(order);
    order.filled += size;
    order.cost += yesCost(price, size);
    order.fees += fee;
    this.#reduce(id, size);
  }

  /** Counts a cut. The fees of an order that opens are reserved; an order that closes may bring less than its fees. */
  #countCut({ id, effect }: LiveOrder): void {
    if (effect === 'open') throw new Error(`order ${id} cannot pay its fee`);
    this.count('fill: fee cut');
  }

  #reduce(id: OrderId, size: number): void {
    const order = this.live.get(id);
    if (order === undefined || size <= 0 || size > order.rest) throw new Error(`order ${id} has no ${size} left`);
    order.rest -= size;
    if (order.rest > 0) return;
    this.live.delete(id);
    this.ended.push(order);
    this.#past[id % PAST_ORDERS] = order;
  }

  #countFill({ taker, maker, takerSide, price, size, minted }: Fill): void {
    const [one, other] = [this.live.get(taker)!, this.live.get(maker)!];
    const bid = takerSide === BID ? one : other;
    same(one.side, takerSide, 'side of the taker');
    same(other.side, 1 - takerSide, 'side of the maker');
    same(price, other.price, 'price of a fill');
    if (takerSide === BID ? price > one.price : price < one.price) throw new Error(`order ${taker} fills at ${price}`);
    if (minted === size) this.count('fill: mint');
    else if (minted === -size) this.count('fill: merge');
    else if (minted !== 0) this.count('fill: of parts');
    else if (bid.effect === 'open') this.count('fill: YES handed on');
    else if (bid.effect === 'close') this.count('fill: NO handed on');
    if (one.account === other.account) this.count('fill: with itself');
    if (size % 10_000 !== 0) this.count('fill: odd size');
  }
}

/** Returns the cost of so many micro-shares of YES in micro-dollars, rounded down. */
export function yesCost(price: Ticks, size: number): number {
  const product = price * size;
  if (Number.isSafeInteger(product)) return (product - (product % 10_000)) / 10_000;
  return Number((BigInt(price) * BigInt(size)) / 10_000n);
}

/** Compares two numbers. Builds the message from `what` and `which` only if they differ, because this function runs millions of times. */
export function same(found: number, expected: number, what: string, which = -1): void {
  if (found !== expected) throw new Error(`${what}${which < 0 ? '' : ` ${which}`}: ${found}, should be ${expected}`);
}
