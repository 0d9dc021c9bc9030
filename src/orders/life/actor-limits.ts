// Whether an order stays within its actor's limits (contract §4.11). When in doubt, a limit refuses. Pure.

import type { Grid } from '../../core/domain/grid.ts';
import type { ActorLimits } from '../../core/domain/identity.ts';
import { VENUES } from '../../core/domain/market.ts';
import {
  formatMicroDollars,
  formatMicroShares,
  type MicroDollars,
  type MicroShares,
} from '../../core/domain/numbers.ts';
import type { Caller } from '../../core/domain/operation.ts';
import { addressOf, directionOf } from '../../core/domain/order-frame.ts';
import type { OrderRequest } from '../../core/domain/order-request.ts';
import { mostSizeOf } from '../../core/domain/order-sums.ts';
import { madeOf } from '../../core/domain/wallet-action.ts';
import type { LiveReads, PendingHolds } from '../../core/store/order-records.ts';
import { costOf, worstPrice } from './worst-cost.ts';

/** The reads that limits and holdings need. */
export type LimitReads = Pick<
  LiveReads,
  'pending' | 'unclearOrders' | 'openCount' | 'position' | 'idempotency' | 'openActions'
>;

/** The limit that the order would break, with its value; null if it breaks none. */
export function limitProblem(
  own: ActorLimits,
  reads: LimitReads,
  { podId, actorId }: Pick<Caller, 'podId' | 'actorId'>,
  request: OrderRequest,
  grid: Grid,
): string | null {
  return (
    notionalProblem(own, request) ??
    openOrdersProblem(own.openOrdersMax, reads, actorId) ??
    positionProblem(own.positionMax, reads, { podId, actorId }, request, grid)
  );
}

/** Like `limitProblem`, for the limit that one order alone may break. */
export function notionalProblem({ notionalMax }: ActorLimits, request: OrderRequest): string | null {
  if (notionalMax === null) return null;
  const notional = notionalOf(request);
  if (notional <= notionalMax) return null;
  return `the order may cost ${formatMicroDollars(notional)} dollars, more than the actor’s notionalMax (${formatMicroDollars(notionalMax)})`;
}

function openOrdersProblem(openOrdersMax: number | null, reads: LimitReads, actorId: string): string | null {
  if (openOrdersMax === null) return null;
  const count = VENUES.reduce((sum, venue) => sum + reads.openCount(actorId, venue), 0);
  return count < openOrdersMax ? null : `the actor has ${count} open orders, its openOrdersMax is ${openOrdersMax}`;
}

function positionProblem(
  positionMax: MicroShares | null,
  reads: LimitReads,
  { podId, actorId }: Pick<Caller, 'podId' | 'actorId'>,
  request: OrderRequest,
  grid: Grid,
): string | null {
  if (positionMax === null) return null;
  const most = `the actor’s positionMax (${formatMicroShares(positionMax)})`;
  const holds = reads.pending(actorId, request.venue, addressOf(request));
  const growing = holds.growth(directionOf(request)) + growthInDollars(holds.passing, request, grid);
  const held = reads.position(actorId, request.venue, addressOf(request))?.size ?? 0;
  const made = directionOf(request) > 0 ? madeOf(reads.openActions(podId), actorId, addressOf(request)) : 0;
  const sum = directionOf(request) * held + made + growing + mostSizeOf(request, grid);
  // Sums are not exact above this value; no limit is that large.
  const grown = Math.min(sum, Number.MAX_SAFE_INTEGER);
  return grown > positionMax
    ? `the position could become ${formatMicroShares(grown as MicroShares)}, past ${most}`
    : null;
}

function notionalOf(request: OrderRequest): MicroDollars {
  return 'dollars' in request ? request.dollars : costOf(request.size, worstPrice(request));
}

/** The pending hold of open purchases in dollars, which cannot rest. */
function growthInDollars(passing: PendingHolds['passing'], request: OrderRequest, grid: Grid): number {
  let growing = 0;
  for (const { order } of passing) {
    const counts = 'dollars' in order.request && directionOf(order.request) === directionOf(request);
    if (counts) growing += Math.max(0, mostSizeOf(order.request, grid) - order.filled.size);
  }
  return growing;
}
