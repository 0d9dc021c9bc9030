// Time up to which an account's fills are read: earlier trades are in the store. Any thread.

import type { UnixMillis } from '../domain/numbers.ts';
import type { Account, LedgerTransaction, LiveReads } from '../store/order-records.ts';

/** Null: never read. A mark in the future comes from a clock that was since set back; it is ignored. */
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
