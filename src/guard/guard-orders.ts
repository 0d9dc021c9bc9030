// Orders open at the venues, as the engine reports them. The guard cancels from this list while the engine does not answer. Main
// thread.

import type { UnixMillis } from '../domain/numbers.ts';
import { isTerminal, type OrderId } from '../domain/order.ts';
import { addressOf } from '../domain/order-lists.ts';
import { type OpenOrder, openOrderOf } from '../engine/engine-messages.ts';
import type { Meant } from '../orders/cancel-requests.ts';
import type { OrderEventRecord } from '../store/order-records.ts';

/** A selection of orders. `madeBy`: latest creation time; null: any. */
export interface Wanted extends Meant {
  readonly madeBy: UnixMillis | null;
}

export class OpenOrders {
  readonly #ofActor = new Map<string, Map<OrderId, OpenOrder>>();

  hear(events: readonly OrderEventRecord[]): void {
    for (const { order } of events) {
      if (isTerminal(order.status)) this.#forget(order);
      else this.know(order);
    }
  }

  know(order: OpenOrder): void {
    const { actorId, orderId } = order;
    const orders = this.#ofActor.get(actorId) ?? new Map<OrderId, OpenOrder>();
    this.#ofActor.set(actorId, orders);
    orders.set(orderId, openOrderOf(order));
  }

  of(actorId: string, orderId: OrderId): OpenOrder | null {
    return this.#ofActor.get(actorId)?.get(orderId) ?? null;
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
    if (orders?.size === 0) this.#ofActor.delete(actorId);
  }
}
