// An order's request in the terms of each venue (contract §4.1). Pure.

import type { MicroDollars, MicroShares, Ticks, UnixMillis } from './numbers.ts';

interface VenueACommon {
  readonly venue: 'venue_a';
  /** Decimal text of a uint256. */
  readonly tokenId: string;
}

interface VenueALimit {
  readonly type: 'LIMIT';
  readonly side: 'BUY' | 'SELL';
  readonly size: MicroShares;
  readonly price: Ticks;
  readonly postOnly: boolean;
}

/** Contract §4.1; GTD is an addition (docs/PROTOCOL.md, Orders). */
export type VenueAOrderRequest = VenueACommon &
  (
    | (VenueALimit & { readonly timeInForce: 'GTC' })
    /** `expiresAt`: in whole seconds, as the caller means it. */
    | (VenueALimit & { readonly timeInForce: 'GTD'; readonly expiresAt: UnixMillis })
    | {
        readonly type: 'MARKET';
        readonly side: 'BUY';
        /** Dollars to spend, fees excluded. */
        readonly dollars: MicroDollars;
        readonly worstPrice: Ticks | null;
        readonly timeInForce: 'FOK' | 'FAK';
      }
    | {
        readonly type: 'MARKET';
        readonly side: 'SELL';
        readonly size: MicroShares;
        readonly worstPrice: Ticks | null;
        readonly timeInForce: 'FOK' | 'FAK';
      }
  );

/** Interface §2.2, with additions (docs/PROTOCOL.md, Orders). */
export interface VenueBOrderRequest {
  readonly venue: 'venue_b';
  readonly ticker: string;
  readonly side: 'YES' | 'NO';
  readonly action: 'BUY' | 'SELL';
  readonly size: MicroShares;
  /** In the frame of `side`. */
  readonly price: Ticks;
  readonly timeInForce: 'GTC' | 'IOC' | 'FOK' | 'GTD';
  /** Absent if every one is as by default. */
  readonly terms?: VenueBTerms;
}

/** Which order the venue cancels if two of one account would trade with each other. */
export type SelfTrade = 'CANCEL_TAKER' | 'CANCEL_MAKER';

/** Additions to the interface (docs/PROTOCOL.md, Orders). */
export interface VenueBTerms {
  /** In whole seconds; null unless GTD. */
  readonly expiresAt: UnixMillis | null;
  readonly postOnly: boolean;
  /** Of the account's position, by the venue's count. */
  readonly reduceOnly: boolean;
  /** By default CANCEL_TAKER. */
  readonly selfTrade: SelfTrade;
}

export type OrderRequest = VenueAOrderRequest | VenueBOrderRequest;

/** Null unless GTD. */
export function expiresAtOf(request: OrderRequest): UnixMillis | null {
  if (request.timeInForce !== 'GTD') return null;
  return request.venue === 'venue_a' ? request.expiresAt : (request.terms?.expiresAt ?? null);
}

/** Whether it is refused rather than take. */
export function isPostOnly(request: OrderRequest): boolean {
  if (request.venue === 'venue_b') return request.terms?.postOnly === true;
  return request.type === 'LIMIT' && request.postOnly;
}
