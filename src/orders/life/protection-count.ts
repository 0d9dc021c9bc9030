// Market-maker protection within the ledger's steps: counts a fill, and triggers a protection if the fills in its window exceed its
// maximum. From then on `haltOf` refuses submissions, and `ProtectionWatch` cancels the orders. Engine thread.

import type { Fill } from '../../core/domain/fill.ts';
import type { UnixMillis } from '../../core/domain/numbers.ts';
import type { Order } from '../../core/domain/order.ts';
import { addressOf } from '../../core/domain/order-frame.ts';
import { covers, droppedFor, exceededBy, type Protection } from '../../core/domain/protection.ts';
import type { LedgerTransaction } from '../../core/store/order-records.ts';

type Counting = Pick<LedgerTransaction, 'protections' | 'protection' | 'countFill' | 'putProtection'>;

/** Counts a fill that is booked to an order. To be called once for each fill. `at` is the time of the step. */
export function countFill(
  transaction: Counting,
  { actorId, request }: Order,
  { executedAt, size }: Fill,
  at: UnixMillis,
): void {
  for (const found of transaction.protections(actorId)) {
    if (found.triggered !== null || !covers(found, request.venue, addressOf(request))) continue;
    const protection = clampedAt(found, at);
    if (protection !== found) transaction.putProtection(protection);
    // The clock of a venue may be ahead. A fill in the future would make all other fills too old to count.
    const fill = { executedAt: Math.min(executedAt, at) as UnixMillis, size };
    const dropped = droppedFor(protection, fill);
    if (dropped === null) continue;
    transaction.countFill(protection, fill, dropped);
    const counted = transaction.protection(protection) ?? protection;
    const exceeded = exceededBy(counted, fill);
    if (exceeded !== null) transaction.putProtection({ ...counted, triggered: { at, ...exceeded }, counted: [] });
  }
}

/**
 * Returns the protection after the clock was set back. Nobody knows how long ago its counted fills were executed, so they count as executed
 * now.
 */
function clampedAt(protection: Protection, at: UnixMillis): Protection {
  const { counted } = protection;
  if ((counted.at(-1)?.executedAt ?? at) <= at) return protection;
  return {
    ...protection,
    counted: counted.map(it => ({ ...it, executedAt: Math.min(it.executedAt, at) as UnixMillis })),
  };
}
