// Venue A's token buckets per signer (venue-a.md §10): one for orders, one for cancels; the headers of every answer show them. The limits
// per network address belong to the venue's edge, and are not here. Thread of the paper exchanges.

import type { Header, Reply } from '../../../core/net/listen.ts';
import { limits, type RateLimit } from '../../../limits.ts';
import { tooManyRequests } from './route.ts';

const RATE_TIERS = {
  /** Limits of every signer at the venue. */
  Standard: { orders: { perS: 40, burstMax: 60 }, cancels: { perS: 80, burstMax: 120 } },
  Elite: { orders: { perS: 600, burstMax: 900 }, cancels: { perS: 1_200, burstMax: 1_800 } },
  /** No limits, for tests of strategies and of load. */
  Unlimited: { orders: { perS: 1_000_000, burstMax: 1_000_000 }, cancels: { perS: 1_000_000, burstMax: 1_000_000 } },
} as const satisfies Readonly<Record<string, Readonly<Record<BucketName, RateLimit>>>>;
export type RateTier = keyof typeof RATE_TIERS;
type BucketName = 'orders' | 'cancels';

interface Bucket {
  level: number;
  /** The time of that count. */
  atMs: number;
}

export class SignerLimits {
  readonly #tier: RateTier;
  readonly #now: () => number;
  readonly #buckets = new Map<string, Bucket>();

  /** `now` is in milliseconds. */
  constructor(tier: RateTier, now: () => number) {
    this.#tier = tier;
    this.#now = now;
  }

  /** The answer of `act`, if the signer has that many tokens; a cost above the capacity never succeeds. */
  spend(name: BucketName, signer: string, cost: number, act: () => Reply): Reply {
    const limit = RATE_TIERS[this.#tier][name];
    const bucket = this.#bucketOf(name, signer, limit);
    if (bucket.level < cost) {
      const retryAfterS = Math.max(1, Math.ceil((cost - bucket.level) / limit.perS));
      return tooManyRequests(retryAfterS, this.#headers(bucket, limit));
    }
    bucket.level -= cost;
    const reply = act();
    return { ...reply, headers: [...(reply.headers ?? []), ...this.#headers(bucket, limit)] };
  }

  #bucketOf(name: BucketName, signer: string, { perS, burstMax }: RateLimit): Bucket {
    const key = `${name}|${signer}`;
    const nowMs = this.#now();
    let bucket = this.#buckets.get(key);
    if (bucket === undefined) {
      // A full bucket needs no entry: drop the oldest one.
      if (this.#buckets.size >= 2 * limits.paperApiKeysMax) this.#buckets.delete(this.#buckets.keys().next().value!);
      bucket = { level: burstMax, atMs: nowMs };
      this.#buckets.set(key, bucket);
    }
    const passedMs = Math.max(0, nowMs - bucket.atMs);
    bucket.level = Math.min(burstMax, bucket.level + (passedMs * perS) / 1_000);
    bucket.atMs = nowMs;
    return bucket;
  }

  #headers({ level }: Bucket, { perS, burstMax }: RateLimit): Header[] {
    const remaining = Math.floor(level);
    const headers: Header[] = [
      ['Poly-RateLimit-Remaining', String(remaining)],
      ['Poly-RateLimit-Reset', String(Math.ceil((burstMax - level) / perS))],
      ['Poly-RateLimit-Tier', this.#tier.toLowerCase()],
    ];
    if (remaining < burstMax / 5) headers.push(['Poly-RateLimit-Warning', 'approaching limit']);
    return headers;
  }
}
