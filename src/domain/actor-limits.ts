// Maximums of an actor, set by the operator as a guard against a faulty bot (contract §4.11). Pure.

import type { MicroDollars, MicroShares } from './numbers.ts';

/** Null: unlimited. 0: nothing allowed. */
export interface ActorLimits {
  /** Maximum cost of one order at its limit price. */
  readonly notionalMax: MicroDollars | null;
  /** Open orders at all venues together, those in flight included. */
  readonly openOrdersMax: number | null;
  /** Position in one venue market, long or short, as if all resting orders that increase it were filled. */
  readonly positionMax: MicroShares | null;
}

export const NO_LIMITS: ActorLimits = { notionalMax: null, openOrdersMax: null, positionMax: null };
