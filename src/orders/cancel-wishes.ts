// Orders of an actor wanted cancelled, durably: whatever happens next, whoever finds them later makes the cancels. Many of them are
// wanted page by page, so that nobody else's commit waits for all. Any thread.

import type { Venue } from '../domain/market.ts';
import type { UnixMillis } from '../domain/numbers.ts';
import { isTerminal, type Order, type OrderEvent, type OrderId } from '../domain/order.ts';
import { addressOf, OPEN_STATUSES } from '../domain/order-lists.ts';
import { limits } from '../limits.ts';
import type { OrderReads } from '../store/order-records.ts';
import type { LedgerEntry } from './ledger-entry.ts';

export interface Meant {
  readonly actorId: string;
  readonly venue: Venue;
  /** Null: of all markets. */
  readonly address: string | null;
  /** Null: whichever signing key made them. */
  readonly keyId: string | null;
}

/** Those that are not terminal, so many as one transaction wants cancelled at a time; each page as it is when it is asked for. */
export function* openOrderPages(reads: OrderReads, meant: Meant): Iterable<readonly OrderId[]> {
  const { actorId, venue, address, keyId } = meant;
  for (const status of OPEN_STATUSES) {
    let after: Order | null = null;
    for (;;) {
      const rowsMax = limits.ordersPerPageMax;
      const page: readonly Order[] = reads.orders({ actorId, venue, address, status, after, rowsMax });
      yield page.filter(order => keyId === null || order.keyId === keyId).map(({ orderId }) => orderId);
      if (page.length < rowsMax) break;
      after = page.at(-1)!;
    }
  }
}

/** The order as it is then: what was not sent never will be. */
export function wantCancelled(entry: LedgerEntry, orderId: OrderId): Order {
  const isUnsent = entry.order(orderId).status === 'PENDING';
  const wanted: OrderEvent = { type: 'cancel-requested', at: entry.at };
  return entry.apply(orderId, isUnsent ? [wanted, { type: 'withdrawn', at: entry.at }] : [wanted]);
}

/** Whether an order that has ended was wanted cancelled and has ended since then; `since` null: it has not. */
export function isOfWish({ closedAt, cancelRequestedAt }: Order, since: UnixMillis | null): boolean {
  return since !== null && closedAt !== null && closedAt >= since && cancelRequestedAt !== null;
}

/** Of the orders that were meant, those that have since ended as the cancel wanted, by the actor's stream of events. */
export function endedSince(reads: OrderReads, meant: Meant, since: UnixMillis): readonly Order[] {
  const ended = new Map<OrderId, Order>();
  for (let cursor = reads.lastCursor(meant.actorId); cursor > 0; cursor -= 1) {
    const [event] = reads.events(meant.actorId, cursor - 1, 1) ?? [];
    if (event === undefined || event.at < since) break;
    const { order } = event;
    // The latest of each comes first.
    if (isMeant(order, meant) && !ended.has(order.orderId)) ended.set(order.orderId, order);
  }
  return [...ended.values()].filter(order => isTerminal(order.status) && isOfWish(order, since));
}

function isMeant({ request, keyId }: Order, meant: Meant): boolean {
  const isThere = request.venue === meant.venue && (meant.address === null || addressOf(request) === meant.address);
  return isThere && (meant.keyId === null || keyId === meant.keyId);
}
