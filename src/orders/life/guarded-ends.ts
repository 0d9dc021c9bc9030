// Ends orders that the guard cancelled while the engine did not answer (orders/guard/guard.ts). Nothing was recorded at that time. Engine
// thread.

import type { UnixMillis } from '../../core/domain/numbers.ts';
import { type CancelReason, isTerminal, type OrderId } from '../../core/domain/order.ts';
import type { Ledger } from './ledger.ts';

interface GuardedEnd {
  readonly orderId: OrderId;
  readonly reason: CancelReason;
  /** The time at which the guard was first asked for the cancel. */
  readonly at: UnixMillis;
}

/** The reasons of requests, and the reason of an unexplained end. All other reasons are facts, or come from the venue. */
const OF_REQUESTS: ReadonlySet<CancelReason | null> = new Set([
  ...(['REQUESTED', 'DEAD_MAN', 'DISCONNECT', 'PROTECTION', 'STOP', 'LOSS_LIMIT', 'VENUE'] as const),
]);

/**
 * Gives the order the guard's reason for its cancel, unless an earlier request has given another reason. Null means that the order has
 * ended. Otherwise returns whether the cancel request, which is still to be carried out, is recorded.
 */
export function recordGuardReason(ledger: Ledger, { orderId, reason, at }: GuardedEnd): boolean | null {
  const own = ledger.lenient();
  if (own.store.order(orderId) === null) return null;
  const order = own.change(entry => {
    const known = entry.order(orderId);
    const isFirst = known.cancelRequestedAt === null || at < known.cancelRequestedAt;
    if (!isFirst) return known;
    if (known.status === 'CANCELLED') {
      const ends = { type: 'ends', at: entry.at, venueOrderId: null, stated: null, reason } as const;
      return OF_REQUESTS.has(known.cancelReason) ? entry.apply(orderId, [ends]) : known;
    }
    if (isTerminal(known.status)) return known;
    return entry.apply(orderId, [
      { type: 'cancel-revoked', at: entry.at },
      { type: 'cancel-requested', at: entry.at, reason },
    ]);
  });
  return isTerminal(order.status) ? null : own.isRecorded;
}
