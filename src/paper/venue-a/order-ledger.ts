// The orders of callers at venue A: open orders by owner, and ended orders for a while. The ledger also has the ids of posted orders, as
// far as they are kept.

import type { UnixMillis } from '../../core/domain/numbers.ts';
import { assert } from '../../core/domain/result.ts';
import { limits } from '../../limits.ts';
import type { OrderId } from '../engine/engine-types.ts';
import { KnownIds, RecordRing, type Young } from '../record-ring.ts';
import { type ClientOrder, isOpen } from './client-order.ts';
import type { OrderRecord, Trade } from './records.ts';

/** The orders of one API key. */
class Owner {
  readonly trades: RecordRing<Trade>;
  /** The recently ended orders, for stale lists. */
  readonly ended: RecordRing<ClientOrder>;
  newest: ClientOrder | null = null;

  constructor(young: Young) {
    this.trades = new RecordRing(limits.paperVenueATradesPerCallerMax, young);
    this.ended = new RecordRing(0, { ...young, ms: limits.paperStaleMsMax });
  }
}

export class OrderLedger {
  readonly #orders = new Map<string, ClientOrder>();
  readonly #resting = new Map<OrderId, ClientOrder>();
  readonly #owners = new Map<string, Owner>();
  readonly #ended: RecordRing<string>;
  readonly #known = new KnownIds(limits.paperVenueAKnownOrdersMax);
  readonly #young: Young;
  #openCount = 0;

  constructor(young: Young) {
    this.#young = young;
    this.#ended = new RecordRing(limits.paperVenueAEndedOrdersMax, young);
  }

  isKnown(orderId: string): boolean {
    // An order may rest for longer than its id is kept, so both are asked.
    return this.#known.has(orderId) || this.#orders.has(orderId);
  }

  /** Whether this owner may have one more open order. */
  hasRoomFor(owner: string): boolean {
    if (this.#openCount >= limits.paperVenueAOpenOrdersMax) return false;
    return this.#owners.has(owner) || this.#owners.size < limits.paperApiKeysMax;
  }

  find(orderId: string): ClientOrder | undefined {
    return this.#orders.get(orderId);
  }

  resting(id: OrderId): ClientOrder | undefined {
    return this.#resting.get(id);
  }

  /** Returns the resting orders of all callers. */
  allResting(): Iterable<ClientOrder> {
    return this.#resting.values();
  }

  add(order: ClientOrder): void {
    const { orderId } = order;
    this.#orders.set(orderId, order);
    this.#openCount += 1;
    const owner = this.#owner(order.owner);
    order.older = owner.newest;
    if (owner.newest !== null) owner.newest.newer = order;
    owner.newest = order;
    this.#known.add(orderId);
  }

  /** Notes that the order has entered the engine's book. */
  rest(order: ClientOrder, id: OrderId): void {
    order.engineId = id;
    this.#resting.set(id, order);
  }

  /** Notes that the order is matched or cancelled. Its record must be up to date. */
  end(order: ClientOrder): void {
    const { newer, older } = order;
    const owner = this.#owner(order.owner);
    if (newer === null) owner.newest = older;
    else newer.older = older;
    if (older !== null) older.newer = newer;
    order.newer = null;
    order.older = null;
    if (order.engineId !== null) this.#resting.delete(order.engineId);
    order.engineId = null;
    this.#openCount -= 1;
    for (const past of owner.ended.push(order)) past.forgetPast();
    for (const forgotten of this.#ended.push(order.orderId)) this.#orders.delete(forgotten);
  }

  /** Yields the owner's open orders, newest first. The caller may end each order before it asks for the next one. */
  *open(owner: string): Generator<ClientOrder> {
    let order = this.#owners.get(owner)?.newest ?? null;
    while (order !== null) {
      const next: ClientOrder | null = order.older;
      yield order;
      order = next;
    }
  }

  /** Returns the orders that were open at that time, newest first. */
  openAsOf(owner: string, at: UnixMillis): OrderRecord[] {
    const orders = [...this.open(owner)];
    for (const order of this.#owners.get(owner)?.ended.newestFirst() ?? []) {
      if (order.record.updatedAt <= at) break;
      orders.push(order);
    }
    orders.sort((a, b) => b.number - a.number);
    return orders.map(it => it.asOf(at)).filter(it => it !== null && isOpen(it)) as OrderRecord[];
  }

  /** Adds a trade to the trades of the owner. */
  addTrade(owner: string, trade: Trade): void {
    this.#owner(owner).trades.push(trade);
  }

  /** Returns the owner's trades, newest first. */
  trades(owner: string): Iterable<Trade> {
    return this.#owners.get(owner)?.trades.newestFirst() ?? [];
  }

  #owner(name: string): Owner {
    let owner = this.#owners.get(name);
    if (owner === undefined) {
      assert(this.#owners.size < limits.paperApiKeysMax, 'an order was let in for one API key too many');
      owner = new Owner(this.#young);
      this.#owners.set(name, owner);
    }
    return owner;
  }
}
