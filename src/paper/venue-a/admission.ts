// Checks whether venue A takes an order. All checks except signature and amounts run in a fixed order (venue-a.md §2.2–2.4, §3.1, §9.6),
// before any effect. The first failure is the answer. This file also reads the levels of the book that an order would meet, without
// matching, and only as far as the order would reach.

import { ASK, BID, type Side } from '../../core/domain/market.ts';
import {
  MICROS_PER_DOLLAR,
  type MicroDollars,
  type MicroShares,
  type Ticks,
  type UnixMillis,
} from '../../core/domain/numbers.ts';
import { unreachable } from '../../core/domain/result.ts';
import { limits } from '../../limits.ts';
import type { Engine } from '../engine/engine.ts';
import { yesCost } from '../engine/engine-types.ts';
import { SIZE_STEP, sideOf, type VenueAMarket, yesPriceOf } from './market.ts';
import type { OrderLedger } from './order-ledger.ts';
import type { NewOrder, TokenIndex, VenueARefusal, VenueMode } from './records.ts';
import { approvalFor, type Wallet } from './wallet.ts';

/** The parts of an order that its checks need, for a new order and for one after its taker delay. */
type Wish = Pick<NewOrder, 'market' | 'token' | 'isBuy' | 'price' | 'size' | 'spends'>;

export class Admission {
  readonly #engine: Engine;
  readonly #ledger: OrderLedger;

  constructor(engine: Engine, ledger: OrderLedger) {
    this.#engine = engine;
    this.#ledger = ledger;
  }

  refusalOf(order: NewOrder, wallet: Wallet | undefined, mode: VenueMode, now: UnixMillis): VenueARefusal | null {
    const { market, price } = order;
    const closed = refusalOfMode(mode, order.postOnly);
    if (closed !== null) return closed;
    if (this.#ledger.isKnown(order.orderId)) return 'duplicate';
    if (!market.isOpen || !this.#ledger.hasRoomFor(order.owner)) return 'market-not-ready';
    if (!market.isOnGrid(price)) return 'breaks-tick';
    if (order.spends === null && order.size % SIZE_STEP !== 0) return 'invalid-amounts';
    if (!isExpirationFine(order, now)) return 'invalid-expiration';
    const objection = refusalOfSize(order);
    if (objection !== null) return objection;
    return wallet !== undefined && this.canPay(order, wallet) ? null : 'not-enough-balance';
  }

  /** Whether the wallet can pay for the order, with the fees of an immediate match. A resting order reserves no fees. */
  canPay(wish: Wish, wallet: Wallet): boolean {
    const { market, token, isBuy, price, size, spends } = wish;
    if (market.protocol === 'V2' && wallet.revoked.has(approvalFor(isBuy))) return false;
    if (!isBuy) {
      const { yes, yesReserved, no, noReserved } = this.#engine.holding(wallet.account, market.id);
      return size <= (token === 0 ? yes - yesReserved : no - noReserved);
    }
    const side = sideOf(token, isBuy);
    const yesPrice = yesPriceOf(token, price);
    const cost = spends ?? yesCost(price, size);
    const { cash } = this.#engine.account(wallet.account);
    if (cost > cash) return false;
    const taken =
      spends === null ? matchable(market, side, yesPrice, size) : purchase(market, token, price, spends).size;
    return taken === 0 || cost + market.fees.maxCharge(yesPrice, taken, side) <= cash;
  }
}

function refusalOfMode(mode: VenueMode, postOnly: boolean): VenueARefusal | null {
  switch (mode) {
    case 'normal':
      return null;
    case 'restarting':
      return 'engine-restarting';
    case 'disabled':
      return 'trading-disabled';
    case 'cancel-only':
      return 'cancel-only';
    case 'post-only':
      return postOnly ? null : 'post-only-mode';
    default:
      return unreachable(mode);
  }
}

/**
 * A GTD order must expire at least three minutes from now. The venue documents this, though it has taken earlier ones. All other orders
 * have no expiry.
 */
function isExpirationFine({ type, expirationS }: NewOrder, now: UnixMillis): boolean {
  if (type !== 'GTD') return expirationS === 0;
  return expirationS * 1_000 >= now + limits.paperVenueAExpiryAheadMs;
}

export function expiresAt(expirationS: number): UnixMillis {
  return (expirationS * 1_000 - limits.paperVenueAExpiryLeadMs) as UnixMillis;
}

/** Returns why the size of an order is refused. A resting order has a minimum size, an immediate purchase a minimum value. */
function refusalOfSize(order: NewOrder): VenueARefusal | null {
  const { market, isBuy, price, size, type, postOnly } = order;
  const isMarketable = crosses(market, sideOf(order.token, isBuy), yesPriceOf(order.token, price));
  const isAtOnce = type === 'FOK' || type === 'FAK';
  if (postOnly && isMarketable) return 'post-only-crosses';
  if (isBuy && (isMarketable || isAtOnce) && (order.spends ?? yesCost(price, size)) < MICROS_PER_DOLLAR)
    return 'marketable-buy-below-one-dollar';
  return !isMarketable && !isAtOnce && size < market.minOrderSize ? 'below-min-size' : null;
}

/** A part of a purchase at one level. The price is in the frame of the book. */
interface Lot {
  readonly price: Ticks;
  readonly size: MicroShares;
}

export function crosses(market: VenueAMarket, side: Side, yesPrice: Ticks): boolean {
  const best = side === BID ? market.bestAsk : market.bestBid;
  return best !== null && reaches(side, yesPrice, best.price);
}

/** Returns the size that would match at once. */
function matchable(market: VenueAMarket, side: Side, yesPrice: Ticks, size: MicroShares): MicroShares {
  let found = 0;
  for (const level of market.levels(side === BID ? ASK : BID)) {
    if (found >= size || !reaches(side, yesPrice, level.price)) break;
    found += level.size;
  }
  return Math.min(found, size) as MicroShares;
}

interface Purchase {
  /** The parts of the purchase, one for each level, best first. */
  readonly lots: readonly Lot[];
  readonly size: MicroShares;
  readonly cost: MicroDollars;
  /** Whether less than a hundredth of a share's cost at the limit is left of the budget. */
  readonly isComplete: boolean;
}

/**
 * Returns the shares of a token that `dollars` buy at `limit` or better. A step of size costs as many micro-dollars as its price has ticks
 * (10 000 micro-shares at $0.0001). So costs are whole and never exceed the budget.
 */
export function purchase(market: VenueAMarket, token: TokenIndex, limit: Ticks, dollars: MicroDollars): Purchase {
  const lots: Lot[] = [];
  const side = token === 0 ? BID : ASK;
  let [left, size] = [dollars as number, 0];
  for (const level of market.levels(side === BID ? ASK : BID)) {
    const price = yesPriceOf(token, level.price);
    if (price > limit) break;
    const affordable = Math.floor(left / price) * SIZE_STEP;
    const lot = Math.min(level.size, affordable);
    if (lot > 0) lots.push({ price: level.price, size: lot as MicroShares });
    size += lot;
    left -= (lot / SIZE_STEP) * price;
    if (lot < level.size) break;
  }
  return { lots, size: size as MicroShares, cost: (dollars - left) as MicroDollars, isComplete: left < limit };
}

function reaches(side: Side, limit: Ticks, price: Ticks): boolean {
  return side === BID ? price <= limit : price >= limit;
}
