// What venue A keeps and shows of orders and trades, in the engine's units; how it is written on the wire is rest/ and stream/'s
// affair. Prices and sides are those of the order's own token, unless a name says `yes`.

import type { Side } from '../../domain/market.ts';
import type { MicroDollars, MicroShares, Ticks, UnixMillis } from '../../domain/numbers.ts';
import type { VenueAMarket } from './market.ts';

/** 0: first, 1: second. */
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

/** A picture of an order: it does not change; each change makes a new one. */
export interface OrderRecord {
  /** `0x` and 64 hex digits: the EIP-712 digest. */
  readonly orderId: string;
  /** API key. */
  readonly owner: string;
  /** Checksummed. */
  readonly makerAddress: string;
  readonly market: VenueAMarket;
  readonly token: TokenIndex;
  readonly isBuy: boolean;
  readonly price: Ticks;
  readonly size: MicroShares;
  readonly matched: MicroShares;
  readonly status: OrderStatus;
  /** Why it was cancelled or refused, in the venue's words; empty if nobody says. */
  readonly reason: string;
  readonly type: OrderType;
  /** 0: none. */
  readonly expirationS: number;
  /** Of whoever built the client: 32 bytes as hex, all zero of nobody. */
  readonly builderCode: string;
  readonly tradeIds: readonly string[];
  readonly createdAt: UnixMillis;
  readonly updatedAt: UnixMillis;
}

/** What a wallet has done with its shares otherwise than by trading. */
export interface ConversionRecord {
  readonly type: 'SPLIT' | 'MERGE' | 'REDEEM';
  readonly market: VenueAMarket;
  /** Pairs; of a redemption all shares of the market. */
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
  /** In the maker's own token. */
  readonly price: Ticks;
  readonly size: MicroShares;
  readonly builderCode: string;
}

/** A taker against some makers: one settlement. A picture; each new status makes a new one. */
export interface TradeRecord {
  /** UUID. */
  readonly tradeId: string;
  readonly status: TradeStatus;
  readonly market: VenueAMarket;
  readonly takerOrderId: string;
  readonly owner: string;
  readonly makerAddress: string;
  readonly token: TokenIndex;
  readonly isBuy: boolean;
  /** Of the taker, in its own token: the average, rounded to its own favour if it is none of the grid. */
  readonly price: Ticks;
  readonly size: MicroShares;
  /** What the taker paid or was paid, without the fee: the sum of its fills, each at the price of its maker. */
  readonly dollars: MicroDollars;
  readonly takerFee: MicroDollars;
  /** Of the taker. */
  readonly builderCode: string;
  readonly makers: readonly MakerFill[];
  readonly matchedAt: UnixMillis;
  readonly updatedAt: UnixMillis;
  /**
   * Of the transaction that settles it, known as soon as it is matched: it is what the operator is sent (venue-a.md §6.3), and
   * the market channel names it 70 ms later. A transaction that is sent again is another one.
   */
  readonly transactionHash: string;
}

/** What the exchange says, in order, after each request. Observers must not call back. */
export type VenueAEvent =
  /** A level's new size, in the first token's frame. `isSecond`: the order that caused it is for the second token. */
  | {
      readonly type: 'level';
      readonly market: VenueAMarket;
      readonly side: Side;
      readonly price: Ticks;
      readonly size: MicroShares;
      readonly isSecond: boolean;
      readonly at: UnixMillis;
    }
  /** After the levels of the same request. */
  | { readonly type: 'trade'; readonly trade: TradeRecord }
  /** The same trade again, with its next status. */
  | { readonly type: 'trade-status'; readonly trade: TradeRecord }
  | { readonly type: 'order'; readonly order: OrderRecord; readonly change: 'PLACEMENT' | 'UPDATE' | 'CANCELLATION' }
  | { readonly type: 'tick-size'; readonly market: VenueAMarket; readonly before: string; readonly at: UnixMillis }
  | { readonly type: 'created'; readonly market: VenueAMarket; readonly at: UnixMillis }
  /** It is listed no more: nobody needs to remember anything of it. */
  | { readonly type: 'forgotten'; readonly market: VenueAMarket; readonly at: UnixMillis }
  | { readonly type: 'resolved'; readonly market: VenueAMarket; readonly at: UnixMillis };

export type VenueAObserver = (event: VenueAEvent) => void;
