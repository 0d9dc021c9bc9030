// Venue A's records of orders and trades, requests of callers, and observers, in the engine's units; rest/ and stream/ write records on the
// wire. Prices and sides are those of the order's own token, unless a name says `yes`. Thread of the paper exchanges.

import type { Side } from '../../core/domain/market.ts';
import type { MicroDollars, MicroShares, Ticks, UnixMillis } from '../../core/domain/numbers.ts';
import type { VenueAMarket } from './market.ts';

/** 0 is the first token, 1 the second. */
export type TokenIndex = 0 | 1;
export type OrderType = 'GTC' | 'GTD' | 'FOK' | 'FAK';
export type OrderStatus =
  | 'LIVE'
  | 'MATCHED'
  | 'DELAYED'
  | 'UNMATCHED'
  | 'CANCELED'
  | 'CANCELED_MARKET_RESOLVED'
  | 'INVALID';

/** An immutable picture of an order; each change makes a new one. */
export interface OrderRecord {
  /** `0x` and 64 hex digits: the EIP-712 digest. */
  readonly orderId: string;
  /** The API key. */
  readonly owner: string;
  /** The address with its checksum. */
  readonly makerAddress: string;
  readonly market: VenueAMarket;
  readonly token: TokenIndex;
  readonly isBuy: boolean;
  readonly price: Ticks;
  readonly size: MicroShares;
  readonly matched: MicroShares;
  readonly status: OrderStatus;
  /** Reason of a cancel or refusal, in the venue's words; empty without one. */
  readonly reason: string;
  readonly type: OrderType;
  /** 0 means none. */
  readonly expirationS: number;
  /** Code of the client's builder: 32 bytes as hex, all zero without one. */
  readonly builderCode: string;
  readonly tradeIds: readonly string[];
  readonly createdAt: UnixMillis;
  readonly updatedAt: UnixMillis;
}

/** An operation of a wallet on its shares, other than a trade. */
export interface ConversionRecord {
  readonly type: 'SPLIT' | 'MERGE' | 'REDEEM';
  readonly market: VenueAMarket;
  /** Pairs; for a redemption all shares of the market. */
  readonly size: MicroShares;
  readonly dollars: MicroDollars;
  readonly at: UnixMillis;
  readonly transactionHash: string;
}

export type TradeStatus = 'MATCHED' | 'MINED' | 'CONFIRMED' | 'RETRYING' | 'FAILED';

export interface MakerFill {
  readonly orderId: string;
  readonly owner: string;
  readonly makerAddress: string;
  readonly token: TokenIndex;
  readonly isBuy: boolean;
  /** The price in the maker's own token. */
  readonly price: Ticks;
  readonly size: MicroShares;
  readonly builderCode: string;
}

/** A taker with its makers: one settlement. An immutable picture; each new status makes a new one. */
export interface TradeRecord {
  /** A UUID. */
  readonly tradeId: string;
  readonly status: TradeStatus;
  readonly market: VenueAMarket;
  readonly takerOrderId: string;
  readonly owner: string;
  readonly makerAddress: string;
  readonly token: TokenIndex;
  readonly isBuy: boolean;
  /** Average price of the taker in its own token, rounded in its favour to the grid. */
  readonly price: Ticks;
  readonly size: MicroShares;
  /** Payment of the taker, or to it, without the fee: the sum of its fills, each at its maker's price. */
  readonly dollars: MicroDollars;
  readonly takerFee: MicroDollars;
  /** The builder's code of the taker. */
  readonly builderCode: string;
  readonly makers: readonly MakerFill[];
  readonly matchedAt: UnixMillis;
  readonly updatedAt: UnixMillis;
  /**
   * Hash of the settling transaction, known at the match: the operator gets it then (venue-a.md §6.3), and the market channel
   * names it 70 ms later. A retry has another hash.
   */
  readonly transactionHash: string;
}

/** Events of the exchange, in order, after each request. Observers must not call back. */
export type VenueAEvent =
  /** A level's new size, in the first token's frame. `isSecond`: the causing order is for the second token. */
  | {
      readonly type: 'level';
      readonly market: VenueAMarket;
      readonly side: Side;
      readonly price: Ticks;
      readonly size: MicroShares;
      readonly isSecond: boolean;
      readonly at: UnixMillis;
    }
  /** The trade comes after the levels of the same request. */
  | { readonly type: 'trade'; readonly trade: TradeRecord }
  /** The same trade with its next status. */
  | { readonly type: 'trade-status'; readonly trade: TradeRecord }
  | { readonly type: 'order'; readonly order: OrderRecord; readonly change: 'PLACEMENT' | 'UPDATE' | 'CANCELLATION' }
  | { readonly type: 'tick-size'; readonly market: VenueAMarket; readonly before: string; readonly at: UnixMillis }
  | { readonly type: 'created'; readonly market: VenueAMarket; readonly at: UnixMillis }
  /** The market is no longer listed: observers may forget it. */
  | { readonly type: 'forgotten'; readonly market: VenueAMarket; readonly at: UnixMillis }
  | { readonly type: 'resolved'; readonly market: VenueAMarket; readonly at: UnixMillis };

export type VenueAObserver = (event: VenueAEvent) => void;

/** A trade during its settlement: its record at each change of status, for stale reads. */
export class Trade {
  /** Oldest first; one for each change of status, which are few. */
  readonly #pictures: TradeRecord[];

  constructor(record: TradeRecord) {
    this.#pictures = [record];
  }

  get record(): TradeRecord {
    return this.#pictures.at(-1)!;
  }

  change(updatedAt: UnixMillis, change: Partial<Pick<TradeRecord, 'status' | 'transactionHash'>>): TradeRecord {
    const record = { ...this.record, ...change, updatedAt };
    this.#pictures.push(record);
    return record;
  }

  /** State at that time; null if it had not happened yet. */
  asOf(at: UnixMillis): TradeRecord | null {
    return this.#pictures.findLast(it => it.updatedAt <= at) ?? null;
  }
}

/** Observers of the exchange: its streams, its history and others. They must not call back. */
export class Observers {
  readonly #observers = new Set<VenueAObserver>();

  /** Returns a function that ends the subscription. */
  add(observer: VenueAObserver): () => void {
    this.#observers.add(observer);
    return () => this.#observers.delete(observer);
  }

  emit(event: VenueAEvent): void {
    for (const observer of this.#observers) observer(event);
  }
}

/** A signed order; the caller has checked signature, signer and amounts. */
export interface NewOrder {
  readonly orderId: string;
  /** The API key. */
  readonly owner: string;
  /** The wallet that pays: the order's maker, checksummed. */
  readonly wallet: string;
  readonly market: VenueAMarket;
  readonly token: TokenIndex;
  readonly isBuy: boolean;
  /** Limit in its own token. */
  readonly price: Ticks;
  /** Shares to sell, or to buy for at most `price`. */
  readonly size: MicroShares;
  /** Budget of a FOK or FAK BUY, which may buy more shares than `size`; null for all others. */
  readonly spends: MicroDollars | null;
  readonly type: OrderType;
  /** Unix seconds; 0 unless GTD. */
  readonly expirationS: number;
  /** The signed code: 32 bytes as hex. */
  readonly builderCode: string;
  readonly postOnly: boolean;
}

export interface Execution {
  readonly order: OrderRecord;
  readonly outcome: 'live' | 'matched' | 'delayed' | 'unmatched';
  /** Shares and dollars that changed hands at once; 0 if none. */
  readonly filled: MicroShares;
  readonly paid: MicroDollars;
  readonly trades: readonly TradeRecord[];
}

export type VenueARefusal =
  | 'duplicate'
  | 'not-enough-balance'
  | 'breaks-tick'
  /** The size is not a multiple of a hundredth of a share. */
  | 'invalid-amounts'
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

/** The modes of venue-a.md §9.6. */
export type VenueMode = 'normal' | 'cancel-only' | 'post-only' | 'restarting' | 'disabled';

export interface Cancellation {
  readonly canceled: readonly string[];
  /** Order ids with the reason for each. */
  readonly notCanceled: ReadonlyMap<string, string>;
}

export interface VenueAPosition {
  readonly wallet: string;
  readonly market: VenueAMarket;
  readonly token: TokenIndex;
  readonly size: MicroShares;
  /** Σ of all purchases, and their cost. */
  readonly bought: MicroShares;
  /** Cost of the present size. */
  readonly cost: MicroDollars;
  readonly realizedPnl: MicroDollars;
}
