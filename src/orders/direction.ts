// Which way a request moves its actor's position in the address: up or down. Pure.

import type { OrderRequest } from '../domain/order-request.ts';

/** At venue B in terms of YES: selling NO is +1. */
export function directionOf(request: OrderRequest): 1 | -1 {
  if (request.venue === 'venue_a') return request.side === 'BUY' ? 1 : -1;
  return (request.side === 'YES') === (request.action === 'BUY') ? 1 : -1;
}
