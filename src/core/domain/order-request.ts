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

/** The terms of contract §4.1; GTD is an addition (docs/PROTOCOL.md, Orders). */
export type VenueAOrderRequest = VenueACommon &
  (
    | (VenueALimit & { readonly timeInForce: 'GTC' })
    /** `expiresAt` is in whole seconds, and means the time that the caller stated. */
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

/** The order of interface §2.2, with additions (docs/PROTOCOL.md, Orders). */
export interface VenueBOrderRequest {
  readonly venue: 'venue_b';
  readonly ticker: string;
  readonly side: 'YES' | 'NO';
  readonly action: 'BUY' | 'SELL';
  readonly size: MicroShares;
  /** The price in the frame of `side`. */
  readonly price: Ticks;
  readonly timeInForce: 'GTC' | 'IOC' | 'FOK' | 'GTD';
  /** Absent if all terms have their defaults. */
  readonly terms?: VenueBTerms;
}

/** Which order the venue cancels if two of one account would trade with each other. */
export type SelfTrade = 'CANCEL_TAKER' | 'CANCEL_MAKER';

/** Additions to the interface (docs/PROTOCOL.md, Orders). */
export interface VenueBTerms {
  /** The end in whole seconds; null unless GTD. */
  readonly expiresAt: UnixMillis | null;
  readonly postOnly: boolean;
  /** The position of the whole account, by the venue's count. */
  readonly reduceOnly: boolean;
  /** The default is CANCEL_TAKER. */
  readonly selfTrade: SelfTrade;
}

export type OrderRequest = VenueAOrderRequest | VenueBOrderRequest;

/** The part of a request that people are shown of an order: not how long it lasts. */
export type ShownRequest = Shown<OrderRequest>;
type Shown<Request> = Request extends OrderRequest
  ? Omit<Request, 'timeInForce' | 'expiresAt' | 'postOnly' | 'terms'>
  : never;

/** The part of a request that its cancel needs. */
export type CancelledRequest = VenueACommon | Pick<VenueBOrderRequest, 'venue' | 'ticker' | 'size'>;

/** Null unless GTD. */
export function expiresAtOf(request: OrderRequest): UnixMillis | null {
  if (request.timeInForce !== 'GTD') return null;
  return request.venue === 'venue_a' ? request.expiresAt : (request.terms?.expiresAt ?? null);
}

/** Whether the order is refused if it would take. */
export function isPostOnly(request: OrderRequest): boolean {
  if (request.venue === 'venue_b') return request.terms?.postOnly === true;
  return request.type === 'LIMIT' && request.postOnly;
}

// The record of an order before its first byte leaves, besides the order itself.

/** A complete order, ready to be sent at most once. */
export interface Intent {
  /** The bytes to send. They contain no secret beyond what the venue itself must see. */
  readonly payload: Uint8Array;
  /** Venue A's id is known before sending. Null at venue B, which detects duplicates by `clientOrderId`. */
  readonly venueOrderId: string | null;
  /** Venue B: `<orderId>.<actor tag>`. Venue A has no such field and gets the order id. */
  readonly clientOrderId: string;
}
