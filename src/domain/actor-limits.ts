// What an actor may have at most (contract §4.11): guards against a bot that has gone wrong, set by the operator. Pure.

import type { MicroDollars, MicroShares } from './numbers.ts';

/** Null: no limit. 0: nothing. */
export interface ActorLimits {
  /** Of one order: what it may cost at its limit. */
  readonly notionalMax: MicroDollars | null;
  /** At all venues together, those in flight included. */
  readonly openOrdersMax: number | null;
  /** Of one venue market, either way: with everything filled that rests and would make it larger. */
  readonly positionMax: MicroShares | null;
}

export const NO_LIMITS: ActorLimits = { notionalMax: null, openOrdersMax: null, positionMax: null };
