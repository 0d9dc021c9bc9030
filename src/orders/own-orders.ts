// The actor's own orders in one market that may still move its position: open ones, and ended ones with unreported fills. Pure.

import { isTerminal, type Order } from '../domain/order.ts';
import { directionOf } from '../domain/order-frame.ts';
import { addressOf } from '../domain/order-lists.ts';
import type { OrderRequest } from '../domain/order-request.ts';
import { hasUnreported, unreportedOf } from '../domain/order-sums.ts';
import { limits } from '../limits.ts';
import type { LiveReads, StoredOrder } from '../store/order-records.ts';

export interface OwnOrders {
  readonly open: readonly StoredOrder[];
  readonly unreported: readonly Order[];
}

/** Orders in the request's market. Null: more than the bound. */
export function ownOrders(
  reads: Pick<LiveReads, 'ordersOf'>,
  actorId: string,
  request: OrderRequest,
): OwnOrders | null {
  const [open, unreported]: [StoredOrder[], Order[]] = [[], []];
  for (const stored of reads.ordersOf(actorId, request.venue, addressOf(request))) {
    const { order } = stored;
    if (!isTerminal(order.status)) open.push(stored);
    else if (hasUnreported(order)) unreported.push(order);
    if (open.length + unreported.length >= limits.restingOrdersMax) return null;
  }
  return { open, unreported };
}

/** Unreported size that ended orders have traded in the request's direction. */
export function unreportedGrowth({ unreported }: OwnOrders, request: OrderRequest): number {
  return unreported
    .filter(order => directionOf(order.request) === directionOf(request))
    .reduce((sum, order) => sum + unreportedOf(order), 0);
}
