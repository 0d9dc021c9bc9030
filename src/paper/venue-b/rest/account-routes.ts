// Routes of a user's account at venue B. A user reads its rate limits by tier, the costs of calls, and the upgrade that it can ask for
// (venue-b.md §9). It also manages its API keys (venue-b.md §2): from a public key, or as a generated pair whose private half appears in
// one answer only. Thread of the paper exchanges.

import { generateKeyPair } from 'node:crypto';
import { promisify } from 'node:util';
import type { MicroShares } from '../../../core/domain/numbers.ts';
import { fail, ok, type Result } from '../../../core/domain/result.ts';
import { jsonReply, jsonText, type Reply } from '../../../core/net/listen.ts';
import { limits } from '../../../limits.ts';
import type { VenueBExchange } from '../exchange.ts';
import { countText, REST_PATH, seconds, timeText } from '../wire-text.ts';
import { ALL_SCOPES, type BucketTerms, isScope, type NewKey, USAGE_TIERS } from './access.ts';
import { errorOf, errorReply, NOT_FOUND } from './errors.ts';
import type { Struct } from './go-body.ts';
import {
  allOwnersOf,
  hasSubaccount,
  publicGet,
  read,
  type SignedCall,
  type SignedRoute,
  subaccountIn,
  type VenueBParts,
  type VenueBRoute,
  write,
} from './route.ts';
import { DEFAULT_COST } from './serving.ts';

const VOLUME_WINDOW_MS = 30 * 86_400_000;
const makePair = promisify(generateKeyPair);

const WHOLE = { isWholeAccount: true } as const;
const name = { type: 'string', isRequired: true, charactersMax: limits.paperKeyNameCharactersMax } as const;
const CREATE_KEY: Struct = {
  name: 'CreateApiKeyRequest',
  fields: {
    name,
    public_key: { type: 'string', isRequired: true, charactersMax: limits.paperPublicKeyCharactersMax },
    scopes: { type: 'array' },
    subaccount: { type: 'int' },
  },
};
const GENERATE_KEY: Struct = {
  name: 'GenerateApiKeyRequest',
  fields: {
    name,
    key_type: { type: 'string', oneOf: ['rsa', 'ed25519'] },
    scopes: { type: 'array' },
    subaccount: { type: 'int' },
  },
};

export const accountRoutes: readonly SignedRoute[] = [
  read('/account/limits', accountLimits),
  read('/account/api_usage_level/volume_progress', volumeProgress),
  write('post', '/account/api_usage_level/upgrade', upgrade, { ...WHOLE, cost: 30 }),
  read('/api_keys', listKeys, WHOLE),
  write('post', '/api_keys', createKey, { ...WHOLE, body: CREATE_KEY }),
  write('post', '/api_keys/generate', generateKey, { ...WHOLE, body: GENERATE_KEY }),
  write('delete', '/api_keys/:api_key', deleteKey, WHOLE),
];

/** Makes the route that lists the costs of these routes. */
export function costsRoute(routes: readonly VenueBRoute[]): SignedRoute {
  const endpoint_costs = routes
    .filter(({ cost }) => cost !== undefined && cost !== DEFAULT_COST)
    .map(({ cost, method, path }) => ({ cost, method: method.toUpperCase(), path: REST_PATH + path }));
  return read('/account/endpoint_costs', () => jsonReply(200, { default_cost: DEFAULT_COST, endpoint_costs }));
}

function accountLimits({ caller }: SignedCall, { access }: VenueBParts): Reply {
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

function upgrade({ caller }: SignedCall, { access }: VenueBParts): Reply {
  access.upgrade(access.user(caller.userId));
  return jsonText(204, '');
}

/** Answers with the volume of the user. The volumes that tiers require are not published. */
function volumeProgress({ caller, staleMs }: SignedCall, { exchange }: VenueBParts): Reply {
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

function listKeys({ caller }: SignedCall, { access }: VenueBParts): Reply {
  const user = access.user(caller.userId);
  const keys = [...user.keys.values()].map(key => ({
    api_key_id: key.keyId,
    name: key.name,
    scopes: key.scopes,
    ...(key.subaccount === null ? {} : { subaccount: key.subaccount }),
  }));
  const until = user.attestedUntil;
  return jsonReply(200, {
    api_keys: keys,
    ...(until === null ? {} : { api_key_region_expiration_ts: seconds(until) }),
  });
}

function createKey(call: SignedCall, venue: VenueBParts): Reply {
  const terms = keyTerms(call, venue);
  if (!terms.ok) return terms.error;
  const keyId = register(venue, terms.value, call.body.public_key as string);
  return keyId.ok ? jsonReply(201, { api_key_id: keyId.value }) : keyId.error;
}

/** Generates a key pair on another thread, because an RSA pair takes a tenth of a second or more. */
async function generateKey(call: SignedCall, venue: VenueBParts): Promise<Reply> {
  const terms = keyTerms(call, venue);
  if (!terms.ok) return terms.error;
  const publicKeyEncoding = { type: 'spki', format: 'pem' } as const;
  const pair =
    call.body.key_type === 'ed25519'
      ? await makePair('ed25519', { publicKeyEncoding, privateKeyEncoding: { type: 'pkcs8', format: 'pem' } })
      : await makePair('rsa', {
          modulusLength: 2048,
          publicKeyEncoding,
          privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
        });
  const keyId = register(venue, terms.value, pair.publicKey);
  return keyId.ok ? jsonReply(201, { api_key_id: keyId.value, private_key: pair.privateKey }) : keyId.error;
}

type KeyTerms = Omit<NewKey, 'keyId' | 'publicKeyPem'>;

function keyTerms({ body, caller: { userId }, owner }: SignedCall, { exchange }: VenueBParts): Result<KeyTerms, Reply> {
  const scopes = (body.scopes ?? ALL_SCOPES) as readonly unknown[];
  if (!scopes.every(isScope)) return fail(errorReply(errorOf(400, 'invalid_scopes')));
  if (!hasSubaccount(exchange, userId, owner.subaccount)) return fail(errorReply(NOT_FOUND));
  return ok({ userId, scopes: [...new Set(scopes)], subaccount: subaccountIn(body), name: body.name as string });
}

function register({ access, uuids }: VenueBParts, terms: KeyTerms, publicKeyPem: string): Result<string, Reply> {
  const keyId = uuids.next();
  const added = access.addKey({ ...terms, keyId, publicKeyPem });
  if (added.ok) return ok(keyId);
  return fail(errorReply(errorOf(400, added.error === 'invalid-key' ? 'invalid_public_key' : 'max_api_keys_reached')));
}

function deleteKey({ caller, parameters }: SignedCall, { access }: VenueBParts): Reply {
  const keyId = parameters[0]!;
  if (!access.user(caller.userId).keys.has(keyId)) return errorReply(NOT_FOUND);
  access.removeKey(keyId);
  return jsonText(204, '');
}

export const exchangeRoutes: readonly VenueBRoute[] = [
  publicGet('/exchange/status', (_call, { exchange }) => jsonReply(200, statusOf(exchange))),
  publicGet('/exchange/user_data_timestamp', ({ staleMs }, { exchange }) =>
    jsonReply(200, { as_of_time: timeText(exchange.reads(staleMs).asOf) }),
  ),
];

/** Answers with the state of each shard that has markets, and always of the first. */
function statusOf({ state: { isExchangeActive, isTradingActive }, markets }: VenueBExchange): object {
  const trading_active = isExchangeActive && isTradingActive;
  const intra_exchange_transfers_active = false;
  const shards = new Set([0, ...Array.from(markets.values(), ({ shard }) => shard)]);
  return {
    exchange_active: isExchangeActive,
    exchange_index_statuses: [...shards].map(exchange_index => ({
      description: `Shard ${exchange_index}`,
      exchange_active: isExchangeActive,
      exchange_index,
      intra_exchange_transfers_active,
      trading_active,
    })),
    intra_exchange_transfers_active,
    trading_active,
  };
}
