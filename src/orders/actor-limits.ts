// Whether an order stays within what its actor may have (contract §4.11). A limit errs on the safe side. Pure.

import type { ActorLimits } from '../domain/actor-limits.ts';
import type { Grid } from '../domain/grid.ts';
import { VENUES } from '../domain/market.ts';
import { formatMicroDollars, formatMicroShares, type MicroDollars, type MicroShares } from '../domain/numbers.ts';
import { addressOf, OPEN_STATUSES } from '../domain/order-lists.ts';
import type { OrderRequest } from '../domain/order-request.ts';
import { mostSizeOf } from '../domain/order-sums.ts';
import { limits } from '../limits.ts';
import type { OrderReads } from '../store/order-records.ts';
import { directionOf } from './direction.ts';
import { untoldGrowth } from './untold.ts';
import { costOf, worstPrice } from './worst-cost.ts';

/** Which limit an order would break in a market with that grid, with the limit's value; null if none. */
export function limitProblem(
  { notionalMax, openOrdersMax, positionMax }: ActorLimits,
  reads: OrderReads,
  actorId: string,
  request: OrderRequest,
  grid: Grid,
): string | null {
  return (
    notionalProblem(notionalMax, request) ??
    openOrdersProblem(openOrdersMax, reads, actorId) ??
    positionProblem(positionMax, reads, actorId, request, grid)
  );
}

function notionalProblem(notionalMax: MicroDollars | null, request: OrderRequest): string | null {
  if (notionalMax === null) return null;
  const notional = notionalOf(request);
  if (notional <= notionalMax) return null;
  return `the order may cost ${formatMicroDollars(notional)} dollars, more than the actor’s notionalMax (${formatMicroDollars(notionalMax)})`;
}

function openOrdersProblem(openOrdersMax: number | null, reads: OrderReads, actorId: string): string | null {
  if (openOrdersMax === null) return null;
  const count = VENUES.reduce((sum, venue) => sum + reads.openCount(actorId, venue), 0);
  return count < openOrdersMax ? null : `the actor has ${count} open orders, its openOrdersMax is ${openOrdersMax}`;
}

function positionProblem(
  positionMax: MicroShares | null,
  reads: OrderReads,
  actorId: string,
  request: OrderRequest,
  grid: Grid,
): string | null {
  if (positionMax === null) return null;
  const most = `the actor’s positionMax (${formatMicroShares(positionMax)})`;
  const resting = growthResting(reads, actorId, request, grid);
  const untold = untoldGrowth(reads, actorId, request);
  if (resting === null) return `more orders rest in this market than are looked at (restingOrdersMax) for ${most}`;
  if (untold === null)
    return `fills of more orders than are looked at (restingOrdersMax) are yet to be told for ${most}`;
  const held = reads.position(actorId, request.venue, addressOf(request))?.size ?? 0;
  const sum = directionOf(request) * held + resting + untold + mostSizeOf(request, grid);
  // Beyond that sums are not exact; no limit is so large.
  const grown = Math.min(sum, Number.MAX_SAFE_INTEGER);
  return grown > positionMax
    ? `the position could become ${formatMicroShares(grown as MicroShares)}, past ${most}`
    : null;
}

function notionalOf(request: OrderRequest): MicroDollars {
  return 'dollars' in request ? request.dollars : costOf(request.size, worstPrice(request));
}

/** What the actor's orders that want the same may add yet; null with so many of them that not all are looked at. */
function growthResting(reads: OrderReads, actorId: string, request: OrderRequest, grid: Grid): number | null {
  const rowsMax = limits.restingOrdersMax;
  const query = { actorId, venue: request.venue, address: addressOf(request), after: null, rowsMax } as const;
  let growth = 0;
  for (const status of OPEN_STATUSES) {
    const orders = reads.orders({ ...query, status });
    if (orders.length === rowsMax) return null;
    for (const { request: other, filled } of orders) {
      if (directionOf(other) === directionOf(request)) growth += Math.max(0, mostSizeOf(other, grid) - filled.size);
    }
  }
  return growth;
}
