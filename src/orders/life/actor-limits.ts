// Whether an order stays within its actor's limits (contract §4.11). When in doubt, a limit refuses. Pure.

import type { Grid } from '../../core/domain/grid.ts';
import { costOf } from '../../core/domain/hold-cost.ts';
import type { ActorLimits } from '../../core/domain/identity.ts';
import type { Venue } from '../../core/domain/market.ts';
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
import { worstPrice } from './worst-cost.ts';

/** The reads that limits and holdings need. */
export type LimitReads = Pick<
  LiveReads,
  'pending' | 'unclearOrders' | 'openCount' | 'position' | 'held' | 'addressesOf' | 'idempotency' | 'openActions'
>;

/** The limit that the order would break together with what the actor has, with its value; null if it breaks none. */
export function limitProblem(
  own: ActorLimits,
  reads: LimitReads,
  { podId, actorId }: Pick<Caller, 'podId' | 'actorId'>,
  request: OrderRequest,
  grid: Grid,
): string | null {
  return (
    openOrdersProblem(own.openOrdersMax, reads, actorId) ??
    positionProblem(own.positionMax, reads, { podId, actorId }, request, grid)
  );
}

/** Like `limitProblem`, for the limits that one order alone may break. */
export function orderProblem(own: ActorLimits, request: OrderRequest, grid: Grid): string | null {
  return notionalProblem(own.notionalMax, request) ?? sizeProblem(own.sizeMax, request, grid);
}

function sizeProblem(sizeMax: MicroShares | null, request: OrderRequest, grid: Grid): string | null {
  if (sizeMax === null) return null;
  const size = exactOrMore(mostSizeOf(request, grid));
  if (size <= sizeMax) return null;
  return `the order may trade ${formatMicroShares(size)} shares, more than the actor’s sizeMax (${formatMicroShares(sizeMax)})`;
}

function notionalProblem(notionalMax: MicroDollars | null, request: OrderRequest): string | null {
  if (notionalMax === null) return null;
  const notional = notionalOf(request);
  if (notional <= notionalMax) return null;
  return `the order may cost ${formatMicroDollars(notional)} dollars, more than the actor’s notionalMax (${formatMicroDollars(notionalMax)})`;
}

function openOrdersProblem(openOrdersMax: number | null, reads: LimitReads, actorId: string): string | null {
  if (openOrdersMax === null) return null;
  const count = reads.openCount(actorId, null);
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
  const grown = grownPosition(reads, { podId, actorId }, request, grid);
  if (grown <= positionMax) return null;
  const most = `the actor’s positionMax (${formatMicroShares(positionMax)})`;
  return `the position could become ${formatMicroShares(grown)}, past ${most}`;
}

/** The position in the direction of the order, as if all were filled that is open in that direction, and the order too. */
function grownPosition(
  reads: LimitReads,
  { podId, actorId }: Pick<Caller, 'podId' | 'actorId'>,
  request: OrderRequest,
  grid: Grid,
): MicroShares {
  const [direction, address] = [directionOf(request), addressOf(request)];
  const holds = reads.pending(actorId, request.venue, address);
  const sum = openPosition(reads, { podId, actorId }, request.venue, address, direction, holds);
  return exactOrMore(sum + growthInDollars(holds.passing, direction, grid) + mostSizeOf(request, grid));
}

/** What the position could become by what is open in the direction, except for purchases in dollars. */
function openPosition(
  reads: Pick<LiveReads, 'position' | 'openActions'>,
  { podId, actorId }: Pick<Caller, 'podId' | 'actorId'>,
  venue: Venue,
  address: string,
  direction: 1 | -1,
  holds: PendingHolds,
): number {
  const held = reads.position(actorId, venue, address)?.size ?? 0;
  const made = direction > 0 && venue === 'venue_a' ? madeOf(reads.openActions(podId), actorId, address) : 0;
  return direction * held + made + holds.growth(direction);
}

/** The same in both directions: what counts for the limit of positions, before a further order. */
export function positionUse(
  reads: Pick<LiveReads, 'pending' | 'position' | 'openActions'>,
  owner: Pick<Caller, 'podId' | 'actorId'>,
  venue: Venue,
  address: string,
): MicroShares {
  const holds = reads.pending(owner.actorId, venue, address);
  const [long, short] = ([1, -1] as const).map(it => openPosition(reads, owner, venue, address, it, holds));
  return exactOrMore(Math.max(long!, short!));
}

/** Sums are not exact above this value; no limit is that large. */
function exactOrMore(sum: number): MicroShares {
  return Math.min(sum, Number.MAX_SAFE_INTEGER) as MicroShares;
}

/** A limit that is set, and what it counts once the order is there. */
export interface LimitUse {
  readonly name: 'notionalMax' | 'sizeMax' | 'openOrdersMax' | 'positionMax' | 'exposureMax' | 'podExposureMax';
  readonly max: string;
  readonly after: string;
}

export function limitUses(
  { notionalMax, sizeMax, openOrdersMax, positionMax }: ActorLimits,
  reads: LimitReads,
  caller: Pick<Caller, 'podId' | 'actorId'>,
  request: OrderRequest,
  grid: Grid,
): readonly LimitUse[] {
  const uses: LimitUse[] = [];
  const use = (name: LimitUse['name'], max: string, after: string): void => void uses.push({ name, max, after });
  if (notionalMax !== null) {
    use('notionalMax', formatMicroDollars(notionalMax), formatMicroDollars(notionalOf(request)));
  }
  const size = exactOrMore(mostSizeOf(request, grid));
  if (sizeMax !== null) use('sizeMax', formatMicroShares(sizeMax), formatMicroShares(size));
  if (openOrdersMax !== null) {
    use('openOrdersMax', String(openOrdersMax), String(reads.openCount(caller.actorId, null) + 1));
  }
  if (positionMax !== null) {
    const grown = grownPosition(reads, caller, request, grid);
    use('positionMax', formatMicroShares(positionMax), formatMicroShares(grown));
  }
  return uses;
}

function notionalOf(request: OrderRequest): MicroDollars {
  return 'dollars' in request ? request.dollars : costOf(request.size, worstPrice(request));
}

/** The pending hold of open purchases in dollars, which cannot rest. */
function growthInDollars(passing: PendingHolds['passing'], direction: 1 | -1, grid: Grid): number {
  let growing = 0;
  for (const { order } of passing) {
    const counts = 'dollars' in order.request && directionOf(order.request) === direction;
    if (counts) growing += Math.max(0, mostSizeOf(order.request, grid) - order.filled.size);
  }
  return growing;
}
