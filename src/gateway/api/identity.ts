// GET /v1/whoami and GET /v1/time (contract §2): callers use them first to check key and clock. Main thread.

import { SECOND_MS } from '../../domain/durations.ts';
import type { ActorLimits, SigningKey } from '../../domain/identity.ts';
import { VENUES, type Venue } from '../../domain/market.ts';
import type { VenueBudget } from '../../domain/venue-budget.ts';
import type { RateLimit, RateProfile } from '../../limits.ts';
import { HTTP_OK } from '../../net/http-status.ts';
import { jsonReply } from '../../net/listen.ts';
import { monotonicUs } from '../../runtime/clock.ts';
import { wallTimers } from '../../runtime/timers.ts';
import type { Operations } from '../../trading/operations.ts';
import { actorLimitsView } from '../../wire/actor-limits-view.ts';
import { formatTime } from '../../wire/time-text.ts';
import type { CallerAdmission } from './caller-admission.ts';
import type { Handler } from './operation.ts';
import { callerOf } from './order-operations.ts';
import type { BucketView } from './rate-limits.ts';

export interface VenueStanding {
  /** Whether orders can be placed there now. */
  readonly tradable: boolean;
  /** Whether its books are streamed, or would be if one were subscribed. */
  readonly marketData: boolean;
}

interface WhoamiParts {
  readonly profile: RateProfile;
  readonly limitsOf: (key: SigningKey) => ActorLimits;
  readonly standing: (podId: string, venue: Venue) => VenueStanding;
  readonly rates: RatesOf;
}

/** What is left of each rate that applies to a caller. */
interface Rates {
  /** Of the gateway. */
  readonly rateLimits: readonly BucketView[];
  /** Of the pod's accounts; null while the engine does not answer. */
  readonly venueBudgets: readonly VenueBudget[] | null;
}
export type RatesOf = (key: SigningKey, address: string) => Promise<Rates>;

export function ratesOf(
  admission: Pick<CallerAdmission, 'bucketViews'>,
  operations: Pick<Operations, 'operate'>,
): RatesOf {
  return async (key, address) => {
    const operation = { name: 'venue-budgets', caller: callerOf(key) } as const;
    const done = await operations.operate(operation, null, monotonicUs());
    const isAnswered = done.ok && done.value.status === HTTP_OK;
    const venueBudgets: Rates['venueBudgets'] = isAnswered ? JSON.parse(done.value.body) : null;
    return { rateLimits: admission.bucketViews(key.keyId, address), venueBudgets };
  };
}

export function whoami({ profile, limitsOf, standing, rates: ratesNow }: WhoamiParts): Handler<SigningKey> {
  const rates = {
    reads: limitView(profile.reads),
    submissions: limitView(profile.submissions),
    cancels: limitView(profile.cancels),
  };
  return async ({ key, request }) => {
    const { keyId, actorId, podId, scopes, createdAt } = key;
    return jsonReply(200, {
      keyId,
      actorId,
      podId,
      scopes,
      createdAt: formatTime(createdAt),
      venues: VENUES.map(venue => ({ venue, ...standing(podId, venue) })),
      limits: { ...rates, orders: actorLimitsView(limitsOf(key)) },
      ...(await ratesNow(key, request.remoteAddress)),
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
