// The part of an account's fills to request, usually all since the last reading. Venues limit list sizes, and each failed reading leaves
// more for the next. After two failures the range is split into smaller parts, oldest first, which grow again. Any thread.

import type { UnixMillis } from '../../core/domain/numbers.ts';
import type { Account, LedgerTransaction, LiveReads } from '../../core/store/order-records.ts';
import { limits } from '../../limits.ts';

/**
 * The time up to which an account's fills are read: earlier trades are in the store. Null if never read. A mark in the future comes from a
 * clock that was set back since, and is ignored.
 */
export function readMark(reads: Pick<LiveReads, 'mark'>, account: Account, now: UnixMillis): UnixMillis | null {
  const mark = Number(reads.mark(markOf(account)) ?? 0);
  return mark > 0 && mark <= now ? (mark as UnixMillis) : null;
}

export function putReadMark(transaction: Pick<LedgerTransaction, 'putMark'>, account: Account, mark: UnixMillis): void {
  transaction.putMark(markOf(account), String(mark));
}

function markOf({ podId, venue }: Account): string {
  return `read/${podId}/${venue}`;
}

export interface Part {
  readonly since: UnixMillis;
  /** Null means to the end. */
  readonly until: UnixMillis | null;
}

const FAILURES_MAX = 1;

export class ReadingWindow {
  #resumeAt: UnixMillis | null = null;
  #spanMs: number | null = null;
  #failures = 0;

  /** Older fills are wanted: the next part begins at `since`. */
  restart(): void {
    this.#resumeAt = null;
  }

  /** The next part of `since` to `end`. */
  next(since: UnixMillis, end: UnixMillis): Part {
    // A resume time in the future comes from a clock that was since set back.
    const from = this.#resumeAt === null || this.#resumeAt > end ? since : this.#resumeAt;
    const until = this.#spanMs === null ? end : from + this.#spanMs;
    return { since: from, until: until < end ? (until as UnixMillis) : null };
  }

  failed({ since, until }: Part, end: UnixMillis): void {
    this.#failures += 1;
    // The reason does not matter: a smaller part may succeed, and parts that are too small are read soon.
    if (this.#failures <= FAILURES_MAX) return;
    this.#spanMs = Math.max(Math.floor(((until ?? end) - since) / 2), 2 * limits.accountReadOverlapMs);
  }

  passed({ until }: Part): void {
    this.#failures = 0;
    this.#resumeAt = until === null ? null : ((until - limits.accountReadOverlapMs) as UnixMillis);
    this.#spanMs = until === null || this.#spanMs === null ? null : 2 * this.#spanMs;
  }
}
