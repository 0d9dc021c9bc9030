// Submissions between their arrival and their record. A request that names such an order by its client order id waits for the record
// (beyond §2). Engine thread.

import type { Venue } from '../../core/domain/market.ts';
import type { Caller, OneOrderOperation } from '../../core/domain/operation.ts';
import type { OrderId } from '../../core/domain/order.ts';
import type { LiveReads, StoredOrder } from '../../core/store/order-records.ts';
import { readOrderId } from '../../core/wire/order-requests.ts';

export class UnderWay {
  readonly #ends = new Map<OrderId, Promise<unknown>>();

  /** `work` ends once each of the orders is recorded, or cannot be. */
  during<T>(orderIds: readonly OrderId[], work: Promise<T>): Promise<T> {
    const end = Promise.allSettled([...orderIds.map(orderId => this.latest(orderId)), work]);
    for (const orderId of orderIds) this.#ends.set(orderId, end);
    const forget = (): void => {
      for (const orderId of orderIds) if (this.#ends.get(orderId) === end) this.#ends.delete(orderId);
    };
    void end.then(forget);
    return work;
  }

  /** Resolves when the latest submission of the order so far is over; null if none is in flight. */
  latest(orderId: OrderId): Promise<unknown> | null {
    return this.#ends.get(orderId) ?? null;
  }

  /** Resolves when no submission of the order is in flight; null if none is. */
  over(orderId: OrderId): Promise<unknown> | null {
    const end = this.#ends.get(orderId);
    // The order may be submitted again meanwhile.
    return end === undefined ? null : end.then(() => this.over(orderId));
  }
}

/** Null if the order is unknown, malformed, another actor's, or of the other venue. The caller sees no difference. */
export function ownOrder(
  reads: Pick<LiveReads, 'order'>,
  { podId, actorId }: Caller,
  venue: Venue,
  text: string,
): StoredOrder | null {
  const orderId = readOrderId(text);
  const stored = orderId === null ? null : reads.order(orderId);
  if (stored === null) return null;
  const { order } = stored;
  const isOwn = order.podId === podId && order.actorId === actorId && order.request.venue === venue;
  return isOwn ? stored : null;
}

/** Like `ownOrder`, once no submission of the order is in flight. */
export async function settledOrder(
  reads: Pick<LiveReads, 'order'>,
  underWay: UnderWay,
  { caller, venue, orderId }: Pick<OneOrderOperation, 'caller' | 'venue' | 'orderId'>,
): Promise<StoredOrder | null> {
  const id = readOrderId(orderId);
  const end = id === null ? null : underWay.over(id);
  if (end !== null) await end;
  return ownOrder(reads, caller, venue, orderId);
}
