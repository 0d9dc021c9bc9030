// What has left the engine's memory, read where the history keeps it. Port; `history/` implements it.

import type { Venue } from '../domain/market.ts';
import type { OrderId } from '../domain/order.ts';
import type { Position } from '../domain/position.ts';
import type {
  Account,
  BookedChange,
  CancelAfter,
  IdempotencyEntry,
  StoredFill,
  StoredOrder,
} from '../store/order-records.ts';

export interface ArchivedOrder {
  readonly stored: StoredOrder;
  /** In order of arrival. */
  readonly fills: readonly StoredFill[];
}

export interface ArchivedPosition {
  /** Null: nothing has moved it but what was taken out again. */
  readonly position: Position | null;
  /** Oldest first. */
  readonly movements: readonly BookedChange[];
}

/**
 * Point reads: an entity is here as it was last changed, once that change is synced. Null: it never was. Each method throws a
 * StoreError when the disk or the files are at fault.
 */
export interface Archive {
  order(orderId: OrderId): ArchivedOrder | null;
  orderOfVenue(account: Account, venueOrderId: string): OrderId | null;
  idempotency(actorId: string, venue: Venue, key: string): IdempotencyEntry | null;
  fill(account: Account, fillId: string): StoredFill | null;
  position(owner: string, venue: Venue, address: string): ArchivedPosition | null;
  /** Lets go of the moment that was read last: as long as it is kept, the history cannot use its pages again. */
  release(): void;
}

/** What a start loads into memory: all that may change or count without being named, and all that is held. */
export interface LiveRows {
  /** Journal sequence of the last step in these rows. */
  readonly followed: number;
  readonly orders: Iterable<LiveOrder>;
  readonly positions: Iterable<HeldByOwner>;
  readonly marks: Iterable<readonly [name: string, value: string]>;
  /** The last one of each actor that has any. */
  readonly cursors: Iterable<readonly [actorId: string, cursor: number]>;
  readonly cancelAfters: Iterable<CancelAfter>;
  readonly eventFloor: number;
}

export interface LiveOrder extends ArchivedOrder {
  /** Of the order's idempotency key; null if none was promised. */
  readonly entry: IdempotencyEntry | null;
}

export interface HeldByOwner extends ArchivedPosition {
  readonly owner: string;
  readonly position: Position;
}

/** Of a ledger that has no past. */
export const NO_ARCHIVE: Archive = {
  order: () => null,
  orderOfVenue: () => null,
  idempotency: () => null,
  fill: () => null,
  position: () => null,
  release: () => {},
};
