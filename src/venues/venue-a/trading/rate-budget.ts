// Venue A's patience, mirrored: its buckets of orders and of cancels are two, so that a flood of orders never costs a cancel. Which
// of them is empty, and until when, the venue says itself (venue-a.md §10); until then nothing is sent that it would refuse.
// Any thread.

import { SECOND_MS } from '../../../domain/durations.ts';
import type { UnixMillis } from '../../../domain/numbers.ts';
import { HTTP_TOO_MANY } from '../../../net/http-status.ts';
import { retryAfterOf } from './submit-answer.ts';
import type { VenueOutcome } from './venue-api.ts';

export class RateBudget {
  readonly #now: () => UnixMillis;
  /** What the venue said last, and when. */
  #told = { at: 0, waitMs: 0 };

  constructor(now: () => UnixMillis) {
    this.#now = now;
  }

  /** Until it is worth while to ask; 0: now. */
  get waitMs(): number {
    const { at, waitMs } = this.#told;
    const passedMs = this.#now() - at;
    // The clock was set back, so that the wait is unknown: ask, and the venue will say it again.
    return passedMs < 0 ? 0 : Math.max(0, waitMs - passedMs);
  }

  /** In whole seconds. */
  get waitS(): number {
    return Math.ceil(this.waitMs / SECOND_MS);
  }

  heard(outcome: VenueOutcome): void {
    if (outcome.type !== 'answer' || outcome.status !== HTTP_TOO_MANY) return;
    this.#told = { at: this.#now(), waitMs: retryAfterOf(outcome) * SECOND_MS };
  }
}
