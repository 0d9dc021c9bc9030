// Answers to callers, before they are rendered: an order was made, or a refusal says why nothing was done. Pure.

import type { Venue } from './market.ts';
import type { UnixMillis } from './numbers.ts';
import type { Order, OrderErrorCode, OrderId, OrderStatus } from './order.ts';
import { expiresAtOf } from './order-request.ts';

/** The error codes. The list is closed (interface §7). */
export const ERROR_CODES = [
  'INVALID_REQUEST',
  'NOT_FOUND',
  'INSUFFICIENT_BALANCE',
  'IDEMPOTENCY_CONFLICT',
  'ORDER_NOT_CANCELLABLE',
  'ORDER_RECONCILIATION_REQUIRED',
  'INTERNAL_ERROR',
] as const;
export type ErrorCode = (typeof ERROR_CODES)[number];

/** The action that a caller should take. */
type RetryClass =
  /** Change the request. */
  | 'never'
  /** Repeat the request after `Retry-After`. */
  | 'later'
  /** Read the order back first. */
  | 'reconcile';

/** One kind of failed request: its HTTP status, code and retry class. */
export const API_ERRORS = {
  invalid: { status: 400, code: 'INVALID_REQUEST', retry: 'never' },
  insufficientBalance: { status: 400, code: 'INSUFFICIENT_BALANCE', retry: 'never' },
  unauthenticated: { status: 401, code: 'INVALID_REQUEST', retry: 'never' },
  forbidden: { status: 403, code: 'INVALID_REQUEST', retry: 'never' },
  notFound: { status: 404, code: 'NOT_FOUND', retry: 'never' },
  methodNotAllowed: { status: 405, code: 'INVALID_REQUEST', retry: 'never' },
  notCancellable: { status: 409, code: 'ORDER_NOT_CANCELLABLE', retry: 'never' },
  /** Another gateway owns the pod, and `SVC-Pod-Owner` names that gateway. A submission gets `unavailable` instead. */
  elsewhere: { status: 421, code: 'INTERNAL_ERROR', retry: 'never' },
  bodyTooLarge: { status: 413, code: 'INVALID_REQUEST', retry: 'never' },
  idempotencyConflict: { status: 422, code: 'IDEMPOTENCY_CONFLICT', retry: 'never' },
  limited: { status: 429, code: 'INVALID_REQUEST', retry: 'later' },
  fault: { status: 500, code: 'INTERNAL_ERROR', retry: 'never' },
  /** The contract documents the operation, but this version does not serve it. */
  notServed: { status: 501, code: 'INTERNAL_ERROR', retry: 'never' },
  unreadableOutcome: { status: 502, code: 'ORDER_RECONCILIATION_REQUIRED', retry: 'reconcile' },
  unavailable: { status: 503, code: 'INTERNAL_ERROR', retry: 'later' },
  unknownOutcome: { status: 504, code: 'ORDER_RECONCILIATION_REQUIRED', retry: 'reconcile' },
} as const satisfies Readonly<Record<string, { status: number; code: ErrorCode; retry: RetryClass }>>;
export type ApiErrorKind = keyof typeof API_ERRORS;

export type Answer = Made | Refused;

/** The answer 201: the order exists and has this status. */
interface Made {
  readonly type: 'made';
  readonly orderId: OrderId;
  readonly status: OrderStatus;
  /** The time at which a GTD order ends; the venue may have cut off a part of the requested time. Null unless GTD. */
  readonly expiresAt: UnixMillis | null;
  readonly isReplayed: boolean;
}

export interface Refused {
  readonly type: 'refused';
  readonly kind: ApiErrorKind;
  readonly message: string;
  /** The error code of the order that was recorded as REJECTED; null if no order was recorded. */
  readonly reason: OrderErrorCode | null;
  /** The id of the order. Present only if the caller has to reconcile the order. */
  readonly orderId: OrderId | null;
  readonly retryAfterS: number | null;
  readonly isReplayed: boolean;
}

export function made({ orderId, status, request }: Pick<Order, 'orderId' | 'status' | 'request'>): Made {
  return { type: 'made', orderId, status, expiresAt: expiresAtOf(request), isReplayed: false };
}

export function refused(kind: ApiErrorKind, message: string, reason: OrderErrorCode | null = null): Refused {
  return { type: 'refused', kind, message, reason, orderId: null, retryAfterS: null, isReplayed: false };
}

/** Returns the refusal of a request of which nothing was sent. The caller may repeat the request. */
export function unavailable(message: string, retryAfterS = 1, reason: OrderErrorCode | null = null): Refused {
  return { ...refused('unavailable', message, reason), retryAfterS };
}

export type UnknownKind = 'unreadableOutcome' | 'unknownOutcome';

/** Returns the answer to a request that may have reached the venue. The caller must read the order back. */
export function unknownOutcome(kind: UnknownKind, orderId: OrderId, message: string): Refused {
  return { ...refused(kind, message), orderId };
}

/** Returns the refusal for a pod without an account. The caller can do nothing and waiting does not help: the operator must act. */
export function noAccount(podId: string, place: Venue | 'any venue'): Refused {
  return refused('fault', `the pod ${podId} has no account at ${place}: the gateway’s configuration names none`);
}
