// Whether an actor may sell what it wants to (contract §5): at venue A no more than its own fills have brought it, less what its
// own orders have sold, or may sell yet; the pod may hold more, but that is another actor's. Pure.

import type { Grid } from '../domain/grid.ts';
import { formatMicroShares, type MicroShares, type UnixMillis } from '../domain/numbers.ts';
import type { OrderRequest } from '../domain/order-request.ts';
import { canRest, mostSizeOf, traded, unreportedOf } from '../domain/order-sums.ts';
import type { LiveReads, StoredOrder } from '../store/order-records.ts';
import { answerDeadline } from './deadlines.ts';
import { directionOf } from './direction.ts';
import { type OwnOrders, ownOrders, unreportedGrowth } from './own-orders.ts';

/** Null if it may, or if nobody can say for sure: then the venue decides. */
export function holdingProblem(
  reads: LiveReads,
  actorId: string,
  request: OrderRequest,
  grid: Grid,
  at: UnixMillis,
): string | null {
  if (request.venue !== 'venue_a' || request.side !== 'SELL') return null;
  const { tokenId } = request;
  const own = ownOrders(reads, actorId, request);
  if (own === null) return null;
  const promised = promisedOf(reads, own, at);
  const sold = unreportedGrowth(own, request);
  const held = reads.position(actorId, 'venue_a', tokenId)?.size ?? 0;
  if (request.size <= held - promised - sold) return null;
  const free = held + boughtOf(own) - promised - sold;
  if (request.size <= free || request.size <= free + perhapsBoughtOf(reads, own, grid, at)) return null;
  const field = request.type === 'LIMIT' ? 'size' : 'amount';
  return `${field}: the actor can sell ${formatMicroShares(Math.max(0, free) as MicroShares)} shares of this token`;
}

/** What open orders may sell yet. */
function promisedOf(reads: LiveReads, { open }: OwnOrders, at: UnixMillis): number {
  return open.reduce((promised, stored) => {
    const { request, filled } = stored.order;
    const isSale = request.venue === 'venue_a' && request.side === 'SELL';
    return isSale && !isSoldOut(reads, stored, at) ? promised + Math.max(0, request.size - filled.size) : promised;
  }, 0);
}

/** Matched in part, what cannot rest has nothing more to sell; but it is told in parts, and of all or nothing the rest is sold, too. */
function isSoldOut(reads: LiveReads, stored: StoredOrder, at: UnixMillis): boolean {
  const { request, filled } = stored.order;
  const isMatched = !canRest(request) && filled.size > 0;
  return isMatched && request.timeInForce !== 'FOK' && !isInFlight(reads, stored, at);
}

/** What the venue has said is bought, and has not told fill by fill: it is as good as held. */
function boughtOf({ open, unreported }: OwnOrders): number {
  return [...open.map(({ order }) => order), ...unreported]
    .filter(({ request }) => directionOf(request) > 0)
    .reduce((bought, order) => bought + unreportedOf(order), 0);
}

/** What may have been bought by orders whose outcome nobody knows, at most. What the venue is known to have it tells as it trades. */
function perhapsBoughtOf(reads: LiveReads, { open }: OwnOrders, grid: Grid, at: UnixMillis): number {
  return open.reduce((most, stored) => {
    const { order } = stored;
    const isUnknown = order.status === 'SUBMITTED' && order.venueOrderId === null && !isInFlight(reads, stored, at);
    if (!isUnknown || directionOf(order.request) < 0) return most;
    return most + Math.max(0, mostSizeOf(order.request, grid) - traded(order).size);
  }, 0);
}

/** Its answer is about to come, as a rule: until then nobody counts on what it will have traded. */
function isInFlight(reads: LiveReads, { order, idempotencyKey }: StoredOrder, at: UnixMillis): boolean {
  const isAnswered = reads.idempotency(order.actorId, 'venue_a', idempotencyKey)?.answer != null;
  return !isAnswered && at < answerDeadline(order);
}
