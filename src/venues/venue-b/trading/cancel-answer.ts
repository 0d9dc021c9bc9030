// Interprets venue B's answer to a cancel: a batch of one order (venue-b.md §5.5). Its status refuses the whole batch, an error in its
// item refuses the order. "Not found" is the same for unknown, cancelled and filled orders: look it up. Pure.

import { isObject, isUnsaid, type JsonObject } from '../../../domain/json.ts';
import type { MicroShares } from '../../../domain/numbers.ts';
import { unreachable } from '../../../domain/result.ts';
import { HTTP_NOT_FOUND, HTTP_OK } from '../../../net/http-status.ts';
import type { OutboundAnswer, OutboundOutcome } from '../../../net/outbound.ts';
import type { CancelOutcome } from '../../venue.ts';
import { parseJsonBytes } from '../../venue-json.ts';
import { sizeOf } from './amounts.ts';
import { notNow } from './not-now.ts';
import { isCredentialsRefusal, isRefusing, meaningOf } from './refusals.ts';
import { bounded, unreadableAnswer, type VenueWords, venueWordsOf, wordsIn } from './venue-words.ts';

export interface CancelledOrder {
  readonly venueOrderId: string;
  /** The request as made. */
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
  if (status === HTTP_OK) return (words === null ? ofItem(order, answer) : null) ?? unreadable;
  const later = notNow(answer, words);
  if (later !== null) return later;
  if (words === null) return unreadable;
  const message = words.text;
  const meaning = meaningOf(words);
  if (meaning === 'unknown' || !isRefusing(status)) return { type: 'unknown', message };
  if (isCredentialsRefusal(status, words)) return { type: 'refused', kind: 'fault', message };
  // A closed market cancels its orders by itself; a look-up finds what still rests.
  if (status === HTTP_NOT_FOUND || meaning === 'no-such-order' || meaning === 'no-market')
    return { type: 'not-found', message };
  return { type: 'refused', kind: 'invalid', message };
}

/** Null: unreadable, or not about this order alone. */
function ofItem(order: CancelledOrder, answer: OutboundAnswer): CancelOutcome | null {
  const batch = parseJsonBytes(answer.body);
  if (!isObject(batch) || !Array.isArray(batch.orders) || batch.orders.length !== 1) return null;
  const item: unknown = batch.orders[0];
  if (!isObject(item) || item.order_id !== order.venueOrderId) return null;
  if (isUnsaid(item.error)) return cancelled(order, item);
  const words = wordsIn(item);
  // With an error, nothing of the order was cancelled.
  if (words === null || !(isUnsaid(item.reduced_by) || sizeOf(item.reduced_by) === 0)) return null;
  return notNow(answer, words) ?? refusedItem(words);
}

/** The status does not separate refusals from failures of the venue: an unknown code proves nothing about the order. */
function refusedItem(words: VenueWords): CancelOutcome {
  const message = words.text;
  const meaning = meaningOf(words);
  switch (meaning) {
    case 'no-such-order':
    case 'no-market':
      return { type: 'not-found', message };
    case 'invalid-order':
      return { type: 'refused', kind: 'invalid', message };
    case 'exists':
    case 'not-feasible':
    case 'insufficient-balance':
    // Handled before (not-now.ts).
    case 'paused':
    case 'expired':
    case 'unknown':
    case 'other':
      return { type: 'unknown', message };
    default:
      return unreachable(meaning);
  }
}

function cancelled({ size }: CancelledOrder, item: JsonObject): CancelOutcome | null {
  const reducedBy = sizeOf(item.reduced_by);
  if (reducedBy === null) return null;
  if (reducedBy === 0) return { type: 'not-found', message: 'nothing of it was left to cancel' };
  return reducedBy < size ? { type: 'cancelled', filled: (size - reducedBy) as MicroShares } : { type: 'cancelled' };
}
