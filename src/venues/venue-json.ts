// JSON from venues over HTTP. Reads a body, returns the value of a GET or the reason of its failure, and repeats a read whose connection
// broke. Also reads how long a venue asks us to wait. Any thread.

import { isObject, parseJson, textOf } from '../core/domain/json.ts';
import { plainText } from '../core/domain/plain-text.ts';
import { fail, ok, type Result } from '../core/domain/result.ts';
import type { HttpGet } from '../core/net/http.ts';
import { HTTP_OK } from '../core/net/http-status.ts';
import type { AnswerHeaders, OutboundOutcome } from '../core/net/outbound.ts';
import { retryAfterSeconds } from '../core/net/retry-after.ts';
import { limits } from '../limits.ts';

/** Why a read has no value. `status` is an HTTP status other than 200; null means that no answer came, or that it was not JSON. */
export interface JsonFailure {
  readonly status: number | null;
  readonly message: string;
}

export type JsonResult = Result<unknown, JsonFailure>;

/** Headers with our User-Agent: some of the venue's hosts refuse requests without a User-Agent (venue-a.md §0). */
export const REQUEST_HEADERS: Readonly<Record<string, string>> = {
  'user-agent': 'crossbook',
  accept: 'application/json',
};

/** Returns undefined if the bytes are not JSON text. */
export function parseJsonBytes(bytes: Uint8Array): unknown {
  const buffer = bytes instanceof Buffer ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  return parseJson(buffer.toString());
}

/**
 * Returns the error text of an answer with any status: `{"error": "…"}` or `{"error": {code, message}}`. Empty if the answer has no such
 * text.
 */
export function errorIn(value: unknown): string {
  const error = isObject(value) ? value.error : undefined;
  const words = isObject(error) ? textOf(error.message) || textOf(error.code) : textOf(error);
  return plainText(words, limits.venueWordsMax);
}

/** Reads a URL. Never rejects: a failed request is an answer too. */
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

/** Returns the result of a read. `value` is undefined if the body is not JSON text. `words` describe a status other than 200. */
export function jsonResult(status: number, value: unknown, words = `HTTP ${status}`): JsonResult {
  if (status !== HTTP_OK) return fail({ status, message: words });
  const error = errorIn(value);
  if (error !== '') return fail({ status: null, message: `HTTP ${status} with an error: ${error}` });
  return value === undefined ? fail({ status: null, message: 'an answer that is not JSON' }) : ok(value);
}

/** Repeats a read whose connection broke. `isInTime` says whether time is left for another request. */
export async function askAgainIfLost(
  ask: () => Promise<OutboundOutcome>,
  isInTime: () => boolean = () => true,
): Promise<OutboundOutcome> {
  const outcome = await ask();
  return outcome.type === 'lost' && isInTime() ? ask() : outcome;
}

/** Returns the seconds for which the venue asks us to wait, from 1 to `maxS`, or `otherwiseS` if it states none. */
export function retryAfterS(headers: AnswerHeaders, otherwiseS: number, maxS: number): number {
  const text = headers.get('retry-after') ?? '';
  const seconds = retryAfterSeconds(text, headers.get('date') ?? '', Date.now()) ?? otherwiseS;
  return Math.min(Math.max(seconds, 1), maxS);
}
