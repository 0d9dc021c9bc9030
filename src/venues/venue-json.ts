// JSON from venues over HTTP. It reads a body, gives the value of a GET or the reason why there is none, and repeats a read whose
// connection broke. It also reads how long a venue asks us to wait. Any thread.

import { isObject, parseJson, textOf } from '../core/domain/json.ts';
import { plainText } from '../core/domain/plain-text.ts';
import { fail, ok, type Result } from '../core/domain/result.ts';
import type { HttpGet } from '../core/net/http.ts';
import { HTTP_OK } from '../core/net/http-status.ts';
import type { AnswerHeaders, OutboundOutcome } from '../core/net/outbound.ts';
import { retryAfterSeconds } from '../core/net/retry-after.ts';
import { limits } from '../limits.ts';

/** Why there is no value. `status`: an HTTP status other than 200; null: no answer, or one that is no JSON. */
export interface JsonFailure {
  readonly status: number | null;
  readonly message: string;
}

export type JsonResult = Result<unknown, JsonFailure>;

/** Our User-Agent: some of the venue's hosts refuse requests without one (venue-a.md §0). */
export const REQUEST_HEADERS: Readonly<Record<string, string>> = {
  'user-agent': 'crossbook',
  accept: 'application/json',
};

/** Undefined if the bytes are no JSON text. */
export function parseJsonBytes(bytes: Uint8Array): unknown {
  const buffer = bytes instanceof Buffer ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  return parseJson(buffer.toString());
}

/** The error of an answer of any status: `{"error": "…"}` or `{"error": {code, message}}`. Empty if there is none. */
export function errorIn(value: unknown): string {
  const error = isObject(value) ? value.error : undefined;
  const words = isObject(error) ? textOf(error.message) || textOf(error.code) : textOf(error);
  return plainText(words, limits.venueWordsMax);
}

/** Never rejects: a failed request is an answer too. */
export async function getJson(
  get: HttpGet,
  url: string,
  headers: Readonly<Record<string, string>> = REQUEST_HEADERS,
): Promise<JsonResult> {
  try {
    const { status, body } = await get(url, headers);
    return jsonResult(status, parseJson(body));
  } catch (error) {
    return fail({ status: null, message: error instanceof Error ? error.message : 'no answer' });
  }
}

/** Like `getJson`, with the failure in words. */
export async function getListed(...request: Parameters<typeof getJson>): Promise<Result<unknown, string>> {
  const answer = await getJson(...request);
  return answer.ok ? answer : fail(answer.error.message);
}

/** `value`: undefined if the body is no JSON text. `words`: meaning of a status other than 200. */
export function jsonResult(status: number, value: unknown, words = `HTTP ${status}`): JsonResult {
  if (status !== HTTP_OK) return fail({ status, message: words });
  const error = errorIn(value);
  if (error !== '') return fail({ status: null, message: `HTTP ${status} with an error: ${error}` });
  return value === undefined ? fail({ status: null, message: 'an answer that is not JSON' }) : ok(value);
}

/** `isInTime`: whether time is left for another request. */
export async function askAgainIfLost(
  ask: () => Promise<OutboundOutcome>,
  isInTime: () => boolean = () => true,
): Promise<OutboundOutcome> {
  const outcome = await ask();
  return outcome.type === 'lost' && isInTime() ? ask() : outcome;
}

/** Whole seconds from 1 to `maxS`; `otherwiseS` if the venue states none. */
export function retryAfterS(headers: AnswerHeaders, otherwiseS: number, maxS: number): number {
  const text = headers.get('retry-after') ?? '';
  const seconds = retryAfterSeconds(text, headers.get('date') ?? '', Date.now()) ?? otherwiseS;
  return Math.min(Math.max(seconds, 1), maxS);
}
