// What has left the engine's memory, and what a start loads into it, read from the history's rows. Engine thread.

import type { Venue } from '../domain/market.ts';
import type { OrderId } from '../domain/order.ts';
import type {
  Archive,
  ArchivedKey,
  ArchivedOrder,
  ArchivedPosition,
  HeldByOwner,
  LiveRows,
} from '../engine/archive.ts';
import { limits } from '../limits.ts';
import type { Account, StoredFill, StoredOrder } from '../store/order-records.ts';
import { markCodec, positionCodec } from '../store/orders/account-records.ts';
import { readScope, readTextKey } from '../store/orders/keys.ts';
import { OrderReader } from '../store/orders/order-reader.ts';
import type { HistoryTables } from './tables.ts';

export class HistoryArchive implements Archive {
  readonly #reader: OrderReader;

  constructor(tables: HistoryTables) {
    this.#reader = new OrderReader(tables);
  }

  order(orderId: OrderId): ArchivedOrder | null {
    const stored = this.#reader.order(orderId);
    return stored === null ? null : { stored, fills: this.#fillsOf(stored) };
  }

  orderOfVenue(account: Account, venueOrderId: string): OrderId | null {
    return this.#reader.orderOfVenue(account, venueOrderId);
  }

  idempotency(actorId: string, venue: Venue, key: string) {
    return this.#reader.idempotency(actorId, venue, key);
  }

  fill(account: Account, fillId: string): StoredFill | null {
    return this.#reader.fill(account, fillId);
  }

  position(owner: string, venue: Venue, address: string): ArchivedPosition | null {
    const position = this.#reader.position(owner, venue, address);
    const movements = this.#reader.booked(owner, venue, address, limits.bookedChangesKeptMax);
    return position === null && movements.length === 0 ? null : { position, movements };
  }

  lastCursor(actorId: string): number {
    return this.#reader.lastCursor(actorId);
  }

  /** All that may change without being named, and all that is held. */
  live(accounts: readonly Account[]): LiveRows {
    const reader = this.#reader;
    const orders: ArchivedOrder[] = [];
    const keys: ArchivedKey[] = [];
    for (const account of accounts) {
      for (const stored of reader.openOrders(account)) {
        orders.push({ stored, fills: this.#fillsOf(stored) });
        const { actorId, request } = stored.order;
        const { venue } = request;
        const key = stored.idempotencyKey;
        const entry = reader.idempotency(actorId, venue, key);
        if (entry !== null) keys.push({ actorId, venue, key, entry });
      }
    }
    return {
      orders,
      keys,
      positions: this.#heldPositions(),
      marks: this.#marks(),
      cancelAfters: reader.cancelAfters(),
      eventFloor: reader.eventFloor(),
    };
  }

  *#heldPositions(): Iterable<HeldByOwner> {
    for (const { key, value } of this.#reader.rows('positions')) {
      const position = positionCodec.decode(value, key);
      if (position.size === 0 && !position.isRedeemable) continue;
      const { owner, venue } = readScope(key);
      const movements = this.#reader.booked(owner, venue, position.address, limits.bookedChangesKeptMax);
      yield { owner, position, movements };
    }
  }

  *#marks(): Iterable<readonly [name: string, value: string]> {
    for (const { key, value } of this.#reader.rows('marks')) yield [readTextKey(key), markCodec.decode(value, key)];
  }

  #fillsOf({ order: { orderId } }: StoredOrder): StoredFill[] {
    const fills: StoredFill[] = [];
    const rowsMax = limits.fillsOfOrderMax;
    for (let isMore = true; isMore; ) {
      const page = this.#reader.fills(orderId, fills.length, rowsMax);
      for (const fill of page) fills.push({ orderId, fill });
      isMore = page.length === rowsMax;
    }
    return fills;
  }
}
