// Refusals by the instrument spec: a price off the grid, a size below the minimum, a closed market. The message names the field, the rule
// and the nearest valid value. Pure.

import { SECOND_MS } from '../../core/domain/durations.ts';
import { type Grid, isOnGrid, neighboursOf } from '../../core/domain/grid.ts';
import {
  formatMicroShares,
  formatTicks,
  MICROS_PER_DOLLAR,
  type MicroShares,
  TICKS_PER_CENT,
  TICKS_PER_DOLLAR,
  type Ticks,
  type UnixMillis,
} from '../../core/domain/numbers.ts';
import { priceInFrame } from '../../core/domain/order-frame.ts';
import {
  expiresAtOf,
  type OrderRequest,
  type VenueAOrderRequest,
  type VenueBOrderRequest,
} from '../../core/domain/order-request.ts';
import { formatTime } from '../../core/wire/time-text.ts';
import type { TradingFacts } from '../../venues/venue.ts';

interface MarketRefusal {
  readonly kind: 'invalid' | 'notFound' | 'unavailable';
  readonly message: string;
}

/** Returns the name of the request's field for the market. */
export function addressField({ venue }: Pick<OrderRequest, 'venue'>): 'tokenId' | 'ticker' {
  return venue === 'venue_a' ? 'tokenId' : 'ticker';
}

/**
 * Returns the refusal of a request by the facts of its market. `isExact` means that a request to venue B has `price`, not `priceCents`.
 */
export function marketRefusalOf(request: OrderRequest, facts: TradingFacts, isExact = false): MarketRefusal | null {
  const field = addressField(request);
  if (facts.phase === 'CLOSED') return { kind: 'notFound', message: `${field}: the market takes no orders any more` };
  // Venue B refuses in its own words. A pause at venue B may have ended without a message.
  if (facts.phase === 'PAUSED' && request.venue === 'venue_a')
    return { kind: 'unavailable', message: `${field}: the market is paused, and takes no orders for now` };
  const problem =
    request.venue === 'venue_b' ? venueBProblem(request, facts.grid, isExact) : venueAProblem(request, facts);
  return problem === null ? null : { kind: 'invalid', message: problem };
}

/** Returns the refusal of a GTD order that has too little time left. */
export function expiryRefusal(
  request: OrderRequest,
  { expiryLeadMs }: Pick<TradingFacts, 'expiryLeadMs'>,
  now: UnixMillis,
): MarketRefusal | null {
  const expiresAt = expiresAtOf(request);
  if (expiresAt === null || expiresAt >= now + expiryLeadMs) return null;
  const leadS = expiryLeadMs / SECOND_MS;
  const earliest = formatTime((Math.ceil((now + expiryLeadMs) / SECOND_MS) * SECOND_MS) as UnixMillis);
  const rule = `must be at least ${leadS} s from now, which is the least at this venue; the earliest is ${earliest}`;
  return { kind: 'invalid', message: `timeInForce.expiresAt: ${rule}` };
}

/** Returns why the price is off the grid. Even a whole cent may be off a coarse or shifted grid. */
function venueBProblem(request: VenueBOrderRequest, grid: Grid, isExact: boolean): string | null {
  const yesPrice = priceInFrame(request, request.price);
  if (isOnGrid(grid, yesPrice)) return null;
  const nearest = nearestPricesText(request, grid);
  if (isExact || request.price % TICKS_PER_CENT !== 0) return `price: must be on the market's grid${nearest}`;
  const cent = nearestOnGrid(grid, yesPrice, TICKS_PER_CENT);
  if (cent === null) return `priceCents: the market has no price in whole cents${nearest}`;
  return `priceCents: must be on the market's grid; the nearest is ${priceInFrame(request, cent) / TICKS_PER_CENT}${nearest}`;
}

/** Returns the words for the nearest prices in the frame of the request. A higher price in NO is a lower price in YES. */
function nearestPricesText(request: VenueBOrderRequest, grid: Grid): string {
  const { below, above } = neighboursOf(grid, priceInFrame(request, request.price));
  const ofSide = [below, above].map(it => it && priceInFrame(request, it));
  const [lower = null, upper = null] = request.side === 'NO' ? ofSide.toReversed() : ofSide;
  const named = [
    ...(lower === null ? [] : [`${formatTicks(lower)} below`]),
    ...(upper === null ? [] : [`${formatTicks(upper)} above`]),
  ];
  return named.length === 0 ? '' : `; the nearest prices are ${named.join(' and ')}`;
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
  if (given % step !== 0) return offStepText(field, given, step);
  if (request.type === 'LIMIT') return belowMinimum(field, request.size, sizeMin);
  if ('dollars' in request && given < MICROS_PER_DOLLAR) return 'amount: must be at least 1 (dollars) for a BUY';
  return null;
}

const CENT = 10_000;

/** Returns the words for a value that is no multiple of `step`. Both shares and dollars are counted in millionths. */
function offStepText(field: string, given: number, step: number): string {
  const nearest = Math.max(step, Math.round(given / step) * step) as MicroShares;
  const [rule, hint] = [formatMicroShares(step as MicroShares), formatMicroShares(nearest)];
  return `${field}: must be a multiple of ${rule}; the nearest is ${hint}`;
}

function belowMinimum(field: string, size: MicroShares, sizeMin: MicroShares): string | null {
  return size < sizeMin ? `${field}: must be at least ${formatMicroShares(sizeMin)} shares in this market` : null;
}

/** Returns the nearest multiple of `step` on the grid. Of two prices at the same distance it is the lower. */
function nearestOnGrid(grid: Grid, price: Ticks, step: number): Ticks | null {
  for (let distance = 0; distance < TICKS_PER_DOLLAR; distance += 1) {
    for (const candidate of [price - distance, price + distance] as Ticks[]) {
      if (candidate % step === 0 && isOnGrid(grid, candidate)) return candidate;
    }
  }
  return null;
}
