// Venue B's records of orders, fills, trades, positions and settlements, in the engine's units. rest/ and stream/ write them on the wire.
// Sizes are numbers of contracts. Prices, costs and sides are in YES terms.

import type { Side } from '../../core/domain/market.ts';
import type { MicroDollars, MicroShares, Ticks, UnixMillis } from '../../core/domain/numbers.ts';
import type { VenueBMarket } from './market.ts';

/** An owner of money and orders. Each subaccount of each user is an owner. */
export interface Owner {
  /** The user's id, a UUID. */
  readonly userId: string;
  readonly subaccount: number;
}

export type OrderStatus = 'resting' | 'canceled' | 'executed';

/** The reasons of `last_update_reason` (venue-b.md §10.4). */
export type UpdateReason =
  | 'Decrease'
  | 'Amend'
  | 'SelfTradeCancel'
  | 'ExpiryCancel'
  | 'CloseCancel'
  | 'HaltCancel'
  | 'Trade'
  | 'PostOnlyCrossCancel'
  | 'ReduceOnlyCancel';

/** An immutable picture of an order. Each change makes a new picture. */
export interface OrderRecord {
  /** The order's id, a UUID. */
  readonly orderId: string;
  readonly owner: Owner;
  readonly clientOrderId: string;
  readonly market: VenueBMarket;
  readonly side: Side;
  readonly price: Ticks;
  readonly initial: MicroShares;
  readonly filled: MicroShares;
  readonly remaining: MicroShares;
  readonly status: OrderStatus;
  /** The cost in terms of the order's own side: YES for a bid, NO for an ask. `makerFillCost` has the same terms. */
  readonly takerFillCost: MicroDollars;
  readonly makerFillCost: MicroDollars;
  readonly takerFees: MicroDollars;
  readonly makerFees: MicroDollars;
  readonly createdAt: UnixMillis;
  readonly updatedAt: UnixMillis;
  readonly expiresAt: UnixMillis | null;
  readonly selfTrade: 'taker_at_cross' | 'maker';
  readonly orderGroupId: string | null;
  readonly isCancelledOnPause: boolean;
}

export interface TradeRecord {
  /** A UUID, which the fills of both sides share. */
  readonly tradeId: string;
  readonly market: VenueBMarket;
  readonly price: Ticks;
  readonly size: MicroShares;
  readonly takerSide: Side;
  readonly at: UnixMillis;
}

export interface FillRecord {
  readonly trade: TradeRecord;
  readonly orderId: string;
  readonly clientOrderId: string;
  readonly owner: Owner;
  /** The side of the book on which the order stands. */
  readonly side: Side;
  readonly isTaker: boolean;
  readonly fee: MicroDollars;
  /** The position after the fill, signed: YES − NO. */
  readonly positionAfter: MicroShares;
}

export interface PositionRecord {
  readonly owner: Owner;
  readonly market: VenueBMarket;
  /** The position, signed: YES − NO. */
  readonly position: MicroShares;
  /** The cost of the present position. */
  readonly exposure: MicroDollars;
  /** The sum of the costs of all trades in this market. */
  readonly traded: MicroDollars;
  readonly volume: MicroShares;
  readonly realizedPnl: MicroDollars;
  readonly fees: MicroDollars;
  /** The part of the fees that belongs to the present position. */
  readonly heldFees: MicroDollars;
  readonly updatedAt: UnixMillis;
  readonly isSettled: boolean;
}

export interface SettlementRecord {
  readonly owner: Owner;
  readonly market: VenueBMarket;
  readonly result: 'yes' | 'no' | 'scalar';
  /** The payout of a YES contract. */
  readonly yesValue: Ticks;
  readonly yesCount: MicroShares;
  readonly yesCost: MicroDollars;
  readonly noCount: MicroShares;
  readonly noCost: MicroDollars;
  readonly revenue: MicroDollars;
  readonly fees: MicroDollars;
  readonly settledAt: UnixMillis;
}

export interface OrderGroupRecord {
  readonly groupId: string;
  readonly owner: Owner;
  readonly shard: number;
  readonly limit: MicroShares;
  readonly isTriggered: boolean;
  /** The ids of the group's resting orders. */
  readonly orderIds: readonly string[];
}

/** The events of the exchange, which observers get in order after each request. Observers must not call back. */
export type VenueBEvent =
  /** A level's new size. `change` is signed. `order` is the order that caused the change, if an order did. */
  | {
      readonly type: 'level';
      readonly market: VenueBMarket;
      readonly side: Side;
      readonly price: Ticks;
      readonly size: MicroShares;
      readonly change: MicroShares;
      readonly order: OrderRecord | null;
      readonly at: UnixMillis;
    }
  | { readonly type: 'trade'; readonly trade: TradeRecord }
  | { readonly type: 'fill'; readonly fill: FillRecord }
  | { readonly type: 'order'; readonly order: OrderRecord; readonly reason: UpdateReason | null }
  | { readonly type: 'position'; readonly position: PositionRecord }
  | {
      readonly type: 'group';
      readonly group: OrderGroupRecord;
      readonly change: 'created' | 'triggered' | 'reset' | 'deleted' | 'limit_updated';
      readonly at: UnixMillis;
    }
  /** The market is no longer listed: observers may forget it. */
  | { readonly type: 'forgotten'; readonly market: VenueBMarket }
  | {
      readonly type: 'lifecycle';
      readonly market: VenueBMarket;
      readonly change:
        | 'created'
        | 'activated'
        | 'deactivated'
        | 'close_date_updated'
        | 'price_level_structure_updated'
        | 'determined'
        | 'settled';
      readonly at: UnixMillis;
    };

export type VenueBObserver = (event: VenueBEvent) => void;

export interface NewOrder {
  readonly clientOrderId: string;
  readonly market: VenueBMarket;
  readonly side: Side;
  readonly price: Ticks;
  readonly size: MicroShares;
  readonly timeInForce: 'GTC' | 'IOC' | 'FOK';
  /** The expiry, only with GTC. Null means that the order does not expire. */
  readonly expiresAt: UnixMillis | null;
  readonly selfTrade: 'taker_at_cross' | 'maker';
  readonly postOnly: boolean;
  readonly reduceOnly: boolean;
  readonly orderGroupId: string | null;
  readonly isCancelledOnPause: boolean;
}

export interface Amendment {
  readonly ticker: string;
  readonly side: Side;
  readonly price: Ticks;
  /** The new sum of filled size and resting size. */
  readonly total: MicroShares;
  /** The new expiry. Null means that the order no longer expires. */
  readonly expiresAt: UnixMillis | null | 'as before';
  readonly clientOrderId: string | null;
  readonly updatedClientOrderId: string | null;
}

/** The immediate effect of a request on an order. */
export interface Execution {
  readonly order: OrderRecord;
  readonly filled: MicroShares;
  /** The cost in YES terms. */
  readonly cost: MicroDollars;
  readonly fees: MicroDollars;
}

export interface Cancellation {
  readonly order: OrderRecord;
  readonly reducedBy: MicroShares;
}

/** Reduces the resting size to `to`, or by `by`. */
export type Decrease = { readonly by: MicroShares } | { readonly to: MicroShares };

export type VenueBRefusal =
  | 'insufficient-balance'
  /** The owner has funded no account on the market's shard. */
  | 'insufficient-shard-balance'
  | 'invalid-price'
  | 'invalid-size'
  /** The amendment asks for no more than the order has filled. */
  | 'nothing-to-amend'
  | 'post-only-cross'
  | 'fok-insufficient'
  | 'order-exists'
  | 'reduce-only-needs-ioc-or-fok'
  | 'nothing-to-reduce'
  | 'already-expired'
  | 'market-paused'
  | 'market-closed'
  | 'trading-paused'
  | 'exchange-paused'
  | 'group-not-found'
  | 'group-triggered'
  | 'open-orders-max'
  /** The order is unknown, cancelled or executed, or it has another owner. */
  | 'not-found'
  | 'ticker-mismatch'
  | 'side-mismatch'
  | 'client-order-id-mismatch';
