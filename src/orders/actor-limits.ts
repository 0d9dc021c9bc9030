// What an actor may have at most (contract §4.11): guards against a bot that has gone wrong, set by the operator. Pure.

import { formatMicroShares, type MicroDollars, type MicroShares, TICKS_PER_DOLLAR } from '../domain/numbers.ts';
import type { OrderRequest } from '../domain/order.ts';
import { limits } from '../limits.ts';
import type { OrderReads } from '../store/order-records.ts';
import { addressOf } from '../venues/venue.ts';
import { directionOf } from './direction.ts';

/** Null: no limit. */
export interface ActorLimits {
  /** Of one order: what it may cost at its limit. */
  readonly notionalMax: MicroDollars | null;
  readonly openOrdersMax: number | null;
  /** Of one venue market, either way: with everything filled that rests and would make it larger. */
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
  const direction = directionOf(request);
  const held = reads.position(actorId, request.venue, addressOf(request))?.size ?? 0;
  return direction * held + growthResting(reads, actorId, request) + sizeOf(request) > positionMax
    ? `the position would pass the actor’s positionMax (${formatMicroShares(positionMax)})`
    : null;
}

/** In micro-dollars, rounded up: a limit errs on the safe side. */
function notionalOf(request: OrderRequest): number {
  if (request.venue === 'venue_a' && 'dollars' in request) return request.dollars;
  const price = 'price' in request ? request.price : TICKS_PER_DOLLAR;
  return Number((BigInt(request.size) * BigInt(price) + 9_999n) / 10_000n);
}

const ALIVE = ['PENDING', 'SUBMITTED', 'OPEN'] as const;

/** What the actor's orders that want the same may add yet. */
function growthResting(reads: OrderReads, actorId: string, request: OrderRequest): number {
  const query = { actorId, venue: request.venue, address: addressOf(request), after: null } as const;
  const orders = ALIVE.flatMap(status => reads.orders({ ...query, status, rowsMax: limits.restingSellsMax }));
  return orders
    .filter(({ request: other }) => directionOf(other) === directionOf(request))
    .reduce((sum, { request: other, filled }) => sum + Math.max(0, sizeOf(other) - filled.size), 0);
}

/** Of a BUY in dollars, as few shares as it may bring: only what is certain is refused. */
function sizeOf(request: OrderRequest): number {
  return 'dollars' in request ? request.dollars : request.size;
}
