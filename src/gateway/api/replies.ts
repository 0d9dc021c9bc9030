// Answers and refusals of both families as HTTP replies (interface §7, contract §3). Main thread.

import { API_ERRORS, type ApiErrorKind } from '../../domain/api-error.ts';
import { type Header, jsonReply, type Reply } from '../../net/listen.ts';

/** Why a request is not served, before it is known in which family's words. */
export interface Refusal {
  readonly kind: ApiErrorKind;
  /** Names the field and the rule; fit for the caller. */
  readonly message: string;
  readonly headers?: readonly Header[];
  /** Which order must be read back. */
  readonly orderId?: string;
}

export function refusal(kind: ApiErrorKind, message: string, headers: readonly Header[] = []): Refusal {
  return { kind, message, headers };
}

/** `{error: {code, message}}`. */
export function signedRefusal({ kind, message, orderId, headers = [] }: Refusal): Reply {
  const { status, code } = API_ERRORS[kind];
  // An order id that is not there is left out of the text.
  return { ...jsonReply(status, { error: { code, message, orderId } }), headers: withRetry(kind, headers) };
}

/** `{error: {message}}`; a key that is missing or unknown is `{message: "Forbidden"}`. */
export function olderRefusal({ kind, message, headers = [] }: Refusal): Reply {
  if (kind === 'forbidden') return { ...jsonReply(403, { message: 'Forbidden' }), headers };
  return { ...jsonReply(API_ERRORS[kind].status, { error: { message } }), headers: withRetry(kind, headers) };
}

/** 502: only a venue could answer, and it failed. Older family only; elsewhere a 502 means an order to be reconciled. */
export function venueFaultReply(message: string): Reply {
  return jsonReply(502, { error: { message } });
}

/** What may be tried again later says when. */
function withRetry(kind: ApiErrorKind, headers: readonly Header[]): readonly Header[] {
  const isTold = API_ERRORS[kind].retry !== 'later' || headers.some(([name]) => name === 'Retry-After');
  return isTold ? headers : [...headers, ['Retry-After', '1']];
}
