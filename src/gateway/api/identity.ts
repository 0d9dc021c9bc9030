// GET /v1/whoami and GET /v1/time (contract §2): callers use these two first, to check their key and their clock. Main thread.

import type { KeyEntry } from '../../core/auth/keyring.ts';
import { SECOND_MS } from '../../core/domain/durations.ts';
import type { SigningKey } from '../../core/domain/identity.ts';
import { VENUES, type Venue } from '../../core/domain/market.ts';
import type { VenueBudget } from '../../core/domain/venue-budget.ts';
import { jsonReply } from '../../core/net/listen.ts';
import { wallTimers } from '../../core/runtime/timers.ts';
import { actorLimitsView } from '../../core/wire/account-views.ts';
import { formatTime } from '../../core/wire/time-text.ts';
import type { RateLimit, RateProfile } from '../../limits.ts';
import type { CallerAdmission } from './caller-admission.ts';
import type { Handler } from './operation.ts';
import type { BucketView } from './rate-limits.ts';

export interface VenueStanding {
  /** Whether orders can be placed at the venue now. */
  readonly tradable: boolean;
  /** Whether the gateway streams the venue's books, or would stream them if a market were subscribed. */
  readonly marketData: boolean;
}

interface WhoamiParts {
  readonly profile: RateProfile;
  readonly standing: (podId: string, venue: Venue) => VenueStanding;
  readonly rates: RatesOf;
}

/** The remaining part of each rate that applies to a caller. */
interface Rates {
  /** The rate limits of the gateway. */
  readonly rateLimits: readonly BucketView[];
  /** The budgets of the pod's accounts at their venues. */
  readonly venueBudgets: ReturnType<VenueBudgetsOf>;
}
export type RatesOf = (key: SigningKey, address: string) => Rates;
/** Returns null if this gateway does not trade for the pod. */
export type VenueBudgetsOf = (podId: string) => readonly VenueBudget[] | null;

export function ratesOf(admission: Pick<CallerAdmission, 'bucketViews'>, venueBudgets: VenueBudgetsOf): RatesOf {
  return ({ keyId, podId }, address) => ({
    rateLimits: admission.bucketViews(keyId, address),
    venueBudgets: venueBudgets(podId),
  });
}

export function whoami({ profile, standing, rates: ratesNow }: WhoamiParts): Handler<KeyEntry> {
  const rates = {
    reads: limitView(profile.reads),
    submissions: limitView(profile.submissions),
    cancels: limitView(profile.cancels),
  };
  return ({ key, request }) => {
    const { keyId, actorId, podId, scopes, createdAt } = key;
    return jsonReply(200, {
      keyId,
      actorId,
      podId,
      scopes,
      createdAt: formatTime(createdAt),
      venues: VENUES.map(venue => ({ venue, ...standing(podId, venue) })),
      limits: { ...rates, orders: actorLimitsView(key.limits) },
      ...ratesNow(key, request.remoteAddress),
    });
  };
}

export const time: Handler<SigningKey> = () => {
  const unixMillis = wallTimers.now();
  return jsonReply(200, { unixSeconds: Math.floor(unixMillis / SECOND_MS), unixMillis, iso: formatTime(unixMillis) });
};

function limitView({ perS, burstMax }: RateLimit): { readonly perSecond: number; readonly burst: number } {
  return { perSecond: perS, burst: burstMax };
}
