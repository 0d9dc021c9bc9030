// Rate limit of a venue: one request per interval, with a burst (generic cell rate algorithm). Thread of the paper exchanges.

import type { Timers } from '../../runtime/timers.ts';

export interface RequestRateTerms {
  readonly intervalMs: number;
  readonly burstMax: number;
}

export class RequestRate {
  readonly #terms: RequestRateTerms;
  readonly #timers: Timers;
  #fullAt = 0;

  constructor(terms: RequestRateTerms, timers: Timers) {
    this.#terms = terms;
    this.#timers = timers;
  }

  /** Whether one more request is allowed. */
  take(): boolean {
    const { intervalMs, burstMax } = this.#terms;
    const now = this.#timers.now();
    const fullAt = Math.max(this.#fullAt, now) + intervalMs;
    if (fullAt - now > intervalMs * burstMax) return false;
    this.#fullAt = fullAt;
    return true;
  }
}
