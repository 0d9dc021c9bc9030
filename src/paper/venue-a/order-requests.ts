// Requests about orders to venue A's exchange, and their answers: in the engine's units, without a wire. Pure.

import type { MicroDollars, MicroShares, Ticks } from '../../core/domain/numbers.ts';
import type { VenueAMarket } from './market.ts';
import type { OrderRecord, OrderType, TokenIndex, TradeRecord } from './records.ts';

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
