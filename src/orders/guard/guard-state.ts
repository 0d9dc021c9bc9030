// The engine's reports of open orders and armed switches, from which the guard cancels while the engine does not answer. Main thread.

import type { UnixMillis } from '../../core/domain/numbers.ts';
import { type CancelReason, isTerminal, type OrderId } from '../../core/domain/order.ts';
import { addressOf } from '../../core/domain/order-frame.ts';
import { type Timers, whenElapsed } from '../../core/runtime/timers.ts';
import type { CancelAfter } from '../../core/store/order-records.ts';
import type { OpenOrder, OrderNews, Unwanted } from '../engine/engine-messages.ts';
import type { SwitchSetting } from '../life/cancel-after.ts';
import type { Meant } from '../life/cancel-requests.ts';

/** A selection of orders. `madeBy`: latest creation time; null: any. */
export interface Wanted extends Meant {
  readonly madeBy: UnixMillis | null;
}

interface UnwantedOrder {
  readonly actorId: string;
  readonly reason: CancelReason;
}

export class OpenOrders {
  readonly #ofActor = new Map<string, Map<OrderId, OpenOrder>>();
  /** The engine has begun to cancel them. */
  readonly #unwanted = new Map<OrderId, UnwantedOrder>();

  hear(news: readonly OrderNews[]): void {
    for (let index = 0; index < news.length; index++) {
      const { order } = news[index]!;
      if (order === null) continue;
      if (isTerminal(order.status)) this.#forget(order);
      else this.know(order);
    }
  }

  know(order: OpenOrder): void {
    const { actorId, orderId, request } = order;
    const orders = this.#ofActor.get(actorId) ?? new Map<OrderId, OpenOrder>();
    this.#ofActor.set(actorId, orders);
    // An order at venue A has its id before it is sent, and keeps it.
    const isUnnamed = order.venueOrderId === null && request.venue === 'venue_a';
    const named = isUnnamed ? (orders.get(orderId)?.venueOrderId ?? null) : null;
    orders.set(orderId, named === null ? order : { ...order, venueOrderId: named });
  }

  /** Marks orders whose cancel the engine has begun. */
  unwant({ actorId, orderIds, reason }: Unwanted): void {
    for (const orderId of orderIds)
      if (this.of(actorId, orderId) !== null) this.#unwanted.set(orderId, { actorId, reason });
  }

  /** Open orders whose cancel the engine has begun, with its reason. */
  unwanted(): readonly { readonly order: OpenOrder; readonly reason: CancelReason }[] {
    return [...this.#unwanted].map(([orderId, { actorId, reason }]) => ({ order: this.of(actorId, orderId)!, reason }));
  }

  /** Number of open orders, by full id of the actor. */
  counts(): ReadonlyMap<string, number> {
    return new Map([...this.#ofActor].map(([actorId, orders]) => [actorId, orders.size]));
  }

  /** Actors with open orders. */
  actorIds(): Iterable<string> {
    return this.#ofActor.keys();
  }

  *all(): Iterable<OpenOrder> {
    for (const orders of this.#ofActor.values()) yield* orders.values();
  }

  of(actorId: string, orderId: OrderId): OpenOrder | null {
    return this.#ofActor.get(actorId)?.get(orderId) ?? null;
  }

  /** The order of any actor. */
  find(orderId: OrderId): OpenOrder | null {
    for (const orders of this.#ofActor.values()) {
      const order = orders.get(orderId);
      if (order !== undefined) return order;
    }
    return null;
  }

  wanted({ actorId, venue, address, keyId, madeBy }: Wanted): readonly OpenOrder[] {
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
  /** The deadline by `elapsed()`: setting the clock back changes nothing. */
  readonly dueAt: number;
}

/** Dead man's switches, and which of them are due. */
export class GuardSwitches {
  readonly #timers: Timers;
  /** Armed switches by signing key. */
  readonly #armed = new Map<string, Armed>();

  constructor(timers: Timers) {
    this.#timers = timers;
  }

  know({ deadline, ...owner }: SwitchSetting): void {
    if (deadline === null) this.#armed.delete(owner.keyId);
    else {
      this.#armed.set(owner.keyId, { ...owner, deadline, dueAt: whenElapsed(this.#timers, deadline) });
    }
  }

  /** Drops a switch that the engine has fired. No other switch is dropped: the engine may have had no time for it. */
  forget({ keyId, deadline }: CancelAfter): void {
    if (this.#armed.get(keyId)?.deadline === deadline) this.#armed.delete(keyId);
  }

  /** Due switches by either time, as the engine fires them: also at a deadline that came early, since the clock was set forward. */
  due(): readonly CancelAfter[] {
    const timers = this.#timers;
    return [...this.#armed.values()].filter(
      ({ dueAt, deadline }) => dueAt <= timers.elapsed() || deadline <= timers.now(),
    );
  }
}
