// A mirror of venue A's rate limits of a signer (venue-a.md §10). Orders and cancels have separate buckets, so that a flood of orders
// never costs a cancel. The venue says with each answer what is left, and after a refusal how long to wait. Until then nothing is sent
// that it would refuse. Engine and guard thread.

import { SECOND_MS } from '../../../domain/durations.ts';
import type { UnixMillis } from '../../../domain/numbers.ts';
import type { RequestBudget } from '../../../domain/venue-budget.ts';
import { HTTP_TOO_MANY } from '../../../net/http-status.ts';
import { retryAfterOf, type VenueAnswer, type VenueOutcome } from './venue-api.ts';

type Bucket = 'orders' | 'cancels';
type Terms = Pick<RequestBudget, 'burst' | 'perSecond'>;

/** By `Poly-RateLimit-Tier`; of the tiers between them the sheet does not say the rates. */
const TIERS: Readonly<Record<string, Readonly<Record<Bucket, Terms>>>> = {
  standard: { orders: { perSecond: 40, burst: 60 }, cancels: { perSecond: 80, burst: 120 } },
  elite: { orders: { perSecond: 600, burst: 900 }, cancels: { perSecond: 1_200, burst: 1_800 } },
};

export class RateBudget {
  readonly #bucket: Bucket;
  readonly #now: () => UnixMillis;
  #terms: Terms;
  /** Rest at a time, less the requests sent since. */
  #left: number;
  #leftAt: number;
  /** Of requests without an answer. */
  #inFlight = 0;
  /** The venue's last 429: when it came (Unix milliseconds), and how long to wait. */
  #refusal = { at: 0, waitMs: 0 };

  constructor(bucket: Bucket, now: () => UnixMillis) {
    this.#bucket = bucket;
    this.#now = now;
    this.#terms = TIERS.standard![bucket];
    this.#left = this.#terms.burst;
    this.#leftAt = now();
  }

  /** Milliseconds until a request is worthwhile; 0: now. */
  get waitMs(): number {
    const { at, waitMs } = this.#refusal;
    const passedMs = this.#now() - at;
    // The clock was set back, so the wait is unknown: ask, and the venue states it again.
    return passedMs < 0 ? 0 : Math.max(0, waitMs - passedMs);
  }

  /** In whole seconds. */
  get waitS(): number {
    return Math.ceil(this.waitMs / SECOND_MS);
  }

  /** By the venue's last answer, and the requests sent since. An unknown tier counts as the smallest. */
  now(): RequestBudget {
    this.#refill();
    return { ...this.#terms, left: this.waitMs > 0 ? 0 : Math.max(0, Math.floor(this.#left)) };
  }

  /** Counts a request of so many orders or cancels, each of which the venue counts, and hears its answer. */
  async spent(sent: Promise<VenueOutcome>, count = 1): Promise<VenueOutcome> {
    this.#refill();
    this.#left -= count;
    this.#inFlight += count;
    const outcome = await sent;
    this.#inFlight -= count;
    if (outcome.type === 'answer') this.#hear(outcome);
    return outcome;
  }

  #hear(answer: VenueAnswer): void {
    const { headers } = answer;
    this.#terms = TIERS[headers.get('poly-ratelimit-tier') ?? '']?.[this.#bucket] ?? this.#terms;
    const stated = headers.get('poly-ratelimit-remaining') ?? '';
    if (/^\d{1,9}$/.test(stated)) {
      this.#refill();
      // Of the requests in flight the venue may have counted some already.
      this.#left = Number(stated) - this.#inFlight;
    }
    if (answer.status !== HTTP_TOO_MANY) return;
    this.#refusal = { at: this.#now(), waitMs: retryAfterOf(answer) * SECOND_MS };
  }

  #refill(): void {
    const now = this.#now();
    const { burst, perSecond } = this.#terms;
    const passedMs = Math.max(0, now - this.#leftAt);
    // The venue may have stated more than the burst of a tier that is not known.
    this.#left = Math.max(this.#left, Math.min(burst, this.#left + (passedMs * perSecond) / SECOND_MS));
    this.#leftAt = now;
  }
}
