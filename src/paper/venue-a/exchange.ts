// Venue A's exchange behind its protocol: wallets and their money, orders, trades and their settlement, heartbeats, on the
// engine. Knows no wire and no signature. One request at a time; what it causes is told to observers before it returns.

import type { MicroDollars, MicroShares, Ticks, UnixMillis } from '../../domain/numbers.ts';
import type { Result } from '../../domain/result.ts';
import type { Random } from '../../runtime/random.ts';
import type { Timers } from '../../runtime/timers.ts';
import type { VenueAEventListing, VenueASport } from '../catalog/listings.ts';
import type { Faults } from '../faults/faults.ts';
import type { HouseDesk } from '../flow/house-desk.ts';
import type { VenueAMarket } from './market.ts';
import type { OrderRecord, OrderType, TokenIndex, TradeRecord, VenueAObserver } from './records.ts';

export interface VenueAExchangeParts {
  readonly sports: readonly VenueASport[];
  readonly events: readonly VenueAEventListing[];
  /** The venue's clock: skew included. */
  readonly timers: Timers;
  readonly faults: Faults;
  /** Ids and transaction hashes are drawn from it. */
  readonly random: Random;
}

/** A signed order whose signature, signer and amounts somebody else has judged. */
export interface NewOrder {
  readonly orderId: string;
  /** API key. */
  readonly owner: string;
  /** Whose money: the order's maker, checksummed. */
  readonly wallet: string;
  readonly market: VenueAMarket;
  readonly token: TokenIndex;
  readonly isBuy: boolean;
  /** Limit, of its own token. */
  readonly price: Ticks;
  /** Shares: what is sold, or bought for at most `price`. */
  readonly size: MicroShares;
  /** What a FOK or FAK BUY spends, which may buy more shares than `size`; null of all others. */
  readonly spends: MicroDollars | null;
  readonly type: OrderType;
  /** Unix seconds; 0 unless GTD. */
  readonly expirationS: number;
  readonly postOnly: boolean;
}

export interface Execution {
  readonly order: OrderRecord;
  readonly outcome: 'live' | 'matched' | 'delayed' | 'unmatched';
  /** Shares and dollars that changed hands at once; 0 if none did. */
  readonly filled: MicroShares;
  readonly paid: MicroDollars;
  readonly trades: readonly TradeRecord[];
}

export type VenueARefusal =
  | 'duplicate'
  | 'not-enough-balance'
  | 'breaks-tick'
  | 'below-min-size'
  | 'marketable-buy-below-one-dollar'
  | 'post-only-crosses'
  | 'fok-not-filled'
  | 'fak-no-match'
  | 'invalid-expiration'
  | 'market-not-ready'
  | 'trading-disabled'
  | 'cancel-only'
  | 'post-only-mode'
  | 'engine-restarting';

/** venue-a.md §9.6. */
export type VenueMode = 'normal' | 'cancel-only' | 'post-only' | 'restarting' | 'disabled';

export interface Cancellation {
  readonly canceled: readonly string[];
  /** Order id and why not. */
  readonly notCanceled: ReadonlyMap<string, string>;
}

export interface VenueAPosition {
  readonly wallet: string;
  readonly market: VenueAMarket;
  readonly token: TokenIndex;
  readonly size: MicroShares;
  /** Σ of what was ever bought, and what that cost. */
  readonly bought: MicroShares;
  /** What the present size cost. */
  readonly cost: MicroDollars;
  readonly realizedPnl: MicroDollars;
}

export declare class VenueAExchange {
  readonly desk: HouseDesk;
  readonly sports: readonly VenueASport[];
  readonly events: readonly VenueAEventListing[];
  /** By condition id. */
  readonly markets: ReadonlyMap<string, VenueAMarket>;
  /** By token id. */
  readonly tokens: ReadonlyMap<string, { readonly market: VenueAMarket; readonly index: TokenIndex }>;
  readonly mode: VenueMode;

  constructor(parts: VenueAExchangeParts);

  now(): UnixMillis;
  /** The returned function ends it. */
  observe(observer: VenueAObserver): () => void;

  /** Makes a wallet, or adds to it; negative takes out. Addresses are compared without case. */
  deposit(wallet: string, amount: MicroDollars): boolean;
  /** Free and reserved pUSD: what the wallet holds on chain. */
  collateral(wallet: string): MicroDollars;
  /** Shares of one token on chain. */
  shares(wallet: string, market: VenueAMarket, token: TokenIndex): MicroShares;
  positions(wallet: string): Iterable<VenueAPosition>;
  /** A dollar for each pair; false if the wallet has not enough. */
  split(wallet: string, market: VenueAMarket, size: MicroShares): boolean;
  merge(wallet: string, market: VenueAMarket, size: MicroShares): boolean;
  /** Pays out the wallet's shares of a resolved market. */
  redeem(wallet: string, market: VenueAMarket): MicroDollars;

  place(order: NewOrder): Result<Execution, VenueARefusal>;
  /** Whether this id was ever posted. */
  isKnown(orderId: string): boolean;
  cancel(owner: string, orderIds: readonly string[]): Cancellation;
  /** Of one market, of one token, or all. */
  cancelAll(owner: string, market: VenueAMarket | null, token: TokenIndex | null): Cancellation;

  order(owner: string, orderId: string, staleMs: number): OrderRecord | null;
  /** Open ones, newest first. */
  openOrders(owner: string, staleMs: number): Iterable<OrderRecord>;
  /** As taker or maker, newest first. */
  trades(owner: string, staleMs: number): Iterable<TradeRecord>;
  /** Of a wallet, or of everybody if null. */
  tradesOfWallet(wallet: string | null): Iterable<TradeRecord>;
  tradesOfMarket(market: VenueAMarket): Iterable<TradeRecord>;

  /** The id to echo next, or the one that was expected. */
  heartbeat(owner: string, heartbeatId: string): Result<string, string>;

  setMode(mode: VenueMode): void;
  setAcceptingOrders(market: VenueAMarket, isAccepting: boolean): void;
  setTickSize(market: VenueAMarket, tickSize: string): void;
  /** Null: half each. */
  resolve(market: VenueAMarket, winner: TokenIndex | null): void;
}
