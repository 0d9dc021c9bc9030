// Whether an order stays within its actor's limits (contract §4.11). When in doubt, a limit refuses. Pure.

import type { Grid } from '../domain/grid.ts';
import type { ActorLimits } from '../domain/identity.ts';
import { VENUES } from '../domain/market.ts';
import { formatMicroDollars, formatMicroShares, type MicroDollars, type MicroShares } from '../domain/numbers.ts';
import { isTerminal, type Order } from '../domain/order.ts';
import { directionOf } from '../domain/order-frame.ts';
import { addressOf } from '../domain/order-lists.ts';
import type { OrderRequest } from '../domain/order-request.ts';
import { hasUnreported, mostSizeOf, unreportedOf } from '../domain/order-sums.ts';
import { limits } from '../limits.ts';
import type { LiveReads, StoredOrder } from '../store/order-records.ts';
import { costOf, worstPrice } from './worst-cost.ts';

/** What limits and holdings read. */
export type LimitReads = Pick<LiveReads, 'ordersOf' | 'openCount' | 'position' | 'idempotency'>;

/** The limit that the order would break, with its value; null if none. */
export function limitProblem(
  own: ActorLimits,
  reads: LimitReads,
  actorId: string,
  request: OrderRequest,
  grid: Grid,
): string | null {
  return (
    notionalProblem(own, request) ??
    openOrdersProblem(own.openOrdersMax, reads, actorId) ??
    positionProblem(own.positionMax, reads, actorId, request, grid)
  );
}

/** As `limitProblem`, of the limit that one order alone may break. */
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
  actorId: string,
  request: OrderRequest,
  grid: Grid,
): string | null {
  if (positionMax === null) return null;
  const most = `the actor’s positionMax (${formatMicroShares(positionMax)})`;
  const own = ownOrders(reads, actorId, request);
  if (own === null)
    return `more orders rest in this market, or have fills yet to come, than are looked at (restingOrdersMax) for ${most}`;
  const growing = growthOfOpen(own, request, grid) + unreportedGrowth(own, request);
  const held = reads.position(actorId, request.venue, addressOf(request))?.size ?? 0;
  const sum = directionOf(request) * held + growing + mostSizeOf(request, grid);
  // Above this, sums are not exact; no limit is that large.
  const grown = Math.min(sum, Number.MAX_SAFE_INTEGER);
  return grown > positionMax
    ? `the position could become ${formatMicroShares(grown as MicroShares)}, past ${most}`
    : null;
}

function notionalOf(request: OrderRequest): MicroDollars {
  return 'dollars' in request ? request.dollars : costOf(request.size, worstPrice(request));
}

/** How much the actor's other orders in the same direction may still add. */
function growthOfOpen({ open }: OwnOrders, request: OrderRequest, grid: Grid): number {
  return open
    .filter(({ order }) => directionOf(order.request) === directionOf(request))
    .reduce((sum, { order }) => sum + Math.max(0, mostSizeOf(order.request, grid) - order.filled.size), 0);
}

/** The actor's own orders in one market that may still move its position: open ones, and ended ones with unreported fills. */
export interface OwnOrders {
  readonly open: readonly StoredOrder[];
  readonly unreported: readonly Order[];
}

/** Orders in the request's market. Null: more than the bound. */
export function ownOrders(
  reads: Pick<LiveReads, 'ordersOf'>,
  actorId: string,
  request: OrderRequest,
): OwnOrders | null {
  const [open, unreported]: [StoredOrder[], Order[]] = [[], []];
  for (const stored of reads.ordersOf(actorId, request.venue, addressOf(request))) {
    const { order } = stored;
    if (!isTerminal(order.status)) open.push(stored);
    else if (hasUnreported(order)) unreported.push(order);
    if (open.length + unreported.length >= limits.restingOrdersMax) return null;
  }
  return { open, unreported };
}

/** Unreported size that ended orders have traded in the request's direction. */
export function unreportedGrowth({ unreported }: OwnOrders, request: OrderRequest): number {
  return unreported
    .filter(order => directionOf(order.request) === directionOf(request))
    .reduce((sum, order) => sum + unreportedOf(order), 0);
}
