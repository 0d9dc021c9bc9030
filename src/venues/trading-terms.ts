// The port through which a market's public terms are read: the rules of its orders, the cost of its fills, and its closing time.
// Implementations are in venue-a/ and venue-b/. Thread of the market reads.

import type { FeeModel } from '../core/domain/fees.ts';
import type { Grid } from '../core/domain/grid.ts';
import type { MarketStatus } from '../core/domain/market-summary.ts';
import type { MicroShares, Ticks, UnixMillis } from '../core/domain/numbers.ts';
import type { ReadFailure } from './market-read.ts';

export interface TradingTerms {
  readonly title: string;
  readonly status: MarketStatus;
  readonly grid: Grid;
  /** The smallest size of an order that may rest. */
  readonly sizeMin: MicroShares;
  /** The step of sizes: each size is a multiple of this. */
  readonly sizeStep: MicroShares;
  /** Null if the venue charges by an unknown rule. */
  readonly fees: FeeModel | null;
  /** The only shard whose cash an order at venue B can use. Null if the venue does not state it. */
  readonly shard: number | null;
  /** The least that YES pays at venue B; before the result, NO costs less by this amount. Null if not stated in a known form. */
  readonly settlementFloor: Ticks | null;
  /** The time of closing. Null if the venue does not state it. */
  readonly closesAt: UnixMillis | null;
  /** All names of the market: both tokens at venue A, the ticker at venue B. */
  readonly addresses: readonly string[];
  readonly readAt: UnixMillis;
}

export type TermsReading =
  | { readonly type: 'terms'; readonly terms: TradingTerms }
  /** The market does not exist. */
  | { readonly type: 'unknown'; readonly message: string }
  | ReadFailure;

export interface TermsReader {
  /** Never rejects; answers within about `marketReadMs`. */
  readTerms(address: string): Promise<TermsReading>;
}
