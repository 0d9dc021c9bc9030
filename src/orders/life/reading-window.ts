// The part of an account's fills to request, usually all fills since the last reading. Venues limit the size of lists, and each failed
// reading leaves more for the next. After two failures the range is split into smaller parts, read from the oldest on. The parts grow again
// after a success. Any thread.

import type { UnixMillis } from '../../core/domain/numbers.ts';
import type { Account, LedgerTransaction, LiveReads } from '../../core/store/order-records.ts';
import { limits } from '../../limits.ts';

/**
 * Returns the time up to which an account's fills are read: all earlier trades are in the store. Null means that they were never read. A
 * mark in the future is ignored: the clock was set back since then.
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
  /** The end of the part. Null means that the part has no end. */
  readonly until: UnixMillis | null;
}

const FAILURES_MAX = 1;

export class ReadingWindow {
  #resumeAt: UnixMillis | null = null;
  #spanMs: number | null = null;
  #failures = 0;

  /** Makes the next part begin at `since`, because older fills are needed. */
  restart(): void {
    this.#resumeAt = null;
  }

  /** Returns the next part of the time from `since` to `end`. */
  next(since: UnixMillis, end: UnixMillis): Part {
    // A time in the future is ignored: the clock was set back since then.
    const from = this.#resumeAt === null || this.#resumeAt > end ? since : this.#resumeAt;
    const until = this.#spanMs === null ? end : from + this.#spanMs;
    return { since: from, until: until < end ? (until as UnixMillis) : null };
  }

  shrink({ since, until }: Part, end: UnixMillis): void {
    this.#failures += 1;
    // The reason of the failure does not matter: a smaller part may succeed, and parts that are too small are soon read.
    if (this.#failures <= FAILURES_MAX) return;
    this.#spanMs = Math.max(Math.floor(((until ?? end) - since) / 2), 2 * limits.accountReadOverlapMs);
  }

  advance({ until }: Part): void {
    this.#failures = 0;
    this.#resumeAt = until === null ? null : ((until - limits.accountReadOverlapMs) as UnixMillis);
    this.#spanMs = until === null || this.#spanMs === null ? null : 2 * this.#spanMs;
  }
}
