// Matches an order with the book: price-time priority, fills at the price of the resting order, and self-trade prevention. This file also
// ends orders early, which a match may cause.

import { ASK, BID, type Side } from '../../core/domain/market.ts';
import { type MicroShares, TICKS_PER_DOLLAR, type Ticks, type UnixMillis } from '../../core/domain/numbers.ts';
import { unreachable } from '../../core/domain/result.ts';
import { type Accounts, closable, type Terms } from './accounts.ts';
import type { CancelReason, EngineEvent, EngineRefusal, MarketSpec, NewOrder, SelfTrade } from './engine-types.ts';
import type { Account, Market, Order } from './order.ts';
import type { OrderTable } from './order-table.ts';
import type { RestingOrders } from './resting-orders.ts';

/**
 * Returns the effective size of an order. With `reduceOnly` it is the part that the owner can close, in whole steps; otherwise it is the
 * whole order.
 */
export function wantedSize(account: Account, market: Market, request: NewOrder): MicroShares {
  if (!request.reduceOnly) return request.size;
  const { sizeStep } = market.spec;
  const steps = Math.floor(closable(market.holdingOf(account), request.side) / sizeStep);
  return Math.min(request.size, steps * sizeStep) as MicroShares;
}

/** Returns why an order of the effective size `size` cannot be placed. Null means that it can. */
export function refusalOfNew(
  accounts: Accounts,
  account: Account,
  market: Market,
  request: NewOrder,
  size: MicroShares,
  now: UnixMillis,
): EngineRefusal | null {
  const { timeInForce } = request;
  const closed = notOpen(market);
  if (closed !== null) return closed;
  if (!isPrice(market.spec, request.price)) return 'off-grid';
  if (!isSize(market.spec, request.size) || isTooMuch(market, request, null)) return 'invalid-size';
  if (timeInForce.type === 'GTD' && timeInForce.expiresAt <= now) return 'expired';
  if (size === 0) return 'nothing-to-reduce';
  const terms = size === request.size ? request : { ...request, size };
  const poor = accounts.refusalOf(account, market, terms, null);
  if (poor !== null) return poor;
  if (request.postOnly && crosses(market, terms)) return 'post-only-cross';
  if (timeInForce.type === 'FOK' && !canFill(account, market, terms)) return 'fok-insufficient';
  return null;
}

/** Returns why an order cannot be amended to a price and a resting size. Null means that it can. */
export function refusalOfAmend(
  accounts: Accounts,
  order: Order,
  price: Ticks,
  size: MicroShares,
): EngineRefusal | null {
  const { account, market, effect, side, postOnly } = order;
  const closed = notOpen(market);
  if (closed !== null) return closed;
  if (!isPrice(market.spec, price)) return 'off-grid';
  const terms = { effect, side, price, size };
  if (!isSize(market.spec, size) || isTooMuch(market, terms, order)) return 'invalid-size';
  const poor = accounts.refusalOf(account, market, terms, order);
  if (poor !== null) return poor;
  return postOnly && crosses(market, terms) ? 'post-only-cross' : null;
}

export function isSize({ sizeStep }: MarketSpec, size: MicroShares): boolean {
  return Number.isSafeInteger(size) && size > 0 && Math.floor(size / sizeStep) * sizeStep === size;
}

/** Whether the sum of a level would exceed exact integers: at the lowest price a million dollars buys 2^53 micro-shares. */
function isTooMuch({ book }: Market, { side, price, size }: Terms, before: Order | null): boolean {
  const own = before !== null && before.price === price ? before.resting : 0;
  return !Number.isSafeInteger(book.sizeAt(side, price) - own + size);
}

function isPrice({ isOnGrid }: MarketSpec, price: Ticks): boolean {
  return Number.isInteger(price) && price > 0 && price < TICKS_PER_DOLLAR && isOnGrid(price);
}

export function notOpen({ state }: Market): EngineRefusal | null {
  if (state === 'OPEN') return null;
  return state === 'PAUSED' ? 'market-paused' : 'market-closed';
}

function crosses({ book }: Market, { side, price }: Pick<NewOrder, 'side' | 'price'>): boolean {
  return book.firstMatch(otherSide(side), price) !== null;
}

interface Wish {
  readonly side: NewOrder['side'];
  readonly price: Ticks;
  readonly size: MicroShares;
  readonly selfTrade: SelfTrade;
}

/** Whether other accounts offer enough for the whole order. Nothing is matched. Orders of the same account do not count. */
function canFill(account: Account, { book }: Market, { side, price, size, selfTrade }: Wish): boolean {
  let missing: number = size;
  for (const level of book.levels(otherSide(side))) {
    if (side === BID ? level.price > price : level.price < price) return false;
    for (let order = level.head; order !== null; order = order.behind) {
      if (order.account !== account) missing -= order.resting;
      else if (selfTrade === 'taker') return false;
      if (missing <= 0) return true;
    }
  }
  return false;
}

interface MatchingParts {
  readonly accounts: Accounts;
  readonly orders: OrderTable;
  readonly resting: RestingOrders;
  readonly emit: (event: EngineEvent) => void;
}

export class Matching {
  readonly #parts: MatchingParts;

  constructor(parts: MatchingParts) {
    this.#parts = parts;
  }

  /** Fills an order that is not in the book, as far as its limit allows. Returns the filled size. The caller handles the rest. */
  match(taker: Order): MicroShares {
    const other = otherSide(taker.side);
    const { book } = taker.market;
    const before = taker.filled;
    while (taker.resting > 0) {
      const maker = book.firstMatch(other, taker.price);
      if (maker === null) break;
      if (maker.account !== taker.account || taker.selfTrade === 'allow') this.#fill(taker, maker);
      else if (taker.selfTrade === 'maker') this.end(maker, 'self-trade');
      else if (taker.selfTrade === 'taker') this.end(taker, 'self-trade');
      else unreachable(taker.selfTrade);
    }
    return (taker.filled - before) as MicroShares;
  }

  /** Fills an order that is not in the book with one resting order of another account, at any place of its queue. */
  hit(taker: Order, maker: Order): void {
    this.#fill(taker, maker);
  }

  /** Cancels the leaves quantity of an order, which may be in the book or not. Returns the cancelled size. */
  end(order: Order, reason: CancelReason): MicroShares {
    const { accounts, orders, resting, emit } = this.#parts;
    const size = order.resting;
    if (order.level !== null) resting.leave(order);
    order.resting = 0 as MicroShares;
    order.status = 'cancelled';
    accounts.release(order);
    accounts.redeemNet(order);
    orders.end(order);
    emit({ type: 'cancelled', order: order.id, size, reason });
    return size;
  }

  #fill(taker: Order, maker: Order): void {
    const { accounts, resting, emit } = this.#parts;
    const { price } = maker;
    const size = Math.min(taker.resting, maker.resting) as MicroShares;
    resting.lessen(maker, size);
    const { cost, takerFee, makerFee, minted } = accounts.trade(taker, maker, price, size);
    taker.addFill('taker', size, cost, takerFee);
    maker.addFill('maker', size, cost, makerFee);
    if (maker.resting === 0) {
      resting.leave(maker);
      this.#filled(maker);
    }
    if (taker.resting === 0) this.#filled(taker);
    const { market, side: takerSide } = taker;
    emit({
      type: 'fill',
      market: market.id,
      taker: taker.id,
      maker: maker.id,
      takerSide,
      price,
      size,
      takerFee,
      makerFee,
      minted,
    });
  }

  #filled(order: Order): void {
    order.status = 'filled';
    this.#parts.orders.end(order);
  }
}

export function otherSide(side: Side): Side {
  return side === BID ? ASK : BID;
}
