// The result of a stop, and the orders that it has left. The engine or the guard writes it; commands and the web page read it. Any thread.

import type { StopScope } from '../domain/operation.ts';
import { isTerminal, type Order } from '../domain/order.ts';
import { addressOf } from '../domain/order-lists.ts';

/** Open orders that a report names; it counts all. */
const LEFT_SHOWN_MAX = 100;

export interface StopReport {
  /** All scopes that are stopped now. */
  readonly stopped: readonly StopScope[];
  /** Orders that this stop has cancelled. */
  readonly cancelled: number;
  /** Orders that may still rest at their venue. A recorded cancel request stays, and is made as soon as the venue takes it. */
  readonly leftTotal: number;
  /** The first orders that are left. */
  readonly left: readonly LeftOrder[];
  /** Accounts not read since the start, as `pod/venue`: they may have orders that are not known here yet. */
  readonly unread: readonly string[];
}

export interface ResumeReport {
  readonly stopped: readonly StopScope[];
  readonly wasStopped: boolean;
}

interface LeftOrder {
  readonly orderId: string;
  /** The full id of the actor. */
  readonly actorId: string;
  readonly venue: string;
  /** The token id or ticker. */
  readonly market: string;
  readonly status: string;
}

type Left = Pick<Order, 'orderId' | 'actorId' | 'request' | 'status'>;

export function leftOf(orders: readonly Left[]): Pick<StopReport, 'leftTotal' | 'left'> {
  const open = orders.filter(({ status }) => !isTerminal(status));
  const left = open.slice(0, LEFT_SHOWN_MAX).map(({ orderId, actorId, request, status }) => ({
    orderId,
    actorId,
    venue: request.venue,
    market: addressOf(request),
    status,
  }));
  return { leftTotal: open.length, left };
}
