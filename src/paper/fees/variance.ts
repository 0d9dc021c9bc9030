// P × (1 − P), which both venues' fees grow with: the same for YES and NO, largest at a half. Of one price, and the largest
// at which an order with a limit can fill: a price better than the limit can cost more in fees. Pure.

import { BID, type Side } from '../../domain/market.ts';
import { TICKS_PER_DOLLAR, type Ticks } from '../../domain/numbers.ts';

const HALF = TICKS_PER_DOLLAR / 2;
/** Of a price of $0.50, in ticks². */
export const VARIANCE_MAX = HALF * HALF;

/** In ticks². */
export function varianceAt(price: Ticks): number {
  return price * (TICKS_PER_DOLLAR - price);
}

/** Over all prices at which a limit lets an order fill: up to it for a bid, from it for an ask, any if the side is not known. */
export function largestVariance(limit: Ticks, side: Side | undefined): number {
  if (side === undefined) return VARIANCE_MAX;
  const reachesHalf = side === BID ? limit >= HALF : limit <= HALF;
  return reachesHalf ? VARIANCE_MAX : varianceAt(limit);
}
