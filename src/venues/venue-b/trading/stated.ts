// What venue B states an order to have cost, in terms of YES. Its price fields are those of YES; of a sum of an ask no source shows
// whether it counts YES sold or NO bought. An order never fills at a price worse than its limit, and that tells the two apart
// wherever they differ by much; where both would do it is taken as YES, until the fills, which are priced, replace it. Pure.

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

/** Ticks × micro-shares. */
export function inTermsOfYes({ side, limit, size, cost }: StatedCost): bigint {
  const whole = BigInt(TICKS_PER_DOLLAR) * BigInt(size);
  const atLimit = BigInt(limit) * BigInt(size);
  return side === 'ask' && cost < atLimit && whole - cost >= atLimit ? whole - cost : cost;
}
