// Answers to callers, before they are rendered: an order was made, or a refusal says why nothing was done. Pure.

import type { ApiErrorKind } from './api-error.ts';
import type { Venue } from './market.ts';
import type { Order, OrderId, OrderStatus } from './order.ts';

export type Answer = Made | Refused;

/** 201: the order exists and has this status. */
interface Made {
  readonly type: 'made';
  readonly orderId: OrderId;
  readonly status: OrderStatus;
  readonly isReplayed: boolean;
}

export interface Refused {
  readonly type: 'refused';
  readonly kind: ApiErrorKind;
  readonly message: string;
  /** Only with the kinds that need reconciling. */
  readonly orderId: OrderId | null;
  readonly retryAfterS: number | null;
  readonly isReplayed: boolean;
}

export function made({ orderId, status }: Pick<Order, 'orderId' | 'status'>): Made {
  return { type: 'made', orderId, status, isReplayed: false };
}

export function refused(kind: ApiErrorKind, message: string): Refused {
  return { type: 'refused', kind, message, orderId: null, retryAfterS: null, isReplayed: false };
}

/** Nothing was sent; the caller may repeat the request. */
export function unavailable(message: string, retryAfterS = 1): Refused {
  return { type: 'refused', kind: 'unavailable', message, orderId: null, retryAfterS, isReplayed: false };
}

export type UnknownKind = 'unreadableOutcome' | 'unknownOutcome';

/** It may have reached the venue: the caller must read the order back. */
export function unknownOutcome(kind: UnknownKind, orderId: OrderId, message: string): Refused {
  return { type: 'refused', kind, message, orderId, retryAfterS: null, isReplayed: false };
}

/** The caller can do nothing, and waiting does not help: the operator must act. */
export function noAccount(podId: string, place: Venue | 'any venue'): Refused {
  return refused('fault', `the pod ${podId} has no account at ${place}: the gateway’s configuration names none`);
}
