// Orders of an actor wanted cancelled, durably: whatever happens next, whoever finds them later makes the cancels. Many of them are
// wanted page by page, so that no other request waits for all. Engine thread.

import type { Venue } from '../domain/market.ts';
import { isTerminal, type Order, type OrderEvent, type OrderId } from '../domain/order.ts';
import { limits } from '../limits.ts';
import type { LiveReads } from '../store/order-records.ts';
import type { LedgerEntry } from './ledger-entry.ts';

export interface Meant {
  readonly actorId: string;
  readonly venue: Venue;
  /** Null: of all markets. */
  readonly address: string | null;
  /** Null: whichever signing key made them. */
  readonly keyId: string | null;
}

/** Those that are not terminal, so many as one step wants cancelled at a time; of the orders that are there when a page is asked for. */
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

/** The order as it is then: what was not sent never will be. */
export function wantCancelled(entry: LedgerEntry, orderId: OrderId): Order {
  const isUnsent = entry.order(orderId).status === 'PENDING';
  const wanted: OrderEvent = { type: 'cancel-requested', at: entry.at };
  return entry.apply(orderId, isUnsent ? [wanted, { type: 'withdrawn', at: entry.at }] : [wanted]);
}
