// What an order may still do to its actor's position, and what it has done that no fill shows yet. Pure.

import { isTerminal, type Order } from './order.ts';
import { directionOf } from './order-frame.ts';
import { canRest, hasUnreported, unreportedOf } from './order-sums.ts';

type Held = Pick<Order, 'request' | 'status' | 'filled' | 'stated'>;

/**
 * Micro-shares that may still be added in the order's direction: the rest of an open order, the unreported trades of an ended one. What a
 * BUY in dollars may add depends on the grid: it passes (below), and counts 0 here.
 */
export function growthOf(order: Held): number {
  const { request, status, filled } = order;
  if (isTerminal(status)) return hasUnreported(order) ? unreportedOf(order) : 0;
  return 'dollars' in request ? 0 : Math.max(0, request.size - filled.size);
}

/** Micro-shares that it has bought by the venue's sum, and not by its fills yet. */
export function unreportedBuyOf(order: Held): number {
  if (directionOf(order.request) < 0) return 0;
  return isTerminal(order.status) && !hasUnreported(order) ? 0 : unreportedOf(order);
}

/** Whether it is open, and cannot rest: it is at its venue for a moment, or its outcome is unknown. */
export function isPassing({ request, status }: Held): boolean {
  return !isTerminal(status) && !canRest(request);
}
