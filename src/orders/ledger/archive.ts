// Reads of rows that the engine has evicted from memory. The history serves them. Port; `history/` implements it.

import type { Venue } from '../../core/domain/market.ts';
import type { OrderId } from '../../core/domain/order.ts';
import type { Position } from '../../core/domain/position.ts';
import type { Protection } from '../../core/domain/protection.ts';
import type { WalletAction } from '../../core/domain/wallet-action.ts';
import type {
  Account,
  BookedChange,
  CancelAfter,
  IdempotencyEntry,
  StoredFill,
  StoredOrder,
} from '../../core/store/order-records.ts';

export interface ArchivedOrder {
  readonly stored: StoredOrder;
  /** The fills in the sequence of their arrival. */
  readonly fills: readonly StoredFill[];
}

export interface ArchivedPosition {
  /** The position. Null means that it never moved, or that all its movements were reversed. */
  readonly position: Position | null;
  /** The latest movements, oldest first. */
  readonly movements: readonly BookedChange[];
}

/**
 * Reads single rows, each as of its last change. To be called for a row only once that change is synced. Returns null if there never was
 * such a row. Each method throws a StoreError if the disk or the files are at fault.
 */
export interface Archive {
  order(orderId: OrderId): ArchivedOrder | null;
  orderOfVenue(account: Account, venueOrderId: string): OrderId | null;
  idempotency(actorId: string, venue: Venue, key: string): IdempotencyEntry | null;
  fill(account: Account, fillId: string): StoredFill | null;
  position(owner: string, venue: Venue, address: string): ArchivedPosition | null;
  action(actionId: OrderId): WalletAction | null;
  /** Ends the current read snapshot. While it is open, LMDB cannot reuse the pages that it sees. */
  release(): void;
}

/**
 * The rows that a start loads: all rows that may change or count without being named. Closed positions are among them, since totals count
 * them.
 */
export interface LiveRows {
  /** The journal sequence of the last step in these rows. */
  readonly followed: number;
  readonly orders: Iterable<LiveOrder>;
  /** All positions. Closed positions come without movements. */
  readonly positions: Iterable<PositionOfOwner>;
  readonly marks: Iterable<readonly [name: string, value: string]>;
  /** The last cursor of each actor that has had events. */
  readonly cursors: Iterable<readonly [actorId: string, cursor: number]>;
  readonly cancelAfters: Iterable<CancelAfter>;
  readonly protections: Iterable<Protection>;
  /** The actions that are not over. */
  readonly actions: Iterable<WalletAction>;
  readonly eventFloor: number;
}

export interface LiveOrder extends ArchivedOrder {
  /** The entry of the order's idempotency key. Null means that the order has none. */
  readonly entry: IdempotencyEntry | null;
}

export interface PositionOfOwner extends ArchivedPosition {
  readonly owner: string;
  readonly position: Position;
}

/** The archive of a ledger without a past. */
export const NO_ARCHIVE: Archive = {
  order: () => null,
  orderOfVenue: () => null,
  idempotency: () => null,
  fill: () => null,
  position: () => null,
  action: () => null,
  release: () => {},
};
