// A token bucket in one number: the time when it will be full (generic cell rate algorithm). Main thread.

import type { RateLimit } from '../../limits.ts';

export class TokenBucket {
  readonly #limit: RateLimit;
  /** Monotonic milliseconds. */
  #fullAt = 0;

  constructor(limit: RateLimit) {
    this.#limit = limit;
  }

  /** Takes so many tokens; false, and none is taken, if there are fewer. */
  take(nowMs: number, count = 1): boolean {
    if (this.remaining(nowMs) < count) return false;
    this.charge(nowMs, count);
    return true;
  }

  /** Takes so many tokens even if fewer are left. The debt, one burst at most, is repaid first. */
  charge(nowMs: number, count = 1): void {
    const { perS, burstMax } = this.#limit;
    const debtMs = Math.max(0, this.#fullAt - nowMs) + (1_000 * count) / perS;
    this.#fullAt = nowMs + Math.min(debtMs, (1_000 * burstMax) / perS);
  }

  /** Puts back so many taken tokens. */
  giveBack(count = 1): void {
    this.#fullAt -= (1_000 * count) / this.#limit.perS;
  }

  /** Whole tokens that could be taken now. */
  remaining(nowMs: number): number {
    const { perS, burstMax } = this.#limit;
    // A millionth of a token makes up for rounding of the division by the rate.
    return Math.max(0, Math.floor(burstMax - (this.fullInMs(nowMs) * perS) / 1_000 + 1e-6));
  }

  /** 0: the bucket is full and need not be kept. */
  fullInMs(nowMs: number): number {
    return Math.max(0, this.#fullAt - nowMs);
  }

  /** Milliseconds until so many tokens can be taken, if the bucket holds as many. */
  waitMs(nowMs: number, count = 1): number {
    const { perS, burstMax } = this.#limit;
    return Math.max(0, this.fullInMs(nowMs) - (1_000 * (burstMax - count)) / perS);
  }
}
