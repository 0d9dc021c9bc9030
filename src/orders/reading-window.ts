// Which part of an account's fills is asked for: all since the last reading, as a rule. A venue gives so many of a list and no more, and
// every reading that fails leaves more for the next: what has failed twice is asked for in smaller parts, oldest first, that grow again.
// Pure.

import type { UnixMillis } from '../domain/numbers.ts';
import { limits } from '../limits.ts';

export interface Part {
  readonly since: UnixMillis;
  /** Null: to the end. */
  readonly until: UnixMillis | null;
}

const FAILURES_MAX = 1;

export class ReadingWindow {
  #resumeAt: UnixMillis | null = null;
  #spanMs: number | null = null;
  #failures = 0;

  /** Something older is wanted. */
  restart(): void {
    this.#resumeAt = null;
  }

  /** Of what there is `since`; it ends at `end`. */
  next(since: UnixMillis, end: UnixMillis): Part {
    // A time to come was noted by a clock that was.
    const from = this.#resumeAt === null || this.#resumeAt > end ? since : this.#resumeAt;
    const until = this.#spanMs === null ? end : from + this.#spanMs;
    return { since: from, until: until < end ? (until as UnixMillis) : null };
  }

  failed({ since, until }: Part, end: UnixMillis): void {
    this.#failures += 1;
    // Whatever the reason was: less may be had where all cannot, and parts that are too small are soon read.
    if (this.#failures <= FAILURES_MAX) return;
    this.#spanMs = Math.max(Math.floor(((until ?? end) - since) / 2), 2 * limits.accountReadOverlapMs);
  }

  passed({ until }: Part): void {
    this.#failures = 0;
    this.#resumeAt = until === null ? null : ((until - limits.accountReadOverlapMs) as UnixMillis);
    this.#spanMs = until === null || this.#spanMs === null ? null : 2 * this.#spanMs;
  }
}
