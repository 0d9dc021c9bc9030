// The open orders and armed switches that the engine has reported. The guard cancels by them while the engine does not answer. Main thread.

import { ChurningMap } from '../../core/domain/churn.ts';
import type { UnixMillis } from '../../core/domain/numbers.ts';
import { type CancelReason, isTerminal, type OrderId } from '../../core/domain/order.ts';
import { addressOf } from '../../core/domain/order-frame.ts';
import { type Timers, whenElapsed } from '../../core/runtime/timers.ts';
import type { CancelAfter } from '../../core/store/order-records.ts';
import type { OpenOrder, OrderNews, Unwanted } from '../engine/engine-messages.ts';
import type { SwitchSetting } from '../life/cancel-after.ts';
import type { Selection } from '../life/cancel-requests.ts';

/** A selection of orders. `madeBy` is the latest time of creation; null means any time. */
export interface GuardSelection extends Selection {
  readonly madeBy: UnixMillis | null;
}

interface UnwantedOrder {
  readonly actorId: string;
  readonly reason: CancelReason;
}

export class OpenOrders {
  readonly #ofActor = new Map<string, ChurningMap<OrderId, OpenOrder>>();
  /** The orders whose cancel the engine has begun. */
  readonly #unwanted = new Map<OrderId, UnwantedOrder>();

  apply(news: readonly OrderNews[]): void {
    for (let index = 0; index < news.length; index++) {
      const { order } = news[index]!;
      if (order === null) continue;
      if (isTerminal(order.status)) this.#forget(order);
      else this.add(order);
    }
  }

  add(order: OpenOrder): void {
    const { actorId, orderId, request } = order;
    const orders = this.#ofActor.get(actorId) ?? new ChurningMap<OrderId, OpenOrder>();
    this.#ofActor.set(actorId, orders);
    // At venue A an order has its venue id before it is sent, and keeps it. So news without the id do not remove it.
    const isUnnamed = order.venueOrderId === null && request.venue === 'venue_a';
    const named = isUnnamed ? (orders.get(orderId)?.venueOrderId ?? null) : null;
    orders.set(orderId, named === null ? order : { ...order, venueOrderId: named });
  }

  /** Marks orders whose cancel the engine has begun. */
  markUnwanted({ actorId, orderIds, reason }: Unwanted): void {
    for (const orderId of orderIds)
      if (this.get(actorId, orderId) !== null) this.#unwanted.set(orderId, { actorId, reason });
  }

  /** Returns the open orders whose cancel the engine has begun, each with the engine's reason. */
  unwantedOrders(): readonly { readonly order: OpenOrder; readonly reason: CancelReason }[] {
    return [...this.#unwanted].map(([id, { actorId, reason }]) => ({ order: this.get(actorId, id)!, reason }));
  }

  /** Returns the number of open orders by full id of the actor. */
  counts(): ReadonlyMap<string, number> {
    return new Map([...this.#ofActor].map(([actorId, orders]) => [actorId, orders.size]));
  }

  /** Returns the actors that have open orders. */
  actorIds(): Iterable<string> {
    return this.#ofActor.keys();
  }

  *all(): Iterable<OpenOrder> {
    for (const orders of this.#ofActor.values()) yield* orders.values();
  }

  get(actorId: string, orderId: OrderId): OpenOrder | null {
    return this.#ofActor.get(actorId)?.get(orderId) ?? null;
  }

  /** Returns an open order of any actor. Null means that no such order is known. */
  find(orderId: OrderId): OpenOrder | null {
    for (const orders of this.#ofActor.values()) {
      const order = orders.get(orderId);
      if (order !== undefined) return order;
    }
    return null;
  }

  select({ actorId, venue, address, keyId, madeBy }: GuardSelection): readonly OpenOrder[] {
    const orders = [...(this.#ofActor.get(actorId)?.values() ?? [])];
    return orders.filter(
      ({ request, keyId: madeWith, createdAt }) =>
        request.venue === venue &&
        (address === null || addressOf(request) === address) &&
        (keyId === null || madeWith === keyId) &&
        (madeBy === null || createdAt <= madeBy),
    );
  }

  #forget({ actorId, orderId }: OpenOrder): void {
    const orders = this.#ofActor.get(actorId);
    orders?.delete(orderId);
    this.#unwanted.delete(orderId);
    if (orders?.size === 0) this.#ofActor.delete(actorId);
  }
}

interface Armed extends CancelAfter {
  /** The deadline by `elapsed()`, so that setting the clock back changes nothing. */
  readonly dueAt: number;
}

/** The dead man's switches that are armed, and which of them are due. */
export class GuardSwitches {
  readonly #timers: Timers;
  /** The armed switches by signing key. */
  readonly #armed = new Map<string, Armed>();

  constructor(timers: Timers) {
    this.#timers = timers;
  }

  set({ deadline, ...owner }: SwitchSetting): void {
    if (deadline === null) this.#armed.delete(owner.keyId);
    else {
      this.#armed.set(owner.keyId, { ...owner, deadline, dueAt: whenElapsed(this.#timers, deadline) });
    }
  }

  /** Drops a switch that the engine has fired. No other switch is dropped, because the engine may not have got to it. */
  drop({ keyId, deadline }: CancelAfter): void {
    if (this.#armed.get(keyId)?.deadline === deadline) this.#armed.delete(keyId);
  }

  /**
   * Returns the switches that are due by either clock, as in the engine. A clock that was set forward makes a deadline come early, which
   * counts too.
   */
  due(): readonly CancelAfter[] {
    const timers = this.#timers;
    return [...this.#armed.values()].filter(
      ({ dueAt, deadline }) => dueAt <= timers.elapsed() || deadline <= timers.now(),
    );
  }
}
