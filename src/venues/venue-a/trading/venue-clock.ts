// Venue A's time by our clock. Requests are signed with it, and a wrong clock would have them all refused. It is read once at
// the start, and again when the venue takes our key for a wrong one. Any thread.

import { SECOND_MS } from '../../../domain/durations.ts';
import type { UnixMillis } from '../../../domain/numbers.ts';
import { limits } from '../../../limits.ts';

export class VenueClock {
  readonly #now: () => UnixMillis;
  #aheadMs = 0;

  constructor(now: () => UnixMillis) {
    this.#now = now;
  }

  /** The venue's time in whole seconds, and our times of the request and the answer. */
  learn(venueS: number, askedAt: UnixMillis, heardAt: UnixMillis): void {
    const aheadMs = venueS * SECOND_MS + SECOND_MS / 2 - (askedAt + heardAt) / 2;
    this.#aheadMs = Math.abs(aheadMs) <= limits.venueAClockToleranceMs ? 0 : aheadMs;
  }

  /** Value of `POLY_TIMESTAMP`. */
  seconds(): string {
    return String(Math.floor((this.#now() + this.#aheadMs) / SECOND_MS));
  }
}
