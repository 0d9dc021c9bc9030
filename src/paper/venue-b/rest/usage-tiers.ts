// Venue B's rate limits (venue-b.md §9): two token buckets per user, refilled continuously, by tier. Tokens are counted in thousandths, so
// that a millisecond refills an integer. Thread of the paper exchanges.

import type { UnixMillis } from '../../../core/domain/numbers.ts';

export interface BucketTerms {
  readonly refillPerS: number;
  readonly tokensMax: number;
}

interface TierTerms {
  readonly read: BucketTerms;
  readonly write: BucketTerms;
}

/** Capacity in seconds, one or two. Basic reads hold one, as recorded. */
export const USAGE_TIERS = {
  basic: { read: bucket(200, 1), write: bucket(100, 1) },
  advanced: { read: bucket(300, 2), write: bucket(300, 2) },
  expert: { read: bucket(600, 1), write: bucket(600, 2) },
  premier: { read: bucket(1_200, 1), write: bucket(1_200, 2) },
  paragon: { read: bucket(2_400, 1), write: bucket(2_400, 2) },
  prime: { read: bucket(4_800, 1), write: bucket(4_800, 2) },
  prestige: { read: bucket(12_000, 1), write: bucket(9_600, 2) },
  /** This tier is not the venue's: it serves measurements of the simulator without limits. */
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

  /** Keeps the present tokens. */
  change(terms: BucketTerms): void {
    this.#terms = terms;
  }

  /** Takes all the tokens; or returns false and takes none. */
  take(tokens: number, now: UnixMillis): boolean {
    // A fault may set the venue's clock back.
    const elapsedMs = Math.max(0, now - this.#filledAt);
    const { refillPerS, tokensMax } = this.#terms;
    this.#thousandths = Math.min(tokensMax * 1000, this.#thousandths + elapsedMs * refillPerS);
    this.#filledAt = now;
    if (this.#thousandths < tokens * 1000) return false;
    this.#thousandths -= tokens * 1000;
    return true;
  }
}
