// Up to when the fills of an account have been read: what was traded before is in the store. Any thread.

import type { UnixMillis } from '../domain/numbers.ts';
import type { Account, LedgerTransaction, LiveReads } from '../store/order-records.ts';

/** Null: not at all. A mark in the future was written by a clock that has since been set back: it says nothing. */
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
