// Whether an actor may sell what it wants to (contract §5): at venue A no more than its own fills have brought it, less what its
// own orders have sold, or may sell yet; the pod may hold more, but that is another actor's. Pure.

import type { Grid } from '../domain/grid.ts';
import { formatMicroShares, type MicroShares, type UnixMillis } from '../domain/numbers.ts';
import type { Order } from '../domain/order.ts';
import { OPEN_STATUSES } from '../domain/order-lists.ts';
import type { OrderRequest } from '../domain/order-request.ts';
import { canRest, mostSizeOf, traded, untoldOf } from '../domain/order-sums.ts';
import { limits } from '../limits.ts';
import type { OrderReads } from '../store/order-records.ts';
import { answerDeadline } from './deadlines.ts';
import { directionOf } from './direction.ts';
import { untoldGrowth } from './untold.ts';

/** Null if it may, or if nobody can say for sure: then the venue decides. */
export function holdingProblem(
  reads: OrderReads,
  actorId: string,
  request: OrderRequest,
  grid: Grid,
  at: UnixMillis,
): string | null {
  if (request.venue !== 'venue_a' || request.side !== 'SELL') return null;
  const { tokenId } = request;
  const promised = promisedOf(reads, actorId, tokenId, at);
  const sold = untoldGrowth(reads, actorId, request);
  if (promised === null || sold === null) return null;
  const held = reads.position(actorId, 'venue_a', tokenId)?.size ?? 0;
  if (request.size <= held - promised - sold) return null;
  const free = held + boughtOf(reads, actorId, tokenId) - promised - sold;
  if (request.size <= free || request.size <= free + perhapsBoughtOf(reads, actorId, tokenId, grid, at)) return null;
  const field = request.type === 'LIMIT' ? 'size' : 'amount';
  return `${field}: the actor can sell ${formatMicroShares(Math.max(0, free) as MicroShares)} shares of this token`;
}

/** What open orders may sell yet; null with so many of them that not all are looked at. */
function promisedOf(reads: OrderReads, actorId: string, tokenId: string, at: UnixMillis): number | null {
  const rowsMax = limits.restingOrdersMax;
  let promised = 0;
  for (const status of OPEN_STATUSES) {
    const orders = reads.orders({ actorId, venue: 'venue_a', address: tokenId, status, after: null, rowsMax });
    if (orders.length === rowsMax) return null;
    for (const order of orders) {
      const { request: other, filled } = order;
      if (other.venue === 'venue_a' && other.side === 'SELL' && !isSoldOut(reads, order, at))
        promised += Math.max(0, other.size - filled.size);
    }
  }
  return promised;
}

/** Matched in part, what cannot rest has nothing more to sell; but it is told in parts, and of all or nothing the rest is sold, too. */
function isSoldOut(reads: OrderReads, order: Order, at: UnixMillis): boolean {
  const isMatched = !canRest(order.request) && order.filled.size > 0;
  return isMatched && order.request.timeInForce !== 'FOK' && !isInFlight(reads, order, at);
}

/** What the venue has said is bought, and has not told fill by fill: it is as good as held. */
function boughtOf(reads: OrderReads, actorId: string, tokenId: string): number {
  const query = { actorId, venue: 'venue_a', address: tokenId, status: null, after: null } as const;
  let bought = 0;
  for (const order of reads.orders({ ...query, rowsMax: limits.restingOrdersMax })) {
    if (directionOf(order.request) > 0) bought += untoldOf(order);
  }
  return bought;
}

/** What may have been bought by orders whose outcome nobody knows, at most. What the venue is known to have it tells as it trades. */
function perhapsBoughtOf(reads: OrderReads, actorId: string, tokenId: string, grid: Grid, at: UnixMillis): number {
  const query = { actorId, venue: 'venue_a', address: tokenId, status: 'SUBMITTED', after: null } as const;
  let most = 0;
  for (const order of reads.orders({ ...query, rowsMax: limits.restingOrdersMax })) {
    const isUnknown = directionOf(order.request) > 0 && order.venueOrderId === null && !isInFlight(reads, order, at);
    if (isUnknown) most += Math.max(0, mostSizeOf(order.request, grid) - traded(order).size);
  }
  return most;
}

/** Its answer is about to come, as a rule: until then nobody counts on what it will have traded. */
function isInFlight(reads: OrderReads, order: Order, at: UnixMillis): boolean {
  const idempotencyKey = reads.order(order.orderId)?.idempotencyKey ?? '';
  const isAnswered = reads.idempotency(order.actorId, 'venue_a', idempotencyKey)?.answer != null;
  return !isAnswered && at < answerDeadline(order);
}
