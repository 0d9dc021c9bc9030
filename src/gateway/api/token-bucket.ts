// A token bucket in one number: the moment when it will be full again (generic cell rate algorithm). Main thread.

import type { RateLimit } from '../../limits.ts';

export class TokenBucket {
  readonly #limit: RateLimit;
  /** Milliseconds of a monotonic clock. */
  #fullAt = 0;

  constructor(limit: RateLimit) {
    this.#limit = limit;
  }

  /** Takes one token; false, and nothing taken, if there is none. */
  take(nowMs: number): boolean {
    if (this.remaining(nowMs) < 1) return false;
    this.charge(nowMs);
    return true;
  }

  /** Takes one token, also where none is left: then the debt is repaid first, never more than one burst of it. */
  charge(nowMs: number): void {
    const { perS, burstMax } = this.#limit;
    const debtMs = Math.max(0, this.#fullAt - nowMs) + 1_000 / perS;
    this.#fullAt = nowMs + Math.min(debtMs, (1_000 * burstMax) / perS);
  }

  /** Puts a token back that was taken: as if it never had been. */
  giveBack(): void {
    this.#fullAt -= 1_000 / this.#limit.perS;
  }

  /** Whole tokens that could be taken at once. */
  remaining(nowMs: number): number {
    const { perS, burstMax } = this.#limit;
    // A millionth of a token forgives what dividing by the rate loses.
    return Math.max(0, Math.floor(burstMax - (this.fullInMs(nowMs) * perS) / 1_000 + 1e-6));
  }

  /** 0: it is full, and as good as forgotten. */
  fullInMs(nowMs: number): number {
    return Math.max(0, this.#fullAt - nowMs);
  }

  /** Until one token can be taken. */
  waitMs(nowMs: number): number {
    const { perS, burstMax } = this.#limit;
    return Math.max(0, this.fullInMs(nowMs) - (1_000 * (burstMax - 1)) / perS);
  }
}
