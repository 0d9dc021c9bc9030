// What venues state of an order that cannot be right, or not be counted. Pure.

import { COST_PER_MICRO_DOLLAR, DUST_DOLLARS, DUST_SHARES, type Filled, type OrderRequest } from './order.ts';

/** Whether sizes and fees, or their sums, are exact still. */
export function isExact({ size, fees }: Pick<Filled, 'size' | 'fees'>): boolean {
  return Number.isSafeInteger(size) && Number.isSafeInteger(fees);
}

/** Whether more was traded than was asked for, which no venue should do. */
export function isOverfilled(request: OrderRequest, { size, cost }: Filled): boolean {
  if ('dollars' in request) return cost >= BigInt(request.dollars + DUST_DOLLARS) * COST_PER_MICRO_DOLLAR;
  return size >= request.size + DUST_SHARES;
}
