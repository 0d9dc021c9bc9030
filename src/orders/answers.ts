// What a caller is answered: as it turned out, or as it stands when an answer has to be given again. Rendering is wire/'s affair.
// Pure.

import type { ApiErrorKind } from '../domain/api-error.ts';
import type { Order, OrderId, OrderStatus } from '../domain/order.ts';
import { canRest } from '../domain/order-sums.ts';
import { unreachable } from '../domain/result.ts';
import type { StoredAnswer, StoredOrder } from '../store/order-records.ts';

export type Answer = Made | Refused;

/** 201: the order was made, and is in that status. */
export interface Made {
  readonly type: 'made';
  readonly orderId: OrderId;
  readonly status: OrderStatus;
  readonly isReplayed: boolean;
}

export interface Refused {
  readonly type: 'refused';
  readonly kind: ApiErrorKind;
  readonly message: string;
  /** With the kinds that must be reconciled only. */
  readonly orderId: OrderId | null;
  readonly retryAfterS: number | null;
  readonly isReplayed: boolean;
}

/** Nobody has been answered yet: a request with this idempotency key is on its way, and its answer will be this one's. */
export interface InFlight {
  readonly type: 'in-flight';
  readonly orderId: OrderId;
}

export function made({ orderId, status }: Pick<Order, 'orderId' | 'status'>): Made {
  return { type: 'made', orderId, status, isReplayed: false };
}

export function refused(kind: ApiErrorKind, message: string): Refused {
  return { type: 'refused', kind, message, orderId: null, retryAfterS: null, isReplayed: false };
}

/** Nothing was sent: the same request may be made again. */
export function unavailable(message: string, retryAfterS = 1): Refused {
  return { type: 'refused', kind: 'unavailable', message, orderId: null, retryAfterS, isReplayed: false };
}

export type UnknownKind = 'unreadableOutcome' | 'unknownOutcome';

/** It may have reached the venue: the caller reads the order back. */
export function unknownOutcome(kind: UnknownKind, orderId: OrderId, message: string): Refused {
  return { type: 'refused', kind, message, orderId, retryAfterS: null, isReplayed: false };
}

/** The answer to a submission, as its order stands now; null while the outcome is unknown. */
export function answerOf({ order, refusedAs }: StoredOrder): Answer | null {
  switch (order.status) {
    case 'PENDING':
    case 'SUBMITTED':
      // Held back it is made; matched in part, and unable to rest, it is about to end.
      return order.venueOrderId === null || order.filled.size > 0 ? null : made(order);
    case 'REJECTED':
      // The venue has it, though nothing was sent as it seemed: until it is cancelled there nobody knows what it comes to.
      if (refusedAs === 'unavailable' && !order.isReleased) return null;
      return refused(refusedAs ?? 'invalid', order.error?.message ?? 'the order was rejected');
    case 'OPEN':
      return canRest(order.request) ? made(order) : null;
    case 'FILLED':
    case 'CANCELLED':
      return made(order);
    default:
      return unreachable(order.status);
  }
}

/** The answer to the same request once more. */
export function repeatedAnswer(stored: StoredOrder, kept: StoredAnswer | null): Answer | InFlight {
  const { orderId, status } = stored.order;
  // Its outcome was unknown though it had been given up here: the venue has taken it since, and has it until it ends.
  const isTakenLate = kept?.status === 'REJECTED' && status === 'REJECTED';
  const answer = finalAnswer(orderId, kept) ?? (isTakenLate ? null : answerOf(stored));
  if (answer !== null) return replayed(answer);
  const unknown = kept === null ? null : unknownKind(kept.outcome);
  if (kept === null || unknown === null) return { type: 'in-flight', orderId };
  return replayed(unknownOutcome(unknown, orderId, kept.message));
}

/** What was kept and stays the answer, whatever becomes of the order; null as long as there is no such. */
export function finalAnswer(orderId: OrderId, kept: StoredAnswer | null): Answer | null {
  if (kept === null) return null;
  if (kept.outcome === 'made') return made({ orderId, status: kept.status });
  return unknownKind(kept.outcome) === null ? refused(kept.outcome, kept.message) : null;
}

/** Given to somebody else than whoever sent the order. */
export function replayed(answer: Answer): Answer {
  return { ...answer, isReplayed: true };
}

/** What is stored of an answer; null for one that leaves the key free. `status`: of the order, after it. */
export function keptAs(answer: Answer, status: OrderStatus, at: StoredAnswer['at']): StoredAnswer | null {
  if (answer.type === 'made') return { outcome: 'made', status: answer.status, message: '', at };
  return answer.kind === 'unavailable' ? null : { outcome: answer.kind, status, message: answer.message, at };
}

function unknownKind(outcome: StoredAnswer['outcome']): UnknownKind | null {
  return outcome === 'unreadableOutcome' || outcome === 'unknownOutcome' ? outcome : null;
}
