// The amount that an account has redeemed without a request on each day of UTC. The ledger keeps the sums in a mark. The step that records
// an action writes the mark, so the sums outlast a restart and a take-over. Within the ledger's steps.

import { DAY_MS } from '../../core/domain/durations.ts';
import type { MicroDollars, UnixMillis } from '../../core/domain/numbers.ts';
import type { RedeemBounds, WalletAction } from '../../core/domain/wallet-action.ts';
import type { LedgerTransaction } from '../../core/store/order-records.ts';

type Marks = Pick<LedgerTransaction, 'mark' | 'putMark'>;
type Amount = Pick<WalletAction, 'podId' | 'amount' | 'createdAt'>;

/** The bound that an action would pass. */
export type PassedBound = 'over-action' | 'over-day';

/** The number of days whose sums are kept. It is more than one because the clock may be set back. */
const DAYS_KEPT = 8;

/** Adds the amount to the sum of its day. If that would pass a bound, changes nothing and returns the bound. */
export function addAmount(
  transaction: Marks,
  { podId, amount, createdAt }: Amount,
  bounds: RedeemBounds,
): PassedBound | null {
  if (amount > bounds.action) return 'over-action';
  const sums = sumsOf(transaction, podId);
  const day = dayOf(createdAt);
  // The sum of a day before the kept days is not known any more.
  const isForgotten = sums.size >= DAYS_KEPT && day < Math.min(...sums.keys());
  const sum = (sums.get(day) ?? 0) + amount;
  if (isForgotten || sum > bounds.day) return 'over-day';
  putSums(transaction, podId, sums.set(day, sum as MicroDollars));
  return null;
}

/** Takes the amount off its day. To be called for an action that has failed and has surely paid nothing. */
export function subtract(transaction: Marks, { podId, amount, createdAt }: Amount): void {
  const sums = sumsOf(transaction, podId);
  const day = dayOf(createdAt);
  const sum = sums.get(day);
  if (sum !== undefined) putSums(transaction, podId, sums.set(day, Math.max(0, sum - amount) as MicroDollars));
}

function dayOf(at: UnixMillis): number {
  return Math.floor(at / DAY_MS);
}

/** Returns the sums by day. */
function sumsOf(transaction: Marks, podId: string): Map<number, MicroDollars> {
  const days = transaction.mark(markOf(podId))?.split(' ') ?? [];
  return new Map(days.map(it => it.split(':').map(Number) as [number, MicroDollars]));
}

function putSums(transaction: Marks, podId: string, sums: ReadonlyMap<number, MicroDollars>): void {
  const latest = [...sums].sort(([one], [other]) => other - one).slice(0, DAYS_KEPT);
  transaction.putMark(markOf(podId), latest.map(it => it.join(':')).join(' '));
}

function markOf(podId: string): string {
  return `redeemed/${podId}`;
}
