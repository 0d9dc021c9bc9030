// The most dollars that an order may still cost its actor if its market pays against it. Pure.

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

/** Cost of `size`, rounded up. */
export function costOf(size: MicroShares, price: Ticks): MicroDollars {
  const product = size * price;
  if (!Number.isSafeInteger(product))
    return Number((BigInt(size) * BigInt(price) + TICKS - 1n) / TICKS) as MicroDollars;
  const part = product % TICKS_PER_DOLLAR;
  return ((product - part) / TICKS_PER_DOLLAR + (part === 0 ? 0 : 1)) as MicroDollars;
}

/** The most that `size` of an order may cost. A sale costs what its price lacks of a dollar. An order without a price may meet any price. */
export function worstCostOf(request: OrderRequest, size: MicroShares): MicroDollars {
  const price = 'price' in request ? request.price : request.worstPrice;
  const isSale = (request.venue === 'venue_a' ? request.side : request.action) === 'SELL';
  return costOf(size, isSale && price !== null ? complementTicks(price) : (price ?? ONE_DOLLAR));
}

/** The cost of the order's pending hold. `growth`: by `growthOf`. */
export function holdCostOf(
  order: Pick<Order, 'request' | 'status' | 'filled' | 'stated'>,
  growth = growthOf(order),
): MicroDollars {
  const { request, filled } = order;
  if (!('dollars' in request)) return growth === 0 ? (0 as MicroDollars) : worstCostOf(request, growth as MicroShares);
  // It never costs more than its dollars.
  const mayCost = growth > 0 || (OPEN_STATUSES as readonly string[]).includes(order.status);
  if (!mayCost) return 0 as MicroDollars;
  return Math.max(0, request.dollars - Number(filled.cost / COST_PER_MICRO_DOLLAR)) as MicroDollars;
}

/** The part of a resting order's `holdCostOf` that ends with it. What it has traded without a fill stays. */
export function restCostOf(order: Order): MicroDollars {
  const traded = worstCostOf(order.request, unreportedOf(order) as MicroShares);
  return (holdCostOf(order) - traded) as MicroDollars;
}
