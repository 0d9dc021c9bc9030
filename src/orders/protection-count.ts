// Market-maker protection within the ledger's steps: counts a fill, and triggers the protection whose window it exceeds. From then on
// `haltOf` refuses submissions, and `ProtectionWatch` has the orders cancelled. Engine thread.

import type { Fill } from '../domain/fill.ts';
import type { UnixMillis } from '../domain/numbers.ts';
import type { Order } from '../domain/order.ts';
import { addressOf } from '../domain/order-lists.ts';
import { covers, droppedFor, exceededBy } from '../domain/protection.ts';
import type { LedgerTransaction } from '../store/order-records.ts';

type Counting = Pick<LedgerTransaction, 'protections' | 'protection' | 'countFill' | 'putProtection'>;

/** Call once for each fill that is booked to an order. `at`: the time of the step. */
export function countFill(
  transaction: Counting,
  { actorId, request }: Order,
  { executedAt, size }: Fill,
  at: UnixMillis,
): void {
  for (const protection of transaction.protections(actorId)) {
    if (protection.triggered !== null || !covers(protection, request.venue, addressOf(request))) continue;
    // A venue's clock may be ahead: a fill of the future would make all others too late.
    const fill = { executedAt: Math.min(executedAt, at) as UnixMillis, size };
    const dropped = droppedFor(protection, fill);
    if (dropped === null) continue;
    transaction.countFill(protection, fill, dropped);
    const counted = transaction.protection(protection) ?? protection;
    const exceeded = exceededBy(counted, fill);
    if (exceeded !== null) transaction.putProtection({ ...counted, triggered: { at, ...exceeded }, counted: [] });
  }
}
