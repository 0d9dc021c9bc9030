// An order's request in the terms of each venue (contract §4.1). Pure.

import type { MicroDollars, MicroShares, Ticks, UnixMillis } from './numbers.ts';

interface VenueACommon {
  readonly venue: 'venue_a';
  /** The token id, the decimal text of a uint256. */
  readonly tokenId: string;
}

interface VenueALimit {
  readonly type: 'LIMIT';
  readonly side: 'BUY' | 'SELL';
  readonly size: MicroShares;
  readonly price: Ticks;
  readonly postOnly: boolean;
}

/** The request of an order at venue A, with the terms of contract §4.1; GTD is an addition (docs/PROTOCOL.md, Orders). */
export type VenueAOrderRequest = VenueACommon &
  (
    | (VenueALimit & { readonly timeInForce: 'GTC' })
    /** `expiresAt` is in whole seconds: the time that the caller stated. */
    | (VenueALimit & { readonly timeInForce: 'GTD'; readonly expiresAt: UnixMillis })
    | {
        readonly type: 'MARKET';
        readonly side: 'BUY';
        /** The dollars to spend, without fees. */
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

/** The request of an order at venue B, as in interface §2.2, with additions (docs/PROTOCOL.md, Orders). */
export interface VenueBOrderRequest {
  readonly venue: 'venue_b';
  readonly ticker: string;
  readonly side: 'YES' | 'NO';
  readonly action: 'BUY' | 'SELL';
  readonly size: MicroShares;
  /** The price in the frame of `side`. */
  readonly price: Ticks;
  readonly timeInForce: 'GTC' | 'IOC' | 'FOK' | 'GTD';
  /** Absent if all these terms have their defaults. */
  readonly terms?: VenueBTerms;
}

/** The order that the venue cancels if two orders of one account would trade with each other. */
export type SelfTrade = 'CANCEL_TAKER' | 'CANCEL_MAKER';

/** The terms that we add to the interface (docs/PROTOCOL.md, Orders). */
export interface VenueBTerms {
  /** The time at which the order ends, in whole seconds; null unless GTD. */
  readonly expiresAt: UnixMillis | null;
  readonly postOnly: boolean;
  /** Whether the order may only reduce the position of the whole account, as the venue counts the position. */
  readonly reduceOnly: boolean;
  /** The order that a self-trade cancels. The default is CANCEL_TAKER. */
  readonly selfTrade: SelfTrade;
}

export type OrderRequest = VenueAOrderRequest | VenueBOrderRequest;

/** The part of a request that views of an order show. How long the order lasts is not part of it. */
export type ShownRequest = Shown<OrderRequest>;
type Shown<Request> = Request extends OrderRequest
  ? Omit<Request, 'timeInForce' | 'expiresAt' | 'postOnly' | 'terms'>
  : never;

/** The part of a request that the order's cancel needs. */
export type CancelledRequest = VenueACommon | Pick<VenueBOrderRequest, 'venue' | 'ticker' | 'size'>;

/** Returns the time at which the order ends; null unless GTD. */
export function expiresAtOf(request: OrderRequest): UnixMillis | null {
  if (request.timeInForce !== 'GTD') return null;
  return request.venue === 'venue_a' ? request.expiresAt : (request.terms?.expiresAt ?? null);
}

/** Whether the venue refuses the order if the order would take liquidity. */
export function isPostOnly(request: OrderRequest): boolean {
  if (request.venue === 'venue_b') return request.terms?.postOnly === true;
  return request.type === 'LIMIT' && request.postOnly;
}

// The record of an order that is made before its first byte leaves, besides the order itself.

/** A complete order, ready to be sent at most once. */
export interface Intent {
  /** The bytes to send. The bytes contain no secret beyond the credentials that the venue itself must see. */
  readonly payload: Uint8Array;
  /** The venue's id of the order. Venue A's id is known before sending. Null at venue B, which detects duplicates by `clientOrderId`. */
  readonly venueOrderId: string | null;
  /** The client order id: `<orderId>.<actor tag>` at venue B. Venue A has no such field, so here the order id stands. */
  readonly clientOrderId: string;
}
