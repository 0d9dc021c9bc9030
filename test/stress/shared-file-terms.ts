// The terms on which feed and judge of the stress run of the shared file agree.

import type { BookId } from '../../src/core/domain/market.ts';
import type { Arena } from '../../src/market-data/book/memory.ts';

/** Sizes are multiples of it, plus the market’s number. */
export const MARKETS_MAX = 1_000;

export interface SharedFileWorkerData {
  readonly arena: Arena;
  readonly markets: number;
  readonly changesPerSecond: number;
  readonly changes: number;
}

/** A market has this book now. */
export interface Opened {
  readonly market: number;
  readonly book: BookId;
}
