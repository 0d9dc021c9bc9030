// Durable cancel requests for an actor's orders: if the process ends, the next process makes the cancels. Many orders are handled page by
// page, so that other requests do not wait for all of them. Engine thread.

import type { Venue } from '../../core/domain/market.ts';
import { type CancelReason, isTerminal, type Order, type OrderEvent, type OrderId } from '../../core/domain/order.ts';
import type { LiveReads } from '../../core/store/order-records.ts';
import { limits } from '../../limits.ts';
import type { LedgerEntry } from './ledger-entry.ts';

export interface Selection {
  readonly actorId: string;
  readonly venue: Venue;
  /** The market of the orders. Null means all markets. */
  readonly address: string | null;
  /** The signing key of the orders. Null means any key. */
  readonly keyId: string | null;
}

/** Returns open orders in pages, each of a size for one step. A page is read when it is requested. */
export function* openOrderPages(reads: Pick<LiveReads, 'ordersOf'>, meant: Selection): Iterable<readonly OrderId[]> {
  const { actorId, venue, address, keyId } = meant;
  let page: OrderId[] = [];
  for (const { order } of reads.ordersOf(actorId, venue, address)) {
    if (isTerminal(order.status) || (keyId !== null && order.keyId !== keyId)) continue;
    page.push(order.orderId);
    if (page.length < limits.ordersPerPageMax) continue;
    yield page;
    page = [];
  }
  if (page.length > 0) yield page;
}

/**
 * Requests the cancel of an order, and returns the order afterwards. An order that was not sent ends here and is never sent. The first of
 * several requests sets the order's `cancelReason`.
 */
export function recordCancelRequest(entry: LedgerEntry, orderId: OrderId, reason: CancelReason = 'REQUESTED'): Order {
  const isUnsent = entry.order(orderId).status === 'PENDING';
  const wanted: OrderEvent = { type: 'cancel-requested', at: entry.at, reason };
  return entry.apply(orderId, isUnsent ? [wanted, { type: 'withdrawn', at: entry.at }] : [wanted]);
}
