// The collar of an actor (contract §4.11): the worst price at which an order may trade, by the opposite best price of a LIVE book. Pure.

import type { Grid } from '../../core/domain/grid.ts';
import type { ActorLimits } from '../../core/domain/identity.ts';
import { formatTicks, TICKS_PER_DOLLAR, type Ticks } from '../../core/domain/numbers.ts';
import { priceInFrame } from '../../core/domain/order-frame.ts';
import type { BestOf } from '../../core/domain/position.ts';
import type { Asked } from './actor-limits.ts';

type Collar = Pick<ActorLimits, 'collarTicks' | 'collarPercent' | 'collarWithoutBook'>;

/** `no-price`: the collar needs a LIVE book with an opposite side. */
type CollarBound = { readonly type: 'free' } | { readonly type: 'no-price' } | Bounded;

export interface Bounded {
  readonly type: 'bounded';
  /** In the frame of the order. */
  readonly isBuy: boolean;
  /** The worst price in the frame of the order. It may lie outside the dollar. */
  readonly worst: Ticks;
  /** The opposite best price in that frame. */
  readonly best: Ticks;
}

const FREE = { type: 'free' } as const;
const NO_PRICE = { type: 'no-price' } as const;

export function collarBound(
  own: Collar,
  asked: Pick<Asked, 'request' | 'address' | 'direction'>,
  grid: Grid,
  bestOf: BestOf,
): CollarBound {
  const { collarTicks, collarPercent, collarWithoutBook } = own;
  if (collarTicks === null && collarPercent === null) return FREE;
  const { request, address, direction } = asked;
  const opposite = bestOf(request.venue, address, direction > 0);
  if (opposite === null) return collarWithoutBook === 'PASS' ? FREE : NO_PRICE;
  const best = priceInFrame(request, opposite);
  const byTicks = collarTicks === null ? Number.POSITIVE_INFINITY : collarTicks * stepAt(grid, opposite);
  const byPercent = collarPercent === null ? Number.POSITIVE_INFINITY : Math.floor((best * collarPercent) / 100);
  const room = Math.min(byTicks, byPercent);
  const isBuy = (request.venue === 'venue_a' ? request.side : request.action) === 'BUY';
  return { type: 'bounded', isBuy, worst: (isBuy ? best + room : best - room) as Ticks, best };
}

/** `limit`: the worst price that the order accepts. Null: it keeps to the bound. */
export function collarProblem(limit: Ticks, { isBuy, worst, best }: Bounded): string | null {
  if (isBuy ? limit <= worst : limit >= worst) return null;
  const [most, way, other] = isBuy ? ['at most', 'buy', 'ask'] : ['at least', 'sell', 'bid'];
  const bound = formatTicks(Math.min(TICKS_PER_DOLLAR, Math.max(0, worst)) as Ticks);
  return `the limit ${formatTicks(limit)} is beyond the actor’s collar: to ${way} is allowed at ${most} ${bound}, the best ${other} is ${formatTicks(best)}`;
}

/** The step of the market at that price; the finer one where two bands meet. */
function stepAt(grid: Grid, price: Ticks): number {
  let step = TICKS_PER_DOLLAR;
  for (const band of grid) if (price >= band.start && price <= band.end) step = Math.min(step, band.step);
  return step;
}
