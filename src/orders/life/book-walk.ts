// The shares that an order would take at once from a displayed book that stands still, and their cost. Pure.

import { type FeeModel, takerFeeOf } from '../../core/domain/fees.ts';
import type { Level } from '../../core/domain/market.ts';
import {
  COST_PER_MICRO_DOLLAR,
  type MicroDollars,
  type MicroShares,
  type Ticks,
  type UnixMillis,
} from '../../core/domain/numbers.ts';
import { directionOf, priceInFrame } from '../../core/domain/order-frame.ts';
import type { OrderRequest } from '../../core/domain/order-request.ts';
import { canRest } from '../../core/domain/order-sums.ts';

/** In the frame of the address; best levels first. */
export interface BookSides {
  readonly bids: readonly Level[];
  readonly asks: readonly Level[];
}

/** Prices in the frame of the order. */
export interface Walk {
  readonly size: MicroShares;
  /** Σ price × size in ticks × micro-shares. */
  readonly cost: bigint;
  /** The last price that it takes; null if it takes nothing. */
  readonly worst: Ticks | null;
  /** Null if the venue charges by an unknown rule. */
  readonly fees: MicroDollars | null;
  /** Whether the book fills all of it. */
  readonly isWhole: boolean;
}

/** Venues trade hundredths of a share. */
const STEP = 10_000n;

export function walk(request: OrderRequest, sides: BookSides, fees: FeeModel | null, now: UnixMillis): Walk {
  const levels = directionOf(request) > 0 ? sides.asks : sides.bids;
  let [size, cost, fee] = [0n, 0n, 0];
  let worst: Ticks | null = null;
  for (const level of levels) {
    const price = priceInFrame(request, level.price);
    if (!accepts(request, price)) break;
    const wanted = wantedAt(request, price, size, cost);
    const taken = wanted < BigInt(level.size) ? wanted : BigInt(level.size);
    if (taken > 0n) {
      size += taken;
      cost += BigInt(price) * taken;
      worst = price;
      if (fees !== null) fee += takerFeeOf(fees, price, Number(taken) as MicroShares, now);
    }
    if (taken === wanted) break;
  }
  const isWhole = worst !== null && wantedAt(request, worst, size, cost) === 0n;
  return {
    size: Number(size) as MicroShares,
    cost,
    worst,
    fees: fees === null ? null : (fee as MicroDollars),
    isWhole,
  };
}

/** Micro-shares that are still wanted at this price. */
function wantedAt(request: OrderRequest, price: Ticks, size: bigint, cost: bigint): bigint {
  if (!('dollars' in request)) return BigInt(request.size) - size;
  const left = BigInt(request.dollars) * COST_PER_MICRO_DOLLAR - cost;
  return (left / (BigInt(price) * STEP)) * STEP;
}

function accepts(request: OrderRequest, price: Ticks): boolean {
  const limit = 'price' in request ? request.price : request.worstPrice;
  if (limit === null) return true;
  return (request.venue === 'venue_a' ? request.side : request.action) === 'BUY' ? price <= limit : price >= limit;
}

/** Displayed beside the order at its price: what would be ahead of it in the queue. Null if it cannot rest. */
export function displayedAt(request: OrderRequest, { bids, asks }: BookSides): MicroShares | null {
  if (!('price' in request) || !canRest(request)) return null;
  const price = priceInFrame(request, request.price);
  const level = (directionOf(request) > 0 ? bids : asks).find(it => it.price === price);
  return level?.size ?? (0 as MicroShares);
}
