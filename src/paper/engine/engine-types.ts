// Requests and events of the paper exchanges' engine. Each market has one book with YES prices: buying NO at q means offering YES at 1 − q.
// All numbers are integers: prices in ticks, sizes in micro-shares, money in micro-dollars. Pure: time comes with each request.

import { BID, type Side } from '../../core/domain/market.ts';
import {
  type MicroDollars,
  type MicroShares,
  TICKS_PER_DOLLAR,
  type Ticks,
  type UnixMillis,
} from '../../core/domain/numbers.ts';

/** The indices of accounts, markets and orders in the engine's tables. Those of orders are never reused. */
export type AccountId = number & { readonly of: 'account' };
export type MarketId = number & { readonly of: 'market' };
export type OrderId = number & { readonly of: 'order' };

/**
 * The effect of an order on its owner's holdings. `net` closes the opposite holding first and opens with the rest (venue B: one signed
 * position). `open` buys its outcome with cash, independent of other holdings. `close` sells only shares that are held (venue A's tokens).
 */
export type Effect = 'net' | 'open' | 'close';

export type TimeInForce =
  | { readonly type: 'GTC' }
  /** The first request at or after `expiresAt` cancels the order. */
  | { readonly type: 'GTD'; readonly expiresAt: UnixMillis }
  /** The order fills as much as possible. Its rest is cancelled. */
  | { readonly type: 'IOC' }
  /** The order fills whole or not at all. */
  | { readonly type: 'FOK' };

/**
 * The order that is cancelled if an order meets a resting order of the same account. `taker` cancels the rest of the new order, `maker` cancels the
 * resting order.
 */
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
  /** True if the order closes at most the opposite holding. Only with `net`, and with IOC or FOK. */
  readonly reduceOnly: boolean;
  readonly selfTrade: SelfTrade;
}

/** The reason why a request had no effect. */
export type EngineRefusal =
  | 'unknown-market'
  | 'unknown-account'
  | 'unknown-order'
  | 'not-owner'
  /** The order is filled, cancelled or expired. */
  | 'order-done'
  /** The market takes no orders, or neither orders nor cancels. */
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
  /** The resting size. 0 for an order that has ended. */
  readonly resting: MicroShares;
}

/**
 * The state of a market. OPEN accepts everything, PAUSED only cancels, CLOSED nothing. A market that closes cancels its orders. SETTLED has
 * paid out.
 */
export type MarketState = 'OPEN' | 'PAUSED' | 'CLOSED' | 'SETTLED';

export type CancelReason = 'user' | 'ioc' | 'self-trade' | 'expiry' | 'close' | 'decrease';

/** The events of the engine. They are numbered from 1 without a gap. The same requests give the same events, byte for byte. */
export type EngineEvent =
  | { readonly type: 'accepted'; readonly order: OrderId; readonly at: UnixMillis }
  /** The leaves quantity of an order, which is `size`, was cancelled. */
  | { readonly type: 'cancelled'; readonly order: OrderId; readonly size: MicroShares; readonly reason: CancelReason }
  | { readonly type: 'amended'; readonly order: OrderId; readonly price: Ticks; readonly resting: MicroShares }
  | Fill
  /** The size of a level after a request; 0 if the level is gone. There is one event for each changed level: bids before asks, by price. */
  | {
      readonly type: 'level';
      readonly market: MarketId;
      readonly side: Side;
      readonly price: Ticks;
      readonly size: MicroShares;
    }
  | { readonly type: 'market'; readonly market: MarketId; readonly state: MarketState }
  /** The market was settled. `yesValue` is the payout of one YES share. */
  | { readonly type: 'settled'; readonly market: MarketId; readonly yesValue: Ticks };

/** A match of a taker with one resting order, at the price of the resting order. */
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
  /** The micro-shares of pairs that were created. Negative if pairs were redeemed. */
  readonly minted: number;
}

/** A venue's fees. They depend on the side of an order: venue B rounds the balances of buyers and sellers differently. */
export interface FeeSchedule {
  /**
   * Returns an upper bound of all charges for `size` at a limit, which is reserved with the order's cash. After a partial fill, its charge
   * plus the bound for the rest must stay within the first bound. Otherwise a fee is cut if its owner has no other cash.
   */
  maxCharge(price: Ticks, size: MicroShares, side: Side): MicroDollars;
  /** Returns the meter of one order. Each order has its own, because venue B's rounding depends on earlier fills of the order. */
  meter(side: Side): FeeMeter;
}

export interface FeeMeter {
  /** Returns the fee of one fill. It is never negative. */
  charge(role: 'taker' | 'maker', price: Ticks, size: MicroShares): MicroDollars;
}

export interface MarketSpec {
  /** Whether orders may have this price. */
  readonly isOnGrid: (price: Ticks) => boolean;
  /** The step of sizes: 10 000 (0.01 share) for orders on both venues. */
  readonly sizeStep: MicroShares;
  readonly fees: FeeSchedule;
}

export type OrderStatus = 'resting' | 'filled' | 'cancelled';

/** An order as a venue shows it. Costs are in YES terms. The cost in NO terms is the filled size minus the cost in YES terms. */
export interface OrderView {
  readonly id: OrderId;
  readonly account: AccountId;
  readonly market: MarketId;
  readonly side: Side;
  readonly effect: Effect;
  readonly price: Ticks;
  /** The size that was accepted. Amend and decrease do not change it. */
  readonly size: MicroShares;
  readonly filled: MicroShares;
  readonly resting: MicroShares;
  readonly status: OrderStatus;
  readonly expiresAt: UnixMillis | null;
  /** The sum of ⌊price × size⌋ over its fills. */
  readonly cost: MicroDollars;
  readonly fees: MicroDollars;
  /** The size that the order filled as taker, when it crossed. The other fills came while it was resting. */
  readonly filledAsTaker: MicroShares;
  readonly costAsTaker: MicroDollars;
  readonly feesAsTaker: MicroDollars;
  /** The part of the resting size that closes a holding of the owner. */
  readonly closing: MicroShares;
  /** The cash that is reserved for the resting size. */
  readonly reserved: MicroDollars;
}

/** The money and shares of an account. */
export interface AccountView {
  /** The cash that is free to spend. */
  readonly cash: MicroDollars;
  /** The cash that is reserved for resting orders. */
  readonly reserved: MicroDollars;
}

/** An order in the queue of its price. */
export interface QueueView {
  readonly order: OrderId;
  /** The order's entry into the queue. An order that has moved to the end of the queue has another place. */
  readonly place: number;
  readonly size: MicroShares;
  readonly account: AccountId;
}

export interface HoldingView {
  readonly yes: MicroShares;
  readonly no: MicroShares;
  /** The parts of the holding that are reserved for resting orders. */
  readonly yesReserved: MicroShares;
  readonly noReserved: MicroShares;
}

/** Returns ⌊price × size⌋ in dollars. It is exact for sizes below 2^53: 1 / 10 000 is more than half a unit of the quotient. */
export function yesCost(price: Ticks, size: MicroShares): MicroDollars {
  const whole = Math.floor(size / TICKS_PER_DOLLAR);
  const rest = size - whole * TICKS_PER_DOLLAR;
  return (price * whole + Math.floor((price * rest) / TICKS_PER_DOLLAR)) as MicroDollars;
}

/** Returns the NO side's cost: what is left of a dollar for each share. */
export function costOfNo(price: Ticks, size: MicroShares): MicroDollars {
  return (size - yesCost(price, size)) as MicroDollars;
}

/**
 * Returns the maximum cost of opening `size` at `price` or better, for any sequence of fills. The parts of a bid never cost more than the
 * whole. Each part of an ask is rounded up, and the smallest parts are multiples of `sizeStep`.
 */
export function worstCost(side: Side, price: Ticks, size: MicroShares, sizeStep: MicroShares): MicroDollars {
  if (side === BID) return yesCost(price, size);
  if (sizeStep % TICKS_PER_DOLLAR === 0) return costOfNo(price, size);
  const steps = Math.floor(size / sizeStep);
  const rest = (size - steps * sizeStep) as MicroShares;
  return (steps * costOfNo(price, sizeStep) + costOfNo(price, rest)) as MicroDollars;
}
