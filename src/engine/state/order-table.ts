// Orders in memory, with their fills, and the indexes by which the engine looks them up: by the venue's id, by market, by account.
// An order that is over leaves when the history has it on disk, and is recalled when somebody names it.

import type { Venue } from '../../domain/market.ts';
import { isTerminal, isToBeCancelled, type Order, type OrderId } from '../../domain/order.ts';
import { addressOf } from '../../domain/order-lists.ts';
import { assert } from '../../domain/result.ts';
import type { Account, StoredFill, StoredOrder } from '../../store/order-records.ts';
import type { Archive } from '../archive.ts';

export interface HeldOrder {
  stored: StoredOrder;
  /** In order of arrival. */
  fills: readonly StoredFill[];
  /** Journal sequence of its last change. */
  changedBy: number;
}

type Ids = Set<OrderId>;

export class OrderTable {
  readonly #archive: Archive;
  readonly #held = new Map<OrderId, HeldOrder>();
  readonly #ofVenue = new Map<string, OrderId>();
  /** Not terminal, by account, in the order in which they came. */
  readonly #open = new Map<string, Ids>();
  /** Of these, in flight or wanted cancelled. */
  readonly #unclear = new Map<string, Ids>();
  /** In memory, by actor and venue, then by market. */
  readonly #ofMarket = new Map<string, Map<string, Ids>>();
  readonly #openCounts = new Map<string, number>();

  constructor(archive: Archive) {
    this.#archive = archive;
  }

  /** Orders in memory. */
  get size(): number {
    return this.#held.size;
  }

  /** Recalls it where it has left memory. */
  get(orderId: OrderId): HeldOrder | null {
    const held = this.#held.get(orderId);
    if (held !== undefined) return held;
    const archived = this.#archive.order(orderId);
    if (archived === null) return null;
    return this.load(archived.stored, archived.fills);
  }

  /** As the history has it. */
  load(stored: StoredOrder, fills: readonly StoredFill[]): HeldOrder {
    const { orderId } = stored.order;
    this.set(orderId, stored, 0);
    const held = this.#held.get(orderId)!;
    held.fills = fills;
    return held;
  }

  all(): Iterable<HeldOrder> {
    return this.#held.values();
  }

  byVenueId(account: Account, venueOrderId: string): OrderId | null {
    const named = this.#ofVenue.get(scopeOf(account.podId, account.venue) + venueOrderId);
    if (named !== undefined) return named;
    const archived = this.#archive.orderOfVenue(account, venueOrderId);
    // Of an order in memory the archive may have a name from before.
    const held = archived === null ? undefined : this.#held.get(archived);
    return held === undefined || venueNameOf(held.stored) === venueOrderId ? archived : null;
  }

  /** Null: it is forgotten, or its making is undone. */
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

  /** In memory: not terminal, or over since lately. Of one market, or of all (null). */
  *ofMarket(actorId: string, venue: Venue, address: string | null): Iterable<StoredOrder> {
    const markets = this.#ofMarket.get(scopeOf(actorId, venue));
    if (markets === undefined) return;
    const groups = address === null ? markets.values() : [markets.get(address) ?? NONE];
    for (const ids of groups) yield* this.#storedOf(ids);
  }

  open({ podId, venue }: Account): Iterable<StoredOrder> {
    return this.#storedOf(this.#open.get(scopeOf(podId, venue)) ?? NONE);
  }

  *unclear({ podId, venue }: Account): Iterable<StoredOrder> {
    const ids = this.#unclear.get(scopeOf(podId, venue)) ?? NONE;
    for (const stored of this.#storedOf(ids)) if (stored.order.status !== 'OPEN') yield stored;
    for (const stored of this.#storedOf(ids)) if (isToBeCancelled(stored.order)) yield stored;
  }

  openCount(actorId: string, venue: Venue): number {
    return this.#openCounts.get(scopeOf(actorId, venue)) ?? 0;
  }

  *#storedOf(ids: Ids): Iterable<StoredOrder> {
    for (const orderId of ids) yield this.#held.get(orderId)!.stored;
  }

  #index(orderId: OrderId, before: StoredOrder | null, after: StoredOrder | null): void {
    const { order } = after ?? before!;
    const { actorId, podId, request } = order;
    const { venue } = request;
    if (before !== null && after !== null) assertSameOrder(before.order, after.order);
    else this.#place(scopeOf(actorId, venue), addressOf(request), orderId, after !== null);
    const [wasOpen, isOpen] = [isOpenOrder(before), isOpenOrder(after)];
    const account = scopeOf(podId, venue);
    if (wasOpen !== isOpen) {
      enter(this.#open, account, orderId, isOpen);
      const scope = scopeOf(actorId, venue);
      this.#openCounts.set(scope, (this.#openCounts.get(scope) ?? 0) + (isOpen ? 1 : -1));
    }
    const isUnclear = isUnclearOrder(after);
    if (isUnclearOrder(before) !== isUnclear) enter(this.#unclear, account, orderId, isUnclear);
    this.#nameAtVenue(account, orderId, before, after);
  }

  #place(scope: string, address: string, orderId: OrderId, isThere: boolean): void {
    const markets = this.#ofMarket.get(scope) ?? new Map<string, Ids>();
    this.#ofMarket.set(scope, markets);
    enter(markets, address, orderId, isThere);
    if (markets.get(address)?.size === 0) markets.delete(address);
  }

  #nameAtVenue(account: string, orderId: OrderId, before: StoredOrder | null, after: StoredOrder | null): void {
    const [stale, name] = [venueNameOf(before), venueNameOf(after)];
    if (stale === name) return;
    if (stale !== null && this.#ofVenue.get(account + stale) === orderId) this.#ofVenue.delete(account + stale);
    if (name !== null) this.#ofVenue.set(account + name, orderId);
  }
}

const NONE: Ids = new Set();

/** Neither ids of actors and pods nor names of venues have a line break in them. */
export function scopeOf(owner: string, venue: Venue): string {
  return `${owner}\n${venue}\n`;
}

function enter<Key>(index: Map<Key, Ids>, key: Key, orderId: OrderId, isThere: boolean): void {
  const ids = index.get(key);
  if (!isThere) ids?.delete(orderId);
  else if (ids === undefined) index.set(key, new Set([orderId]));
  else ids.add(orderId);
}

function isOpenOrder(stored: StoredOrder | null): boolean {
  return stored !== null && !isTerminal(stored.order.status);
}

function isUnclearOrder(stored: StoredOrder | null): boolean {
  return isOpenOrder(stored) && (stored!.order.status !== 'OPEN' || isToBeCancelled(stored!.order));
}

/** By which its venue speaks of it: what the venue has called it or, until then, what it must be called if it is there. */
function venueNameOf(stored: StoredOrder | null): string | null {
  return stored === null ? null : (stored.order.venueOrderId ?? stored.intent?.venueOrderId ?? null);
}

/** What an order is found by never changes. */
function assertSameOrder(before: Order, after: Order): void {
  const isSame =
    before.actorId === after.actorId &&
    before.podId === after.podId &&
    before.createdAt === after.createdAt &&
    before.request.venue === after.request.venue &&
    addressOf(before.request) === addressOf(after.request);
  assert(isSame, 'an order keeps its owner, market and time');
}
