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

/** Per unit. At venue B, selling is buying the other side. An order without a price may meet any price. */
export function worstPrice(request: OrderRequest): Ticks {
  if (!('price' in request)) return TICKS_PER_DOLLAR as Ticks;
  const isOtherSide = request.venue === 'venue_b' && request.action === 'SELL';
  return isOtherSide ? complementTicks(request.price) : request.price;
}

/** Cost of `size`, rounded up. */
export function costOf(size: MicroShares, price: Ticks): MicroDollars {
  return Number((BigInt(size) * BigInt(price) + TICKS - 1n) / TICKS) as MicroDollars;
}
