// What a caller is answered: as it turned out, or as it stands when an answer has to be given again. Rendering is wire/'s affair.
// Pure.

import type { ApiErrorKind } from '../domain/api-error.ts';
import type { Order, OrderId, OrderStatus } from '../domain/order.ts';
import type { StoredAnswer, StoredOrder } from '../store/order-records.ts';

export type Answer =
  /** 201: the order was made, and is in that status. */
  | { readonly type: 'made'; readonly orderId: OrderId; readonly status: OrderStatus; readonly isReplayed: boolean }
  | Refused
  /** Another request with this idempotency key is on its way: its answer will be this one's. */
  | { readonly type: 'in-flight'; readonly orderId: OrderId };

export interface Refused {
  readonly type: 'refused';
  readonly kind: ApiErrorKind;
  readonly message: string;
  /** With the kinds that must be reconciled only. */
  readonly orderId: OrderId | null;
  readonly retryAfterS: number | null;
  readonly isReplayed: boolean;
}

export function made({ orderId, status }: Pick<Order, 'orderId' | 'status'>): Answer {
  return { type: 'made', orderId, status, isReplayed: false };
}

export function refused(kind: ApiErrorKind, message: string): Refused {
  return { type: 'refused', kind, message, orderId: null, retryAfterS: null, isReplayed: false };
}

/** Nothing was sent: the same request may be made again. */
export function unavailable(message: string, retryAfterS = 1): Refused {
  return { type: 'refused', kind: 'unavailable', message, orderId: null, retryAfterS, isReplayed: false };
}

/** It may have reached the venue: the caller reads the order back. */
export function unknownOutcome(
  kind: 'unreadableOutcome' | 'unknownOutcome',
  orderId: OrderId,
  message: string,
): Refused {
  return { type: 'refused', kind, message, orderId, retryAfterS: null, isReplayed: false };
}

/** The answer to the same request once more. */
export function repeatedAnswer({ order, refusedAs }: StoredOrder, answer: StoredAnswer | null): Answer {
  const { orderId, status } = order;
  if (answer !== null) {
    return answer.outcome === 'made'
      ? { type: 'made', orderId, status: answer.status, isReplayed: true }
      : { ...refused(answer.outcome, answer.message), isReplayed: true };
  }
  switch (status) {
    case 'PENDING':
    case 'SUBMITTED':
      return order.venueOrderId === null
        ? { type: 'in-flight', orderId }
        : { type: 'made', orderId, status, isReplayed: true };
    case 'REJECTED':
      return { ...refused(refusedAs ?? 'invalid', messageOf(order)), isReplayed: true };
    case 'OPEN':
    case 'FILLED':
    case 'CANCELLED':
      return { type: 'made', orderId, status, isReplayed: true };
    default:
      return status satisfies never;
  }
}

/** What an answer is kept as; null of one that is not final. */
export function keptAs(answer: Answer, status: OrderStatus, at: StoredAnswer['at']): StoredAnswer | null {
  if (answer.type === 'made') return { outcome: 'made', status: answer.status, message: '', at };
  if (answer.type === 'in-flight' || answer.orderId !== null || answer.kind === 'unavailable') return null;
  return { outcome: answer.kind, status, message: answer.message, at };
}

function messageOf({ error }: Order): string {
  return error?.message ?? 'the order was rejected';
}
