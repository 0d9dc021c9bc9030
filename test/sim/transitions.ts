// The transitions of orders that a ledger's events contain.

import type { Order, OrderId, OrderStatus } from '../../src/core/domain/order.ts';
import type { LiveReads } from '../../src/core/store/order-records.ts';
import type { LedgerEvent } from '../../src/orders/ledger/events.ts';

export function transitionsIn(events: readonly LedgerEvent[]): readonly string[] {
  const orders = new Map<OrderId, Order>();
  return events.flatMap(event => {
    if (event.type !== 'order-made' && event.type !== 'order-moved') return [];
    const orderId = event.type === 'order-made' ? event.stored.order.orderId : event.orderId;
    const before = orders.get(orderId);
    const after = event.type === 'order-made' ? event.stored.order : { ...before!, ...event.motion };
    orders.set(orderId, after);
    return steps(before, after);
  });
}

/** Returns the transitions between two records. PENDING is passed within one step. */
function steps(before: Order | undefined, { status: to, isReleased }: Order): readonly string[] {
  const from: OrderStatus = before?.status ?? 'PENDING';
  const isReopened = before?.isReleased === true && (to === 'SUBMITTED' || (to === 'REJECTED' && !isReleased));
  if (isReopened) return ['REJECTED → PENDING', `PENDING → ${to}`];
  return from === to ? [] : [`${from} → ${to}`];
}

/** The actor of an event of the private stream. */
export function actorOf(
  reads: Pick<LiveReads, 'order'>,
  event: Extract<LedgerEvent, { readonly cursor: number | null }>,
): string {
  if (event.type === 'action-put') return event.action.actorId;
  if (event.type === 'event-appended') return event.actorId;
  return event.type === 'order-made' ? event.stored.order.actorId : reads.order(event.orderId)!.order.actorId;
}
