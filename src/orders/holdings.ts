// Whether an actor may sell (contract §5). At venue A it may sell what its own fills brought, less what its orders have sold or may
// still sell. The rest of the pod's holding belongs to other actors. Pure.

import type { Grid } from '../domain/grid.ts';
import { formatMicroShares, type MicroShares, type UnixMillis } from '../domain/numbers.ts';
import { directionOf } from '../domain/order-frame.ts';
import type { OrderRequest } from '../domain/order-request.ts';
import { canRest, mostSizeOf, traded, unreportedOf } from '../domain/order-sums.ts';
import type { StoredOrder } from '../store/order-records.ts';
import { type LimitReads, type OwnOrders, ownOrders, unreportedGrowth } from './actor-limits.ts';
import { answerDeadline } from './submission.ts';

/** Null if allowed, or if it cannot be known: then the venue decides. */
export function holdingProblem(
  reads: LimitReads,
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

/** What open orders may still sell. */
function promisedOf(reads: LimitReads, { open }: OwnOrders, at: UnixMillis): number {
  return open.reduce((promised, stored) => {
    const { request, filled } = stored.order;
    const isSale = request.venue === 'venue_a' && request.side === 'SELL';
    return isSale && !isSoldOut(reads, stored, at) ? promised + Math.max(0, request.size - filled.size) : promised;
  }, 0);
}

/** Once answered, a partly matched FAK sells no more. A FOK sells its rest, too: its fills arrive in parts. */
function isSoldOut(reads: LimitReads, stored: StoredOrder, at: UnixMillis): boolean {
  const { request, filled } = stored.order;
  const isMatched = !canRest(request) && filled.size > 0;
  return isMatched && request.timeInForce !== 'FOK' && !isInFlight(reads, stored, at);
}

/** Bought by the venue's sum but without fills yet; counts as held. */
function boughtOf({ open, unreported }: OwnOrders): number {
  return [...open.map(({ order }) => order), ...unreported]
    .filter(({ request }) => directionOf(request) > 0)
    .reduce((bought, order) => bought + unreportedOf(order), 0);
}

/** Upper bound of what orders with an unknown outcome may have bought. Orders known to the venue report their trades. */
function perhapsBoughtOf(reads: LimitReads, { open }: OwnOrders, grid: Grid, at: UnixMillis): number {
  return open.reduce((most, stored) => {
    const { order } = stored;
    const isUnknown = order.status === 'SUBMITTED' && order.venueOrderId === null && !isInFlight(reads, stored, at);
    if (!isUnknown || directionOf(order.request) < 0) return most;
    return most + Math.max(0, mostSizeOf(order.request, grid) - traded(order).size);
  }, 0);
}

/** Its answer is usually near; until then its trades do not count. */
function isInFlight(reads: LimitReads, { order }: StoredOrder, at: UnixMillis): boolean {
  const isAnswered = reads.idempotency(order.actorId, 'venue_a', order.idempotencyKey)?.answer != null;
  return !isAnswered && at < answerDeadline(order);
}
