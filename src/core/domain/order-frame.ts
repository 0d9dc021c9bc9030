// Converts prices between the venue's frame and the order's. Venue B has one price per trade, that of YES. Its ask may be
// a sale of YES or a purchase of NO: only the order knows (contract §4.4). Pure.

import { complementTicks, TICKS_PER_DOLLAR, type Ticks } from './numbers.ts';
import type { Order } from './order.ts';
import type { OrderRequest } from './order-request.ts';
import type { Filled } from './order-sums.ts';

/** Whether the order's price is one dollar minus the venue's. */
function isMirrored(request: OrderRequest): boolean {
  return request.venue === 'venue_b' && request.side === 'NO';
}

/** Converts a price between the frames of address and order; its own inverse. */
export function priceInFrame(request: OrderRequest, price: Ticks): Ticks {
  return isMirrored(request) ? complementTicks(price) : price;
}

/** Converts a traded sum between the frames; its own inverse. */
export function filledInFrame(request: OrderRequest, filled: Filled): Filled {
  if (!isMirrored(request)) return filled;
  return { ...filled, cost: BigInt(TICKS_PER_DOLLAR) * BigInt(filled.size) - filled.cost };
}

/** Puts the actual request into an order that was known by its address only. */
export function asRequested(order: Order, request: OrderRequest): Order {
  const { filled, stated } = order;
  const framed = { filled: filledInFrame(request, filled), stated: stated && filledInFrame(request, stated) };
  return { ...order, ...framed, request };
}

/** Which way a request moves its actor’s position in the address. At venue B in terms of YES: selling NO is +1. */
export function directionOf(request: OrderRequest): 1 | -1 {
  if (request.venue === 'venue_a') return request.side === 'BUY' ? 1 : -1;
  return (request.side === 'YES') === (request.action === 'BUY') ? 1 : -1;
}
