// Whether an actor may sell what it wants to (contract §5): at venue A no more than its own fills have brought it, less what its
// own resting orders sell already; the pod may hold more, but that is another actor's. Pure.

import { formatMicroShares } from '../domain/numbers.ts';
import type { OrderRequest } from '../domain/order.ts';
import { limits } from '../limits.ts';
import type { OrderReads } from '../store/order-records.ts';

const ALIVE = ['PENDING', 'SUBMITTED', 'OPEN'] as const;

/** Null if it may, or if nobody can say for sure: then the venue decides. */
export function holdingProblem(reads: OrderReads, actorId: string, request: OrderRequest): string | null {
  if (request.venue !== 'venue_a' || request.side !== 'SELL') return null;
  const { venue, tokenId } = request;
  const held = reads.position(actorId, venue, tokenId)?.size ?? 0;
  let promised = 0;
  for (const status of ALIVE) {
    const rowsMax = limits.restingSellsMax;
    const orders = reads.orders({ actorId, venue, address: tokenId, status, after: null, rowsMax });
    // So many that not all were looked at.
    if (orders.length === rowsMax) return null;
    for (const { request: other, filled } of orders) {
      if (other.venue === 'venue_a' && other.side === 'SELL') promised += Math.max(0, other.size - filled.size);
    }
  }
  const free = Math.max(0, held - promised) as typeof request.size;
  return request.size <= free ? null : `size: the actor can sell ${formatMicroShares(free)} shares of this token`;
}
