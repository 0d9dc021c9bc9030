// Requests and events of the paper exchanges' engine. One book per market, YES-priced: buying NO at q means offering YES at 1
// − q. Integers only: prices in ticks, sizes in micro-shares, money in micro-dollars. Pure: time comes with each request.

import { BID, type Side } from '../../core/domain/market.ts';
import {
  type MicroDollars,
  type MicroShares,
  TICKS_PER_DOLLAR,
  type Ticks,
  type UnixMillis,
} from '../../core/domain/numbers.ts';

/** Indices of accounts, markets and orders in the engine's tables; those of orders are never reused. */
export type AccountId = number & { readonly of: 'account' };
export type MarketId = number & { readonly of: 'market' };
export type OrderId = number & { readonly of: 'order' };

/**
 * Effect of an order on its owner's holdings. `net`: closes the opposite holding first and opens with the rest (venue B: one
 * signed position). `open`: buys its outcome with cash, independent of other holdings. `close`: sells only what is held (venue
 * A's tokens).
 */
export type Effect = 'net' | 'open' | 'close';

export type TimeInForce =
  | { readonly type: 'GTC' }
  /** Cancelled by the first request at or after that time. */
  | { readonly type: 'GTD'; readonly expiresAt: UnixMillis }
  /** Fills as much as possible; the rest is cancelled. */
  | { readonly type: 'IOC' }
  /** Fills whole or not at all. */
  | { readonly type: 'FOK' };

/** The order to cancel if an order meets one of its own account: `taker` cancels the rest of the new order, `maker` the resting one. */
export type SelfTrade = 'taker' | 'maker' | 'allow';

export interface NewOrder {
  readonly account: AccountId;
  readonly market: MarketId;
  /** BID buys YES or sells NO; ASK sells YES or buys NO. */
  readonly side: Side;
  readonly effect: Effect;
  /** The limit in YES terms. */
  readonly price: Ticks;
  readonly size: MicroShares;
  readonly timeInForce: TimeInForce;
  readonly postOnly: boolean;
  /** Only with `net`, IOC or FOK: closes at most the opposite holding. */
  readonly reduceOnly: boolean;
  readonly selfTrade: SelfTrade;
}

/** Why a request had no effect. */
export type EngineRefusal =
  | 'unknown-market'
  | 'unknown-account'
  | 'unknown-order'
  | 'not-owner'
  /** The order is filled, cancelled or expired. */
  | 'order-done'
  /** The market takes no orders, or no cancels either. */
  | 'market-paused'
  | 'market-closed'
  | 'off-grid'
  | 'invalid-size'
  | 'insufficient-cash'
  | 'insufficient-holding'
  | 'post-only-cross'
  | 'fok-insufficient'
  | 'nothing-to-reduce'
  | 'expired';

export interface Placed {
  readonly order: OrderId;
  readonly filled: MicroShares;
  /** Resting size; 0 for an order that has ended. */
  readonly resting: MicroShares;
}

/** OPEN accepts everything; PAUSED cancels only; CLOSED nothing, and its orders are cancelled; SETTLED has paid out. */
export type MarketState = 'OPEN' | 'PAUSED' | 'CLOSED' | 'SETTLED';

export type CancelReason = 'user' | 'ioc' | 'self-trade' | 'expiry' | 'close' | 'decrease';

/** All events, in order, numbered from 1 without a gap. The same requests give the same events, byte for byte. */
export type EngineEvent =
  | { readonly type: 'accepted'; readonly order: OrderId; readonly at: UnixMillis }
  /** The rest of an order, of this size, was cancelled. */
  | { readonly type: 'cancelled'; readonly order: OrderId; readonly size: MicroShares; readonly reason: CancelReason }
  | { readonly type: 'amended'; readonly order: OrderId; readonly price: Ticks; readonly resting: MicroShares }
  | Fill
  /** A level's size after a request; 0 if it is gone. One event for each changed level, bids then asks, by price. */
  | {
      readonly type: 'level';
      readonly market: MarketId;
      readonly side: Side;
      readonly price: Ticks;
      readonly size: MicroShares;
    }
  | { readonly type: 'market'; readonly market: MarketId; readonly state: MarketState }
  /** `yesValue`: payout of one YES share. */
  | { readonly type: 'settled'; readonly market: MarketId; readonly yesValue: Ticks };

/** One match of a taker with one resting order, at that order's price. */
export interface Fill {
  readonly type: 'fill';
  readonly market: MarketId;
  readonly taker: OrderId;
  readonly maker: OrderId;
  readonly takerSide: Side;
  readonly price: Ticks;
  readonly size: MicroShares;
  readonly takerFee: MicroDollars;
  readonly makerFee: MicroDollars;
  /** Micro-shares of pairs that were created; negative if redeemed. */
  readonly minted: number;
}

/** A venue's fee for an order of one side: venue B rounds the balances of buyers and sellers differently. */
export interface FeeSchedule {
  /**
   * An upper bound of all charges for `size` at a limit, reserved with the order's cash. After any partial fill, its charge plus the bound
   * of the rest must stay within the first bound. Otherwise a fee is cut if its owner has no other cash.
   */
  most(price: Ticks, size: MicroShares, side: Side): MicroDollars;
  /** Each order has one: venue B's rounding depends on earlier fills of the order. */
  meter(side: Side): FeeMeter;
}

export interface FeeMeter {
  /** Fee of one fill; never negative. */
  charge(role: 'taker' | 'maker', price: Ticks, size: MicroShares): MicroDollars;
}

export interface MarketSpec {
  /** Whether orders may have this price. */
  readonly isOnGrid: (price: Ticks) => boolean;
  /** Sizes are multiples of it: 10 000 (0.01 share) for orders on both venues. */
  readonly sizeStep: MicroShares;
  readonly fees: FeeSchedule;
}

export type OrderStatus = 'resting' | 'filled' | 'cancelled';

/** An order as a venue shows it. Costs are in YES terms; in NO terms they are the filled size minus that. */
export interface OrderView {
  readonly id: OrderId;
  readonly account: AccountId;
  readonly market: MarketId;
  readonly side: Side;
  readonly effect: Effect;
  readonly price: Ticks;
  /** The accepted size; amend and decrease do not change it. */
  readonly size: MicroShares;
  readonly filled: MicroShares;
  readonly resting: MicroShares;
  readonly status: OrderStatus;
  readonly expiresAt: UnixMillis | null;
  /** Σ ⌊price × size⌋ of its fills. */
  readonly cost: MicroDollars;
  readonly fees: MicroDollars;
  /** Part that it took when it crossed; the rest filled while it was resting. */
  readonly filledAsTaker: MicroShares;
  readonly costAsTaker: MicroDollars;
  readonly feesAsTaker: MicroDollars;
  /** Resting size that closes its owner's holding. */
  readonly closing: MicroShares;
  /** Cash that is reserved for the rest. */
  readonly reserved: MicroDollars;
}

/** An account's money and shares. */
export interface AccountView {
  /** Cash that is free to spend. */
  readonly cash: MicroDollars;
  /** Cash that is reserved for resting orders. */
  readonly reserved: MicroDollars;
}

/** An order in the queue of its price. */
export interface QueueView {
  readonly order: OrderId;
  /** Another one for an order that has moved to the end. */
  readonly place: number;
  readonly size: MicroShares;
  readonly account: AccountId;
}

export interface HoldingView {
  readonly yes: MicroShares;
  readonly no: MicroShares;
  /** Part of these that is reserved for resting orders. */
  readonly yesReserved: MicroShares;
  readonly noReserved: MicroShares;
}

/** ⌊price × size⌋ in dollars. Exact for sizes below 2^53: the quotient is, because 1 / 10 000 is over half a unit of it. */
export function yesCost(price: Ticks, size: MicroShares): MicroDollars {
  const whole = Math.floor(size / TICKS_PER_DOLLAR);
  const rest = size - whole * TICKS_PER_DOLLAR;
  return (price * whole + Math.floor((price * rest) / TICKS_PER_DOLLAR)) as MicroDollars;
}

/** The rest of a dollar for each share. */
export function noCost(price: Ticks, size: MicroShares): MicroDollars {
  return (size - yesCost(price, size)) as MicroDollars;
}

/**
 * Maximum cost of opening `size` at `price` or better, for any sequence of fills. Parts of a bid never cost more than the
 * whole. Each part of an ask is rounded up; the smallest parts are multiples of `sizeStep`.
 */
export function worstCost(side: Side, price: Ticks, size: MicroShares, sizeStep: MicroShares): MicroDollars {
  if (side === BID) return yesCost(price, size);
  if (sizeStep % TICKS_PER_DOLLAR === 0) return noCost(price, size);
  const steps = Math.floor(size / sizeStep);
  const rest = (size - steps * sizeStep) as MicroShares;
  return (steps * noCost(price, sizeStep) + noCost(price, rest)) as MicroDollars;
}
