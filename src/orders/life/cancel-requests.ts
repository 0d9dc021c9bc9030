// Durable cancel requests for an actor's orders: if the process ends, the next one makes the cancels. Many orders are handled page
// by page, so that other requests do not wait for all of them. Engine thread.

import type { Venue } from '../../core/domain/market.ts';
import { type CancelReason, isTerminal, type Order, type OrderEvent, type OrderId } from '../../core/domain/order.ts';
import type { LiveReads } from '../../core/store/order-records.ts';
import { limits } from '../../limits.ts';
import type { LedgerEntry } from './ledger-entry.ts';

export interface Meant {
  readonly actorId: string;
  readonly venue: Venue;
  /** Null means all markets. */
  readonly address: string | null;
  /** Null means any signing key. */
  readonly keyId: string | null;
}

/** Open orders in pages of one step's size, read when each page is requested. */
export function* openOrderPages(reads: Pick<LiveReads, 'ordersOf'>, meant: Meant): Iterable<readonly OrderId[]> {
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
 * Returns the order after the request. An unsent order ends here and is never sent. The first of several requests gives the order its
 * `cancelReason`.
 */
export function wantCancelled(entry: LedgerEntry, orderId: OrderId, reason: CancelReason = 'REQUESTED'): Order {
  const isUnsent = entry.order(orderId).status === 'PENDING';
  const wanted: OrderEvent = { type: 'cancel-requested', at: entry.at, reason };
  return entry.apply(orderId, isUnsent ? [wanted, { type: 'withdrawn', at: entry.at }] : [wanted]);
}
