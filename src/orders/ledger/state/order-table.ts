// Orders in memory with their fills, and the engine's indexes: by venue id, market and account. An ended order is evicted once the history
// has it on disk, and is recalled when it is named. Engine thread.

import type { Venue } from '../../../core/domain/market.ts';
import { isTerminal, isToBeCancelled, type Order, type OrderId } from '../../../core/domain/order.ts';
import { addressOf } from '../../../core/domain/order-frame.ts';
import { hasUnreported } from '../../../core/domain/order-sums.ts';
import { assert, unreachable } from '../../../core/domain/result.ts';
import type { Account, LedgerStore, PendingHolds, StoredFill, StoredOrder } from '../../../core/store/order-records.ts';
import { assertSameOrder, venueOrderIdOf } from '../../../core/store/orders/order-index.ts';
import type { Archive, ArchivedOrder } from '../archive.ts';
import { ByName, ByOwner } from './by-owner.ts';
import type { EvictionQueue } from './eviction-queue.ts';
import { MarketHolds } from './market-holds.ts';
import type { UndoLog } from './undo-log.ts';

export interface HeldOrder {
  stored: StoredOrder;
  /** The fills in the sequence of their arrival. */
  readonly fills: StoredFill[];
  /** The journal sequence of the order's last change. */
  changedBy: number;
}

type Ids = Set<OrderId>;

export class OrderTable {
  readonly #archive: Archive;
  readonly #queue: EvictionQueue;
  readonly #undo: UndoLog;
  readonly #held = new Map<OrderId, HeldOrder>();
  /** The ids of orders by account and venue order id. */
  readonly #ofVenue = new ByName<OrderId>();
  /** The open orders by account, oldest first. */
  readonly #open = new ByOwner<Ids>();
  /** The open orders that are in flight or have a cancel request. */
  readonly #unclear = new ByOwner<Ids>();
  /** The ended orders with unreported fills, by account. */
  readonly #unreported = new ByOwner<Ids>();
  /** The orders that may still change a position, by actor and market. */
  readonly #ofMarket = new ByName<MarketHolds>();
  /** The number of open orders by actor. */
  readonly #openCounts = new Map<string, Record<Venue, number>>();
  onHoldsMoved: LedgerStore['onStakeMoved'] = null;

  constructor(archive: Archive, queue: EvictionQueue, undo: UndoLog) {
    this.#archive = archive;
    this.#queue = queue;
    this.#undo = undo;
  }

  /** The number of orders in memory. */
  get size(): number {
    return this.#held.size;
  }

  /** Returns the order, which is recalled if it was evicted. Null means that it is not known. */
  get(orderId: OrderId): HeldOrder | null {
    const held = this.#held.get(orderId);
    if (held !== undefined) return held;
    const archived = this.#archive.order(orderId);
    return archived === null ? null : this.load(archived);
  }

  /** Like `get`, for an order that exists. */
  existing(orderId: OrderId): HeldOrder {
    const held = this.get(orderId);
    assert(held !== null, 'an order that changes is known');
    return held;
  }

  inMemory(orderId: OrderId): HeldOrder | null {
    return this.#held.get(orderId) ?? null;
  }

  /** Loads an order from the history. */
  load({ stored, fills }: ArchivedOrder): HeldOrder {
    const { orderId, podId, request, status } = stored.order;
    this.set(orderId, withoutPayload(stored), 0);
    const held = this.#held.get(orderId)!;
    for (const fill of fills) held.fills.push(fill);
    if (isTerminal(status)) {
      this.#queue.addWaiting({ kind: 'order', owner: podId, venue: request.venue, name: orderId, changedBy: 0 });
    }
    return held;
  }

  byVenueId(account: Account, venueOrderId: string): OrderId | null {
    const named = this.#ofVenue.get(account.podId, account.venue, venueOrderId);
    if (named !== undefined) return named;
    const archived = this.#archive.orderOfVenue(account, venueOrderId);
    // For an order in memory, the archive's venue id may be out of date.
    const held = archived === null ? undefined : this.#held.get(archived);
    return held === undefined || venueOrderIdOf(held.stored) === venueOrderId ? archived : null;
  }

  /** Puts a changed order within a step. `held` is the order so far. */
  put(stored: StoredOrder, sequence: number, held = this.get(stored.order.orderId)): void {
    const { orderId } = stored.order;
    this.#undo.note(restoreOrder, this, orderId, held?.stored ?? null, held?.changedBy ?? 0);
    this.set(orderId, withoutPayload(stored), sequence);
    this.queue(stored, sequence);
  }

  /** Queues an ended order for eviction. It may be evicted once the history has this change. */
  queue({ order: { orderId, podId, request, status } }: StoredOrder, changedBy: number): void {
    if (!isTerminal(status)) return;
    this.#queue.addChanged({ kind: 'order', owner: podId, venue: request.venue, name: orderId, changedBy });
  }

  /** Sets an order. Null removes it, because it is evicted or its creation is undone. */
  set(orderId: OrderId, stored: StoredOrder | null, changedBy: number): void {
    const held = this.#held.get(orderId);
    const before = held?.stored ?? null;
    if (stored === null) this.#held.delete(orderId);
    else if (held === undefined) this.#held.set(orderId, { stored, fills: [], changedBy });
    else {
      held.stored = stored;
      held.changedBy = changedBy;
    }
    this.#index(orderId, before, stored);
  }

  /** Yields the orders that are open, or have ended and may still get fills. A null `address` means all markets. */
  *ofMarket(actorId: string, venue: Venue, address: string | null): Iterable<StoredOrder> {
    const markets = this.#ofMarket.valuesOf(actorId, venue);
    if (markets === null) return;
    const groups = address === null ? markets.values() : [markets.get(address) ?? NO_HOLDS];
    for (const { ids } of groups) yield* this.#storedOf(ids);
  }

  /** Returns the markets with orders that may still change a position, by address. Null means that there are none. */
  marketsOf(actorId: string, venue: Venue): ReadonlyMap<string, unknown> | null {
    return this.#ofMarket.valuesOf(actorId, venue);
  }

  pending(actorId: string, venue: Venue, address: string): PendingHolds {
    return this.#ofMarket.get(actorId, venue, address) ?? NO_HOLDS;
  }

  open({ podId, venue }: Account): Iterable<StoredOrder> {
    return this.#storedOf(this.#open.get(podId, venue) ?? NONE);
  }

  *unclear({ podId, venue }: Account): Iterable<StoredOrder> {
    const ids = this.#unclear.get(podId, venue) ?? NONE;
    for (const stored of this.#storedOf(ids)) if (stored.order.status !== 'OPEN') yield stored;
    for (const stored of this.#storedOf(ids)) if (isToBeCancelled(stored.order)) yield stored;
  }

  unreported({ podId, venue }: Account): Iterable<StoredOrder> {
    return this.#storedOf(this.#unreported.get(podId, venue) ?? NONE);
  }

  /** Returns the number of open orders. A null `venue` means both venues. */
  openCount(actorId: string, venue: Venue | null): number {
    const counts = this.#openCounts.get(actorId);
    if (counts === undefined) return 0;
    return venue === null ? counts.venue_a + counts.venue_b : counts[venue];
  }

  *#storedOf(ids: Ids): Iterable<StoredOrder> {
    for (const orderId of ids) yield this.#inMemory(orderId);
  }

  readonly #inMemory = (orderId: OrderId): StoredOrder => this.#held.get(orderId)!.stored;

  #index(orderId: OrderId, before: StoredOrder | null, after: StoredOrder | null): void {
    const { order } = after ?? before!;
    const { actorId, podId, request } = order;
    const { venue } = request;
    if (before !== null && after !== null) assertSameOrder(before.order, after.order);
    this.#updateHolds(actorId, addressOf(request), before, after);
    const places = placesOf(after);
    const changed = placesOf(before) ^ places;
    if ((changed & OPEN) !== 0) {
      const isOpen = (places & OPEN) !== 0;
      setListed(this.#open, podId, venue, orderId, isOpen);
      let counts = this.#openCounts.get(actorId);
      if (counts === undefined) {
        counts = { venue_a: 0, venue_b: 0 };
        this.#openCounts.set(actorId, counts);
      }
      counts[venue] += isOpen ? 1 : -1;
    }
    if ((changed & UNCLEAR) !== 0) setListed(this.#unclear, podId, venue, orderId, (places & UNCLEAR) !== 0);
    if ((changed & UNREPORTED) !== 0) setListed(this.#unreported, podId, venue, orderId, (places & UNREPORTED) !== 0);
    this.#indexVenueId({ podId, venue }, orderId, before, after);
  }

  #updateHolds(actorId: string, address: string, before: StoredOrder | null, after: StoredOrder | null): void {
    const { orderId, request } = (after ?? before!).order;
    const known = this.#ofMarket.get(actorId, request.venue, address);
    const holds = known ?? new MarketHolds(this.#inMemory);
    if (!holds.change(orderId, before, after)) return;
    this.onHoldsMoved?.(actorId, address);
    const isEmpty = holds.ids.size === 0;
    if (isEmpty === (known !== undefined))
      this.#ofMarket.set(actorId, request.venue, address, isEmpty ? undefined : holds);
  }

  #indexVenueId(
    { podId, venue }: Account,
    orderId: OrderId,
    before: StoredOrder | null,
    after: StoredOrder | null,
  ): void {
    const [stale, name] = [venueOrderIdOf(before), venueOrderIdOf(after)];
    if (stale === name) return;
    if (stale !== null && this.#ofVenue.get(podId, venue, stale) === orderId) {
      this.#ofVenue.set(podId, venue, stale, undefined);
    }
    if (name !== null) this.#ofVenue.set(podId, venue, name, orderId);
  }
}

const NONE: Ids = new Set();
const NO_HOLDS = new MarketHolds(orderId => unreachable(orderId as never));
const NO_PAYLOAD = new Uint8Array(0);

/**
 * Returns the order without the sent payload. After the venue's answer it is useless, and it is most of an order's memory. The history
 * keeps it.
 */
function withoutPayload(stored: StoredOrder): StoredOrder {
  const { order, intent } = stored;
  if (intent === null || intent.payload.length === 0 || isInFlight(order)) return stored;
  const isNamed = order.venueOrderId !== null && order.venueOrderId === intent.venueOrderId;
  return {
    ...stored,
    // The string of the intent is used for both fields, because the answer brought an equal, second string.
    order: isNamed ? { ...order, venueOrderId: intent.venueOrderId } : order,
    intent: { ...intent, payload: NO_PAYLOAD },
  };
}

function isInFlight({ status }: Order): boolean {
  return status === 'PENDING' || status === 'SUBMITTED';
}

function setListed(index: ByOwner<Ids>, owner: string, venue: Venue, orderId: OrderId, isThere: boolean): void {
  const ids = index.get(owner, venue);
  if (!isThere) ids?.delete(orderId);
  else if (ids === undefined) index.set(owner, venue, new Set([orderId]));
  else ids.add(orderId);
}

/** The indexes of an account, as bits. A sum of bits says which indexes have an order. */
const [OPEN, UNCLEAR, UNREPORTED] = [1, 2, 4];

function placesOf(stored: StoredOrder | null): number {
  if (stored === null) return 0;
  const { order } = stored;
  const { status, cancelRequestedAt } = order;
  if (status === 'OPEN') return cancelRequestedAt === null ? OPEN : OPEN | UNCLEAR;
  if (isTerminal(status)) return hasUnreported(order) ? UNREPORTED : 0;
  return OPEN | UNCLEAR;
}

function restoreOrder(orders: OrderTable, orderId: OrderId, before: StoredOrder | null, changedBy: number): void {
  orders.set(orderId, before, changedBy);
}
