// Which way a request moves its actor's position: more of its address, or less. Pure.

import type { OrderRequest } from '../domain/order-request.ts';

/** At venue B in terms of YES: to sell NO is to want more. */
export function directionOf(request: OrderRequest): 1 | -1 {
  if (request.venue === 'venue_a') return request.side === 'BUY' ? 1 : -1;
  return (request.side === 'YES') === (request.action === 'BUY') ? 1 : -1;
}
