// How many signature checks of one caller may fail. Cancels are refused last: they spend a second bucket of the same size once the
// first one is empty. Main thread.

import type { RateLimit } from '../../limits.ts';
import { TokenBucket } from './token-bucket.ts';

export class CheckBudget {
  readonly limit: RateLimit;
  readonly #all: TokenBucket;
  readonly #cancels: TokenBucket;
  #running = 0;

  constructor(limit: RateLimit) {
    this.limit = limit;
    this.#all = new TokenBucket(limit);
    this.#cancels = new TokenBucket(limit);
  }

  /**
   * Whether one more signature may be checked. Once checks have failed, each one that runs counts as one that will fail, so that many
   * at once do not pass on one token. Times are of a monotonic clock.
   */
  admits(isCancel: boolean, nowMs: number): boolean {
    const isClean = this.#all.remaining(nowMs) === this.limit.burstMax;
    return isClean || this.bucketOf(isCancel, nowMs).remaining(nowMs) > this.#running;
  }

  /** A check runs until the function that is returned is called. */
  begin(): () => void {
    this.#running += 1;
    return () => {
      this.#running -= 1;
    };
  }

  /** Of a check that failed. */
  charge(isCancel: boolean, nowMs: number): void {
    this.bucketOf(isCancel, nowMs).charge(nowMs);
  }

  /** What such a request spends now. */
  bucketOf(isCancel: boolean, nowMs: number): TokenBucket {
    return isCancel && this.#all.remaining(nowMs) < 1 ? this.#cancels : this.#all;
  }
}
