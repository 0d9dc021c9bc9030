// The collar of an actor (contract §4.11): the worst price at which an order may trade, by the opposite best price of a LIVE book. Pure.

import type { Grid } from '../../core/domain/grid.ts';
import type { ActorLimits } from '../../core/domain/identity.ts';
import { formatTicks, TICKS_PER_DOLLAR, type Ticks } from '../../core/domain/numbers.ts';
import { priceInFrame } from '../../core/domain/order-frame.ts';
import type { BestOf } from '../../core/domain/position.ts';
import type { Proposal } from './actor-limits.ts';

type Collar = Pick<ActorLimits, 'collarTicks' | 'collarPercent' | 'collarWithoutBook'>;

/** The bound of an actor's collar. `no-price` means that the collar needs a price that is not there, or that cannot be read now. */
type CollarBound = { readonly type: 'free' } | { readonly type: 'no-price'; readonly message: string } | Bounded;

export interface Bounded {
  readonly type: 'bounded';
  /** Whether the order buys, in its own frame. */
  readonly isBuy: boolean;
  /** The worst price in the frame of the order. It may lie outside the dollar. */
  readonly worst: Ticks;
  /** The opposite best price in the frame of the order. */
  readonly best: Ticks;
}

const FREE = { type: 'free' } as const;
const NO_PRICE = {
  type: 'no-price',
  message: 'the market has no LIVE book with a price from which the actor’s collar could count (collarWithoutBook)',
} as const;
/** Without its thread, the feed may leave a book half written for a while. That is no book that is missing. */
const BUSY = { type: 'no-price', message: 'the book that the actor’s collar counts from is being written' } as const;

export function collarBound(
  own: Collar,
  proposal: Pick<Proposal, 'request' | 'address' | 'direction'>,
  grid: Grid,
  bestOf: BestOf,
): CollarBound {
  const { collarTicks, collarPercent, collarWithoutBook } = own;
  if (collarTicks === null && collarPercent === null) return FREE;
  const { request, address, direction } = proposal;
  const opposite = bestOf(request.venue, address, direction > 0);
  if (opposite === 'busy') return BUSY;
  if (opposite === null) return collarWithoutBook === 'PASS' ? FREE : NO_PRICE;
  const best = priceInFrame(request, opposite);
  const byTicks = collarTicks === null ? Number.POSITIVE_INFINITY : collarTicks * stepAt(grid, opposite);
  const byPercent = collarPercent === null ? Number.POSITIVE_INFINITY : Math.floor((best * collarPercent) / 100);
  const room = Math.min(byTicks, byPercent);
  const isBuy = (request.venue === 'venue_a' ? request.side : request.action) === 'BUY';
  return { type: 'bounded', isBuy, worst: (isBuy ? best + room : best - room) as Ticks, best };
}

/**
 * Returns why the order's limit price is beyond the collar. Null means that it keeps to the bound. `limit` is the worst price that the
 * order accepts.
 */
export function collarProblem(limit: Ticks, { isBuy, worst, best }: Bounded): string | null {
  if (isBuy ? limit <= worst : limit >= worst) return null;
  const [most, way, other] = isBuy ? ['at most', 'buy', 'ask'] : ['at least', 'sell', 'bid'];
  const bound = formatTicks(Math.min(TICKS_PER_DOLLAR, Math.max(0, worst)) as Ticks);
  return `the limit ${formatTicks(limit)} is beyond the actor’s collar: to ${way} is allowed at ${most} ${bound}, the best ${other} is ${formatTicks(best)}`;
}

/** Returns the price step of the market at the price. Where two bands meet, it is the finer step. */
function stepAt(grid: Grid, price: Ticks): number {
  let step = TICKS_PER_DOLLAR;
  for (const band of grid) if (price >= band.start && price <= band.end) step = Math.min(step, band.step);
  return step;
}
