// What an order may cost at its limit. Pure.

import {
  complementTicks,
  type MicroDollars,
  type MicroShares,
  TICKS_PER_DOLLAR,
  type Ticks,
} from '../domain/numbers.ts';
import type { OrderRequest } from '../domain/order-request.ts';

const TICKS = BigInt(TICKS_PER_DOLLAR);

/** Of one unit. At venue B to sell is to buy the other side; an order that names no price may meet any. */
export function worstPrice(request: OrderRequest): Ticks {
  if (!('price' in request)) return TICKS_PER_DOLLAR as Ticks;
  const isOtherSide = request.venue === 'venue_b' && request.action === 'SELL';
  return isOtherSide ? complementTicks(request.price) : request.price;
}

/** Of so many micro-shares, rounded up. */
export function costOf(size: MicroShares, price: Ticks): MicroDollars {
  return Number((BigInt(size) * BigInt(price) + TICKS - 1n) / TICKS) as MicroDollars;
}
