// What an actor may have at most (contract §4.11): guards against a bot that has gone wrong, set by the operator. Pure.

import { formatMicroShares, type MicroDollars, type MicroShares, TICKS_PER_DOLLAR } from '../domain/numbers.ts';
import type { OrderRequest } from '../domain/order.ts';
import type { OrderReads } from '../store/order-records.ts';
import { addressOf } from '../venues/venue.ts';

/** Null: no limit. */
export interface ActorLimits {
  /** Of one order: what it may cost at its limit. */
  readonly notionalMax: MicroDollars | null;
  readonly openOrdersMax: number | null;
  /** Of one venue market, either way. */
  readonly positionMax: MicroShares | null;
}

export const NO_LIMITS: ActorLimits = { notionalMax: null, openOrdersMax: null, positionMax: null };

/** Which limit an order would break; null if none. */
export function limitProblem(
  { notionalMax, openOrdersMax, positionMax }: ActorLimits,
  reads: OrderReads,
  actorId: string,
  request: OrderRequest,
): string | null {
  if (notionalMax !== null && notionalOf(request) > notionalMax)
    return 'the order is larger than the actor’s notionalMax';
  if (openOrdersMax !== null && reads.openCount(actorId, request.venue) >= openOrdersMax) {
    return `the actor has openOrdersMax (${openOrdersMax}) open orders`;
  }
  if (positionMax === null) return null;
  const held = reads.position(actorId, request.venue, addressOf(request))?.size ?? 0;
  const after = Math.abs(held + signedSize(request));
  const isGrowing = after > Math.abs(held);
  return isGrowing && after > positionMax
    ? `the position would pass the actor’s positionMax (${formatMicroShares(positionMax)})`
    : null;
}

/** In micro-dollars, rounded up: a limit errs on the safe side. */
function notionalOf(request: OrderRequest): number {
  if (request.venue === 'venue_a' && 'dollars' in request) return request.dollars;
  const price = 'price' in request ? request.price : TICKS_PER_DOLLAR;
  return Number((BigInt(request.size) * BigInt(price) + 9_999n) / 10_000n);
}

/** How the position would change if all of it were filled; of a BUY in dollars, as if a share cost a dollar at most. */
function signedSize(request: OrderRequest): number {
  if (request.venue === 'venue_b') {
    return (request.side === 'YES') === (request.action === 'BUY') ? request.size : -request.size;
  }
  if ('dollars' in request) return request.dollars;
  return request.side === 'BUY' ? request.size : -request.size;
}
