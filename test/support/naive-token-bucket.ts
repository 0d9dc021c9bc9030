// The twin of src/core/runtime/token-bucket.ts that counts tokens.

import type { RateLimit } from '../../src/limits.ts';

/** A token bucket that counts in thousandths of a token per millisecond, which is exact for whole milliseconds. */
export class NaiveBucket {
  readonly #limit: RateLimit;
  #thousandths: number;
  #at = 0;

  constructor(limit: RateLimit) {
    this.#limit = limit;
    this.#thousandths = limit.burstMax * 1_000;
  }

  take(nowMs: number): boolean {
    if (this.remaining(nowMs) < 1) return false;
    this.charge(nowMs);
    return true;
  }

  charge(nowMs: number): void {
    this.#refill(nowMs);
    this.#thousandths = Math.max(0, this.#thousandths - 1_000);
  }

  remaining(nowMs: number): number {
    this.#refill(nowMs);
    return Math.floor(this.#thousandths / 1_000);
  }

  #refill(nowMs: number): void {
    const { perS, burstMax } = this.#limit;
    this.#thousandths = Math.min(burstMax * 1_000, this.#thousandths + (nowMs - this.#at) * perS);
    this.#at = nowMs;
  }
}
