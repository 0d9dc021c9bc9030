// Bounds the failed signature checks of one caller. Cancels are refused last: once the first bucket is empty they spend a second one
// of the same size. Main thread.

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
   * Whether one more signature may be checked. After a failure each running check counts as one that will fail, so that many at once
   * do not share one token. Monotonic milliseconds.
   */
  admits(isCancel: boolean, nowMs: number): boolean {
    const isClean = this.#all.remaining(nowMs) === this.limit.burstMax;
    return isClean || this.bucketOf(isCancel, nowMs).remaining(nowMs) > this.#running;
  }

  /** A check runs until the returned function is called. */
  begin(): () => void {
    this.#running += 1;
    return () => {
      this.#running -= 1;
    };
  }

  /** Charges a failed check. */
  charge(isCancel: boolean, nowMs: number): void {
    this.bucketOf(isCancel, nowMs).charge(nowMs);
  }

  /** The bucket that such a request spends now. */
  bucketOf(isCancel: boolean, nowMs: number): TokenBucket {
    return isCancel && this.#all.remaining(nowMs) < 1 ? this.#cancels : this.#all;
  }
}
