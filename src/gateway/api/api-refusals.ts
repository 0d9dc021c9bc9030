// Builds the HTTP replies of both families: answers and refusals (interface §7, contract §3). Main thread, and the engine’s
// (src/gateway/door).

import { API_ERRORS, type ApiErrorKind } from '../../core/domain/answer.ts';
import type { OperationReply } from '../../core/domain/operation.ts';
import { type Header, jsonReply, jsonText, type Reply } from '../../core/net/listen.ts';
import { otherOwnerReply } from '../../core/wire/replies.ts';

/** A refusal before it has the form of either family. */
export interface Refusal {
  readonly kind: ApiErrorKind;
  /** The message for the caller. It names the field and the rule, and is safe to show. */
  readonly message: string;
  readonly headers?: readonly Header[];
  /** The id of the order that the caller must read back. */
  readonly orderId?: string;
}

export function refusal(kind: ApiErrorKind, message: string, headers: readonly Header[] = []): Refusal {
  return { kind, message, headers };
}

export const DRAINING = refusal('unavailable', 'the gateway is shutting down: nothing was done');
export const FAULT = refusal('fault', 'a fault of the gateway');

/** The refusal in the form of the signed family: `{error: {code, message}}`. */
export function signedRefusal({ kind, message, orderId, headers = [] }: Refusal): Reply & OperationReply {
  const { status, code } = API_ERRORS[kind];
  // JSON omits `orderId` if it is undefined.
  return { ...jsonReply(status, { error: { code, message, orderId } }), headers: withRetry(kind, headers) };
}

/** The refusal of a request that another gateway must get. `owner` is the base URL of the gateway that owns the caller's pod. */
export function otherOwnerRefusal(owner: string, more: readonly Header[] = []): Reply {
  const { status, body, headers } = otherOwnerReply(owner);
  return { ...jsonText(status, body), headers: [...headers, ...more] };
}

/** The refusal in the form of the older family: `{error: {message}}`. For a missing or unknown key it is `{message: "Forbidden"}`. */
export function olderRefusal({ kind, message, headers = [] }: Refusal): Reply {
  if (kind === 'forbidden') return { ...jsonReply(403, { message: 'Forbidden' }), headers };
  return { ...jsonReply(API_ERRORS[kind].status, { error: { message } }), headers: withRetry(kind, headers) };
}

/**
 * The answer 502: only a venue could answer, and the venue failed. Only the older family uses it, because elsewhere a 502 means that an
 * order must be reconciled.
 */
export function venueFaultReply(message: string): Reply {
  return jsonReply(502, { error: { message } });
}

/** Adds `Retry-After` if a later retry may help. */
function withRetry(kind: ApiErrorKind, headers: readonly Header[]): readonly Header[] {
  const isTold = API_ERRORS[kind].retry !== 'later' || headers.some(([name]) => name === 'Retry-After');
  return isTold ? headers : [...headers, ['Retry-After', '1']];
}
