// Venue A's records of orders and trades, requests of callers, and observers, in the engine's units. rest/ and stream/ write the records on
// the wire. Prices and sides are in terms of the order's own token, unless a name says `yes`. Thread of the paper exchanges.

import type { Side } from '../../core/domain/market.ts';
import type { MicroDollars, MicroShares, Ticks, UnixMillis } from '../../core/domain/numbers.ts';
import type { VenueAMarket } from './market.ts';

/** The index of a token: 0 is the first token of its market, 1 the second. */
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

/** An immutable picture of an order. Each change makes a new picture. */
export interface OrderRecord {
  /** The EIP-712 digest of the order: `0x` and 64 hex digits. */
  readonly orderId: string;
  /** The API key of the owner. */
  readonly owner: string;
  /** The address of the paying wallet, with its checksum. */
  readonly makerAddress: string;
  readonly market: VenueAMarket;
  readonly token: TokenIndex;
  readonly isBuy: boolean;
  readonly price: Ticks;
  readonly size: MicroShares;
  readonly matched: MicroShares;
  readonly status: OrderStatus;
  /** The reason of a cancel or refusal, in the venue's words. It is empty if there is no reason. */
  readonly reason: string;
  readonly type: OrderType;
  /** Unix seconds. 0 means that the order does not expire. */
  readonly expirationS: number;
  /** The code of the client's builder: 32 bytes as hex. It is all zero if there is no builder. */
  readonly builderCode: string;
  readonly tradeIds: readonly string[];
  readonly createdAt: UnixMillis;
  readonly updatedAt: UnixMillis;
}

/** An operation of a wallet on its shares that is no trade. */
export interface ConversionRecord {
  readonly type: 'SPLIT' | 'MERGE' | 'REDEEM';
  readonly market: VenueAMarket;
  /** The number of pairs. For a redemption it is the number of all redeemed shares of the market. */
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

/** A trade of one taker with its makers, which settles as a whole. This is an immutable picture: each new status makes a new one. */
export interface TradeRecord {
  /** The trade's id, a UUID. */
  readonly tradeId: string;
  readonly status: TradeStatus;
  readonly market: VenueAMarket;
  readonly takerOrderId: string;
  readonly owner: string;
  readonly makerAddress: string;
  readonly token: TokenIndex;
  readonly isBuy: boolean;
  /** The average price of the taker in its own token, rounded to the grid in the taker's favour. */
  readonly price: Ticks;
  readonly size: MicroShares;
  /** The taker's payment or proceeds without the fee: the sum of its fills, each at its maker's price. */
  readonly dollars: MicroDollars;
  readonly takerFee: MicroDollars;
  /** The code of the taker's builder. */
  readonly builderCode: string;
  readonly makers: readonly MakerFill[];
  readonly matchedAt: UnixMillis;
  readonly updatedAt: UnixMillis;
  /**
   * The hash of the settling transaction. It is known at the match: the operator gets it then (venue-a.md §6.3), and the market channel
   * names it 70 ms later. A retry has another hash.
   */
  readonly transactionHash: string;
}

/** The events of the exchange, which observers get in order after each request. Observers must not call back. */
export type VenueAEvent =
  /** A level's new size, in the first token's frame. `isSecond` means that the order that caused the change is for the second token. */
  | {
      readonly type: 'level';
      readonly market: VenueAMarket;
      readonly side: Side;
      readonly price: Ticks;
      readonly size: MicroShares;
      readonly isSecond: boolean;
      readonly at: UnixMillis;
    }
  /** A new trade. It comes after the levels of the same request. */
  | { readonly type: 'trade'; readonly trade: TradeRecord }
  /** A trade with its next status. */
  | { readonly type: 'trade-status'; readonly trade: TradeRecord }
  | { readonly type: 'order'; readonly order: OrderRecord; readonly change: 'PLACEMENT' | 'UPDATE' | 'CANCELLATION' }
  | { readonly type: 'tick-size'; readonly market: VenueAMarket; readonly before: string; readonly at: UnixMillis }
  | { readonly type: 'created'; readonly market: VenueAMarket; readonly at: UnixMillis }
  /** The market is no longer listed: observers may forget it. */
  | { readonly type: 'forgotten'; readonly market: VenueAMarket; readonly at: UnixMillis }
  | { readonly type: 'resolved'; readonly market: VenueAMarket; readonly at: UnixMillis };

export type VenueAObserver = (event: VenueAEvent) => void;

/** A trade during its settlement. It keeps its record at each change of status, for stale reads. */
export class Trade {
  /** The pictures of the trade, oldest first: one for each status, which are few. */
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

  /** Returns the trade's state at that time. Null means that the trade had not happened yet. */
  asOf(at: UnixMillis): TradeRecord | null {
    return this.#pictures.findLast(it => it.updatedAt <= at) ?? null;
  }
}

/** The observers of the exchange: its streams, its history and others. They must not call back. */
export class Observers {
  readonly #observers = new Set<VenueAObserver>();

  /** Adds an observer. Returns a function that removes it. */
  add(observer: VenueAObserver): () => void {
    this.#observers.add(observer);
    return () => this.#observers.delete(observer);
  }

  emit(event: VenueAEvent): void {
    for (const observer of this.#observers) observer(event);
  }
}

/** A signed order. The caller has checked signature, signer and amounts. */
export interface NewOrder {
  readonly orderId: string;
  /** The API key of the caller. */
  readonly owner: string;
  /** The address of the wallet that pays: the maker of the order, with its checksum. */
  readonly wallet: string;
  readonly market: VenueAMarket;
  readonly token: TokenIndex;
  readonly isBuy: boolean;
  /** The limit in terms of the order's own token. */
  readonly price: Ticks;
  /** The shares to sell, or to buy for at most `price`. */
  readonly size: MicroShares;
  /** The budget of a FOK or FAK BUY, which may buy more shares than `size`. Null for all other orders. */
  readonly spends: MicroDollars | null;
  readonly type: OrderType;
  /** Unix seconds. 0 unless the order is GTD. */
  readonly expirationS: number;
  /** The builder's code that is signed with the order: 32 bytes as hex. */
  readonly builderCode: string;
  readonly postOnly: boolean;
}

export interface Execution {
  readonly order: OrderRecord;
  readonly outcome: 'live' | 'matched' | 'delayed' | 'unmatched';
  /** The shares and dollars that changed hands at once. 0 if nothing was filled. */
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
  /** The ids of orders that were not cancelled, each with the reason. */
  readonly notCanceled: ReadonlyMap<string, string>;
}

export interface VenueAPosition {
  readonly wallet: string;
  readonly market: VenueAMarket;
  readonly token: TokenIndex;
  readonly size: MicroShares;
  /** The shares of all purchases, and below the cost of the present size. */
  readonly bought: MicroShares;
  /** The cost of the present size. */
  readonly cost: MicroDollars;
  readonly realizedPnl: MicroDollars;
}
