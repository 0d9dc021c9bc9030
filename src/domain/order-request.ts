// An order's request in the terms of each venue (contract §4.1). Pure.

import type { MicroDollars, MicroShares, Ticks } from './numbers.ts';

interface VenueACommon {
  readonly venue: 'venue_a';
  /** Decimal text of a uint256. */
  readonly tokenId: string;
}

/** Contract §4.1. */
export type VenueAOrderRequest = VenueACommon &
  (
    | {
        readonly type: 'LIMIT';
        readonly side: 'BUY' | 'SELL';
        readonly size: MicroShares;
        readonly price: Ticks;
        readonly postOnly: boolean;
        readonly timeInForce: 'GTC';
      }
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

/** Interface §2.2. */
export interface VenueBOrderRequest {
  readonly venue: 'venue_b';
  readonly ticker: string;
  readonly side: 'YES' | 'NO';
  readonly action: 'BUY' | 'SELL';
  readonly size: MicroShares;
  /** Whole cents, in the frame of `side`. */
  readonly price: Ticks;
  readonly timeInForce: 'GTC' | 'IOC' | 'FOK';
}

export type OrderRequest = VenueAOrderRequest | VenueBOrderRequest;
