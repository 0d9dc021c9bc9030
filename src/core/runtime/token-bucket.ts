// A token bucket in one number: the time at which the bucket will be full (generic cell rate algorithm). Threads that take from a number in
// shared memory share one budget. Any thread.

import type { RateLimit } from '../../limits.ts';

/** The place where a bucket keeps the time at which it will be full, in milliseconds of its callers' clock. */
export interface FullAt {
  read(): number;
  /** Returns false if another thread changed the value first; then nothing is changed. */
  replace(before: number, after: number): boolean;
}

export class TokenBucket {
  readonly #limit: RateLimit;
  readonly #fullAt: FullAt;

  constructor(limit: RateLimit, fullAt: FullAt = new OwnFullAt()) {
    this.#limit = limit;
    this.#fullAt = fullAt;
  }

  /** Takes `count` tokens. Returns false, and takes no token, if the bucket has fewer. */
  take(nowMs: number, count = 1): boolean {
    for (;;) {
      const fullAt = this.#fullAt.read();
      if (this.#tokensAt(fullAt, nowMs) < count) return false;
      if (this.#fullAt.replace(fullAt, this.#charged(fullAt, nowMs, count))) return true;
    }
  }

  /** Takes a token even if no token is left. The debt is at most one burst, and is repaid before tokens can be taken. */
  charge(nowMs: number): void {
    this.#change(fullAt => this.#charged(fullAt, nowMs, 1));
  }

  /** Puts `count` tokens back that were taken. */
  giveBack(count = 1): void {
    this.#change(fullAt => fullAt - (1_000 * count) / this.#limit.perS);
  }

  /** Returns the number of whole tokens that could be taken now. */
  remaining(nowMs: number): number {
    return this.#tokensAt(this.#fullAt.read(), nowMs);
  }

  /** Returns the milliseconds until the bucket is full. 0 means that the bucket is full, and need not be kept. */
  fullInMs(nowMs: number): number {
    return Math.max(0, this.#fullAt.read() - nowMs);
  }

  /** Returns the milliseconds until `count` tokens can be taken, if the bucket can hold as many. */
  waitMs(nowMs: number, count = 1): number {
    const { perS, burstMax } = this.#limit;
    return Math.max(0, this.fullInMs(nowMs) - (1_000 * (burstMax - count)) / perS);
  }

  #tokensAt(fullAt: number, nowMs: number): number {
    const { perS, burstMax } = this.#limit;
    // A millionth of a token makes up for the rounding of the division by the rate.
    return Math.max(0, Math.floor(burstMax - (Math.max(0, fullAt - nowMs) * perS) / 1_000 + 1e-6));
  }

  #charged(fullAt: number, nowMs: number, count: number): number {
    const { perS, burstMax } = this.#limit;
    const debtMs = Math.max(0, fullAt - nowMs) + (1_000 * count) / perS;
    return nowMs + Math.min(debtMs, (1_000 * burstMax) / perS);
  }

  #change(after: (fullAt: number) => number): void {
    for (;;) {
      const fullAt = this.#fullAt.read();
      if (this.#fullAt.replace(fullAt, after(fullAt))) return;
    }
  }
}

class OwnFullAt implements FullAt {
  #value = 0;

  read(): number {
    return this.#value;
  }

  replace(_before: number, after: number): boolean {
    this.#value = after;
    return true;
  }
}
