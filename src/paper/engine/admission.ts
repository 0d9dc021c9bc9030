// Checks whether an order may be placed, or amended to new terms: every check, in a fixed order, before any effect. The first
// failure is the answer.

import { BID } from '../../core/domain/market.ts';
import { type MicroShares, TICKS_PER_DOLLAR, type Ticks, type UnixMillis } from '../../core/domain/numbers.ts';
import { type Accounts, closable, type Terms } from './accounts.ts';
import type { EngineRefusal, MarketSpec, NewOrder, SelfTrade } from './engine-types.ts';
import { otherSide } from './matching.ts';
import type { Account, Market, Order } from './order.ts';

/** Effective size of an order: all of it, or with `reduceOnly` the part that its owner can close, in whole steps. */
export function wantedSize(account: Account, market: Market, request: NewOrder): MicroShares {
  if (!request.reduceOnly) return request.size;
  const { sizeStep } = market.spec;
  const steps = Math.floor(closable(market.holdingOf(account), request.side) / sizeStep);
  return Math.min(request.size, steps * sizeStep) as MicroShares;
}

/** Why an order of effective size `size` cannot be placed; null if it can. */
export function objectionToNew(
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
  const poor = accounts.objection(account, market, terms, null);
  if (poor !== null) return poor;
  if (request.postOnly && crosses(market, terms)) return 'post-only-cross';
  if (timeInForce.type === 'FOK' && !canFill(account, market, terms)) return 'fok-insufficient';
  return null;
}

/** Why an order cannot be amended to a price and a resting size; null if it can. */
export function objectionToAmend(
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
  const poor = accounts.objection(account, market, terms, order);
  if (poor !== null) return poor;
  return postOnly && crosses(market, terms) ? 'post-only-cross' : null;
}

export function isSize({ sizeStep }: MarketSpec, size: MicroShares): boolean {
  return Number.isSafeInteger(size) && size > 0 && Math.floor(size / sizeStep) * sizeStep === size;
}

/** Whether a level's sum would exceed exact integers: a million dollars buys 2^53 micro-shares at the lowest price. */
function isTooMuch({ book }: Market, { side, price, size }: Terms, before: Order | null): boolean {
  const own = before !== null && before.price === price ? before.resting : 0;
  return !Number.isSafeInteger(book.sizeAt(side, price) - own + size);
}

function isPrice({ isOnGrid }: MarketSpec, price: Ticks): boolean {
  return Number.isInteger(price) && price > 0 && price < TICKS_PER_DOLLAR && isOnGrid(price);
}

function notOpen({ state }: Market): EngineRefusal | null {
  if (state === 'OPEN') return null;
  return state === 'PAUSED' ? 'market-paused' : 'market-closed';
}

function crosses({ book }: Market, { side, price }: Pick<NewOrder, 'side' | 'price'>): boolean {
  return book.firstToMeet(otherSide(side), price) !== null;
}

interface Wish {
  readonly side: NewOrder['side'];
  readonly price: Ticks;
  readonly size: MicroShares;
  readonly selfTrade: SelfTrade;
}

/** Whether other accounts offer enough for a match, without matching. Orders of the same account do not count. */
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
