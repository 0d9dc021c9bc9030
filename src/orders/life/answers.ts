// The answer to a submission: by the order's state, or as it was stored when the request is repeated. Pure.

import { type Answer, made, refused, type UnknownKind, unknownOutcome } from '../../core/domain/answer.ts';
import type { Order, OrderErrorCode, OrderId, OrderStatus } from '../../core/domain/order.ts';
import { canRest } from '../../core/domain/order-sums.ts';
import { unreachable } from '../../core/domain/result.ts';
import type { StoredAnswer, StoredOrder } from '../../core/store/order-records.ts';

/** The first request with this idempotency key is still in progress. The repeat gets the same answer as that request. */
export interface InFlight {
  readonly type: 'in-flight';
  readonly orderId: OrderId;
}

/** Returns the answer to a submission by the order's current state. Null means that the outcome is still unknown. */
export function answerOf({ order, refusedAs }: StoredOrder): Answer | null {
  switch (order.status) {
    case 'PENDING':
    case 'SUBMITTED':
      // An order that the venue holds back counts as made. A partly filled order that cannot rest is about to end.
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

/** Whether the order seemed unsent although the venue has it. The outcome stays unknown until the order is cancelled at the venue. */
export function isTakenLate({ order, refusedAs }: Pick<StoredOrder, 'order' | 'refusedAs'>): boolean {
  return order.status === 'REJECTED' && refusedAs === 'unavailable' && !order.isReleased;
}

/** Returns the answer to a repeat of the same request. */
export function repeatedAnswer(stored: StoredOrder, kept: StoredAnswer | null): Answer | InFlight {
  const { order } = stored;
  const { orderId, status } = order;
  // The order was given up as unknown, but the venue has accepted it since then. It stays REJECTED here until it ends there.
  const isTakenLate = kept?.status === 'REJECTED' && status === 'REJECTED';
  const answer = finalAnswer(order, kept) ?? (isTakenLate ? null : answerOf(stored));
  if (answer !== null) return asReplay(answer);
  const unknown = kept === null ? null : unknownKind(kept.outcome);
  if (kept === null || unknown === null) return { type: 'in-flight', orderId };
  return asReplay(unknownOutcome(unknown, orderId, kept.message));
}

/** Returns the stored answer if it is final, so that it does not depend on the order's later state. Otherwise returns null. */
export function finalAnswer(order: Order, kept: StoredAnswer | null): Answer | null {
  if (kept === null) return null;
  if (kept.outcome === 'made') return made({ orderId: order.orderId, request: order.request, status: kept.status });
  return unknownKind(kept.outcome) === null ? refused(kept.outcome, kept.message, reasonOf(order)) : null;
}

/** Returns why an order was rejected. An order that was given up has no error any more once the venue turns out to have it. */
function reasonOf({ error }: Order): OrderErrorCode {
  return error?.code ?? 'UNKNOWN';
}

/** Marks an answer as the answer for a caller other than the sender of the order. */
export function asReplay(answer: Answer): Answer {
  return { ...answer, isReplayed: true };
}

/**
 * Returns the stored form of an answer. Null means that the answer leaves the key free. `status` is the order's status after the answer.
 */
export function asStored(answer: Answer, status: OrderStatus, at: StoredAnswer['at']): StoredAnswer | null {
  if (answer.type === 'made') return { outcome: 'made', status: answer.status, message: '', at };
  return answer.kind === 'unavailable' ? null : { outcome: answer.kind, status, message: answer.message, at };
}

function unknownKind(outcome: StoredAnswer['outcome']): UnknownKind | null {
  return outcome === 'unreadableOutcome' || outcome === 'unknownOutcome' ? outcome : null;
}
