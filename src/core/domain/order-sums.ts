// The cumulative quantity of an order against its request, and the largest quantity that the order can reach. Also checks for reports of
// the venue that are wrong or too large. Pure.

import { type Grid, ladderStep } from './grid.ts';
import { COST_PER_MICRO_DOLLAR, type MicroDollars, type MicroShares, TICKS_PER_DOLLAR, type Ticks } from './numbers.ts';
import type { OrderRequest } from './order-request.ts';

/** The cumulative quantity in the order's own frame, without reversed fills. */
export interface Filled {
  readonly size: MicroShares;
  /** Σ price × size in ticks × micro-shares (1e-10 dollars); exact, may exceed 2^53. */
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

/** The rounding of venue A, which truncates sizes to hundredths of a share and dollars to cents (contract §4.3). */
export const DUST_SHARES = 10_000;
const DUST_DOLLARS = 10_000;

/** Whether sizes and fees, or their sums, are still exact. */
export function isExact({ size, fees }: Pick<Filled, 'size' | 'fees'>): boolean {
  return Number.isSafeInteger(size) && Number.isSafeInteger(fees);
}

/** Whether the untraded part stays in the book. */
export function canRest({ timeInForce }: OrderRequest): boolean {
  return timeInForce === 'GTC' || timeInForce === 'GTD';
}

/** The largest size that the request can trade, in micro-shares. A BUY in dollars counts at the lowest grid price. */
export function mostSizeOf(request: OrderRequest, grid: Grid): number {
  if (!('dollars' in request)) return request.size;
  // The result is an integer, since steps divide the dollar.
  return request.dollars * (TICKS_PER_DOLLAR / Math.max(1, ladderStep(grid)));
}

interface Sums {
  readonly request: OrderRequest;
  /** Sum of the reported fills. */
  readonly filled: Filled;
  /** The cumulative quantity that the venue states; null before the venue states one. */
  readonly stated: Filled | null;
}

/**
 * Returns the larger of the two sums, since the venue may state its sum before it reports the fills. If only venue A's rounding is missing,
 * the fills are complete and have the exact prices and fees.
 */
export function traded({ filled, stated, request }: Sums): Filled {
  if (stated === null) return filled;
  const unreported = stated.size - filled.size;
  const isWhole = request.venue === 'venue_a' && filled.size > 0 && unreported < DUST_SHARES;
  return unreported > 0 && !isWhole ? stated : filled;
}

/**
 * The least unreported quantity in micro-shares for which fills still follow. A smaller quantity is venue A's rounding of its sum. The sums
 * of venue B are exact.
 */
const UNREPORTED_SHARES_MIN = { venue_a: 100_000, venue_b: 1 } as const;

/** Returns the quantity in micro-shares that the venue's sum includes and the reported fills lack. */
export function unreportedOf(sums: Sums): number {
  if (sums.stated === null) return 0;
  return traded(sums).size - sums.filled.size;
}

/** Whether an order that has ended still lacks fills. */
export function hasUnreported(sums: Sums): boolean {
  return unreportedOf(sums) >= UNREPORTED_SHARES_MIN[sums.request.venue];
}

/**
 * Returns the venue's sum without the failed trade, which the sum may include; cost and fees shrink in proportion. Returns null if the rest
 * is no more than `filled`.
 */
export function withoutFailed(stated: Filled, failed: MicroShares, filled: Filled): Filled | null {
  const size = (stated.size - failed) as MicroShares;
  // Only trades of venue A can fail.
  if (size - filled.size < UNREPORTED_SHARES_MIN.venue_a) return null;
  const part = (amount: bigint): bigint => (amount * BigInt(size)) / BigInt(stated.size);
  return { size, cost: part(stated.cost), fees: Number(part(BigInt(stated.fees))) as MicroDollars };
}

/** Whether the leaves quantity is 0. */
export function isFull(request: OrderRequest, { size, cost }: Filled): boolean {
  if (request.venue === 'venue_b') return size >= request.size;
  if ('dollars' in request) {
    return BigInt(request.dollars) * COST_PER_MICRO_DOLLAR - cost < BigInt(DUST_DOLLARS) * COST_PER_MICRO_DOLLAR;
  }
  return request.size - size < DUST_SHARES;
}

/** Whether the order traded more than its request, which no venue should do. */
export function isOverfilled(request: OrderRequest, { size, cost }: Filled): boolean {
  if ('dollars' in request) return cost >= BigInt(request.dollars + DUST_DOLLARS) * COST_PER_MICRO_DOLLAR;
  return size >= request.size + DUST_SHARES;
}
