// The port through which a market's public terms are read: what its orders must respect, what its fills cost, and when it closes.
// Implementations are in venue-a/ and venue-b/. Thread of the market reads.

import type { FeeModel } from '../domain/fees.ts';
import type { Grid } from '../domain/grid.ts';
import type { MarketStatus } from '../domain/market-summary.ts';
import type { MicroShares, Ticks, UnixMillis } from '../domain/numbers.ts';
import type { ReadFailure } from './market-read.ts';

export interface TradingTerms {
  readonly title: string;
  readonly status: MarketStatus;
  readonly grid: Grid;
  /** Smallest order that may rest. */
  readonly sizeMin: MicroShares;
  /** Sizes are multiples of it. */
  readonly sizeStep: MicroShares;
  /** Null: the venue charges by a rule that we do not know. */
  readonly fees: FeeModel | null;
  /** Venue B: an order can use the cash on this shard only. Null: not stated. */
  readonly shard: number | null;
  /** Venue B: what YES pays at least, and NO costs less, before the result. Null: not stated in a form that we know. */
  readonly settlementFloor: Ticks | null;
  /** Null: the venue does not say. */
  readonly closesAt: UnixMillis | null;
  /** All that name the market: both tokens at venue A, the ticker at venue B. */
  readonly addresses: readonly string[];
  readonly readAt: UnixMillis;
}

export type TermsReading =
  | { readonly type: 'terms'; readonly terms: TradingTerms }
  /** There is no such market. */
  | { readonly type: 'unknown'; readonly message: string }
  | ReadFailure;

export interface TermsReader {
  /** Never rejects; answers within about `marketReadMs`. */
  readTerms(address: string): Promise<TermsReading>;
}
