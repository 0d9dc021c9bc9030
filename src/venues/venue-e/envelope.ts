// The envelope of venue E's answers (venues-c-d-e.md §3): `{errno, errmsg, result}` on the wire, `{code, msg, result}` in its
// documents. A failure may have HTTP status 200. Pure.

import { decimalTextOf, isObject, type JsonObject, textOf } from '../../domain/json.ts';
import { plainText } from '../../domain/plain-text.ts';
import { limits } from '../../limits.ts';
import { HTTP_OK } from '../../net/http-status.ts';
import type { JsonAnswer } from '../market-read-http.ts';

export type Unwrapped =
  | { readonly type: 'result'; readonly result: JsonObject }
  /** Not found. */
  | { readonly type: 'missing' }
  /** Any other failure, in words. */
  | { readonly type: 'odd'; readonly words: string };

/** 400: the id is of the wrong kind. */
const MISSING_STATUSES = [400, 404];
/** Words of the same failure: its error numbers are undocumented. */
const MISSING_WORDS = /not.?(found|exist)|no such|invalid market/i;

export function unwrap({ status, body }: JsonAnswer): Unwrapped {
  if (MISSING_STATUSES.includes(status)) return { type: 'missing' };
  if (!isObject(body)) return odd(`HTTP ${status} and nothing that can be read`);
  const number = body.errno ?? body.code;
  const words = plainText(textOf(body.errmsg) || textOf(body.msg), limits.venueWordsMax);
  if (number !== 0 && MISSING_WORDS.test(words)) return { type: 'missing' };
  if (status !== HTTP_OK || number !== 0)
    return odd(`HTTP ${status}, errno ${decimalTextOf(number).slice(0, 16) || 'none'}: ${words}`);
  return isObject(body.result) ? { type: 'result', result: body.result } : { type: 'missing' };
}

function odd(words: string): Unwrapped {
  return { type: 'odd', words };
}
