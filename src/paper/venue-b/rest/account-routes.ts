// Rate limits of a user at venue B (venue-b.md §9): limits of the tier, costs of calls, and the upgrade that a user can ask for. Thread of
// the paper exchanges.

import type { MicroShares } from '../../../domain/numbers.ts';
import { jsonReply, jsonText, type Reply } from '../../../net/listen.ts';
import { REST_PATH } from '../../../replay/venue-b-protocol.ts';
import type { VenueBExchange } from '../exchange.ts';
import { countText, seconds } from '../wire-text.ts';
import type { VenueBAccess } from './access.ts';
import { allOwnersOf } from './owners.ts';
import type { SignedCall, SignedRoute, VenueBRoute } from './route.ts';
import { DEFAULT_COST } from './serving.ts';
import { type BucketTerms, USAGE_TIERS } from './usage-tiers.ts';

const VOLUME_WINDOW_MS = 30 * 86_400_000;

/** `routes`: all other routes, whose costs it lists. */
export function accountRoutes(
  exchange: VenueBExchange,
  access: VenueBAccess,
  routes: readonly VenueBRoute[],
): SignedRoute[] {
  const own: SignedRoute[] = [
    { method: 'get', access: 'read', path: '/account/limits', handle: call => accountLimits(access, call) },
    {
      method: 'get',
      access: 'read',
      path: '/account/endpoint_costs',
      handle: () => jsonReply(200, { default_cost: DEFAULT_COST, endpoint_costs: costs }),
    },
    {
      method: 'get',
      access: 'read',
      path: '/account/api_usage_level/volume_progress',
      handle: call => volumeProgress(exchange, call),
    },
    {
      method: 'post',
      access: 'write',
      isWholeAccount: true,
      path: '/account/api_usage_level/upgrade',
      cost: 30,
      handle: call => upgrade(access, call),
    },
  ];
  const costs = [...own, ...routes]
    .filter(({ cost }) => cost !== undefined && cost !== DEFAULT_COST)
    .map(({ cost, method, path }) => ({ cost, method: method.toUpperCase(), path: REST_PATH + path }));
  return own;
}

function accountLimits(access: VenueBAccess, { caller }: SignedCall): Reply {
  const { tier, isUpgraded } = access.user(caller.userId);
  const grant = { exchange_instance: 'event_contract', level: 'advanced', source: 'manual' };
  const { read, write } = USAGE_TIERS[tier];
  return jsonReply(200, {
    grants: isUpgraded ? [grant] : [],
    read: bucketObject(read),
    usage_tier: tier,
    write: bucketObject(write),
  });
}

function bucketObject({ tokensMax, refillPerS }: BucketTerms): { bucket_capacity: number; refill_rate: number } {
  return { bucket_capacity: tokensMax, refill_rate: refillPerS };
}

/** A permanent grant of Advanced; a user of a higher tier keeps it. */
function upgrade(access: VenueBAccess, { caller }: SignedCall): Reply {
  const user = access.user(caller.userId);
  user.isUpgraded = true;
  if (user.tier === 'basic') access.setTier(user, 'advanced');
  return jsonText(204, '');
}

/** The volumes required for tiers are not published. */
function volumeProgress(exchange: VenueBExchange, { caller, staleMs }: SignedCall): Reply {
  const reads = exchange.reads(staleMs);
  let volume = 0 as MicroShares;
  for (const owner of allOwnersOf(exchange, caller.userId)) {
    for (const { trade } of reads.fills(owner)) {
      if (trade.at < reads.asOf - VOLUME_WINDOW_MS) break;
      volume = (volume + trade.size) as MicroShares;
    }
  }
  const progress = { computed_ts: seconds(reads.asOf), goals: [], trailing_30d_volume_fp: countText(volume) };
  return jsonReply(200, { volume_progress: [progress] });
}
