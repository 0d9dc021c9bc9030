// A mirror of venue A's rate limits of a signer (venue-a.md §10). Orders and cancels have separate buckets, so that a flood of orders never
// costs a cancel. Each answer of the venue states what is left, and a refusal states the wait. During the wait, requests that the venue
// would refuse are not sent. The counts are in memory that threads may share. Engine and guard thread; the main thread reads what is left.

import { SECOND_MS } from '../../../core/domain/durations.ts';
import type { UnixMillis } from '../../../core/domain/numbers.ts';
import type { RequestBudget, VenueBudget } from '../../../core/domain/venue-budget.ts';
import { HTTP_TOO_MANY } from '../../../core/net/http-status.ts';
import { retryAfterOf, type VenueAnswer, type VenueOutcome } from './venue-api.ts';

type Bucket = 'orders' | 'cancels';
type Terms = Pick<RequestBudget, 'burst' | 'perSecond'>;

/** The rates by `Poly-RateLimit-Tier`. The venue's sheet does not state the rates of the tiers between these two. */
const TIERS: readonly ({ readonly name: string } & Readonly<Record<Bucket, Terms>>)[] = [
  { name: 'standard', orders: { perSecond: 40, burst: 60 }, cancels: { perSecond: 80, burst: 120 } },
  { name: 'elite', orders: { perSecond: 600, burst: 900 }, cancels: { perSecond: 1_200, burst: 1_800 } },
];

const BUCKETS: readonly Bucket[] = ['orders', 'cancels'];

/**
 * The fields of a bucket. `LEFT` is what was left at the time `LEFT_AT`, less the requests sent since then. `REFUSED_AT` and `WAIT_MS` are
 * those of the venue's last 429.
 */
const [LEFT, LEFT_AT, REFUSED_AT, WAIT_MS, TIER, FIELDS] = [0, 1, 2, 3, 4, 5];

/** Creates the counts of one account, with full buckets of the smallest tier. */
export function createRateMemory(): Float64Array {
  const memory = new Float64Array(new SharedArrayBuffer(BUCKETS.length * FIELDS * Float64Array.BYTES_PER_ELEMENT));
  for (const bucket of BUCKETS.keys()) memory[bucket * FIELDS + LEFT_AT] = Number.NEGATIVE_INFINITY;
  return memory;
}

/** Returns the number of requests that can be sent now. */
export function venueABudget(memory: Float64Array, now: () => UnixMillis): VenueBudget {
  const left = (bucket: Bucket): RequestBudget => new RateBudget(bucket, memory, now).now();
  return { venue: 'venue_a', orders: left('orders'), cancels: left('cancels'), reads: null };
}

export class RateBudget {
  readonly #bucket: Bucket;
  readonly #now: () => UnixMillis;
  /**
   * The fields of the bucket. A reader on another thread may see a change half made. That is harmless, because the venue decides in any
   * case.
   */
  readonly #fields: Float64Array;
  /** The number of requests without an answer. */
  #inFlight = 0;

  constructor(bucket: Bucket, memory: Float64Array, now: () => UnixMillis) {
    this.#bucket = bucket;
    this.#now = now;
    const from = BUCKETS.indexOf(bucket) * FIELDS;
    this.#fields = memory.subarray(from, from + FIELDS);
  }

  /** The milliseconds until the venue would take a request again. 0 means now. */
  get waitMs(): number {
    const passedMs = this.#now() - this.#fields[REFUSED_AT]!;
    // If the clock was set back, the wait is unknown. A request is then sent, and the venue states the wait again.
    return passedMs < 0 ? 0 : Math.max(0, this.#fields[WAIT_MS]! - passedMs);
  }

  /** The wait in whole seconds. */
  get waitS(): number {
    return Math.ceil(this.waitMs / SECOND_MS);
  }

  /** Returns the budget by the venue's last answer and the requests sent since then. An unknown tier counts as the smallest. */
  now(): RequestBudget {
    return { ...this.#terms, left: this.waitMs > 0 ? 0 : Math.max(0, Math.floor(this.#left)) };
  }

  /** Counts a request that leaves with `count` orders or cancels, each of which the venue counts. */
  sent(count: number): void {
    this.#left -= count;
    this.#inFlight += count;
  }

  /** Takes the outcome of a request that `sent` has counted. */
  answered(outcome: VenueOutcome, count: number): void {
    this.#inFlight -= count;
    if (outcome.type === 'answer') this.#noteAnswer(outcome);
  }

  /** Counts a request and its answer. */
  async spent(request: Promise<VenueOutcome>, count: number): Promise<VenueOutcome> {
    this.sent(count);
    const outcome = await request;
    this.answered(outcome, count);
    return outcome;
  }

  #noteAnswer(answer: VenueAnswer): void {
    const { headers } = answer;
    const named = headers.get('poly-ratelimit-tier')?.toLowerCase();
    const tier = TIERS.findIndex(({ name }) => name === named);
    if (tier !== -1) this.#fields[TIER] = tier;
    const stated = headers.get('poly-ratelimit-remaining') ?? '';
    // The requests in flight are subtracted, although the venue may have counted some of them already.
    if (/^\d{1,9}$/.test(stated)) this.#left = Number(stated) - this.#inFlight;
    if (answer.status !== HTTP_TOO_MANY) return;
    this.#fields[REFUSED_AT] = this.#now();
    this.#fields[WAIT_MS] = retryAfterOf(answer) * SECOND_MS;
  }

  get #terms(): Terms {
    return TIERS[this.#fields[TIER]!]![this.#bucket];
  }

  get #left(): number {
    const { burst, perSecond } = this.#terms;
    const left = this.#fields[LEFT]!;
    const passedMs = Math.max(0, this.#now() - this.#fields[LEFT_AT]!);
    // The venue may have stated more than our burst, if the tier is not known.
    return Math.max(left, Math.min(burst, left + (passedMs * perSecond) / SECOND_MS));
  }

  set #left(left: number) {
    this.#fields[LEFT] = left;
    this.#fields[LEFT_AT] = this.#now();
  }
}
