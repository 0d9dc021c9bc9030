// Venue A's time by our clock: requests are signed with it, and a clock that is off would have them all refused. What is asked
// once at start, and again when the venue takes our key for a wrong one. Any thread.

import { SECOND_MS } from '../../../domain/durations.ts';
import type { UnixMillis } from '../../../domain/numbers.ts';
import { limits } from '../../../limits.ts';

export class VenueClock {
  readonly #now: () => UnixMillis;
  #aheadMs = 0;

  constructor(now: () => UnixMillis) {
    this.#now = now;
  }

  /** What the venue has said in whole seconds, and when by our clock it was asked and heard. */
  learn(venueS: number, askedAt: UnixMillis, heardAt: UnixMillis): void {
    const aheadMs = venueS * SECOND_MS + SECOND_MS / 2 - (askedAt + heardAt) / 2;
    this.#aheadMs = Math.abs(aheadMs) <= limits.venueAClockToleranceMs ? 0 : aheadMs;
  }

  /** Text of `POLY_TIMESTAMP`. */
  seconds(): string {
    return String(Math.floor((this.#now() + this.#aheadMs) / SECOND_MS));
  }
}
