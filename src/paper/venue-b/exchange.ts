// Venue B's exchange behind its protocol: users and their money, orders, order groups, fills, positions, settlements, on the
// engine. Knows no wire. One request at a time; what it causes is told to observers before the request returns.

import type { Side } from '../../domain/market.ts';
import type { MicroDollars, MicroShares, Ticks, UnixMillis } from '../../domain/numbers.ts';
import type { Result } from '../../domain/result.ts';
import type { Random } from '../../runtime/random.ts';
import type { Timers } from '../../runtime/timers.ts';
import type { VenueBEventListing, VenueBSeries } from '../catalog/listings.ts';
import type { Faults } from '../faults/faults.ts';
import type { HouseDesk } from '../flow/house-desk.ts';
import type { VenueBMarket } from './market.ts';
import type {
  FillRecord,
  OrderGroupRecord,
  OrderRecord,
  Owner,
  PositionRecord,
  SettlementRecord,
  TradeRecord,
  VenueBObserver,
} from './records.ts';

export interface VenueBExchangeParts {
  readonly series: readonly VenueBSeries[];
  readonly events: readonly VenueBEventListing[];
  /** The venue's clock: skew included. */
  readonly timers: Timers;
  readonly faults: Faults;
  /** Ids are drawn from it. */
  readonly random: Random;
}

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
  /** What is filled already, and what shall rest. */
  readonly total: MicroShares;
  readonly clientOrderId: string | null;
  readonly updatedClientOrderId: string | null;
}

/** What a request did at once. */
export interface Execution {
  readonly order: OrderRecord;
  readonly filled: MicroShares;
  /** Of that, in YES terms. */
  readonly cost: MicroDollars;
  readonly fees: MicroDollars;
}

export type VenueBRefusal =
  | 'insufficient-balance'
  | 'invalid-price'
  | 'invalid-size'
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
  /** Unknown, cancelled, executed or somebody else's. */
  | 'not-found'
  | 'ticker-mismatch'
  | 'side-mismatch'
  | 'client-order-id-mismatch';

export interface Balance {
  /** Free to be spent. */
  readonly available: MicroDollars;
  /** Of positions, at the middle of the book or the last price. */
  readonly portfolioValue: MicroDollars;
}

/** Private reads as of some time ago; every list newest first. */
export interface VenueBReads {
  readonly asOf: UnixMillis;
  order(owner: Owner, orderId: string): OrderRecord | null;
  orders(owner: Owner): Iterable<OrderRecord>;
  fills(owner: Owner): Iterable<FillRecord>;
  positions(owner: Owner): Iterable<PositionRecord>;
  settlements(owner: Owner): Iterable<SettlementRecord>;
  balance(owner: Owner): Balance;
}

export declare class VenueBExchange {
  readonly desk: HouseDesk;
  readonly series: readonly VenueBSeries[];
  readonly events: readonly VenueBEventListing[];
  /** By ticker. */
  readonly markets: ReadonlyMap<string, VenueBMarket>;
  readonly isTradingActive: boolean;
  readonly isExchangeActive: boolean;

  constructor(parts: VenueBExchangeParts);

  now(): UnixMillis;
  /** The returned function ends it. */
  observe(observer: VenueBObserver): () => void;
  /** Newest first; of all markets if null. */
  trades(market: VenueBMarket | null): Iterable<TradeRecord>;
  reads(staleMs: number): VenueBReads;

  /** Makes an account for the owner, or adds to it; negative takes out. */
  deposit(owner: Owner, amount: MicroDollars): boolean;

  place(owner: Owner, order: NewOrder): Result<Execution, VenueBRefusal>;
  cancel(owner: Owner, orderId: string): Result<{ order: OrderRecord; reducedBy: MicroShares }, VenueBRefusal>;
  cancelAll(owner: Owner): number;
  /** Leaves `to`, or takes `by` away. */
  decrease(
    owner: Owner,
    orderId: string,
    change: { readonly by: MicroShares } | { readonly to: MicroShares },
  ): Result<OrderRecord, VenueBRefusal>;
  amend(owner: Owner, orderId: string, amendment: Amendment): Result<Execution, VenueBRefusal>;
  /** Contracts ahead of it. */
  queuePosition(owner: Owner, orderId: string): Result<MicroShares, VenueBRefusal>;
  /** Σ of what resting orders would cost. */
  restingValue(owner: Owner): MicroDollars;

  createGroup(owner: Owner, limit: MicroShares): OrderGroupRecord;
  groups(owner: Owner): Iterable<OrderGroupRecord>;
  group(owner: Owner, groupId: string): OrderGroupRecord | null;
  /** False: there is no such group. */
  resetGroup(owner: Owner, groupId: string): boolean;
  triggerGroup(owner: Owner, groupId: string): boolean;
  limitGroup(owner: Owner, groupId: string, limit: MicroShares): boolean;
  /** Cancels its orders. */
  deleteGroup(owner: Owner, groupId: string): boolean;

  setTradingActive(isActive: boolean): void;
  setExchangeActive(isActive: boolean): void;
  /** `inactive` and back. */
  setPaused(market: VenueBMarket, isPaused: boolean): void;
  setCloseAt(market: VenueBMarket, closeAt: UnixMillis): void;
  close(market: VenueBMarket): void;
  /** Settles by itself after the settlement delay; `scalar` if the value is neither 0 nor 1. */
  determine(market: VenueBMarket, yesValue: Ticks): void;
}
