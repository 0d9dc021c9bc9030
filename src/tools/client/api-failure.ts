// The failures of a call as values to switch over. Reads an answer as a failure or a success (interface §7, contract §3). The main question
// about a failure is whether the order may exist. Portable.

import { ERROR_CODES, type ErrorCode } from '../../core/domain/answer.ts';
import { isObject, type JsonObject, parseJson, textOf } from '../../core/domain/json.ts';
import { ORDER_ERROR_CODES, type OrderErrorCode } from '../../core/domain/order.ts';
import { fail, ok, type Result } from '../../core/domain/result.ts';
import type { SubmittedOrder } from '../../core/generated/api-types.ts';
import { retryAfterSeconds } from '../../core/net/retry-after.ts';
import type { NoAnswer, WireAnswer } from './request-sender.ts';

export type ApiFailure =
  /**
   * The gateway refused and did nothing, with two exceptions. After a 503 the cancel of an order may stay recorded. It is then made once
   * the venue takes it, so read the order. And a refused replace may have ended the old order, which `replaces` says.
   */
  | {
      readonly kind: 'refused';
      readonly status: number;
      /** Null in the older family, which has no codes. */
      readonly code: ErrorCode | null;
      /** The code of the order that a submission or a replace left REJECTED. Null means that there is no such order. */
      readonly reason: OrderErrorCode | null;
      readonly message: string;
      readonly requestId: string;
      /** The seconds until the same request may be sent again. Null means that the request has to change. */
      readonly retryAfterS: number | null;
      /** The present state of the order that was to be replaced. */
      readonly replaces?: SubmittedOrder;
    }
  /**
   * The request may have taken effect: it got a 502 or 504, or it is a mutation whose answer was lost. Never repeat it under another
   * idempotency key. Read the order, or send the same request with the same key.
   */
  | {
      readonly kind: 'unknown-outcome';
      /** Null means that there was no answer. */
      readonly status: number | null;
      readonly message: string;
      readonly requestId: string;
      /** Null means that the gateway named no order. */
      readonly orderId: string | null;
      readonly idempotencyKey: string;
      /** The state, at that time, of the order that was to be replaced. Absent if the gateway did not state it. */
      readonly replaces?: SubmittedOrder;
    }
  /** There was no answer, and there is no effect: the request was never sent, or it only reads. */
  | { readonly kind: 'unreachable'; readonly message: string }
  /** The answer came from a proxy in between, or from another version of the gateway. */
  | { readonly kind: 'unreadable'; readonly status: number; readonly message: string; readonly requestId: string };

export interface ApiAnswer<Value> {
  readonly value: Value;
  readonly status: number;
  /** The value of a header by its lower-case name (`server-timing`, `ratelimit` …). Empty if the header is absent. */
  header(name: string): string;
  readonly requestId: string;
  /** Whether this is the stored answer of an earlier request with the same idempotency key. */
  readonly isReplayed: boolean;
}

/** The facts about a request that decide how its failure is classified. */
export interface Sent {
  /** Whether the request is a POST or DELETE. */
  readonly isMutation: boolean;
  readonly idempotencyKey: string;
}

const UNKNOWN_OUTCOME: ErrorCode = 'ORDER_RECONCILIATION_REQUIRED';
const SHOWN_CHARACTERS_MAX = 200;

export function readAnswer(
  sent: Sent,
  outcome: Result<WireAnswer, NoAnswer>,
): Result<ApiAnswer<JsonObject>, ApiFailure> {
  if (!outcome.ok) return fail(withoutAnswer(sent, outcome.error));
  const answer = outcome.value;
  const { status, text } = answer;
  const header = (name: string): string => answer.header(name);
  const requestId = header('svc-request-id');
  const body = text === null ? undefined : parseJson(text);
  if (!isObject(body)) return fail(notOurs(sent, answer, requestId));
  if (status >= 200 && status < 300) {
    return ok({ value: body, status, header, requestId, isReplayed: header('idempotency-replayed') === 'true' });
  }
  const error = isObject(body.error) ? body.error : body;
  const [message, orderId] = [textOf(error.message), textOf(error.orderId) || null];
  if (message === '') return fail(notOurs(sent, answer, requestId));
  const old = isObject(body.replaces) ? { replaces: body.replaces as unknown as SubmittedOrder } : {};
  const code = ERROR_CODES.find(candidate => candidate === error.code) ?? null;
  const reason = ORDER_ERROR_CODES.find(candidate => candidate === error.reason) ?? null;
  if (code === UNKNOWN_OUTCOME || (sent.isMutation && mayHideAnAnswer(status, code))) {
    const { idempotencyKey } = sent;
    return fail({ kind: 'unknown-outcome', status, message, requestId, orderId, idempotencyKey, ...old });
  }
  const retryAfterS = retryAfterSeconds(header('retry-after'), header('date'), Date.now());
  return fail({ kind: 'refused', status, code, reason, message, requestId, retryAfterS, ...old });
}

function withoutAnswer({ isMutation, idempotencyKey }: Sent, { isUnsent, message }: NoAnswer): ApiFailure {
  if (isUnsent || !isMutation) return { kind: 'unreachable', message };
  return { kind: 'unknown-outcome', status: null, message, requestId: '', orderId: null, idempotencyKey };
}

/** Classifies an answer that is not the gateway's. After a proxy's 4xx nothing was done. After its 5xx the gateway may have acted. */
function notOurs({ isMutation, idempotencyKey }: Sent, { status, text }: WireAnswer, requestId: string): ApiFailure {
  const shown = text === null ? 'too long' : JSON.stringify(text.slice(0, SHOWN_CHARACTERS_MAX));
  const message = `HTTP ${status}, and the body is not an answer of the gateway: ${shown}`;
  const isHarmless = !isMutation || (status >= 400 && status < 500);
  if (isHarmless) return { kind: 'unreadable', status, message, requestId };
  return { kind: 'unknown-outcome', status, message, requestId, orderId: null, idempotencyKey };
}

/** Whether a gateway's answer may be behind this one. A proxy may answer with JSON, too, but without our codes. */
function mayHideAnAnswer(status: number, code: ErrorCode | null): boolean {
  return status === 502 || status === 504 || (status >= 500 && code === null);
}
