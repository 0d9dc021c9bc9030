// P × (1 − P), a factor of both venues' fees: equal for YES and NO, largest at a half. For one price, or the maximum over all
// prices at which a limit order can fill: a price better than the limit may have a higher fee. Pure.

import { BID, type Side } from '../../domain/market.ts';
import { TICKS_PER_DOLLAR, type Ticks } from '../../domain/numbers.ts';

const HALF = TICKS_PER_DOLLAR / 2;
/** At a price of $0.50, in ticks². */
export const VARIANCE_MAX = HALF * HALF;

/** In ticks². */
export function varianceAt(price: Ticks): number {
  return price * (TICKS_PER_DOLLAR - price);
}

/** Maximum over all prices at which a limit order can fill: up to the limit for a bid, from it for an ask, any for an unknown side. */
export function largestVariance(limit: Ticks, side: Side | undefined): number {
  if (side === undefined) return VARIANCE_MAX;
  const reachesHalf = side === BID ? limit >= HALF : limit <= HALF;
  return reachesHalf ? VARIANCE_MAX : varianceAt(limit);
}
