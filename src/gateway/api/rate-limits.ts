// The rate limits of contract §9. Each signing key has three token buckets, which the headers of every answer report (IETF draft "RateLimit
// header fields for HTTP"). An API key has one bucket, for reads. Each thread that admits callers has an instance. With shared memory the
// instances share one budget.

import type { Header } from '../../core/net/listen.ts';
import { TokenBucket } from '../../core/runtime/token-bucket.ts';
import type { RateLimit, RateProfile } from '../../limits.ts';
import type { SharedRates } from './shared-rates.ts';

/** The kinds of requests that a signing key may make at a limited rate. */
export const BUCKETS = ['reads', 'submissions', 'cancels'] as const;
export type Bucket = (typeof BUCKETS)[number];

interface Allowance {
  readonly isWithin: boolean;
  /** `RateLimit` and `RateLimit-Policy`. Over the limit also `Retry-After`. */
  readonly headers: readonly Header[];
}

export class RateLimits {
  readonly #profile: RateProfile;
  readonly #shared: SharedRates<Bucket> | null;
  readonly #buckets: Readonly<Record<Bucket, Map<string, KeyBucket>>> = {
    reads: new Map(),
    submissions: new Map(),
    cancels: new Map(),
  };
  readonly #policies: Readonly<Record<Bucket, Header>>;

  /** `shared` is null if no other thread admits callers. */
  constructor(profile: RateProfile, shared: SharedRates<Bucket> | null) {
    this.#profile = profile;
    this.#shared = shared;
    this.#policies = {
      reads: policyHeader('reads', profile.reads),
      submissions: policyHeader('submissions', profile.submissions),
      cancels: policyHeader('cancels', profile.cancels),
    };
  }

  /** Counts a request of a key as `cost` requests. `nowMs` is in monotonic milliseconds. */
  take(keyId: string, bucket: Bucket, nowMs: number, cost = 1): Allowance {
    const { tokens } = this.#bucketOf(keyId, bucket);
    const isWithin = tokens.take(nowMs, cost);
    const headers = this.headers(keyId, bucket, nowMs);
    return { isWithin, headers: isWithin ? headers : [...headers, ['Retry-After', retryAfterS(tokens, nowMs, cost)]] };
  }

  /**
   * Counts a request under a key before its signature is checked. Returns false, and counts nothing, if less than half of the tokens would
   * be left. So forged requests in flight never hold the second half.
   */
  reserve(keyId: string, bucket: Bucket, nowMs: number, cost = 1): boolean {
    const { tokens } = this.#bucketOf(keyId, bucket);
    return 2 * (tokens.remaining(nowMs) - cost + 1) > this.#profile[bucket].burstMax && tokens.take(nowMs, cost);
  }

  /** Gives the tokens of a reserved request back, because its signature was wrong or nothing was done. */
  giveBack(keyId: string, bucket: Bucket, cost = 1): void {
    this.#bucketOf(keyId, bucket).tokens.giveBack(cost);
  }

  /** The `RateLimit` headers of a key. */
  headers(keyId: string, bucket: Bucket, nowMs: number): readonly Header[] {
    return this.#bucketOf(keyId, bucket).headers(nowMs);
  }

  views(keyId: string, nowMs: number): readonly BucketView[] {
    return BUCKETS.map(bucket =>
      bucketView(bucket, this.#profile[bucket], this.#bucketOf(keyId, bucket).tokens, nowMs),
    );
  }

  /** Drops the buckets of revoked keys. All other buckets may stay, because keys are few. */
  forget(isRevoked: (keyId: string) => boolean): void {
    for (const bucket of BUCKETS) {
      for (const keyId of this.#buckets[bucket].keys()) if (isRevoked(keyId)) this.#buckets[bucket].delete(keyId);
    }
  }

  #bucketOf(keyId: string, bucket: Bucket): KeyBucket {
    const buckets = this.#buckets[bucket];
    let its = buckets.get(keyId);
    if (its === undefined) {
      const tokens = new TokenBucket(this.#profile[bucket], this.#shared?.cellOf(keyId, bucket));
      its = new KeyBucket(bucket, this.#policies[bucket], tokens);
      buckets.set(keyId, its);
    }
    return its;
  }
}

/** A bucket of a key, and the headers of its latest answer: the next one mostly has the same. */
class KeyBucket {
  readonly tokens: TokenBucket;
  readonly #bucket: Bucket;
  readonly #policy: Header;
  #left = -1;
  #resetS = -1;
  #headers: readonly Header[] = [];

  constructor(bucket: Bucket, policy: Header, tokens: TokenBucket) {
    this.#bucket = bucket;
    this.#policy = policy;
    this.tokens = tokens;
  }

  headers(nowMs: number): readonly Header[] {
    const left = this.tokens.remaining(nowMs);
    const resetS = fullInS(this.tokens, nowMs);
    if (left !== this.#left || resetS !== this.#resetS) {
      this.#left = left;
      this.#resetS = resetS;
      this.#headers = [limitHeader(this.#bucket, left, resetS), this.#policy];
    }
    return this.#headers;
  }
}

/** `"name";q=tokens;w=seconds`. After the window, an empty bucket is full again. */
export function policyHeader(name: string, limit: RateLimit): Header {
  return ['RateLimit-Policy', `"${name}";q=${limit.burstMax};w=${windowS(limit)}`];
}

/** `"name";r=tokens left;t=seconds until the bucket is full`. */
export function limitHeader(name: string, left: number, resetS: number): Header {
  return ['RateLimit', `"${name}";r=${left};t=${resetS}`];
}

/** A bucket as whoami and /v1/trade show it, with the numbers of both headers. */
export interface BucketView {
  readonly name: string;
  /** The largest number of requests at once. */
  readonly limit: number;
  /** The seconds in which an empty bucket becomes full again. */
  readonly windowS: number;
  readonly left: number;
  /** The seconds until the bucket is full. */
  readonly resetS: number;
}

export function bucketView(name: string, limit: RateLimit, tokens: TokenBucket, nowMs: number): BucketView {
  const left = tokens.remaining(nowMs);
  return { name, limit: limit.burstMax, windowS: windowS(limit), left, resetS: fullInS(tokens, nowMs) };
}

function windowS({ perS, burstMax }: RateLimit): number {
  return Math.ceil(burstMax / perS);
}

/**
 * The whole seconds until the bucket is full. The time is rounded to the millisecond first, because dividing by the rate leaves slightly
 * more than whole seconds.
 */
export function fullInS(tokens: TokenBucket, nowMs: number): number {
  return Math.ceil(Math.round(tokens.fullInMs(nowMs)) / 1_000);
}

/** The whole seconds until `cost` tokens can be taken, at least 1. */
export function retryAfterS(tokens: TokenBucket, nowMs: number, cost = 1): string {
  return String(Math.max(1, Math.ceil(Math.round(tokens.waitMs(nowMs, cost)) / 1_000)));
}
