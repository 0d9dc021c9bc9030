// Tells an overload from a burst, as CoDel does (RFC 8289): a burst waits as long, but only for a moment. Once a wait has stood for a while,
// submissions are refused as soon as it is long, until it has been short for as long. So those that are taken wait no longer. Any thread.

import { limits } from '../../limits.ts';

export class StandingWait {
  #isLong = false;
  /** Since when it has been as long or as short as it is. */
  #sinceMs = 0;
  #askedAtMs = Number.NEGATIVE_INFINITY;
  #isBounded = false;

  /** Whether a submission would wait too long. `waitMs`: of the oldest one that waits. `nowMs` is monotonic. */
  isTooLong(waitMs: number, nowMs: number): boolean {
    const isLong = waitMs >= limits.engineWaitMsMax;
    // While nobody asks, nothing is known of the wait.
    const isSilent = nowMs - this.#askedAtMs >= limits.engineWaitStandsMs;
    if (isSilent || isLong !== this.#isLong) this.#sinceMs = nowMs;
    if (isSilent) this.#isBounded = false;
    this.#isLong = isLong;
    this.#askedAtMs = nowMs;
    if (nowMs - this.#sinceMs >= limits.engineWaitStandsMs) this.#isBounded = isLong;
    return isLong && this.#isBounded;
  }
}
