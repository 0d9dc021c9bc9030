// Keys by which orders are listed: the address of their market, and whether they may still trade. Pure.

import type { OrderStatus } from './order.ts';
import type { OrderRequest } from './order-request.ts';

/** Statuses of an order that may still trade. */
export const OPEN_STATUSES = ['PENDING', 'SUBMITTED', 'OPEN'] as const satisfies readonly OrderStatus[];

/** The token id or ticker that the request trades. */
export function addressOf(request: OrderRequest): string {
  return request.venue === 'venue_a' ? request.tokenId : request.ticker;
}
