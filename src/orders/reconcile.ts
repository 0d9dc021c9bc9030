// What is not known is found out (contract §4.7): an order is looked up at its venue, what is there is applied, and absence is
// believed only when the venue says that it looks far enough. A cancel that is wanted is made as soon as there is something to
// cancel. Engine thread.

import type { UnixMillis } from '../domain/numbers.ts';
import { isTerminal, isToBeCancelled, type Order, type OrderEvent } from '../domain/order.ts';
import { unreachable } from '../domain/result.ts';
import { limits } from '../limits.ts';
import type { StoredOrder } from '../store/order-records.ts';
import type { UnreadRow, VenueTrading } from '../venues/venue.ts';
import { applyFound } from './evidence.ts';
import type { Ledger } from './ledger.ts';
import type { LedgerEntry } from './ledger-entry.ts';
import { readMark } from './reading-mark.ts';

export interface ReconcileParts {
  readonly ledger: Ledger;
  readonly now: () => UnixMillis;
}

export interface Looked {
  /** As it is known after the look. */
  readonly order: Order;
  /** Whether the venue has answered. If it has and the outcome is still unknown, the venue itself does not know. */
  readonly hasAnswered: boolean;
  /** What it has answered and nobody can read. */
  readonly unread?: UnreadRow;
}

/**
 * One look, and the cancel if one is wanted; what is known to be in the book is cancelled first, and looked at if that is not clear.
 * `isWished`: a cancel is wanted that the order's record does not have.
 */
export async function reconcile(
  parts: ReconcileParts,
  venue: VenueTrading,
  stored: StoredOrder,
  deadline: UnixMillis,
  isWished = false,
): Promise<Looked> {
  const isUnwanted = (order: Order): boolean => isToBeCancelled(order) || (isWished && order.status === 'OPEN');
  if (isUnwanted(stored.order)) {
    const order = await cancelFound(parts, venue, stored.order, deadline);
    return lookAt(parts, venue, { ...stored, order }, deadline);
  }
  const looked = await lookAt(parts, venue, stored, deadline);
  const isWanted = isWished || looked.order.cancelRequestedAt !== null;
  if (looked.unread !== undefined && isWanted) await cancelHeld(venue, looked.order, stored, looked.unread, deadline);
  if (!isUnwanted(looked.order)) return looked;
  return { ...looked, order: await cancelFound(parts, venue, looked.order, deadline) };
}

/** One look. */
export async function lookAt(
  { ledger, now }: ReconcileParts,
  venue: VenueTrading,
  { order, intent }: StoredOrder,
  deadline: UnixMillis,
): Promise<Looked> {
  if (intent === null || order.status === 'PENDING' || isTerminal(order.status)) return { order, hasAnswered: true };
  const askedAt = now();
  const account = { podId: order.podId, venue: order.request.venue };
  let found = await venue.lookUp(order, intent, deadline, readMark(ledger.store, account, askedAt));
  // Before an order is given up it is searched for without a bound in time: this may be a resend of one whose record was lost.
  const isGivenUp = found.type === 'absent' && absence(order, askedAt, askedAt)?.type === 'refused';
  if (isGivenUp && order.sentAt !== null) {
    const anyTime = await venue.lookUp({ ...order, sentAt: null }, intent, deadline);
    // How old the order is was known to the first look only.
    if (anyTime.type !== 'absent') found = anyTime;
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
  // Something has happened since the question was asked.
  if (!isCurrent || known.updatedAt >= askedAt) return known;
  const event = absence(known, askedAt, entry.at);
  return event === null ? known : entry.apply(orderId, [event], 'invalid');
}

/** What an order comes to that the venue does not show; null as long as it may yet. */
function absence(order: Order, askedAt: UnixMillis, at: UnixMillis): OrderEvent | null {
  // It was there: what the venue lists no more is over.
  const ends = { type: 'ends', at, venueOrderId: null, stated: null } as const;
  if (order.status === 'OPEN') return ends;
  if (order.status !== 'SUBMITTED' || askedAt - (order.sentAt ?? order.updatedAt) < limits.absenceProvenMs) return null;
  if (order.venueOrderId !== null) return ends;
  const error = { code: 'UNKNOWN', message: 'no trace at the venue' } as const;
  return { type: 'refused', at, error, isReleased: false };
}

async function cancelFound(
  { ledger }: ReconcileParts,
  venue: VenueTrading,
  order: Order,
  deadline: UnixMillis,
): Promise<Order> {
  const outcome = await venue.cancel(order, deadline);
  if (outcome.type !== 'cancelled') return ledger.store.order(order.orderId)?.order ?? order;
  return ledger.change(entry => entry.apply(order.orderId, [cancelled(entry.at)]));
}

/** A cancel is harmless in every state of the order; a later look says what became of it. */
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

/** The venue has confirmed a cancel. */
export function cancelled(at: UnixMillis): OrderEvent {
  return { type: 'ends', at, venueOrderId: null, stated: null };
}
