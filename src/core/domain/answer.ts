// Answers to callers, before they are rendered: an order was made, or a refusal says why nothing was done. Pure.

import type { ApiErrorKind } from './api-error.ts';
import type { Venue } from './market.ts';
import type { UnixMillis } from './numbers.ts';
import type { Order, OrderErrorCode, OrderId, OrderStatus } from './order.ts';
import { expiresAtOf } from './order-request.ts';

export type Answer = Made | Refused;

/** 201: the order exists and has this status. */
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
  /** The code of the order that was recorded as REJECTED; null if no order was recorded. */
  readonly reason: OrderErrorCode | null;
  /** Present only with the kinds that need reconciling. */
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

/** Nothing was sent; the caller may repeat the request. */
export function unavailable(message: string, retryAfterS = 1, reason: OrderErrorCode | null = null): Refused {
  return { ...refused('unavailable', message, reason), retryAfterS };
}

export type UnknownKind = 'unreadableOutcome' | 'unknownOutcome';

/** The request may have reached the venue: the caller must read the order back. */
export function unknownOutcome(kind: UnknownKind, orderId: OrderId, message: string): Refused {
  return { ...refused(kind, message), orderId };
}

/** The caller can do nothing, and waiting does not help: the operator must act. */
export function noAccount(podId: string, place: Venue | 'any venue'): Refused {
  return refused('fault', `the pod ${podId} has no account at ${place}: the gateway’s configuration names none`);
}
