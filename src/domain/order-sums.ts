// What has been traded of an order against what was asked for, what it may come to, and what venues state that cannot be right, or not
// be counted. Pure.

import { type Grid, ladderStep } from './grid.ts';
import { COST_PER_MICRO_DOLLAR, type MicroDollars, type MicroShares, TICKS_PER_DOLLAR, type Ticks } from './numbers.ts';
import type { OrderRequest } from './order-request.ts';

/** What has been traded, in the order's own frame: what was reversed is not in it. */
export interface Filled {
  readonly size: MicroShares;
  /** Σ price × size in ticks × micro-shares (1e-10 dollars): exact, beyond 2^53. */
  readonly cost: bigint;
  readonly fees: MicroDollars;
}

export const NOTHING_FILLED: Filled = { size: 0 as MicroShares, cost: 0n, fees: 0 as MicroDollars };

/** One trade of an order, in its own frame. */
export interface FillAmounts {
  readonly size: MicroShares;
  readonly price: Ticks;
  readonly fee: MicroDollars;
}

/** Venue A truncates sizes to hundredths of a share, and dollars to cents (contract §4.3). */
export const DUST_SHARES = 10_000;
const DUST_DOLLARS = 10_000;

/** Whether sizes and fees, or their sums, are exact still. */
export function isExact({ size, fees }: Pick<Filled, 'size' | 'fees'>): boolean {
  return Number.isSafeInteger(size) && Number.isSafeInteger(fees);
}

/** Whether what is not traded at once stays in the book. */
export function canRest({ timeInForce }: OrderRequest): boolean {
  return timeInForce === 'GTC';
}

/** As many as it may bring: of a BUY in dollars at the lowest price of the grid. Micro-shares. */
export function mostSizeOf(request: OrderRequest, grid: Grid): number {
  if (!('dollars' in request)) return request.size;
  // A whole number: steps divide the dollar.
  return request.dollars * (TICKS_PER_DOLLAR / Math.max(1, ladderStep(grid)));
}

interface Sums {
  readonly request: OrderRequest;
  /** Of the fills that were told one by one. */
  readonly filled: Filled;
  /** What the venue has said of the whole; null if it has not. */
  readonly stated: Filled | null;
}

/**
 * The larger of the two: the venue may state what was traded before it tells the fills one by one. Once only what venue A rounds away is
 * missing, the fills are complete, and have the exact prices and fees.
 */
export function traded({ filled, stated, request }: Sums): Filled {
  if (stated === null) return filled;
  const unreported = stated.size - filled.size;
  const isWhole = request.venue === 'venue_a' && filled.size > 0 && unreported < DUST_SHARES;
  return unreported > 0 && !isWhole ? stated : filled;
}

/** A smaller remainder is venue A's rounding of what it states: no fill follows. */
const UNREPORTED_SHARES_MIN = 100_000;

/** Traded by the venue's word, and not told fill by fill yet. Micro-shares. */
export function unreportedOf(sums: Sums): number {
  return traded(sums).size - sums.filled.size;
}

/** Whether fills of an order are yet to be told, once it has ended. */
export function hasUnreported(sums: Sums): boolean {
  return unreportedOf(sums) >= UNREPORTED_SHARES_MIN;
}

/** Whether nothing that could still be traded is left. */
export function isFull(request: OrderRequest, { size, cost }: Filled): boolean {
  if (request.venue === 'venue_b') return size >= request.size;
  if ('dollars' in request) {
    return BigInt(request.dollars) * COST_PER_MICRO_DOLLAR - cost < BigInt(DUST_DOLLARS) * COST_PER_MICRO_DOLLAR;
  }
  return request.size - size < DUST_SHARES;
}

/** Whether more was traded than was asked for, which no venue should do. */
export function isOverfilled(request: OrderRequest, { size, cost }: Filled): boolean {
  if ('dollars' in request) return cost >= BigInt(request.dollars + DUST_DOLLARS) * COST_PER_MICRO_DOLLAR;
  return size >= request.size + DUST_SHARES;
}
