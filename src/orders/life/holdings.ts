// Checks whether an actor may sell (contract §5). At venue A an actor may sell the shares of its own fills, less the shares that its orders
// have sold or may still sell. The rest of the pod's holding belongs to other actors. Pure.

import type { Grid } from '../../core/domain/grid.ts';
import { formatMicroShares, type MicroShares, type UnixMillis } from '../../core/domain/numbers.ts';
import { addressOf, directionOf, growthOf } from '../../core/domain/order-frame.ts';
import type { OrderRequest } from '../../core/domain/order-request.ts';
import { mostSizeOf, traded } from '../../core/domain/order-sums.ts';
import { takenOf } from '../../core/domain/wallet-action.ts';
import type { PendingHolds, StoredOrder } from '../../core/store/order-records.ts';
import type { LimitReads } from './actor-limits.ts';
import { answerDeadline, type Submission } from './submission.ts';

/** Returns why the sale is not allowed. Null means that it is allowed, or that the holding cannot be known, so that the venue decides. */
export function holdingProblem(
  reads: LimitReads,
  { podId, actorId }: Pick<Submission, 'podId' | 'actorId'>,
  request: OrderRequest,
  grid: Grid,
  at: UnixMillis,
): string | null {
  if (request.venue !== 'venue_a' || request.side !== 'SELL') return null;
  const { tokenId } = request;
  const holds = reads.pending(actorId, 'venue_a', tokenId);
  /** The quantity that open orders may still sell, and that ended orders have sold although the fills are not known yet. */
  const promised = holds.growth(-1) - unsoldLeaves(reads, holds.immediate, at);
  // Shares that a redeem or a merge will burn.
  const taken = takenOf(reads.openActions(podId), actorId, tokenId);
  const held = (reads.position(actorId, 'venue_a', tokenId)?.size ?? 0) - taken;
  // A purchase counts as held once the venue's sum shows it.
  const free = held + holds.bought - promised;
  if (request.size <= free || request.size <= free + possibleBuysOf(reads, { podId, actorId, tokenId }, grid, at))
    return null;
  const field = request.type === 'LIMIT' ? 'size' : 'amount';
  return `${field}: the actor can sell ${formatMicroShares(Math.max(0, free) as MicroShares)} shares of this token`;
}

/**
 * Returns the leaves quantity of orders that will sell no more: FAK orders that are answered and partly filled. A FOK order sells its rest
 * as well, because its fills arrive in parts.
 */
function unsoldLeaves(reads: LimitReads, passing: PendingHolds['immediate'], at: UnixMillis): number {
  let rest = 0;
  for (const stored of passing) {
    const { order } = stored;
    const isSoldOut = order.request.timeInForce === 'FAK' && order.filled.size > 0 && !isInFlight(reads, stored, at);
    if (isSoldOut && directionOf(order.request) < 0) rest += growthOf(order);
  }
  return rest;
}

interface OfToken {
  readonly podId: string;
  readonly actorId: string;
  readonly tokenId: string;
}

/**
 * Returns an upper bound of the purchases of orders with an unknown outcome. Orders that the venue is known to have report their trades.
 */
function possibleBuysOf(reads: LimitReads, { podId, actorId, tokenId }: OfToken, grid: Grid, at: UnixMillis): number {
  let most = 0;
  for (const stored of reads.unclearOrders({ podId, venue: 'venue_a' })) {
    const { order } = stored;
    const isIts = order.actorId === actorId && addressOf(order.request) === tokenId && directionOf(order.request) > 0;
    const isUnknown = isIts && order.status === 'SUBMITTED' && order.venueOrderId === null;
    if (isUnknown && !isInFlight(reads, stored, at))
      most += Math.max(0, mostSizeOf(order.request, grid) - traded(order).size);
  }
  return most;
}

/** Whether the answer to the order is still expected soon. Until then its trades do not count. */
function isInFlight(reads: LimitReads, { order }: StoredOrder, at: UnixMillis): boolean {
  const isAnswered = reads.idempotency(order.actorId, 'venue_a', order.idempotencyKey)?.answer != null;
  return !isAnswered && at < answerDeadline(order);
}
