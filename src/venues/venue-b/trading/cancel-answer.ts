// What venue B's answer to a cancel means (venue-b.md §5.2). Its 404 says the same of an order that is unknown, cancelled or
// filled: look it up. Pure.

import { isObject } from '../../../domain/json.ts';
import type { MicroShares } from '../../../domain/numbers.ts';
import { unreachable } from '../../../domain/result.ts';
import { HTTP_NOT_FOUND, HTTP_OK } from '../../../net/http-status.ts';
import type { OutboundAnswer, OutboundOutcome } from '../../../net/outbound.ts';
import type { CancelOutcome } from '../../venue.ts';
import { parseJsonBytes } from '../../venue-json.ts';
import { sizeOf } from './amounts.ts';
import { notNow } from './not-now.ts';
import { isCredentialsRefusal, isRefusing, meaningOf } from './refusals.ts';
import { bounded, unreadableAnswer, venueWordsOf } from './venue-words.ts';

export interface CancelledOrder {
  readonly venueOrderId: string;
  /** As it was made. */
  readonly size: MicroShares;
}

export function cancelOutcome(order: CancelledOrder, outcome: OutboundOutcome): CancelOutcome {
  switch (outcome.type) {
    case 'answer':
      return answered(order, outcome);
    case 'not-sent':
      return { type: 'not-sent', message: bounded(outcome.message), retryAfterS: 1 };
    case 'lost':
    case 'timeout':
      return { type: 'unknown', message: bounded(outcome.message) };
    default:
      return unreachable(outcome);
  }
}

function answered(order: CancelledOrder, answer: OutboundAnswer): CancelOutcome {
  const { status, body } = answer;
  const unreadable: CancelOutcome = { type: 'unknown', message: unreadableAnswer(answer) };
  const words = venueWordsOf(body);
  if (status === HTTP_OK) return (words === null ? cancelled(order, body) : null) ?? unreadable;
  const later = notNow(answer, words);
  if (later !== null) return later;
  if (words === null) return unreadable;
  const message = words.text;
  const meaning = meaningOf(words);
  if (meaning === 'unknown' || !isRefusing(status)) return { type: 'unknown', message };
  if (isCredentialsRefusal(status)) return { type: 'refused', kind: 'fault', message };
  // A market that has closed cancels by itself; what rests there, if anything, is for a look-up to say.
  if (status === HTTP_NOT_FOUND || meaning === 'no-such-order' || meaning === 'no-market')
    return { type: 'not-found', message };
  return { type: 'refused', kind: 'invalid', message };
}

function cancelled({ venueOrderId, size }: CancelledOrder, body: Uint8Array): CancelOutcome | null {
  const answer = parseJsonBytes(body);
  if (!isObject(answer) || answer.order_id !== venueOrderId) return null;
  const reducedBy = sizeOf(answer.reduced_by);
  if (reducedBy === null) return null;
  if (reducedBy === 0) return { type: 'not-found', message: 'nothing of it was left to cancel' };
  return reducedBy < size ? { type: 'cancelled', filled: (size - reducedBy) as MicroShares } : { type: 'cancelled' };
}
