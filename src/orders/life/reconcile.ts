// Resolves unknown outcomes (contract §4.7): looks the order up at its venue and applies the result. An absence counts only if the venue
// says that it has searched far enough. A requested cancel is sent as soon as there is something to cancel. Engine thread.

import type { UnixMillis } from '../../core/domain/numbers.ts';
import { isTerminal, isToBeCancelled, type Order, type OrderEvent, type OrderId } from '../../core/domain/order.ts';
import { unreachable } from '../../core/domain/result.ts';
import type { StoredOrder } from '../../core/store/order-records.ts';
import { limits } from '../../limits.ts';
import type { UnreadRow, VenueTrading } from '../../venues/venue.ts';
import { endCancelled } from './confirmed-cancel.ts';
import { applyFound } from './evidence.ts';
import type { Ledger } from './ledger.ts';
import type { LedgerEntry } from './ledger-entry.ts';
import { readMark } from './reading-window.ts';
import { withVenueId } from './replacement-chain.ts';

interface ReconcileParts {
  readonly ledger: Ledger;
  readonly now: () => UnixMillis;
}

interface Looked {
  /** The order after the look-up. */
  readonly order: Order;
  /** Whether the venue has answered. If it has and the outcome is still unknown, the venue does not know the outcome either. */
  readonly hasAnswered: boolean;
  /** A row of the answer that cannot be read. */
  readonly unread?: UnreadRow;
}

/**
 * Makes one look-up, and the cancel if the order has a cancel request. A working order is cancelled first, and looked up only if the answer
 * is unclear. `hasRequest` means that there is a cancel request that the order's record lacks.
 */
export async function reconcile(
  parts: ReconcileParts,
  venue: VenueTrading,
  stored: StoredOrder,
  deadline: UnixMillis,
  hasRequest = false,
): Promise<Looked> {
  const isUnwanted = (order: Order): boolean => isToBeCancelled(order) || (hasRequest && order.status === 'OPEN');
  if (isUnwanted(stored.order)) return cancelFound(parts, venue, stored, deadline, null);
  const looked = await lookAt(parts, venue, stored, deadline);
  const isWanted = hasRequest || looked.order.cancelRequestedAt !== null;
  if (looked.unread !== undefined && isWanted) await cancelHeld(venue, looked.order, stored, looked.unread, deadline);
  if (!isUnwanted(looked.order)) return looked;
  return cancelFound(parts, venue, { ...stored, order: looked.order }, deadline, looked);
}

/** Makes one look-up, and applies its result. */
export async function lookAt(
  { ledger, now }: ReconcileParts,
  venue: VenueTrading,
  { order, intent }: StoredOrder,
  deadline: UnixMillis,
): Promise<Looked> {
  if (intent === null || order.status === 'PENDING' || isTerminal(order.status)) return { order, hasAnswered: true };
  const askedAt = now();
  const account = { podId: order.podId, venue: order.request.venue };
  const named = withVenueId(ledger.store, order);
  let found = await venue.lookUp(named, intent, deadline, readMark(ledger.store, account, askedAt));
  // Before an order is given up, the search is repeated without a time bound. The order may be a resend of an order whose record was lost.
  const isGivenUp = found.type === 'absent' && absenceEvent(order, askedAt, askedAt)?.type === 'refused';
  if (isGivenUp && order.sentAt !== null) {
    const anyTime = await venue.lookUp({ ...named, sentAt: null }, intent, deadline);
    // Only the first look-up used the order's age. The search without it may never end, and the account's readings show resting orders as
    // well.
    const isEndless = anyTime.type === 'unavailable' && askedAt - order.sentAt >= limits.absenceUnsearchedMs;
    if (anyTime.type !== 'absent' && !isEndless) found = anyTime;
  }
  switch (found.type) {
    case 'found':
      return { order: applyFound(ledger, order, found), hasAnswered: true };
    case 'absent': {
      const { isCurrent } = found;
      return { order: ledger.change(entry => applyAbsence(entry, order, isCurrent, askedAt)), hasAnswered: true };
    }
    case 'held':
      return { order: ledger.store.order(order.orderId)?.order ?? order, hasAnswered: true, unread: found.row };
    case 'unavailable':
      return { order: ledger.store.order(order.orderId)?.order ?? order, hasAnswered: false };
    default:
      return unreachable(found);
  }
}

function applyAbsence(entry: LedgerEntry, { orderId }: Order, isCurrent: boolean, askedAt: UnixMillis): Order {
  const known = entry.order(orderId);
  // Something has happened to the order since the venue was asked.
  if (!isCurrent || known.updatedAt >= askedAt) return known;
  const event = absenceEvent(known, askedAt, entry.at);
  return event === null ? known : entry.apply(orderId, [event], 'invalid');
}

/** Returns the event of an order that the venue does not show. Null means that the order may still appear. */
function absenceEvent(order: Order, askedAt: UnixMillis, at: UnixMillis): OrderEvent | null {
  // The order was at the venue, and the venue no longer lists it, so the order has ended.
  const ends = { type: 'ends', at, venueOrderId: null, stated: null } as const;
  if (order.status === 'OPEN') return ends;
  if (order.status !== 'SUBMITTED' || askedAt - (order.sentAt ?? order.updatedAt) < limits.absenceProvenMs) return null;
  if (order.venueOrderId !== null) return ends;
  const error = { code: 'UNKNOWN', message: 'no trace at the venue' } as const;
  return { type: 'refused', at, error, isReleased: false };
}

/**
 * Cancels an order, and looks it up unless the cancel ends it. `looked` is the look-up just before. It is enough if the cancel is not
 * confirmed.
 */
async function cancelFound(
  parts: ReconcileParts,
  venue: VenueTrading,
  stored: StoredOrder,
  deadline: UnixMillis,
  looked: Looked | null,
): Promise<Looked> {
  const { ledger } = parts;
  const { order } = stored;
  const outcome = await venue.cancel(order, deadline);
  const confirmed = outcome.type === 'cancelled' ? outcome : null;
  const ended = confirmed === null ? null : endCancelled(ledger, order, confirmed);
  if (ended !== null) return { order: ended, hasAnswered: true };
  const known = ledger.store.order(order.orderId)?.order ?? order;
  if (confirmed === null && looked !== null) return { ...looked, order: known };
  const again = await lookAt(parts, venue, { ...stored, order: known }, deadline);
  const after = confirmed === null ? null : endCancelled(ledger, again.order, confirmed);
  return { ...again, order: after ?? again.order };
}

/** Cancels an order that an unreadable row keeps unclear. A cancel does no harm in any state, and a later look-up finds its result. */
async function cancelHeld(
  venue: VenueTrading,
  order: Order,
  { intent }: StoredOrder,
  { about, orders }: UnreadRow,
  deadline: UnixMillis,
): Promise<void> {
  if (isTerminal(order.status)) return;
  const shown = about === 'order' ? (orders[0]?.venueOrderId ?? '') : '';
  const venueOrderId = order.venueOrderId ?? intent?.venueOrderId ?? (shown || null);
  if (venueOrderId !== null) await venue.cancel({ ...order, venueOrderId }, deadline);
}

/** Ends a PENDING order. It will never be sent, and its key is free again. */
export function releaseUnsent(entry: LedgerEntry, orderId: OrderId, message: string): void {
  if (entry.order(orderId).status !== 'PENDING') return;
  const error = { code: 'UNKNOWN', message } as const;
  entry.apply(orderId, [{ type: 'refused', at: entry.at, error, isReleased: true }], 'unavailable');
}
