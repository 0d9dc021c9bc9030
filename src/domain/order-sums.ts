// What has been traded of an order against what was asked for, and what venues state that cannot be right, or not be counted. Pure.

import { COST_PER_MICRO_DOLLAR } from './numbers.ts';
import type { Filled, OrderRequest } from './order.ts';

/** Venue A truncates sizes to hundredths of a share, and dollars to cents (contract §4.3). */
export const DUST_SHARES = 10_000;
const DUST_DOLLARS = 10_000;

/** Whether sizes and fees, or their sums, are exact still. */
export function isExact({ size, fees }: Pick<Filled, 'size' | 'fees'>): boolean {
  return Number.isSafeInteger(size) && Number.isSafeInteger(fees);
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
