// What can go wrong with a call, as values to switch over, and how an answer is read as one of them or as success
// (interface §7, contract §3). The difference that matters is whether the order may exist. Portable.

import { ERROR_CODES, type ErrorCode } from '../domain/api-error.ts';
import { isObject, type JsonObject, parseJson, textOf } from '../domain/json.ts';
import { fail, ok, type Result } from '../domain/result.ts';
import { retryAfterSeconds } from '../net/retry-after.ts';
import type { NoAnswer, WireAnswer } from './transport.ts';

export type ApiFailure =
  /**
   * The gateway said no, and nothing was done. Only the cancel of an order that is refused with 503 may stay wanted, and be made as soon as
   * its venue takes it: read the order.
   */
  | {
      readonly kind: 'refused';
      readonly status: number;
      /** Null in the older family, which has none. */
      readonly code: ErrorCode | null;
      readonly message: string;
      readonly requestId: string;
      /** Seconds after which the same request may be sent again; null if it has to change. */
      readonly retryAfterS: number | null;
    }
  /**
   * The request may have taken effect, and nobody knows yet: a 502 or 504, or a mutation whose answer was lost. Never
   * repeat it under another idempotency key; read the order, or send the same again under this one.
   */
  | {
      readonly kind: 'unknown-outcome';
      /** Null if there was no answer. */
      readonly status: number | null;
      readonly message: string;
      readonly requestId: string;
      /** Null if the gateway did not name one. */
      readonly orderId: string | null;
      readonly idempotencyKey: string;
    }
  /** No answer, and nothing can have happened: it never left, or it only reads. */
  | { readonly kind: 'unreachable'; readonly message: string }
  /** An answer that is not the gateway's. It comes from something between, or from another version. */
  | { readonly kind: 'unreadable'; readonly status: number; readonly message: string; readonly requestId: string };

export interface ApiAnswer<Value> {
  readonly value: Value;
  readonly status: number;
  /** Value of a header by lower-case name (`server-timing`, `ratelimit` …); empty if absent. */
  header(name: string): string;
  readonly requestId: string;
  /** Whether it is the stored answer of an earlier request with the same idempotency key. */
  readonly isReplayed: boolean;
}

/** What was asked for, as far as it matters to what its failure means. */
export interface Asked {
  /** POST or DELETE. */
  readonly isMutation: boolean;
  readonly idempotencyKey: string;
}

const UNKNOWN_OUTCOME: ErrorCode = 'ORDER_RECONCILIATION_REQUIRED';
const SHOWN_CHARACTERS_MAX = 200;

export function readAnswer(
  asked: Asked,
  outcome: Result<WireAnswer, NoAnswer>,
): Result<ApiAnswer<JsonObject>, ApiFailure> {
  if (!outcome.ok) return fail(withoutAnswer(asked, outcome.error));
  const answer = outcome.value;
  const { status, text } = answer;
  const header = (name: string): string => answer.header(name);
  const requestId = header('svc-request-id');
  const body = text === null ? undefined : parseJson(text);
  if (!isObject(body)) return fail(notOurs(asked, answer, requestId));
  if (status >= 200 && status < 300) {
    return ok({ value: body, status, header, requestId, isReplayed: header('idempotency-replayed') === 'true' });
  }
  const error = isObject(body.error) ? body.error : body;
  const [message, orderId] = [textOf(error.message), textOf(error.orderId) || null];
  if (message === '') return fail(notOurs(asked, answer, requestId));
  const code = ERROR_CODES.find(candidate => candidate === error.code) ?? null;
  if (code === UNKNOWN_OUTCOME || (asked.isMutation && mayHideAnAnswer(status, code))) {
    return fail({ kind: 'unknown-outcome', status, message, requestId, orderId, idempotencyKey: asked.idempotencyKey });
  }
  const retryAfterS = retryAfterSeconds(header('retry-after'), header('date'), Date.now());
  return fail({ kind: 'refused', status, code, message, requestId, retryAfterS });
}

function withoutAnswer({ isMutation, idempotencyKey }: Asked, { isUnsent, message }: NoAnswer): ApiFailure {
  if (isUnsent || !isMutation) return { kind: 'unreachable', message };
  return { kind: 'unknown-outcome', status: null, message, requestId: '', orderId: null, idempotencyKey };
}

/** A proxy that refused (4xx) did nothing; if it failed (5xx) the gateway may have acted. */
function notOurs({ isMutation, idempotencyKey }: Asked, { status, text }: WireAnswer, requestId: string): ApiFailure {
  const shown = text === null ? 'too long' : JSON.stringify(text.slice(0, SHOWN_CHARACTERS_MAX));
  const message = `HTTP ${status}, and the body is not an answer of the gateway: ${shown}`;
  const isHarmless = !isMutation || (status >= 400 && status < 500);
  if (isHarmless) return { kind: 'unreadable', status, message, requestId };
  return { kind: 'unknown-outcome', status, message, requestId, orderId: null, idempotencyKey };
}

/** A proxy speaks JSON too, but has no code of ours. */
function mayHideAnAnswer(status: number, code: ErrorCode | null): boolean {
  return status === 502 || status === 504 || (status >= 500 && code === null);
}
