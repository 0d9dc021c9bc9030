// A mirror of venue A's rate limits: orders and cancels have separate buckets, so that a flood of orders never costs a cancel. The
// venue says which bucket is empty, and until when (venue-a.md §10). Until then nothing is sent that it would refuse. Any thread.

import { SECOND_MS } from '../../../domain/durations.ts';
import type { UnixMillis } from '../../../domain/numbers.ts';
import { HTTP_TOO_MANY } from '../../../net/http-status.ts';
import { retryAfterOf } from './submit-answer.ts';
import type { VenueOutcome } from './venue-api.ts';

export class RateBudget {
  readonly #now: () => UnixMillis;
  /** The venue's last 429: when it came (Unix milliseconds), and how long to wait. */
  #refusal = { at: 0, waitMs: 0 };

  constructor(now: () => UnixMillis) {
    this.#now = now;
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

  heard(outcome: VenueOutcome): void {
    if (outcome.type !== 'answer' || outcome.status !== HTTP_TOO_MANY) return;
    this.#refusal = { at: this.#now(), waitMs: retryAfterOf(outcome) * SECOND_MS };
  }
}
