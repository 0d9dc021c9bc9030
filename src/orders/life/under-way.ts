// Submissions between their arrival and their record. A request that names such an order by its client order id waits for the record
// (beyond §2). Engine thread.

import type { Venue } from '../../core/domain/market.ts';
import type { Caller, OneOrderOperation } from '../../core/domain/operation.ts';
import type { OrderId } from '../../core/domain/order.ts';
import type { LiveReads, StoredOrder } from '../../core/store/order-records.ts';
import { readOrderId } from '../../core/wire/order-requests.ts';

export class UnderWay {
  readonly #ends = new Map<OrderId, Promise<unknown>>();

  /** Notes submissions as in flight until `work` ends: then each order is recorded, or cannot be. */
  track<T>(orderIds: readonly OrderId[], work: Promise<T>): Promise<T> {
    const end = Promise.allSettled([...orderIds.map(orderId => this.latestWork(orderId)), work]);
    for (const orderId of orderIds) this.#ends.set(orderId, end);
    const forget = (): void => {
      for (const orderId of orderIds) if (this.#ends.get(orderId) === end) this.#ends.delete(orderId);
    };
    void end.then(forget);
    return work;
  }

  /** Resolves when the latest submission of the order until now is over. Null means that none is in flight. */
  latestWork(orderId: OrderId): Promise<unknown> | null {
    return this.#ends.get(orderId) ?? null;
  }

  /** Resolves when no submission of the order is in flight any more. Null means that none is in flight. */
  whenIdle(orderId: OrderId): Promise<unknown> | null {
    const end = this.#ends.get(orderId);
    // Another submission of the order may have begun meanwhile.
    return end === undefined ? null : end.then(() => this.whenIdle(orderId));
  }
}

/**
 * Returns the caller's order. Null means that the id is unknown or malformed, or that the order is another actor's or at the other venue.
 * The caller cannot tell these cases apart.
 */
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

/** Like `ownOrder`, but waits until no submission of the order is in flight. */
export async function settledOrder(
  reads: Pick<LiveReads, 'order'>,
  underWay: UnderWay,
  { caller, venue, orderId }: Pick<OneOrderOperation, 'caller' | 'venue' | 'orderId'>,
): Promise<StoredOrder | null> {
  const id = readOrderId(orderId);
  const end = id === null ? null : underWay.whenIdle(id);
  if (end !== null) await end;
  return ownOrder(reads, caller, venue, orderId);
}
