// Users' requests to venue B's exchange, and its answers. Thread of the paper exchanges.

import type { Side } from '../../core/domain/market.ts';
import type { MicroDollars, MicroShares, Ticks, UnixMillis } from '../../core/domain/numbers.ts';
import type { VenueBMarket } from './market.ts';
import type { OrderRecord } from './records.ts';

export interface NewOrder {
  readonly clientOrderId: string;
  readonly market: VenueBMarket;
  readonly side: Side;
  readonly price: Ticks;
  readonly size: MicroShares;
  readonly timeInForce: 'GTC' | 'IOC' | 'FOK';
  /** With GTC only. */
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
  /** Filled size plus resting size. */
  readonly total: MicroShares;
  /** Null if the order no longer expires. */
  readonly expiresAt: UnixMillis | null | 'as before';
  readonly clientOrderId: string | null;
  readonly updatedClientOrderId: string | null;
}

/** Immediate effect of a request. */
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

/** Reduces to `to`, or by `by`. */
export type Decrease = { readonly by: MicroShares } | { readonly to: MicroShares };

export type VenueBRefusal =
  | 'insufficient-balance'
  /** The owner has funded no account on the market's shard. */
  | 'insufficient-shard-balance'
  | 'invalid-price'
  | 'invalid-size'
  /** An amendment to no more than the order has filled. */
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
  /** Unknown, cancelled, executed, or of another owner. */
  | 'not-found'
  | 'ticker-mismatch'
  | 'side-mismatch'
  | 'client-order-id-mismatch';
