// The answer to a submission: by the order's state, or as it was stored when a request is repeated. Pure.

import { type Answer, made, refused, type UnknownKind, unknownOutcome } from '../../core/domain/answer.ts';
import type { Order, OrderErrorCode, OrderId, OrderStatus } from '../../core/domain/order.ts';
import { canRest } from '../../core/domain/order-sums.ts';
import { unreachable } from '../../core/domain/result.ts';
import type { StoredAnswer, StoredOrder } from '../../core/store/order-records.ts';

/** The first request with this idempotency key is still in progress; this one gets its answer. */
export interface InFlight {
  readonly type: 'in-flight';
  readonly orderId: OrderId;
}

/** The answer to a submission by the order's current state; null while the outcome is unknown. */
export function answerOf({ order, refusedAs }: StoredOrder): Answer | null {
  switch (order.status) {
    case 'PENDING':
    case 'SUBMITTED':
      // An order that the venue holds back counts as made. A partly matched order that cannot rest is about to end.
      return order.venueOrderId === null || order.filled.size > 0 ? null : made(order);
    case 'REJECTED':
      if (isTakenLate({ order, refusedAs })) return null;
      return refused(refusedAs ?? 'invalid', order.error?.message ?? 'the order was rejected', reasonOf(order));
    case 'OPEN':
      return canRest(order.request) ? made(order) : null;
    case 'FILLED':
    case 'CANCELLED':
      return made(order);
    default:
      return unreachable(order.status);
  }
}

/** The order seemed unsent, but the venue has it. The outcome stays unknown until the order is cancelled there. */
export function isTakenLate({ order, refusedAs }: Pick<StoredOrder, 'order' | 'refusedAs'>): boolean {
  return order.status === 'REJECTED' && refusedAs === 'unavailable' && !order.isReleased;
}

/** The answer to a repetition of the same request. */
export function repeatedAnswer(stored: StoredOrder, kept: StoredAnswer | null): Answer | InFlight {
  const { order } = stored;
  const { orderId, status } = order;
  // The order was given up as unknown, but the venue has accepted it since and keeps it until it ends.
  const isTakenLate = kept?.status === 'REJECTED' && status === 'REJECTED';
  const answer = finalAnswer(order, kept) ?? (isTakenLate ? null : answerOf(stored));
  if (answer !== null) return replayed(answer);
  const unknown = kept === null ? null : unknownKind(kept.outcome);
  if (kept === null || unknown === null) return { type: 'in-flight', orderId };
  return replayed(unknownOutcome(unknown, orderId, kept.message));
}

/** The stored answer if it is final, independent of the order's later state; else null. */
export function finalAnswer(order: Order, kept: StoredAnswer | null): Answer | null {
  if (kept === null) return null;
  if (kept.outcome === 'made') return made({ orderId: order.orderId, request: order.request, status: kept.status });
  return unknownKind(kept.outcome) === null ? refused(kept.outcome, kept.message, reasonOf(order)) : null;
}

/** Why an order was rejected. If the venue has an order that was given up, the order has no error any more. */
function reasonOf({ error }: Order): OrderErrorCode {
  return error?.code ?? 'UNKNOWN';
}

/** The answer for a caller other than the sender of the order. */
export function replayed(answer: Answer): Answer {
  return { ...answer, isReplayed: true };
}

/** The stored form of an answer; null for an answer that leaves the key free. `status`: the order's status after the answer. */
export function keptAs(answer: Answer, status: OrderStatus, at: StoredAnswer['at']): StoredAnswer | null {
  if (answer.type === 'made') return { outcome: 'made', status: answer.status, message: '', at };
  return answer.kind === 'unavailable' ? null : { outcome: answer.kind, status, message: answer.message, at };
}

function unknownKind(outcome: StoredAnswer['outcome']): UnknownKind | null {
  return outcome === 'unreadableOutcome' || outcome === 'unknownOutcome' ? outcome : null;
}
