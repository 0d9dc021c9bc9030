// The largest amount of dollars that an order may still cost its actor if the order's market pays against the actor. Pure.

import {
  COST_PER_MICRO_DOLLAR,
  complementTicks,
  type MicroDollars,
  type MicroShares,
  TICKS_PER_DOLLAR,
  type Ticks,
} from './numbers.ts';
import type { Order } from './order.ts';
import { growthOf, OPEN_STATUSES } from './order-frame.ts';
import type { OrderRequest } from './order-request.ts';
import { unreportedOf } from './order-sums.ts';

const TICKS = BigInt(TICKS_PER_DOLLAR);
const ONE_DOLLAR = TICKS_PER_DOLLAR as Ticks;

/** Returns the cost of `size` at `price`, rounded up to a micro-dollar. */
export function costOf(size: MicroShares, price: Ticks): MicroDollars {
  const product = size * price;
  if (!Number.isSafeInteger(product))
    return Number((BigInt(size) * BigInt(price) + TICKS - 1n) / TICKS) as MicroDollars;
  const part = product % TICKS_PER_DOLLAR;
  return ((product - part) / TICKS_PER_DOLLAR + (part === 0 ? 0 : 1)) as MicroDollars;
}

/**
 * Returns the largest amount that `size` of an order may cost. A share sold costs one dollar less its price. An order without a price
 * counts at the worst price: a dollar for each share.
 */
export function worstCostOf(request: OrderRequest, size: MicroShares): MicroDollars {
  const price = 'price' in request ? request.price : request.worstPrice;
  const isSale = (request.venue === 'venue_a' ? request.side : request.action) === 'SELL';
  return costOf(size, isSale && price !== null ? complementTicks(price) : (price ?? ONE_DOLLAR));
}

/** Returns the cost of the order's pending hold. `growth` is the result of `growthOf`. */
export function holdCostOf(
  order: Pick<Order, 'request' | 'status' | 'filled' | 'stated'>,
  growth = growthOf(order),
): MicroDollars {
  const { request, filled } = order;
  if (!('dollars' in request)) return growth === 0 ? (0 as MicroDollars) : worstCostOf(request, growth as MicroShares);
  // An order in dollars never costs more than these dollars.
  const mayCost = growth > 0 || (OPEN_STATUSES as readonly string[]).includes(order.status);
  if (!mayCost) return 0 as MicroDollars;
  return Math.max(0, request.dollars - Number(filled.cost / COST_PER_MICRO_DOLLAR)) as MicroDollars;
}

/**
 * Returns the part of `holdCostOf` that ends with the resting order. The cost of trades without a reported fill stays, and is not included.
 */
export function restCostOf(order: Order): MicroDollars {
  const traded = worstCostOf(order.request, unreportedOf(order) as MicroShares);
  return (holdCostOf(order) - traded) as MicroDollars;
}
