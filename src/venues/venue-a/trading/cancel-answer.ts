// Interprets venue A's answer to DELETE /order (venue-a.md §3.3). Pure.

import { isObject, stringsOf, textOf } from '../../../domain/json.ts';
import { plainText } from '../../../domain/plain-text.ts';
import { unreachable } from '../../../domain/result.ts';
import { limits } from '../../../limits.ts';
import { HTTP_OK, HTTP_SERVER_ERROR } from '../../../net/http-status.ts';
import type { CancelOutcome } from '../../venue.ts';
import { verdictOn } from './refusals.ts';
import { retryAfterOf } from './submit-answer.ts';
import { type VenueAnswer, type VenueOutcome, wordsOf } from './venue-api.ts';

export function cancelOutcome(outcome: VenueOutcome, venueOrderId: string): CancelOutcome {
  switch (outcome.type) {
    case 'answer':
      return outcome.status === HTTP_OK ? judged(outcome.body, venueOrderId) : refused(outcome);
    case 'not-sent':
      return { type: 'not-sent', message: outcome.message, retryAfterS: limits.venueARetryAfterS };
    case 'lost':
    case 'timeout':
      return { type: 'unknown', message: outcome.message };
    default:
      return unreachable(outcome);
  }
}

function judged(body: unknown, venueOrderId: string): CancelOutcome {
  if (!isObject(body)) return { type: 'unknown', message: 'an answer that is no JSON object' };
  const isIt = (id: string): boolean => id.toLowerCase() === venueOrderId;
  if (stringsOf(body.canceled).some(isIt)) return { type: 'cancelled' };
  const reasons = Object.entries(isObject(body.not_canceled) ? body.not_canceled : {});
  const reason = reasons.find(([id]) => isIt(id))?.[1];
  if (reason === undefined) return { type: 'unknown', message: 'an answer about another order' };
  const message = plainText(textOf(reason), limits.venueWordsMax);
  return { type: /delay/i.test(message) ? 'not-now' : 'not-found', message };
}

function refused(answer: VenueAnswer): CancelOutcome {
  const message = wordsOf(answer);
  const verdict = verdictOn(answer.status, message);
  switch (verdict.type) {
    case 'refused':
      return verdict.kind === 'notFound' ? { type: 'not-found', message } : { ...verdict, message };
    case 'not-now':
      // A failing server may have cancelled it first: a look-up decides.
      if (answer.status >= HTTP_SERVER_ERROR) return { type: 'unknown', message };
      return { type: 'not-sent', message, retryAfterS: retryAfterOf(answer) };
    case 'exists':
    case 'killed':
    case 'other-version':
    case 'unknown':
      return { type: 'unknown', message };
    default:
      return unreachable(verdict);
  }
}
