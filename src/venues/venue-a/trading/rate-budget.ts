// Venue A's patience, mirrored: its buckets of orders and of cancels are two, so that a flood of orders never costs a cancel. Which
// of them is empty, and until when, the venue says itself (venue-a.md §10); until then nothing is sent that it would refuse.
// Any thread.

import type { UnixMillis } from '../../../domain/numbers.ts';
import { retryAfterOf } from './submit-answer.ts';
import type { VenueOutcome } from './venue-api.ts';

const HTTP_TOO_MANY = 429;
const MILLIS_PER_SECOND = 1_000;

export class RateBudget {
  readonly #now: () => UnixMillis;
  #emptyUntil = 0;

  constructor(now: () => UnixMillis) {
    this.#now = now;
  }

  /** Seconds until it is worth while to ask; 0: now. */
  get waitS(): number {
    return Math.max(0, Math.ceil((this.#emptyUntil - this.#now()) / MILLIS_PER_SECOND));
  }

  heard(outcome: VenueOutcome): void {
    if (outcome.type !== 'answer' || outcome.status !== HTTP_TOO_MANY) return;
    this.#emptyUntil = this.#now() + retryAfterOf(outcome) * MILLIS_PER_SECOND;
  }
}
