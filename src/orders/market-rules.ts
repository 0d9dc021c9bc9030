// Refusals by the instrument spec: a price off the grid, a size below the minimum, a closed market. The message names the field,
// the rule and the nearest valid value. Pure.

import { type Grid, isOnGrid } from '../domain/grid.ts';
import {
  complementTicks,
  formatMicroShares,
  formatTicks,
  MICROS_PER_DOLLAR,
  type MicroShares,
  TICKS_PER_CENT,
  TICKS_PER_DOLLAR,
  type Ticks,
} from '../domain/numbers.ts';
import type { OrderRequest, VenueAOrderRequest } from '../domain/order-request.ts';
import type { TradingFacts } from '../venues/venue.ts';

export interface MarketObjection {
  readonly kind: 'invalid' | 'notFound';
  readonly message: string;
}

/** The caller's field that names the market. */
export function addressField({ venue }: Pick<OrderRequest, 'venue'>): 'tokenId' | 'ticker' {
  return venue === 'venue_a' ? 'tokenId' : 'ticker';
}

export function marketObjection(request: OrderRequest, facts: TradingFacts): MarketObjection | null {
  // A pause may have ended without a message; the venue refuses by itself.
  if (facts.phase === 'CLOSED')
    return { kind: 'notFound', message: `${addressField(request)}: the market takes no orders now` };
  const problem = request.venue === 'venue_b' ? centsProblem(request, facts.grid) : venueAProblem(request, facts);
  return problem === null ? null : { kind: 'invalid', message: problem };
}

/** A whole cent may be off a coarser or shifted grid. */
function centsProblem(
  { price, side }: { readonly price: Ticks; readonly side: 'YES' | 'NO' },
  grid: Grid,
): string | null {
  const ofSide = (it: Ticks) => (side === 'YES' ? it : complementTicks(it));
  const yesPrice = ofSide(price);
  if (isOnGrid(grid, yesPrice)) return null;
  const nearest = nearestOnGrid(grid, yesPrice, TICKS_PER_CENT);
  if (nearest === null) return 'priceCents: the market has no price in whole cents';
  return `priceCents: must be on the market's grid; the nearest is ${ofSide(nearest) / TICKS_PER_CENT}`;
}

function venueAProblem(request: VenueAOrderRequest, { grid, sizeMin, sizeStep }: TradingFacts): string | null {
  const limit = request.type === 'LIMIT' ? request.price : request.worstPrice;
  if (limit !== null && !isOnGrid(grid, limit)) {
    const nearest = nearestOnGrid(grid, limit, 1);
    const field = request.type === 'LIMIT' ? 'price' : 'worstPrice';
    const hint = nearest === null ? '' : `; the nearest is ${formatTicks(nearest)}`;
    return `${field}: must be on the market's tick grid${hint}`;
  }
  const field = request.type === 'LIMIT' ? 'size' : 'amount';
  const [given, step] = 'dollars' in request ? [request.dollars, CENT] : [request.size, sizeStep];
  if (given % step !== 0) return offStep(field, given, step);
  if (request.type === 'LIMIT') return belowMinimum(field, request.size, sizeMin);
  if ('dollars' in request && given < MICROS_PER_DOLLAR) return 'amount: must be at least 1 (dollars) for a BUY';
  return null;
}

const CENT = 10_000;

/** Shares or dollars: both are counted in millionths. */
function offStep(field: string, given: number, step: number): string {
  const nearest = Math.max(step, Math.round(given / step) * step) as MicroShares;
  const [rule, hint] = [formatMicroShares(step as MicroShares), formatMicroShares(nearest)];
  return `${field}: must be a multiple of ${rule}; the nearest is ${hint}`;
}

function belowMinimum(field: string, size: MicroShares, sizeMin: MicroShares): string | null {
  return size < sizeMin ? `${field}: must be at least ${formatMicroShares(sizeMin)} shares in this market` : null;
}

/** Among prices that are multiples of `step`; the lower of two equally near. */
function nearestOnGrid(grid: Grid, price: Ticks, step: number): Ticks | null {
  for (let distance = 0; distance < TICKS_PER_DOLLAR; distance += 1) {
    for (const candidate of [price - distance, price + distance] as Ticks[]) {
      if (candidate % step === 0 && isOnGrid(grid, candidate)) return candidate;
    }
  }
  return null;
}
