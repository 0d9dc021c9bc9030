// The view of an actor's limits (contract §4.11): money and sizes as canonical decimals. Any thread.

import type { ActorLimits } from '../domain/identity.ts';
import { formatMicroDollars, formatMicroShares } from '../domain/numbers.ts';

/** Null means no limit. */
export interface ActorLimitsView {
  readonly notionalMax: string | null;
  readonly openOrdersMax: number | null;
  readonly positionMax: string | null;
}

export function actorLimitsView({ notionalMax, openOrdersMax, positionMax }: ActorLimits): ActorLimitsView {
  return {
    notionalMax: notionalMax === null ? null : formatMicroDollars(notionalMax),
    openOrdersMax,
    positionMax: positionMax === null ? null : formatMicroShares(positionMax),
  };
}
