// An order in its market: prices in the venue's frame and in the order's, its direction, and its pending hold. Venue B has one price per trade,
// that of YES. Its ask may be a sale of YES or a purchase of NO: only the order knows (contract §4.4). Pure.

import { complementTicks, TICKS_PER_DOLLAR, type Ticks } from './numbers.ts';
import { isTerminal, type Order, type OrderStatus } from './order.ts';
import type { CancelledRequest, OrderRequest } from './order-request.ts';
import { canRest, type Filled, hasUnreported, unreportedOf } from './order-sums.ts';

/** Converts a price between the frame of the address and the frame of the order. The function is its own inverse. */
export function priceInFrame(request: OrderRequest, price: Ticks): Ticks {
  return request.venue === 'venue_b' && request.side === 'NO' ? complementTicks(price) : price;
}

/** Converts a cumulative quantity between the frame of the address and the frame of the order. The function is its own inverse. */
export function filledInFrame(request: OrderRequest, filled: Filled): Filled {
  if (request.venue === 'venue_a' || request.side === 'YES') return filled;
  return { ...filled, cost: BigInt(TICKS_PER_DOLLAR) * BigInt(filled.size) - filled.cost };
}

/** Puts the actual request into an order of which only the address was known. */
export function asRequested(order: Order, request: OrderRequest): Order {
  const { filled, stated } = order;
  const framed = { filled: filledInFrame(request, filled), stated: stated && filledInFrame(request, stated) };
  return { ...order, ...framed, request };
}

/**
 * Returns the direction in which a request moves its actor’s position in the address. At venue B the position is in terms of YES: selling
 * NO is +1.
 */
export function directionOf(request: OrderRequest): 1 | -1 {
  if (request.venue === 'venue_a') return request.side === 'BUY' ? 1 : -1;
  return (request.side === 'YES') === (request.action === 'BUY') ? 1 : -1;
}

/** The statuses of an order that may still trade. */
export const OPEN_STATUSES = ['PENDING', 'SUBMITTED', 'OPEN'] as const satisfies readonly OrderStatus[];

/** The token id or ticker that the request trades. */
export function addressOf(request: CancelledRequest): string {
  return request.venue === 'venue_a' ? request.tokenId : request.ticker;
}

// The pending hold of an order: the position that the order may still add, and the trades of which no fill is reported yet.

type Held = Pick<Order, 'request' | 'status' | 'filled' | 'stated'>;

/**
 * Returns the micro-shares that the order may still add in its direction. An open order adds its leaves quantity, an ended order its
 * unreported trades. A BUY in dollars depends on the grid, and counts 0 here.
 */
export function growthOf(order: Held): number {
  const { request, status, filled } = order;
  if (isTerminal(status)) return hasUnreported(order) ? unreportedOf(order) : 0;
  return 'dollars' in request ? 0 : Math.max(0, request.size - filled.size);
}

/** Returns the micro-shares that the order has bought by the venue's sum, but of which no fill is reported yet. */
export function unreportedBuyOf(order: Held): number {
  if (directionOf(order.request) < 0) return 0;
  return isTerminal(order.status) && !hasUnreported(order) ? 0 : unreportedOf(order);
}

/** Whether the order is open but cannot rest: the order is at its venue for a moment, or its outcome is unknown. */
export function isPassing({ request, status }: Held): boolean {
  return !isTerminal(status) && !canRest(request);
}
