// Interprets venue B's answers to new orders (venue-b.md §5.1) and to batches of orders and cancels (§5.5). A refusal counts only if it is
// in the venue's own words, an acceptance only if it is completely readable. Otherwise the outcome is unknown. Pure.

import type { ApiErrorKind } from '../../../core/domain/answer.ts';
import { isAbsent, isObject, type JsonObject, parseJson } from '../../../core/domain/json.ts';
import {
  MICROS_PER_DOLLAR,
  MICROS_PER_SHARE,
  type MicroDollars,
  type MicroShares,
} from '../../../core/domain/numbers.ts';
import type { OrderErrorCode } from '../../../core/domain/order.ts';
import { filledInFrame } from '../../../core/domain/order-frame.ts';
import type { VenueBOrderRequest } from '../../../core/domain/order-request.ts';
import { canRest, type Filled, isExact, NOTHING_FILLED } from '../../../core/domain/order-sums.ts';
import { unreachable } from '../../../core/domain/result.ts';
import { HTTP_BAD_REQUEST, HTTP_CREATED, HTTP_NOT_FOUND, HTTP_OK } from '../../../core/net/http-status.ts';
import type { OutboundAnswer, OutboundOutcome } from '../../../core/net/outbound.ts';
import { type CancelOutcome, type EndReason, type SubmitOutcome, unanswered, unansweredCancel } from '../../venue.ts';
import { venueIdOf } from '../../wire-values.ts';
import { moneyOf, sizeOf } from './amounts.ts';
import { isGrouped, yesTerms } from './order-body.ts';
import {
  isCredentialsRefusal,
  isRefusing,
  logText,
  meaningOf,
  type RefusalMeaning,
  unavailableNow,
  unreadableAnswer,
  type VenueWords,
  wordsIn,
} from './refusals.ts';
import { answeredCost } from './reported-rows.ts';

/** The seconds to wait after a request that found no connection. */
const RETRY_AFTER_S = 1;

interface SentOrder {
  readonly request: VenueBOrderRequest;
  readonly clientOrderId: string;
  /** The body of the order. */
  readonly payload: Uint8Array;
}

const NO_PAYLOAD: Uint8Array = new Uint8Array(0);

export function submitOutcome(
  request: VenueBOrderRequest,
  clientOrderId: string,
  outcome: OutboundOutcome,
  payload = NO_PAYLOAD,
): SubmitOutcome {
  const order = { request, clientOrderId, payload };
  return readSubmit(outcome, (answer, body) => readAccepted(order, body) ?? unreadable(answer));
}

/**
 * Returns the outcomes of a batch (venue-b.md §5.5), one for each order, in the sequence of the orders. Returns null if the venue has
 * refused the batch as such, and done nothing.
 */
export function batchOutcomes(orders: readonly SentOrder[], outcome: OutboundOutcome): readonly SubmitOutcome[] | null {
  let items: readonly unknown[] = [];
  const common = readSubmit(outcome, (answer, body) => {
    items = itemsOf(body);
    return unreadable(answer);
  });
  if (isBatchRefused(common)) return null;
  // A list of another length cannot be matched to the orders.
  if (outcome.type !== 'answer' || items.length !== orders.length) return orders.map(() => common);
  return orders.map((order, index) => itemOutcome(order, items[index], outcome));
}

function isBatchRefused(outcome: SubmitOutcome): boolean {
  return outcome.type === 'exists' || (outcome.type === 'refused' && outcome.error.code !== 'CREDENTIALS_INVALID');
}

function itemsOf(batch: unknown): readonly unknown[] {
  return isObject(batch) && Array.isArray(batch.orders) ? batch.orders : [];
}

/**
 * Interprets an answer. `read` reads an answer with a status of success and without an error; its `body` is undefined if it is not JSON.
 */
export function readSubmit<Outcome>(
  outcome: OutboundOutcome,
  read: (answer: OutboundAnswer, body: unknown) => Outcome,
): SubmitOutcome | Outcome {
  if (outcome.type !== 'answer') return unanswered(outcome, logText(outcome.message), RETRY_AFTER_S);
  const { status } = outcome;
  const body = parseJson(outcome.body);
  const words = wordsIn(body);
  if (status === HTTP_OK || status === HTTP_CREATED) return words === null ? read(outcome, body) : unreadable(outcome);
  const later = unavailableNow(outcome, words);
  if (later !== null) return { ...later, venueError: words?.venueError };
  return words === null ? unreadable(outcome) : refusedOutcome(status, words);
}

function itemOutcome(order: SentOrder, item: unknown, answer: OutboundAnswer): SubmitOutcome {
  if (!isObject(item) || !isForOrder(order, item)) return unreadable(answer);
  if (isAbsent(item.error)) return readAccepted(order, item) ?? unreadable(answer);
  const words = wordsIn(item);
  if (words === null || !isAbsent(item.order_id)) return unreadable(answer);
  const later = unavailableNow(answer, words);
  if (later !== null) return { ...later, venueError: words.venueError };
  // An item has no status of its own, so an unknown code proves nothing about the order.
  if (UNPROVEN.has(meaningOf(words))) return { type: 'unknown', cause: 'unreadable', message: words.text };
  return refusedOutcome(HTTP_BAD_REQUEST, words);
}

const UNPROVEN: ReadonlySet<RefusalMeaning> = new Set(['no-such-order', 'nothing-left', 'expired', 'unknown', 'other']);

function isForOrder({ clientOrderId }: SentOrder, { client_order_id }: JsonObject): boolean {
  return isAbsent(client_order_id) || client_order_id === clientOrderId;
}

function readAccepted(sent: SentOrder, order: unknown): SubmitOutcome | null {
  if (!isObject(order)) return null;
  const { request } = sent;
  const venueOrderId = venueIdOf(order.order_id);
  const filled = sizeOf(order.fill_count);
  const remaining = sizeOf(order.remaining_count);
  if (venueOrderId === '' || !isForOrder(sent, order) || filled === null || remaining === null) return null;
  if (filled + remaining > request.size) return null;
  const stated = filled === 0 ? NOTHING_FILLED : filledByAverage(request, filled, order);
  if (stated === 'unreadable') return null;
  const rests = remaining > 0 && canRest(request);
  if (rests) return { type: 'accepted', venueOrderId, state: 'rests', stated };
  const reason = reasonOf(sent, filled);
  if (stated === null)
    return { type: 'exists', message: 'taken, at prices that the venue does not state', venueOrderId, reason };
  return { type: 'accepted', venueOrderId, state: 'gone', stated, reason };
}

/**
 * Returns why an order that could rest is neither filled nor rests. It has met another order of its account (venue-b.md §5.1), or triggered
 * its group; the stream says which. It cannot have expired, because the venue refuses a time that has passed.
 */
function reasonOf({ request, payload }: SentOrder, filled: MicroShares): EndReason | undefined {
  if (!canRest(request) || filled === request.size) return undefined;
  return isGrouped(payload) ? 'VENUE' : 'SELF_TRADE';
}

/**
 * Returns the filled sum: averages per contract, times contracts. Returns null if the price is not stated; the fills have the prices then.
 */
function filledByAverage(
  request: VenueBOrderRequest,
  filled: MicroShares,
  order: { readonly [key: string]: unknown },
): Filled | 'unreadable' | null {
  if (isAbsent(order.average_fill_price)) return null;
  const price = moneyOf(order.average_fill_price);
  const fee = isAbsent(order.average_fee_paid) ? 0 : moneyOf(order.average_fee_paid);
  if (price === null || fee === null || price > MICROS_PER_DOLLAR) return 'unreadable';
  // Micro-dollars × micro-shares are hundredths of ticks × micro-shares.
  const average = (BigInt(price) * BigInt(filled) + 50n) / 100n;
  const fees = Number(
    (BigInt(fee) * BigInt(filled) + BigInt(MICROS_PER_SHARE / 2)) / BigInt(MICROS_PER_SHARE),
  ) as MicroDollars;
  if (!isExact({ size: filled, fees })) return 'unreadable';
  const { side, price: limit } = yesTerms(request);
  const cost = answeredCost({ side, limit, size: filled, cost: average });
  return cost === null ? null : filledInFrame(request, { size: filled, cost, fees });
}

function refusedOutcome(status: number, words: VenueWords): SubmitOutcome {
  const message = words.text;
  const meaning = meaningOf(words);
  const refusal = (kind: ApiErrorKind, code: OrderErrorCode): SubmitOutcome => {
    return { type: 'refused', kind, error: { code, message }, venueError: words.venueError };
  };
  if (!isRefusing(status)) return { type: 'unknown', cause: 'unreadable', message };
  if (isCredentialsRefusal(status, words)) return refusal('fault', 'CREDENTIALS_INVALID');
  switch (meaning) {
    case 'exists':
      return { type: 'exists', message };
    case 'not-feasible':
      return refusal('invalid', 'NOT_FEASIBLE');
    case 'insufficient-balance':
      return refusal('insufficientBalance', 'VENUE_REJECTED');
    case 'no-market':
      return refusal('notFound', 'VENUE_REJECTED');
    case 'invalid-order':
      return refusal('invalid', 'INVALID_ORDER');
    case 'unknown':
      return { type: 'unknown', cause: 'unreadable', message };
    case 'nothing-left':
      return refusal('notCancellable', 'NOT_FEASIBLE');
    case 'no-such-order':
    case 'declined':
    case 'unattested':
    // `unavailableNow` has handled this before.
    case 'paused':
    case 'expired':
    case 'other':
      return refusal('invalid', 'VENUE_REJECTED');
    default:
      return unreachable(meaning);
  }
}

export function unreadable(answer: OutboundAnswer): Extract<SubmitOutcome, { type: 'unknown' }> {
  return { type: 'unknown', cause: 'unreadable', message: unreadableAnswer(answer) };
}

export interface CancelledOrder {
  readonly venueOrderId: string;
  /** The requested size. */
  readonly size: MicroShares;
}

/**
 * Returns one outcome for each order. The answer's status refuses the whole batch, an error in an item refuses that item's order. The venue
 * says "not found" of unknown, cancelled and filled orders alike, so they have to be looked up.
 */
export function cancelOutcomes(orders: readonly CancelledOrder[], outcome: OutboundOutcome): readonly CancelOutcome[] {
  if (outcome.type !== 'answer') {
    const common = unansweredCancel(outcome, logText(outcome.message), RETRY_AFTER_S);
    return orders.map(() => common);
  }
  const body = parseJson(outcome.body);
  const words = wordsIn(body);
  const unreadable: CancelOutcome = { type: 'unknown', message: unreadableAnswer(outcome) };
  if (outcome.status === HTTP_OK && words === null) {
    const items = itemsOf(body);
    return orders.map(
      order => (items.length === orders.length ? cancelItem(order, items, outcome) : null) ?? unreadable,
    );
  }
  const common = refusedCancel(outcome, words) ?? unreadable;
  return orders.map(() => common);
}

/** Null if the answer is unreadable. */
function refusedCancel(answer: OutboundAnswer, words: VenueWords | null): CancelOutcome | null {
  const { status } = answer;
  if (status === HTTP_OK) return null;
  const later = unavailableNow(answer, words);
  if (later !== null) return later;
  if (words === null) return null;
  const message = words.text;
  const meaning = meaningOf(words);
  if (meaning === 'unknown' || !isRefusing(status)) return { type: 'unknown', message };
  if (isCredentialsRefusal(status, words)) return { type: 'refused', kind: 'fault', message };
  // A closed market cancels its orders by itself. A look-up finds the orders that still rest.
  if (status === HTTP_NOT_FOUND || meaning === 'no-such-order' || meaning === 'no-market')
    return { type: 'not-found', message };
  return { type: 'refused', kind: 'invalid', message };
}

/** Returns the outcome in an order's item. Returns null if the item is unreadable, missing, or there more than once. */
function cancelItem(order: CancelledOrder, items: readonly unknown[], answer: OutboundAnswer): CancelOutcome | null {
  const its = items.filter(isObject).filter(({ order_id }) => order_id === order.venueOrderId);
  const [item] = its;
  if (item === undefined || its.length > 1) return null;
  if (isAbsent(item.error)) return cancelledItem(order, item);
  const words = wordsIn(item);
  // An item with an error is readable only if it says that nothing of the order was cancelled.
  if (words === null || !(isAbsent(item.reduced_by) || sizeOf(item.reduced_by) === 0)) return null;
  return unavailableNow(answer, words) ?? refusedItem(words);
}

/**
 * Returns the outcome of an item with an error. An item has no status that separates refusals from failures of the venue, so an unknown
 * code proves nothing about the order.
 */
function refusedItem(words: VenueWords): CancelOutcome {
  const message = words.text;
  const meaning = meaningOf(words);
  switch (meaning) {
    case 'no-such-order':
    case 'no-market':
      return { type: 'not-found', message };
    case 'invalid-order':
    case 'unattested':
      return { type: 'refused', kind: 'invalid', message };
    case 'exists':
    case 'not-feasible':
    case 'insufficient-balance':
    case 'nothing-left':
    case 'declined':
    // `unavailableNow` has handled this before.
    case 'paused':
    case 'expired':
    case 'unknown':
    case 'other':
      return { type: 'unknown', message };
    default:
      return unreachable(meaning);
  }
}

function cancelledItem({ size }: CancelledOrder, item: JsonObject): CancelOutcome | null {
  const reducedBy = sizeOf(item.reduced_by);
  if (reducedBy === null) return null;
  if (reducedBy === 0) return { type: 'not-found', message: 'nothing of it was left to cancel' };
  return reducedBy < size ? { type: 'cancelled', filled: (size - reducedBy) as MicroShares } : { type: 'cancelled' };
}
