// The pending hold of an order: the position that it may still add, and trades that no fill shows yet. Pure.

import { isTerminal, type Order } from './order.ts';
import { directionOf } from './order-frame.ts';
import { canRest, hasUnreported, unreportedOf } from './order-sums.ts';

type Held = Pick<Order, 'request' | 'status' | 'filled' | 'stated'>;

/**
 * Micro-shares that the order may still add in its direction: the rest of an open order, the unreported trades of an ended one. A BUY in
 * dollars depends on the grid and counts 0 here.
 */
export function growthOf(order: Held): number {
  const { request, status, filled } = order;
  if (isTerminal(status)) return hasUnreported(order) ? unreportedOf(order) : 0;
  return 'dollars' in request ? 0 : Math.max(0, request.size - filled.size);
}

/** Micro-shares that the order bought by the venue's sum, without fills so far. */
export function unreportedBuyOf(order: Held): number {
  if (directionOf(order.request) < 0) return 0;
  return isTerminal(order.status) && !hasUnreported(order) ? 0 : unreportedOf(order);
}

/** Whether the order is open and cannot rest: it is at its venue for a moment, or its outcome is unknown. */
export function isPassing({ request, status }: Held): boolean {
  return !isTerminal(status) && !canRest(request);
}
