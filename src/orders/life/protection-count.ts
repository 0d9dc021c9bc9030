// Market-maker protection within the ledger's steps: counts a fill, and triggers a protection whose window exceeds its maximum. From then
// on `haltOf` refuses submissions, and `ProtectionWatch` cancels the orders. Engine thread.

import type { Fill } from '../../core/domain/fill.ts';
import type { UnixMillis } from '../../core/domain/numbers.ts';
import type { Order } from '../../core/domain/order.ts';
import { addressOf } from '../../core/domain/order-frame.ts';
import { covers, droppedFor, exceededBy, type Protection } from '../../core/domain/protection.ts';
import type { LedgerTransaction } from '../../core/store/order-records.ts';

type Counting = Pick<LedgerTransaction, 'protections' | 'protection' | 'countFill' | 'putProtection'>;

/** Call this once for each fill that is booked to an order. `at` is the time of the step. */
export function countFill(
  transaction: Counting,
  { actorId, request }: Order,
  { executedAt, size }: Fill,
  at: UnixMillis,
): void {
  for (const found of transaction.protections(actorId)) {
    if (found.triggered !== null || !covers(found, request.venue, addressOf(request))) continue;
    const protection = clampedTo(found, at);
    if (protection !== found) transaction.putProtection(protection);
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

/** Counted fills after the clock was set back. Nobody knows how long ago they were executed, so they count as executed now. */
function clampedTo(protection: Protection, at: UnixMillis): Protection {
  const { counted } = protection;
  if ((counted.at(-1)?.executedAt ?? at) <= at) return protection;
  return {
    ...protection,
    counted: counted.map(it => ({ ...it, executedAt: Math.min(it.executedAt, at) as UnixMillis })),
  };
}
