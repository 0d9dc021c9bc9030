// Many orders of an actor wanted cancelled at once, durably: whatever happens next, whoever finds them later makes the cancels.
// Within the ledger's transactions.

import type { Venue } from '../domain/market.ts';
import type { Order, OrderId } from '../domain/order.ts';
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

const ALIVE = ['OPEN', 'SUBMITTED', 'PENDING'] as const;

/** Those that are not terminal, newest first of each status. */
export function openOrdersOf(reads: OrderReads, { actorId, venue, address, keyId }: Meant): readonly Order[] {
  const found: Order[] = [];
  for (const status of ALIVE) {
    let after: Order | null = null;
    for (;;) {
      const rowsMax = limits.ordersPerPageMax;
      const page: readonly Order[] = reads.orders({ actorId, venue, address, status, after, rowsMax });
      found.push(...page);
      if (page.length < rowsMax) break;
      after = page.at(-1)!;
    }
  }
  return keyId === null ? found : found.filter(order => order.keyId === keyId);
}

/** The orders as they are now: what was not sent never will be. */
export function wantAllCancelled(entry: LedgerEntry, meant: Meant): readonly Order[] {
  return openOrdersOf(entry.transaction, meant).map(({ orderId }) => wantCancelled(entry, orderId));
}

export function wantCancelled(entry: LedgerEntry, orderId: OrderId): Order {
  const isUnsent = entry.order(orderId).status === 'PENDING';
  return entry.apply(orderId, [{ type: isUnsent ? 'withdrawn' : 'cancel-requested', at: entry.at }]);
}
