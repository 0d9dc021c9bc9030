// Venue B's rate limits (venue-b.md §9): two token buckets for each user, which refill continuously at the rate of the user's tier. Tokens
// are counted in thousandths, so that a millisecond refills a whole number. Thread of the paper exchanges.

import { createPublicKey, type KeyObject } from 'node:crypto';
import type { UnixMillis } from '../../../core/domain/numbers.ts';
import { assert, fail, ok, type Result } from '../../../core/domain/result.ts';
import { type InboundRequest, jsonReply, type Reply } from '../../../core/net/listen.ts';
import { limits } from '../../../limits.ts';
import { verifyVenueBRequest } from '../../../venues/venue-b/auth.ts';
import { type Keeping, type KeptRows, NOT_KEPT } from '../../kept-rows.ts';

export interface BucketTerms {
  readonly refillPerS: number;
  readonly tokensMax: number;
}

interface TierTerms {
  readonly read: BucketTerms;
  readonly write: BucketTerms;
}

/** The buckets of each tier. A bucket holds the tokens of one or two seconds. Reads of the basic tier hold one second, as recorded. */
export const USAGE_TIERS = {
  basic: { read: bucket(200, 1), write: bucket(100, 1) },
  advanced: { read: bucket(300, 2), write: bucket(300, 2) },
  expert: { read: bucket(600, 1), write: bucket(600, 2) },
  premier: { read: bucket(1_200, 1), write: bucket(1_200, 2) },
  paragon: { read: bucket(2_400, 1), write: bucket(2_400, 2) },
  prime: { read: bucket(4_800, 1), write: bucket(4_800, 2) },
  prestige: { read: bucket(12_000, 1), write: bucket(9_600, 2) },
  /** A tier that the venue does not have: it lets measurements of the simulator run without limits. */
  unlimited: { read: bucket(1_000_000_000, 1), write: bucket(1_000_000_000, 1) },
} as const satisfies Readonly<Record<string, TierTerms>>;
export type UsageTier = keyof typeof USAGE_TIERS;

function bucket(refillPerS: number, seconds: 1 | 2): BucketTerms {
  return { refillPerS, tokensMax: refillPerS * seconds };
}

export class TokenBucket {
  #terms: BucketTerms;
  #thousandths: number;
  #filledAt: UnixMillis;

  constructor(terms: BucketTerms, now: UnixMillis) {
    this.#terms = terms;
    this.#thousandths = terms.tokensMax * 1000;
    this.#filledAt = now;
  }

  /** Changes rate and capacity. The present tokens stay. */
  change(terms: BucketTerms): void {
    this.#terms = terms;
  }

  /** Takes this many tokens. Returns false, and takes none, if there are too few. */
  take(tokens: number, now: UnixMillis): boolean {
    // The elapsed time may be negative, because a fault may set the venue's clock back.
    const elapsedMs = Math.max(0, now - this.#filledAt);
    const { refillPerS, tokensMax } = this.#terms;
    this.#thousandths = Math.min(tokensMax * 1000, this.#thousandths + elapsedMs * refillPerS);
    this.#filledAt = now;
    if (this.#thousandths < tokens * 1000) return false;
    this.#thousandths -= tokens * 1000;
    return true;
  }
}

const SCOPES = [
  'read',
  'write',
  'read::portfolio_balance',
  'read::block_trade_accept',
  'write::trade',
  'write::transfer',
  'write::block_trade_accept',
  'write::fcm_risk',
] as const;
export type Scope = (typeof SCOPES)[number];

export const ALL_SCOPES: readonly Scope[] = ['read', 'write'];

export function isScope(value: unknown): value is Scope {
  return SCOPES.some(scope => scope === value);
}

export interface Caller {
  readonly keyId: string;
  readonly userId: string;
  /** The only subaccount that the key may use. Null means all subaccounts. */
  readonly subaccount: number | null;
  readonly scopes: readonly Scope[];
}

interface NewUser {
  /** The user's id, a UUID. */
  readonly userId: string;
  readonly tier: UsageTier;
}

export interface NewKey {
  /** The key's id, a UUID. */
  readonly keyId: string;
  readonly userId: string;
  /** An RSA or Ed25519 key. */
  readonly publicKeyPem: string;
  readonly scopes: readonly Scope[];
  /** The only subaccount that the key may use. Null means all subaccounts. */
  readonly subaccount: number | null;
  readonly name: string;
}

interface VenueBUser {
  readonly userId: string;
  tier: UsageTier;
  /** Whether the user asked for Advanced. */
  isUpgraded: boolean;
  /** The end of the user's attestation of its location. Null means that it does not end. */
  attestedUntil: UnixMillis | null;
  readonly read: TokenBucket;
  /** The write buckets by shard. A bucket is made at the first write to its shard. */
  readonly writes: Map<number, TokenBucket>;
  readonly keys: Map<string, NewKey>;
}

interface KeptUser extends NewUser {
  readonly isUpgraded: boolean;
  readonly attestedUntil?: UnixMillis | null;
  readonly keys: readonly NewKey[];
}

interface KnownKey {
  readonly caller: Caller;
  readonly publicKey: KeyObject;
  readonly user: VenueBUser;
}

export class VenueBAccess {
  readonly #now: () => UnixMillis;
  readonly #keeping: Keeping;
  readonly #users = new Map<string, VenueBUser>();
  readonly #keys = new Map<string, KnownKey>();

  /** `now` returns the time by the venue's clock. */
  constructor(now: () => UnixMillis, keeping: Keeping = NOT_KEPT) {
    this.#now = now;
    this.#keeping = keeping;
  }

  /** Adds a user, or sets the tier of a known user. Returns false with too many users. */
  addUser({ userId, tier }: NewUser): boolean {
    const known = this.#users.get(userId);
    if (known !== undefined) {
      this.setTier(known, tier);
      return true;
    }
    if (this.#users.size >= limits.paperUsersMax) return false;
    this.#users.set(userId, {
      userId,
      tier,
      isUpgraded: false,
      attestedUntil: null,
      read: new TokenBucket(USAGE_TIERS[tier].read, this.#now()),
      writes: new Map(),
      keys: new Map(),
    });
    this.#keep(userId);
    return true;
  }

  user(userId: string): VenueBUser {
    const user = this.#users.get(userId);
    assert(user !== undefined, `user ${userId} is unknown`);
    return user;
  }

  setTier(user: VenueBUser, tier: UsageTier): void {
    user.tier = tier;
    user.read.change(USAGE_TIERS[tier].read);
    for (const bucket of user.writes.values()) bucket.change(USAGE_TIERS[tier].write);
    this.#keep(user.userId);
  }

  /** Grants the Advanced tier for good. A user of a higher tier keeps its tier. */
  upgrade(user: VenueBUser): void {
    user.isUpgraded = true;
    this.setTier(user, user.tier === 'basic' ? 'advanced' : user.tier);
  }

  attest(userId: string, until: UnixMillis | null): void {
    this.user(userId).attestedUntil = until;
    this.#keep(userId);
  }

  isAttested(userId: string): boolean {
    const { attestedUntil } = this.user(userId);
    return attestedUntil === null || this.#now() < attestedUntil;
  }

  /** Restores the users and keys of the last run, beside those that are known. */
  takeUp(rows: KeptRows): void {
    for (const [, row] of rows.rows('venue_b user')) {
      const { isUpgraded, attestedUntil = null, keys, ...user } = row as KeptUser;
      this.addUser(user);
      Object.assign(this.user(user.userId), { isUpgraded, attestedUntil });
      for (const key of keys) if (!this.#keys.has(key.keyId)) this.addKey(key);
    }
  }

  /** Adds a key of a known user. Refuses a text that is no public key of a known kind, an id in use, and a key beyond the most keys. */
  addKey(key: NewKey): Result<void, 'invalid-key' | 'key-exists' | 'keys-max'> {
    const user = this.user(key.userId);
    const publicKey = readPublicKey(key.publicKeyPem);
    if (publicKey === null) return fail('invalid-key');
    if (this.#keys.has(key.keyId)) return fail('key-exists');
    if (this.#keys.size >= limits.paperApiKeysMax) return fail('keys-max');
    const { keyId, userId, subaccount, scopes } = key;
    this.#keys.set(keyId, { caller: { keyId, userId, subaccount, scopes }, publicKey, user });
    user.keys.set(keyId, key);
    this.#keep(userId);
    return ok(undefined);
  }

  /** Removes a key. Returns false if there is no such key. */
  removeKey(keyId: string): boolean {
    const user = this.#keys.get(keyId)?.user;
    user?.keys.delete(keyId);
    if (user !== undefined) this.#keep(user.userId);
    return this.#keys.delete(keyId);
  }

  #keep(userId: string): void {
    this.#keeping.touch('venue_b user', userId, (): KeptUser => {
      const { tier, isUpgraded, attestedUntil, keys } = this.user(userId);
      return { userId, tier, isUpgraded, attestedUntil, keys: [...keys.values()] };
    });
    this.#keeping.commit();
  }

  /** Returns the signer of a request, or the 401 with the reason. */
  authenticate(request: InboundRequest): Result<Caller, Reply> {
    const signer = signerOf(request, id => this.#keys.get(id), this.#now());
    return signer.ok ? ok(signer.value.caller) : signer;
  }

  /** Takes tokens for a read. Returns false if the bucket has too few. */
  takeRead(userId: string, tokens: number): boolean {
    return this.user(userId).read.take(tokens, this.#now());
  }

  /** Takes tokens for a write. Each shard has a bucket of its own. Returns false if the bucket has too few. */
  takeWrite(userId: string, shard: number, tokens: number): boolean {
    const { tier, writes } = this.user(userId);
    let bucket = writes.get(shard);
    if (bucket === undefined) {
      bucket = new TokenBucket(USAGE_TIERS[tier].write, this.#now());
      writes.set(shard, bucket);
    }
    return bucket.take(tokens, this.#now());
  }
}

function readPublicKey(pem: string): KeyObject | null {
  try {
    const key = createPublicKey(pem);
    return key.asymmetricKeyType === 'rsa' || key.asymmetricKeyType === 'ed25519' ? key : null;
  } catch {
    return null;
  }
}

/** The most by which a timestamp may be behind the venue's clock. The bound for a timestamp ahead of the clock is larger. */
const BEHIND_MS_MAX = 10_000;
const AHEAD_MS_MAX = 30_000;
const MILLISECONDS = /^\d{1,16}$/;
/** The standard alphabet, padded. The venue does not accept the other forms of base64 that Node reads. */
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/** Returns the entry of `keyOf` for the request's key id, or the 401 with the reason. `now` is in milliseconds. */
export function signerOf<Key extends { readonly publicKey: KeyObject }>(
  request: InboundRequest,
  keyOf: (id: string) => Key | undefined,
  now: number,
): Result<Key, Reply> {
  const signature = request.header('kalshi-access-signature');
  if (signature === '')
    return refusal({ code: 'signature_is_missing_from_headers', message: 'signature is missing from headers' });
  const timestamp = request.header('kalshi-access-timestamp');
  const aheadMs = Number(timestamp) - now;
  if (!MILLISECONDS.test(timestamp) || aheadMs < -BEHIND_MS_MAX || aheadMs > AHEAD_MS_MAX) {
    return refusal({ code: 'header_timestamp_expired', message: 'header timestamp expired' });
  }
  const key = keyOf(request.header('kalshi-access-key'));
  if (key === undefined) return refusal({ ...UNKNOWN_SIGNER, details: 'NOT_FOUND' });
  const { method, path } = request;
  const isReadable = signature.length % 4 === 0 && BASE64.test(signature);
  return isReadable && verifyVenueBRequest({ method, path, timestamp, signature }, key.publicKey)
    ? ok(key)
    : refusal({ ...UNKNOWN_SIGNER, details: 'INCORRECT_API_KEY_SIGNATURE' });
}

const UNKNOWN_SIGNER = { code: 'authentication_error', message: 'authentication_error' };

function refusal(error: object): { readonly ok: false; readonly error: Reply } {
  return fail(jsonReply(401, { error }));
}
