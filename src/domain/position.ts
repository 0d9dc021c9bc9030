// An actor's holding of one venue market (contract §5): one signed size, average cost, profit taken. Pure.

import type { Venue } from './market.ts';
import type { MicroDollars, MicroShares, UnixMillis } from './numbers.ts';

export interface Position {
  readonly venue: Venue;
  /** Ticker, or token id. */
  readonly address: string;
  /** YES − NO at venue B; never negative at venue A. */
  readonly size: MicroShares;
  /**
   * What one unit of the side held has cost on average, in ticks, as an exact fraction: 0/1 with nothing held. NO at 1 − q of a
   * negative size.
   */
  readonly average: { readonly numerator: bigint; readonly denominator: bigint };
  /** Profit of what was closed, in ticks × micro-shares (1e-10 dollars), as an exact fraction; fees excluded. */
  readonly realized: { readonly numerator: bigint; readonly denominator: bigint };
  readonly fees: MicroDollars;
  /** A winning token of a resolved market, until its redemption is seen. */
  readonly isRedeemable: boolean;
  readonly updatedAt: UnixMillis;
}
