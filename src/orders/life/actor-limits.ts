// Checks whether an order stays within its actor's limits (contract §4.11). When in doubt, a limit refuses. Pure.

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
import { directionOf } from '../../core/domain/order-frame.ts';
import type { OrderRequest } from '../../core/domain/order-request.ts';
import { mostSizeOf } from '../../core/domain/order-sums.ts';
import type { Position } from '../../core/domain/position.ts';
import { madeOf } from '../../core/domain/wallet-action.ts';
import type { LiveReads, PendingHolds } from '../../core/store/order-records.ts';
import { worstPrice } from './worst-cost.ts';

/** The reads that limits and holdings need. */
export type LimitReads = Pick<
  LiveReads,
  | 'order'
  | 'pending'
  | 'unclearOrders'
  | 'openCount'
  | 'position'
  | 'held'
  | 'addressesOf'
  | 'idempotency'
  | 'openActions'
>;

/** An actor's position in the market of an order, and the pending holds of its orders there. Both are looked up once for all limits. */
export interface Holdings {
  readonly position: Position | null;
  readonly holds: PendingHolds;
}

/** An order that its actor requests (`Submission`). */
export interface Proposal extends Pick<Caller, 'podId' | 'actorId'> {
  readonly request: OrderRequest;
  readonly address: string;
  readonly direction: 1 | -1;
  readonly limits: ActorLimits;
}

/**
 * Returns the limit that the order and the actor's present orders and holdings would break together, with its value. Returns null if no
 * limit breaks. `holdings` come from `Exposure.measure`.
 */
export function limitProblem(
  proposal: Proposal,
  reads: Pick<LimitReads, 'openCount' | 'openActions'>,
  holdings: Holdings | null,
  most: number,
  grid: Grid,
): string | null {
  const { openOrdersMax, positionMax } = proposal.limits;
  if (openOrdersMax !== null) {
    const count = reads.openCount(proposal.actorId, null);
    if (count >= openOrdersMax) return `the actor has ${count} open orders, its openOrdersMax is ${openOrdersMax}`;
  }
  if (positionMax === null) return null;
  const grown = most + sizeIfFilled(proposal, reads, holdings!, grid);
  if (grown <= positionMax) return null;
  const limit = `the actor’s positionMax (${formatMicroShares(positionMax)})`;
  return `the position could become ${formatMicroShares(cappedAtExact(grown))}, past ${limit}`;
}

/** Like `limitProblem`, for the limits that one order alone may break. `most` comes from `mostSizeOf`. */
export function orderProblem(
  { notionalMax, sizeMax }: ActorLimits,
  request: OrderRequest,
  most: number,
): string | null {
  if (notionalMax !== null) {
    const notional = notionalOf(request);
    if (notional > notionalMax)
      return `the order may cost ${formatMicroDollars(notional)} dollars, more than the actor’s notionalMax (${formatMicroDollars(notionalMax)})`;
  }
  if (sizeMax === null || most <= sizeMax) return null;
  return `the order may trade ${formatMicroShares(cappedAtExact(most))} shares, more than the actor’s sizeMax (${formatMicroShares(sizeMax)})`;
}

/**
 * Returns the size of the position in the direction of the order, in micro-shares, as if all open orders in that direction were filled. The
 * new order does not count. Above 2^53 the sum is not exact, but never too small.
 */
function sizeIfFilled(order: Proposal, reads: Pick<LiveReads, 'openActions'>, holdings: Holdings, grid: Grid): number {
  const { request, direction } = order;
  let grown = openPosition(reads, order, request.venue, holdings, direction);
  for (const { order } of holdings.holds.immediate) {
    // The pending hold of an open purchase in dollars is counted here as the most shares that it may buy.
    const counts = 'dollars' in order.request && directionOf(order.request) === direction;
    if (counts) grown += Math.max(0, mostSizeOf(order.request, grid) - order.filled.size);
  }
  return grown;
}

/** Returns the position as if all open orders in the direction were filled, except for purchases in dollars. */
function openPosition(
  reads: Pick<LiveReads, 'openActions'>,
  { podId, actorId, address }: Pick<Proposal, 'podId' | 'actorId' | 'address'>,
  venue: Venue,
  { position, holds }: Holdings,
  direction: 1 | -1,
): number {
  const held = position?.size ?? 0;
  const made = direction > 0 && venue === 'venue_a' ? madeOf(reads.openActions(podId), actorId, address) : 0;
  return direction * held + made + holds.growth(direction);
}

/** Returns what counts for the limit of positions before a further order: the larger of the open positions in both directions. */
export function positionUse(
  reads: Pick<LiveReads, 'pending' | 'position' | 'openActions'>,
  { podId, actorId }: Pick<Caller, 'podId' | 'actorId'>,
  venue: Venue,
  address: string,
): MicroShares {
  const [position, holds] = [reads.position(actorId, venue, address), reads.pending(actorId, venue, address)];
  const [long, short] = ([1, -1] as const).map(it =>
    openPosition(reads, { podId, actorId, address }, venue, { position, holds }, it),
  );
  return cappedAtExact(Math.max(long!, short!));
}

/** Cuts a sum at the greatest exact integer. No limit is that large. */
function cappedAtExact(sum: number): MicroShares {
  return Math.min(sum, Number.MAX_SAFE_INTEGER) as MicroShares;
}

/** A limit that is set, and the value that counts for it once the order exists. */
export interface LimitUse {
  readonly name: 'notionalMax' | 'sizeMax' | 'openOrdersMax' | 'positionMax' | 'exposureMax' | 'podExposureMax';
  readonly max: string;
  readonly after: string;
}

export function limitUses(
  proposal: Proposal,
  reads: Pick<LimitReads, 'openCount' | 'openActions'>,
  holdings: Holdings | null,
  grid: Grid,
): readonly LimitUse[] {
  const { request, limits: own } = proposal;
  const { notionalMax, sizeMax, openOrdersMax, positionMax } = own;
  const uses: LimitUse[] = [];
  const use = (name: LimitUse['name'], max: string, after: string): void => void uses.push({ name, max, after });
  if (notionalMax !== null) {
    use('notionalMax', formatMicroDollars(notionalMax), formatMicroDollars(notionalOf(request)));
  }
  const size = cappedAtExact(mostSizeOf(request, grid));
  if (sizeMax !== null) use('sizeMax', formatMicroShares(sizeMax), formatMicroShares(size));
  if (openOrdersMax !== null) {
    use('openOrdersMax', String(openOrdersMax), String(reads.openCount(proposal.actorId, null) + 1));
  }
  if (positionMax !== null) {
    const grown = cappedAtExact(size + sizeIfFilled(proposal, reads, holdings!, grid));
    use('positionMax', formatMicroShares(positionMax), formatMicroShares(grown));
  }
  return uses;
}

function notionalOf(request: OrderRequest): MicroDollars {
  return 'dollars' in request ? request.dollars : costOf(request.size, worstPrice(request));
}
