// The cost of an order by venue B's statement, in terms of YES. The sums of an order record are costs of the order's own side: YES
// for a bid, NO for an ask, as real orders show. No source says which side the average price in the answer to a new ask means. An
// order never fills at a price worse than its limit: that excludes a reading, and often leaves one. Pure.

import { type MicroShares, TICKS_PER_DOLLAR, type Ticks } from '../../../domain/numbers.ts';
import type { BookSide } from './order-body.ts';

export interface StatedCost {
  readonly side: BookSide;
  /** Price of YES. */
  readonly limit: Ticks;
  readonly size: MicroShares;
  /** Ticks × micro-shares. */
  readonly cost: bigint;
}

/** From an order record (venue-b.md §5.6), in terms of YES. Null if no ask at this limit can have that cost. Ticks × micro-shares. */
export function recordedCost({ cost, ...order }: StatedCost): bigint | null {
  if (order.side === 'bid') return cost;
  const yes = whole(order) - cost;
  return isSaleOf(order, yes) ? yes : null;
}

/** From the average price in the answer to a new order, in terms of YES. Null if both sides are possible. Ticks × micro-shares. */
export function answeredCost({ cost, ...order }: StatedCost): bigint | null {
  if (order.side === 'bid') return cost;
  const readings = [cost, whole(order) - cost].filter(yes => isSaleOf(order, yes));
  return readings.length > 0 && readings.every(yes => yes === readings[0]) ? readings[0]! : null;
}

type Order = Omit<StatedCost, 'cost'>;

function whole({ size }: Order): bigint {
  return BigInt(TICKS_PER_DOLLAR) * BigInt(size);
}

/** Whether a sale of YES can have this cost. */
function isSaleOf(order: Order, yes: bigint): boolean {
  return yes >= BigInt(order.limit) * BigInt(order.size) && yes <= whole(order);
}
