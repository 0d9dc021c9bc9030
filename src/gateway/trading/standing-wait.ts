// Tells an overload from a burst, as CoDel does (RFC 8289). In a burst operations may wait as long as in an overload, but only for a
// moment. Once the wait has been long for some time, submissions are refused whenever it is long. That ends once the wait has been short
// for as much time. So accepted submissions do not wait longer and longer. Any thread.

import { limits } from '../../limits.ts';

export class StandingWait {
  #isLong = false;
  /** The time since which the wait has been long, or short, without a change. */
  #sinceMs = 0;
  #askedAtMs = Number.NEGATIVE_INFINITY;
  #isBounded = false;

  /** Whether a submission would wait too long. `waitMs` is the wait of the oldest operation that waits. `nowMs` is monotonic. */
  isTooLong(waitMs: number, nowMs: number): boolean {
    const isLong = waitMs >= limits.engineWaitMsMax;
    // If nobody has asked for a while, nothing is known of the wait in that time.
    const isSilent = nowMs - this.#askedAtMs >= limits.engineWaitStandsMs;
    if (isSilent || isLong !== this.#isLong) this.#sinceMs = nowMs;
    if (isSilent) this.#isBounded = false;
    this.#isLong = isLong;
    this.#askedAtMs = nowMs;
    if (nowMs - this.#sinceMs >= limits.engineWaitStandsMs) this.#isBounded = isLong;
    return isLong && this.#isBounded;
  }
}
