// What an order worker answers with, as HTTP has it (interface §7, contract §3). Order workers.

import { API_ERRORS, type ApiErrorKind } from '../domain/api-error.ts';
import type { OrderId } from '../domain/order.ts';
import { type Answer, type Refused, unavailable } from '../orders/answers.ts';
import type { BalanceRefusal } from '../venues/venue.ts';
import type { OperationReply } from './order-tasks.ts';

export function replyOf(status: number, value: object): OperationReply {
  return textReply(status, JSON.stringify(value));
}

/** For what is JSON text already. */
export function textReply(status: number, body: string): OperationReply {
  return { status, body, headers: [] };
}

/** Nothing was done, and the same may be asked for again. */
export function unavailableReply(message: string): OperationReply {
  return refusedReply(unavailable(message));
}

/** Credentials that a venue refuses are ours to set right; else it may be asked again. */
export function noBalanceReply({ kind, message }: BalanceRefusal): OperationReply {
  return kind === 'unavailable' ? unavailableReply(message) : errorReply(kind, message);
}

/** An error without an order. */
export function errorReply(kind: ApiErrorKind, message: string): OperationReply {
  const { status, code } = API_ERRORS[kind];
  return replyOf(status, { error: { code, message } });
}

export function notFound(): OperationReply {
  return errorReply('notFound', 'orderId: no such order');
}

export function answerReply(answer: Answer): OperationReply {
  if (answer.type === 'refused') return refusedReply(answer);
  const { orderId, status, isReplayed } = answer;
  return { ...replyOf(201, { orderId, status }), headers: replayed(isReplayed) };
}

export function refusedReply({ kind, message, orderId, retryAfterS, isReplayed }: Refused): OperationReply {
  const { status, code, retry } = API_ERRORS[kind];
  const error = { code, message, ...orderPart(orderId) };
  const later: readonly (readonly [string, string])[] =
    retry === 'later' ? [['Retry-After', String(Math.max(1, Math.ceil(retryAfterS ?? 1)))]] : [];
  return { ...replyOf(status, { error }), headers: [...replayed(isReplayed), ...later] };
}

function orderPart(orderId: OrderId | null): object {
  return orderId === null ? {} : { orderId };
}

function replayed(isReplayed: boolean): OperationReply['headers'] {
  return isReplayed ? [['Idempotency-Replayed', 'true']] : [];
}
