// Deadlines for sending an order and for answering its caller. Pure.

import type { UnixMillis } from '../domain/numbers.ts';
import type { Order } from '../domain/order.ts';
import { limits } from '../limits.ts';

/** Contract §4.7: the caller has an answer by then. */
export function answerDeadline({ sentAt, updatedAt }: Pick<Order, 'sentAt' | 'updatedAt'>): UnixMillis {
  return ((sentAt ?? updatedAt) + limits.venueAnswerTimeoutMs) as UnixMillis;
}

export function tooLate(notAfter: UnixMillis, now: UnixMillis): string {
  return `SVC-Not-After-Millis: ${notAfter} has passed, it is ${now}: nothing was sent`;
}
