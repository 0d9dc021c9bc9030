// Interprets venue A's answer to POST /order (venue-a.md §3.1). Pure.

import type { Intent } from '../../../domain/intent.ts';
import { isObject, type JsonObject, textOf } from '../../../domain/json.ts';
import type { VenueAOrderRequest } from '../../../domain/order-request.ts';
import { type Filled, isFull, NOTHING_FILLED } from '../../../domain/order-sums.ts';
import { unreachable } from '../../../domain/result.ts';
import { limits } from '../../../limits.ts';
import { HTTP_OK } from '../../../net/http-status.ts';
import { retryAfterS } from '../../retry-after.ts';
import type { Standing, SubmitOutcome } from '../../venue.ts';
import { verdictOn } from './refusals.ts';
import { signedOf, statedFill } from './statement.ts';
import type { FeeTerms } from './taker-fee.ts';
import { type VenueAnswer, type VenueOutcome, wordsOf } from './venue-api.ts';
import { wholeOf } from './wire-numbers.ts';

/** `other-version`: the order was signed for another version than the venue's current one. */
export type PostOutcome = SubmitOutcome | { readonly type: 'other-version'; readonly message: string };

export interface Posted {
  readonly intent: Intent;
  readonly request: VenueAOrderRequest;
  /** Fees of its market; null if they are no longer known. */
  readonly fees: FeeTerms | null;
}

const ORDER_ID = /^0x[0-9a-f]{64}$/;

export function postOutcome(outcome: VenueOutcome, posted: Posted): PostOutcome {
  switch (outcome.type) {
    case 'answer':
      return answered(outcome, posted);
    case 'not-sent':
      return { type: 'not-sent', message: outcome.message, retryAfterS: limits.venueARetryAfterS };
    case 'lost':
    case 'timeout':
      return { type: 'unknown', cause: outcome.type, message: outcome.message };
    default:
      return unreachable(outcome);
  }
}

/** Seconds to wait, by the header or the body; bounded. */
export function retryAfterOf({ headers, body }: VenueAnswer): number {
  const stated = isObject(body) ? wholeOf(body.retry_after_seconds) : null;
  return retryAfterS(headers, stated ?? limits.venueARetryAfterS, limits.venueARetryAfterLongestS);
}

function answered(answer: VenueAnswer, posted: Posted): PostOutcome {
  const { status, body } = answer;
  if (status !== HTTP_OK) return refused(answer, posted);
  if (!isObject(body)) return unreadable('an answer that is no JSON object');
  if (isTaken(body)) return taken(body, posted);
  return isRefusal(body) ? refused(answer, posted) : unreadable('an answer with neither an order id nor a reason');
}

/** `success` may be true for a failed order (venue-a.md §3.1). */
function isTaken({ success, errorMsg, orderID }: JsonObject): boolean {
  return success !== false && textOf(errorMsg) === '' && textOf(orderID) !== '';
}

/** With a status of success only the venue's own words refuse. */
function isRefusal({ error, errorMsg }: JsonObject): boolean {
  return textOf(error) !== '' || textOf(errorMsg) !== '';
}

function taken(body: JsonObject, posted: Posted): PostOutcome {
  const venueOrderId = textOf(body.orderID).toLowerCase();
  if (!ORDER_ID.test(venueOrderId)) return unreadable(`an order id that is none: ${venueOrderId.slice(0, 80)}`);
  const accepted = (standing: Standing): PostOutcome => ({ type: 'accepted', venueOrderId, ...standing });
  const status = textOf(body.status).toLowerCase();
  const isThere: PostOutcome = { type: 'exists', message: `taken with status "${status.slice(0, 80)}"` };
  switch (status) {
    case 'live':
    case 'unmatched':
      return posted.request.type === 'MARKET' ? isThere : accepted({ state: 'rests', stated: NOTHING_FILLED });
    case 'delayed':
      return accepted({ state: 'delayed', stated: null });
    case 'matched': {
      const stated = statedBy(body, posted);
      if (stated !== null && isFull(posted.request, stated)) return accepted({ state: 'gone', stated });
      if (posted.request.type !== 'MARKET') return accepted({ state: 'rests', stated });
      // An order that cannot rest has no state until its filled size is known: a look-up decides.
      return stated === null ? isThere : accepted({ state: 'gone', stated });
    }
    default:
      return isThere;
  }
}

/** Null if the answer does not state the matched size: the trades have it. */
function statedBy(body: JsonObject, { intent, fees }: Posted): Filled | null {
  const signed = signedOf(intent.payload);
  const stated = signed === null ? null : statedFill(body.makingAmount, body.takingAmount, signed, fees);
  return stated?.size === 0 ? null : stated;
}

function refused(answer: VenueAnswer, { intent }: Posted): PostOutcome {
  const message = wordsOf(answer);
  const verdict = verdictOn(answer.status, message);
  switch (verdict.type) {
    case 'refused':
      return { type: 'refused', kind: verdict.kind, error: { code: verdict.code, message } };
    case 'exists':
      return { type: 'exists', message };
    case 'killed': {
      const venueOrderId = intent.venueOrderId ?? '';
      return { type: 'accepted', venueOrderId, state: 'gone', stated: NOTHING_FILLED };
    }
    case 'not-now':
      return { type: 'not-sent', message, retryAfterS: retryAfterOf(answer) };
    case 'other-version':
      return { type: 'other-version', message };
    case 'unknown':
      return unreadable(message);
    default:
      return unreachable(verdict);
  }
}

function unreadable(message: string): PostOutcome {
  return { type: 'unknown', cause: 'unreadable', message };
}
