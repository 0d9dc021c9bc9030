// The three places of a resting order: its market's book, its owner's orders, and the expiry queue. Orders enter and leave all three places
// here, so that these always agree.

import { ASK, BID } from '../../core/domain/market.ts';
import type { MicroShares, UnixMillis } from '../../core/domain/numbers.ts';
import type { EngineEvent } from './engine-types.ts';
import type { Account, Market, Order } from './order.ts';
import type { PriceLevel } from './order-book.ts';

export class RestingOrders {
  readonly #expiring = new ExpiryQueue();
  readonly #touched = new TouchedLevels();
  #entries = 0;

  /** Enters the order ahead of `next`. By default the order goes to the end of its price's queue. */
  enter(order: Order, next: Order | null = null): void {
    this.#touched.add(order.market.book.insert(order, next));
    this.#entries += 1;
    order.place = this.#entries;
    linkToOwner(order);
    if (order.expiresAt !== null) this.#expiring.add(order);
  }

  /** Moves an order ahead of `next`, or to the end if `next` does not rest at the same price. */
  move(order: Order, next: Order | null | undefined): void {
    const { level } = order;
    this.leave(order);
    this.enter(order, next?.level === level ? next : null);
  }

  leave(order: Order): void {
    const level = order.level!;
    order.market.book.remove(order, level);
    this.#touched.add(level);
    unlinkFromOwner(order);
    if (order.expiryPlace >= 0) this.#expiring.remove(order);
  }

  /** Sets the expiry. If the order has left the book, only the order itself changes. */
  setExpiry(order: Order, expiresAt: UnixMillis | null): void {
    if (order.expiryPlace >= 0) this.#expiring.remove(order);
    order.expiresAt = expiresAt;
    if (order.level !== null && expiresAt !== null) this.#expiring.add(order);
  }

  /** Reduces the size of the level of an order that keeps its place. Call this before the order itself shrinks. */
  lessen(order: Order, by: MicroShares): void {
    const level = order.level!;
    order.market.book.lessen(level, by);
    this.#touched.add(level);
  }

  /** The time at which the next order expires. Null means that none does. */
  get nextExpiry(): UnixMillis | null {
    return this.#expiring.next;
  }

  /** Returns the next order that is due, or null. */
  due(now: UnixMillis): Order | null {
    return this.#expiring.due(now);
  }

  /** Returns the resting orders of an account, by id. */
  ofAccount(account: Account, market: Market | null): Order[] {
    const orders: Order[] = [];
    for (let order = account.oldest; order !== null; order = order.newer) {
      if (market === null || order.market === market) orders.push(order);
    }
    return orders.sort(byId);
  }

  /** Returns the resting orders of a market, by id. */
  inMarket({ book }: Market): Order[] {
    const orders: Order[] = [];
    for (const side of [BID, ASK] as const) {
      for (const { head } of book.levels(side)) {
        for (let order = head; order !== null; order = order.behind) orders.push(order);
      }
    }
    return orders.sort(byId);
  }

  /** Reports the levels that the request has changed. These are the last events of the request. */
  emitLevels(emit: (event: EngineEvent) => void): void {
    this.#touched.flush(emit);
  }
}

function byId(a: Order, b: Order): number {
  return a.id - b.id;
}

function linkToOwner(order: Order): void {
  const { account } = order;
  order.older = account.newest;
  if (account.newest === null) account.oldest = order;
  else account.newest.newer = order;
  account.newest = order;
}

function unlinkFromOwner(order: Order): void {
  const { account, older, newer } = order;
  if (older === null) account.oldest = newer;
  else older.newer = newer;
  if (newer === null) account.newest = older;
  else newer.older = older;
  order.older = null;
  order.newer = null;
}

/** The levels that the current request has changed. Each level is reported once, when the request ends, with its final size. */
class TouchedLevels {
  readonly #levels: PriceLevel<Order>[] = [];

  add(level: PriceLevel<Order>): void {
    const levels = this.#levels;
    // A sweep changes one level order by order, so the last level is often the same.
    if (levels.length === 0 || levels[levels.length - 1] !== level) levels.push(level);
  }

  flush(emit: (event: EngineEvent) => void): void {
    const levels = this.#levels;
    if (levels.length > 1) levels.sort(byPlace);
    for (let index = 0; index < levels.length; index++) {
      const level = levels[index]!;
      if (index > 0 && levels[index - 1] === level) continue;
      const { market, side, price, size } = level;
      emit({ type: 'level', market, side, price, size });
      level.forgetIfEmpty();
    }
    levels.length = 0;
  }
}

function byPlace(a: PriceLevel<Order>, b: PriceLevel<Order>): number {
  return a.market - b.market || a.side - b.side || a.price - b.price;
}

export class ExpiryQueue {
  readonly #heap: Order[] = [];

  /** The time at which the next order is due. Null means that none expires. */
  get next(): UnixMillis | null {
    return this.#heap[0]?.expiresAt ?? null;
  }

  /** Returns the next order that is due at `now`. It stays in the heap until it is removed. */
  due(now: UnixMillis): Order | null {
    const first = this.#heap[0];
    return first !== undefined && first.expiresAt! <= now ? first : null;
  }

  add(order: Order): void {
    this.#heap.push(order);
    this.#rise(order, this.#heap.length - 1);
  }

  remove(order: Order): void {
    const place = order.expiryPlace;
    const last = this.#heap.pop()!;
    order.expiryPlace = -1;
    if (last === order) return;
    this.#rise(last, place);
    this.#sink(last, last.expiryPlace);
  }

  #rise(order: Order, from: number): void {
    let place = from;
    while (place > 0) {
      const above = (place - 1) >>> 1;
      if (!isSooner(order, this.#heap[above]!)) break;
      this.#put(this.#heap[above]!, place);
      place = above;
    }
    this.#put(order, place);
  }

  #sink(order: Order, from: number): void {
    const heap = this.#heap;
    let place = from;
    for (;;) {
      let below = 2 * place + 1;
      if (below >= heap.length) break;
      if (below + 1 < heap.length && isSooner(heap[below + 1]!, heap[below]!)) below += 1;
      if (!isSooner(heap[below]!, order)) break;
      this.#put(heap[below]!, place);
      place = below;
    }
    this.#put(order, place);
  }

  #put(order: Order, place: number): void {
    this.#heap[place] = order;
    order.expiryPlace = place;
  }
}

function isSooner(a: Order, b: Order): boolean {
  return a.expiresAt === b.expiresAt ? a.id < b.id : a.expiresAt! < b.expiresAt!;
}
