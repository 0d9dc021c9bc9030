// Prices as the venue has them and as the order has them. Venue B knows one price for each trade, that of YES, and cannot say
// whether an ask was meant as a sale of YES or a purchase of NO: only the order knows (contract §4.4). Pure.

import { complementTicks, TICKS_PER_DOLLAR, type Ticks } from './numbers.ts';
import type { Order } from './order.ts';
import type { OrderRequest } from './order-request.ts';
import type { Filled } from './order-sums.ts';

/** Whether the order's prices are one dollar less what the venue says. */
function isMirrored(request: OrderRequest): boolean {
  return request.venue === 'venue_b' && request.side === 'NO';
}

/** A price of the address, in the frame of the order; and the other way round. */
export function priceInFrame(request: OrderRequest, price: Ticks): Ticks {
  return isMirrored(request) ? complementTicks(price) : price;
}

/** What was traded, in the frame of the order; and the other way round. */
export function filledInFrame(request: OrderRequest, filled: Filled): Filled {
  if (!isMirrored(request)) return filled;
  return { ...filled, cost: BigInt(TICKS_PER_DOLLAR) * BigInt(filled.size) - filled.cost };
}

/** An order of which no more was known than that of its address, with the request that made it. */
export function asRequested(order: Order, request: OrderRequest): Order {
  const { filled, stated } = order;
  const framed = { filled: filledInFrame(request, filled), stated: stated && filledInFrame(request, stated) };
  return { ...order, ...framed, request };
}
