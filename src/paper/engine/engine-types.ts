// What the paper exchanges' engine is asked and what it says. One book a market, YES-priced: whoever buys NO at q offers YES
// at 1 − q. Integers only: prices in ticks, sizes in micro-shares, money in micro-dollars. Pure: time comes with each request.

import type { Side } from '../../domain/market.ts';
import type { MicroDollars, MicroShares, Ticks, UnixMillis } from '../../domain/numbers.ts';

/** Places of accounts, markets and orders in the engine's tables; an order's is never given twice. */
export type AccountId = number & { readonly of: 'account' };
export type MarketId = number & { readonly of: 'market' };
export type OrderId = number & { readonly of: 'order' };

/**
 * What an order does to its owner's holdings. `net`: closes the opposite holding first and opens with what is left (venue B:
 * one signed position). `open`: buys its outcome with cash, whatever else is held. `close`: sells what is held and never more
 * (venue A's tokens).
 */
export type Effect = 'net' | 'open' | 'close';

export type TimeInForce =
  | { readonly type: 'GTC' }
  /** Cancelled by the first request at or after that time. */
  | { readonly type: 'GTD'; readonly expiresAt: UnixMillis }
  /** Fills what it can, the rest is cancelled. */
  | { readonly type: 'IOC' }
  /** Fills whole or not at all. */
  | { readonly type: 'FOK' };

/** When an order meets one of its own account: `taker` cancels what is left of the newcomer, `maker` the resting one. */
export type SelfTrade = 'taker' | 'maker' | 'allow';

export interface NewOrder {
  readonly account: AccountId;
  readonly market: MarketId;
  /** BID buys YES or sells NO; ASK sells YES or buys NO. */
  readonly side: Side;
  readonly effect: Effect;
  /** Limit, in YES terms. */
  readonly price: Ticks;
  readonly size: MicroShares;
  readonly timeInForce: TimeInForce;
  readonly postOnly: boolean;
  /** With `net`, IOC or FOK only: never more than closes the opposite holding. */
  readonly reduceOnly: boolean;
  readonly selfTrade: SelfTrade;
}

/** Why a request has done nothing. */
export type EngineRefusal =
  | 'unknown-market'
  | 'unknown-account'
  | 'unknown-order'
  | 'not-owner'
  /** Filled, cancelled or expired. */
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
  /** What rests; 0 of an order that is done. */
  readonly resting: MicroShares;
}

/** OPEN takes everything; PAUSED cancels only; CLOSED nothing, its orders are cancelled; SETTLED has paid out. */
export type MarketState = 'OPEN' | 'PAUSED' | 'CLOSED' | 'SETTLED';

export type CancelReason = 'user' | 'ioc' | 'self-trade' | 'expiry' | 'close' | 'decrease';

/** Everything that happens, in order; numbered from 1 without a gap. The same requests give the same events, byte for byte. */
export type EngineEvent =
  | { readonly type: 'accepted'; readonly order: OrderId; readonly at: UnixMillis }
  /** The rest of an order is gone. `size`: how much. */
  | { readonly type: 'cancelled'; readonly order: OrderId; readonly size: MicroShares; readonly reason: CancelReason }
  | { readonly type: 'amended'; readonly order: OrderId; readonly price: Ticks; readonly resting: MicroShares }
  | Fill
  /** A level's size after a request has changed it, 0 if it is gone; one event for each level touched, bids then asks, by price. */
  | {
      readonly type: 'level';
      readonly market: MarketId;
      readonly side: Side;
      readonly price: Ticks;
      readonly size: MicroShares;
    }
  | { readonly type: 'market'; readonly market: MarketId; readonly state: MarketState }
  /** `yesValue` is what one YES share has paid. */
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
  /** Micro-shares of pairs that came about, or ceased to be if negative. */
  readonly minted: number;
}

/** What a venue charges an order of one side: venue B rounds a buyer's and a seller's balance differently. */
export interface FeeSchedule {
  /**
   * At least what can ever be charged of `size` at a limit, reserved with the order's cash. Whatever part fills, its charge
   * and the most of the rest must stay within it: otherwise a fee is cut when its owner has no other cash.
   */
  most(price: Ticks, size: MicroShares, side: Side): MicroDollars;
  /** One for each order: venue B's rounding remembers what it has rounded off before. */
  meter(side: Side): FeeMeter;
}

export interface FeeMeter {
  /** Of one fill; never negative. */
  charge(role: 'taker' | 'maker', price: Ticks, size: MicroShares): MicroDollars;
}

export interface MarketSpec {
  /** Whether a price may be traded at. */
  readonly isOnGrid: (price: Ticks) => boolean;
  /** Sizes are multiples of it: 10 000 (0.01 share) on both venues' order entry. */
  readonly sizeStep: MicroShares;
  readonly fees: FeeSchedule;
}

/** An account's money and shares. */
export interface AccountView {
  /** Free to be spent. */
  readonly cash: MicroDollars;
  /** Held back for resting orders. */
  readonly reserved: MicroDollars;
}

export interface HoldingView {
  readonly yes: MicroShares;
  readonly no: MicroShares;
  /** Of these, promised to resting orders. */
  readonly yesReserved: MicroShares;
  readonly noReserved: MicroShares;
}
