// Reads evicted rows, and the rows that a start loads, from the history. Engine thread.

import type { Venue } from '../../core/domain/market.ts';
import type { UnixMillis } from '../../core/domain/numbers.ts';
import type { OrderId } from '../../core/domain/order.ts';
import type { WalletAction } from '../../core/domain/wallet-action.ts';
import {
  type Account,
  type IdempotencyEntry,
  mustStayInMemory,
  type StoredFill,
  type StoredOrder,
} from '../../core/store/order-records.ts';
import { readScope, readTextKey } from '../../core/store/orders/keys.ts';
import { OrderReader } from '../../core/store/orders/order-reader.ts';
import { markCodec, positionCodec } from '../../core/store/orders/records.ts';
import { limits } from '../../limits.ts';
import type {
  Archive,
  ArchivedOrder,
  ArchivedPosition,
  LiveOrder,
  LiveRows,
  PositionOfOwner,
} from '../ledger/archive.ts';
import type { HistoryTables } from './tables.ts';

export class HistoryArchive implements Archive {
  readonly #tables: HistoryTables;
  readonly #reader: OrderReader;
  /** Whether a read snapshot is open. */
  #isOpen = false;
  /** The latest name that the present snapshot lacks. The engine asks for the name of each new order several times, at 3 µs each. */
  #absentOrder: OrderId | null = null;
  #absentKey: { readonly actorId: string; readonly venue: Venue; readonly key: string } | null = null;

  constructor(tables: HistoryTables) {
    this.#tables = tables;
    this.#reader = new OrderReader(tables);
  }

  order(orderId: OrderId): ArchivedOrder | null {
    const reader = this.#latest();
    if (this.#absentOrder === orderId) return null;
    const stored = reader.order(orderId);
    if (stored !== null) return { stored, fills: this.#fillsOf(stored) };
    this.#absentOrder = orderId;
    return null;
  }

  orderOfVenue(account: Account, venueOrderId: string): OrderId | null {
    return this.#latest().orderOfVenue(account, venueOrderId);
  }

  idempotency(actorId: string, venue: Venue, key: string): IdempotencyEntry | null {
    const reader = this.#latest();
    const absent = this.#absentKey;
    if (absent?.key === key && absent.actorId === actorId && absent.venue === venue) return null;
    const entry = reader.idempotency(actorId, venue, key);
    if (entry === null) this.#absentKey = { actorId, venue, key };
    return entry;
  }

  fill(account: Account, fillId: string): StoredFill | null {
    return this.#latest().fill(account, fillId);
  }

  position(owner: string, venue: Venue, address: string): ArchivedPosition | null {
    const reader = this.#latest();
    const position = reader.position(owner, venue, address);
    const movements = reader.movements(owner, venue, address, limits.bookedChangesKeptMax);
    return position === null && movements.length === 0 ? null : { position, movements };
  }

  action(actionId: OrderId): WalletAction | null {
    return this.#latest().action(actionId);
  }

  release(): void {
    this.#isOpen = false;
    this.#absentOrder = null;
    this.#absentKey = null;
    this.#tables.release();
  }

  /**
   * Returns the rows that a start loads. Until the first `release` all reads use one snapshot, so that later records of the journal can be
   * replayed while the history goes on. An order recalled from a newer snapshot would get its fills twice.
   */
  live(accounts: readonly Account[], now: UnixMillis): LiveRows {
    const reader = this.#latest();
    return {
      followed: this.#tables.followed(),
      orders: this.#liveOrders(accounts, now),
      positions: this.#positions(),
      marks: this.#marks(),
      cursors: this.#cursors(),
      cancelAfters: reader.cancelAfters(),
      protections: reader.protections(null),
      actions: reader.openActions(null),
      eventFloor: reader.eventFloor(),
    };
  }

  /**
   * Returns reads of a snapshot that lasts until the next `release`. An old snapshot suffices, because rows leave memory just before a
   * `release`, and each change since then is in memory.
   */
  #latest(): OrderReader {
    if (!this.#isOpen) this.#tables.refresh();
    this.#isOpen = true;
    return this.#reader;
  }

  *#liveOrders(accounts: readonly Account[], now: UnixMillis): Iterable<LiveOrder> {
    const reader = this.#reader;
    for (const stored of reader.openOrders(...accounts)) yield this.#liveOrder(stored);
    const since = Math.max(0, now - limits.accountFirstReadMs) as UnixMillis;
    for (const stored of reader.awaitedOrders(since)) {
      if (mustStayInMemory(stored, now)) yield this.#liveOrder(stored);
    }
  }

  #liveOrder(stored: StoredOrder): LiveOrder {
    const { orderId, actorId, request, idempotencyKey } = stored.order;
    const entry = this.#reader.idempotency(actorId, request.venue, idempotencyKey);
    return { stored, fills: this.#fillsOf(stored), entry: entry?.orderId === orderId ? entry : null };
  }

  *#positions(): Iterable<PositionOfOwner> {
    for (const { key, value } of this.#reader.rows('positions')) {
      const position = positionCodec.decode(value, key);
      const { owner, venue } = readScope(key);
      const isClosed = position.size === 0 && !position.isRedeemable;
      const movements = isClosed
        ? []
        : this.#reader.movements(owner, venue, position.address, limits.bookedChangesKeptMax);
      yield { owner, position, movements };
    }
  }

  *#marks(): Iterable<readonly [name: string, value: string]> {
    for (const { key, value } of this.#reader.rows('marks')) yield [readTextKey(key), markCodec.decode(value, key)];
  }

  *#cursors(): Iterable<readonly [actorId: string, cursor: number]> {
    for (const actorId of this.#reader.eventActors(new Uint8Array(0)))
      yield [actorId, this.#reader.lastCursor(actorId)];
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
