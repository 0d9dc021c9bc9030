// Computes the shares that an order would take at once from a displayed book, if the book stood still, and their cost. Pure.

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

/** The levels of the book in the frame of the address, best levels first. */
export interface BookSides {
  readonly bids: readonly Level[];
  readonly asks: readonly Level[];
}

/** The shares that an order would take, with prices in the frame of the order. */
export interface Walk {
  readonly size: MicroShares;
  /** Σ price × size in ticks × micro-shares. */
  readonly cost: bigint;
  /** The last price at which the order takes shares. Null means that it takes none. */
  readonly worst: Ticks | null;
  /** The fees of the shares taken. Null means that the venue charges by a rule that is not known here. */
  readonly fees: MicroDollars | null;
  /** Whether the book fills the whole order. */
  readonly isWhole: boolean;
}

/** The least size that a venue trades: a hundredth of a share. */
const STEP = 10_000n;

export function walk(request: OrderRequest, sides: BookSides, fees: FeeModel | null, now: UnixMillis): Walk {
  const levels = directionOf(request) > 0 ? sides.asks : sides.bids;
  let [size, cost, fee] = [0n, 0n, 0];
  let worst: Ticks | null = null;
  for (const level of levels) {
    const price = priceInFrame(request, level.price);
    if (!isAcceptable(request, price)) break;
    const wanted = wantedSize(request, price, size, cost);
    const taken = wanted < BigInt(level.size) ? wanted : BigInt(level.size);
    if (taken > 0n) {
      size += taken;
      cost += BigInt(price) * taken;
      worst = price;
      if (fees !== null) fee += takerFeeOf(fees, price, Number(taken) as MicroShares, now);
    }
    if (taken === wanted) break;
  }
  const isWhole = worst !== null && wantedSize(request, worst, size, cost) === 0n;
  return {
    size: Number(size) as MicroShares,
    cost,
    worst,
    fees: fees === null ? null : (fee as MicroDollars),
    isWhole,
  };
}

/** Returns the micro-shares that the order still wants at this price. */
function wantedSize(request: OrderRequest, price: Ticks, size: bigint, cost: bigint): bigint {
  if (!('dollars' in request)) return BigInt(request.size) - size;
  const left = BigInt(request.dollars) * COST_PER_MICRO_DOLLAR - cost;
  return (left / (BigInt(price) * STEP)) * STEP;
}

function isAcceptable(request: OrderRequest, price: Ticks): boolean {
  const limit = 'price' in request ? request.price : request.worstPrice;
  if (limit === null) return true;
  return (request.venue === 'venue_a' ? request.side : request.action) === 'BUY' ? price <= limit : price >= limit;
}

/** Returns the size displayed at the order's price, which would be ahead of it in the queue. Null means that the order cannot rest. */
export function displayedAt(request: OrderRequest, { bids, asks }: BookSides): MicroShares | null {
  if (!('price' in request) || !canRest(request)) return null;
  const price = priceInFrame(request, request.price);
  const level = (directionOf(request) > 0 ? bids : asks).find(it => it.price === price);
  return level?.size ?? (0 as MicroShares);
}
