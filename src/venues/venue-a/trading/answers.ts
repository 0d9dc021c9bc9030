// Interprets venue A's answers to new orders and cancels, single and in batches (venue-a.md §3.1 to §3.3). Pure.

import { isObject, type JsonObject, stringsOf, textOf } from '../../../core/domain/json.ts';
import type { MicroShares, Ticks } from '../../../core/domain/numbers.ts';
import { COST_PER_MICRO_DOLLAR, parseMicroShares, TICKS_PER_DOLLAR } from '../../../core/domain/numbers.ts';
import type { Intent, VenueAOrderRequest } from '../../../core/domain/order-request.ts';
import { DUST_SHARES, type Filled, isExact, isFull, NOTHING_FILLED } from '../../../core/domain/order-sums.ts';
import { plainText } from '../../../core/domain/plain-text.ts';
import { unreachable } from '../../../core/domain/result.ts';
import { countUnknown } from '../../../core/metrics/unknown-words.ts';
import { HTTP_SERVER_ERROR, isSuccess } from '../../../core/net/http-status.ts';
import { limits } from '../../../limits.ts';
import { type CancelOutcome, type Standing, type SubmitOutcome, unanswered, unansweredCancel } from '../../venue.ts';
import { parseJsonBytes } from '../../venue-json.ts';
import { type FeeTerms, takerFee } from './market-terms.ts';
import { verdictOn } from './refusals.ts';
import { retryAfterOf, type VenueAnswer, type VenueOutcome, venueErrorOf, wordsOf } from './venue-api.ts';

interface Posted {
  readonly intent: Intent;
  readonly request: VenueAOrderRequest;
  /** The fees of the order's market. Null if they are not known any more. */
  readonly fees: FeeTerms | null;
}

const ORDER_ID = /^0x[0-9a-f]{64}$/;

export function outcomeOfPost(outcome: VenueOutcome, posted: Posted): SubmitOutcome {
  if (outcome.type === 'answer') return answered(outcome, posted);
  return unanswered(outcome, outcome.message, limits.venueARetryAfterS);
}

/**
 * Returns the outcomes of a batch (§3.2). The answer has one item for each order, in their sequence, in the form of an answer to a single
 * order. Returns null if the venue has refused the batch as such, and done nothing.
 */
export function batchOutcomes(outcome: VenueOutcome, posted: readonly Posted[]): readonly SubmitOutcome[] | null {
  if (outcome.type !== 'answer' || !isSuccess(outcome.status)) {
    const outcomes = posted.map(one => outcomeOfPost(outcome, one));
    return outcomes.every(isBatchRefused) ? null : outcomes;
  }
  const legs: readonly unknown[] = Array.isArray(outcome.body) ? outcome.body : [];
  const isInOrder = legs.length === posted.length && legs.every((leg, index) => isOf(leg, index, posted));
  if (!isInOrder) return posted.map(() => unreadable('a list that does not say which order each answer is for'));
  return posted.map((one, index) => answered({ ...outcome, body: legs[index] }, one));
}

function isBatchRefused(outcome: SubmitOutcome): boolean {
  return outcome.type === 'exists' || (outcome.type === 'refused' && outcome.error.code !== 'CREDENTIALS_INVALID');
}

/** Whether an item of the answer does not name another order of the batch. */
function isOf(leg: unknown, index: number, posted: readonly Posted[]): boolean {
  const named = isObject(leg) ? textOf(leg.orderID).toLowerCase() : '';
  const at = posted.findIndex(({ intent }) => intent.venueOrderId === named);
  return at < 0 || at === index;
}

function answered(answer: VenueAnswer, posted: Posted): SubmitOutcome {
  const { status, body } = answer;
  if (!isSuccess(status)) return refused(answer, posted);
  if (!isObject(body)) return unreadable('an answer that is not a JSON object');
  if (isAccepted(body)) return taken(body, posted);
  return isRefusal(body) ? refused(answer, posted) : unreadable('an answer with neither an order id nor a reason');
}

/** Whether the venue has taken the order. `success` alone does not prove that: it may be true for a failed order (venue-a.md §3.1). */
function isAccepted({ success, errorMsg, orderID }: JsonObject): boolean {
  return success !== false && textOf(errorMsg) === '' && textOf(orderID) !== '';
}

/** Whether an answer with a status of success is a refusal: only the venue's own words refuse. */
function isRefusal({ error, errorMsg }: JsonObject): boolean {
  return textOf(error) !== '' || textOf(errorMsg) !== '';
}

function taken(body: JsonObject, posted: Posted): SubmitOutcome {
  const venueOrderId = textOf(body.orderID).toLowerCase();
  if (!ORDER_ID.test(venueOrderId)) return unreadable(`a malformed order id: ${venueOrderId.slice(0, 80)}`);
  const accepted = (standing: Standing): SubmitOutcome => ({ type: 'accepted', venueOrderId, ...standing });
  const status = textOf(body.status).toLowerCase();
  const isMarket = posted.request.type === 'MARKET';
  switch (status) {
    case 'live':
    case 'unmatched':
      // A market order cannot rest, so look-ups find how it ended.
      return accepted(isMarket ? { state: 'delayed', stated: null } : { state: 'rests', stated: NOTHING_FILLED });
    case 'matched': {
      const stated = statedFillOf(body, posted);
      if (stated !== null && isFull(posted.request, stated)) return accepted({ state: 'gone', stated });
      if (!isMarket) return accepted({ state: 'rests', stated });
      // The state of an order that cannot rest is not known until its filled size is. Its trades will show the size.
      if (stated === null) return { type: 'exists', message: 'taken with status "matched"', venueOrderId };
      return accepted({ state: 'gone', stated });
    }
    // For `delayed`, for no status, or for an undocumented one: the venue has the order, and look-ups find its state.
    default:
      if (status !== 'delayed') countUnknown('venue_a', 'order_status', status);
      return accepted({ state: 'delayed', stated: null });
  }
}

/** Returns the id of an order that is matched to an extent that the answer does not state; otherwise returns null. */
export function idOfMatched(outcome: SubmitOutcome): string | null {
  if (outcome.type === 'exists') return outcome.venueOrderId ?? null;
  const isUnstated = outcome.type === 'accepted' && outcome.state === 'rests' && outcome.stated === null;
  return isUnstated ? outcome.venueOrderId : null;
}

/** Returns the filled sum by the answer. Returns null if the answer does not state the matched size; the trades have it. */
function statedFillOf(body: JsonObject, { intent, fees }: Posted): Filled | null {
  const signed = signedOf(intent.payload);
  const stated = signed === null ? null : statedFill(body.makingAmount, body.takingAmount, signed, fees);
  return stated?.size === 0 ? null : stated;
}

function refused(answer: VenueAnswer, { intent }: Posted): SubmitOutcome {
  const message = wordsOf(answer);
  const verdict = verdictOn(answer.status, message);
  const venueError = venueErrorOf(answer);
  switch (verdict.type) {
    case 'refused':
      return { type: 'refused', kind: verdict.kind, error: { code: verdict.code, message }, venueError };
    case 'exists':
      return { type: 'exists', message };
    case 'killed': {
      const venueOrderId = intent.venueOrderId ?? '';
      return { type: 'accepted', venueOrderId, state: 'gone', stated: NOTHING_FILLED };
    }
    case 'not-now':
      return {
        type: 'not-sent',
        message,
        retryAfterS: retryAfterOf(answer),
        venueError,
        isOfMarket: verdict.isOfMarket,
      };
    case 'unknown':
      return unreadable(message);
    default:
      return unreachable(verdict);
  }
}

function unreadable(message: string): SubmitOutcome {
  return { type: 'unknown', cause: 'unreadable', message };
}

export function cancelOutcome(outcome: VenueOutcome, venueOrderId: string): CancelOutcome {
  if (outcome.type !== 'answer') return unansweredCancel(outcome, outcome.message, limits.venueARetryAfterS);
  return isSuccess(outcome.status) ? cancelJudged(outcome.body, venueOrderId) : refusedCancel(outcome);
}

function cancelJudged(body: unknown, venueOrderId: string): CancelOutcome {
  if (!isObject(body)) return { type: 'unknown', message: 'an answer that is not a JSON object' };
  const isIt = (id: string): boolean => id.toLowerCase() === venueOrderId;
  if (stringsOf(body.canceled).some(isIt)) return { type: 'cancelled' };
  const reasons = Object.entries(isObject(body.not_canceled) ? body.not_canceled : {});
  const reason = reasons.find(([id]) => isIt(id))?.[1];
  if (reason === undefined) return { type: 'unknown', message: 'an answer about another order' };
  const message = plainText(textOf(reason), limits.venueWordsMax);
  return { type: /delay/i.test(message) ? 'not-now' : 'not-found', message };
}

function refusedCancel(answer: VenueAnswer): CancelOutcome {
  const message = wordsOf(answer);
  const verdict = verdictOn(answer.status, message);
  switch (verdict.type) {
    case 'refused':
      return verdict.kind === 'notFound' ? { type: 'not-found', message } : { ...verdict, message };
    case 'not-now':
      // A failing server may have cancelled the order before it failed: a look-up decides.
      if (answer.status >= HTTP_SERVER_ERROR) return { type: 'unknown', message };
      return { type: 'not-sent', message, retryAfterS: retryAfterOf(answer) };
    case 'exists':
    case 'killed':
    case 'unknown':
      return { type: 'unknown', message };
    default:
      return unreachable(verdict);
  }
}

/** The side and the signed maker amount of an order, in millionths. */
interface Signed {
  readonly isBuy: boolean;
  readonly makerAmount: bigint;
}

/** The most that an order may give beyond its signed amount, in millionths (venue-a.md §9.4). */
const MADE_OVER = BigInt(DUST_SHARES);
const WHOLE = /^\d{1,16}$/;

/** Reads the signed amounts from the payload of an intent, which we have written. */
function signedOf(payload: Uint8Array): Signed | null {
  const body = parseJsonBytes(payload);
  const order = isObject(body) ? body.order : undefined;
  if (!isObject(order) || !WHOLE.test(textOf(order.makerAmount))) return null;
  return { isBuy: order.side === 'BUY', makerAmount: BigInt(textOf(order.makerAmount)) };
}

/**
 * Returns the filled sum by the amounts that a matched order gave and got, in the order's own frame. The units of the amounts are uncertain
 * (venue-a.md §13): decimals in practice, millionths by the venue's description. The signed amounts decide between the two. Returns null if
 * the statement is missing or impossible. Null `fees` mean that the fees are unknown; they count as none.
 */
export function statedFill(making: unknown, taking: unknown, signed: Signed, fees: FeeTerms | null): Filled | null {
  const [made, taken] = [textOf(making), textOf(taking)];
  if (isNothing(made) && isNothing(taken)) return NOTHING_FILLED;
  const amounts = readPair(made, taken, signed);
  if (amounts === null) return null;
  const [dollars, shares] = signed.isBuy ? amounts : [amounts[1], amounts[0]];
  const size = Number(shares) as MicroShares;
  const cost = dollars * COST_PER_MICRO_DOLLAR;
  const average = Number(cost / shares) as Ticks;
  if (!Number.isSafeInteger(size) || average >= TICKS_PER_DOLLAR) return null;
  // The fees are those of the average price, because the levels are reported later. The fills then replace this sum, and are exact.
  const stated = { size, cost, fees: fees === null ? NOTHING_FILLED.fees : takerFee(fees, average, size) };
  return isExact(stated) ? stated : null;
}

function isNothing(text: string): boolean {
  return text === '' || /^0*(?:\.0*)?$/.test(text);
}

/** Reads both amounts, which have the same unit: decimals, unless the order would then have given more than was signed. */
function readPair(made: string, taken: string, { makerAmount }: Signed): readonly [bigint, bigint] | null {
  const madeMax = makerAmount + MADE_OVER;
  const decimal = [parseMicroShares(made), parseMicroShares(taken)] as const;
  const isDecimal = `${made}${taken}`.includes('.');
  if (decimal[0] !== null && decimal[1] !== null && BigInt(decimal[0]) <= madeMax)
    return positive(BigInt(decimal[0]), BigInt(decimal[1]));
  if (isDecimal || !WHOLE.test(made) || !WHOLE.test(taken)) return null;
  return BigInt(made) <= madeMax ? positive(BigInt(made), BigInt(taken)) : null;
}

function positive(made: bigint, taken: bigint): readonly [bigint, bigint] | null {
  return made > 0n && taken > 0n ? [made, taken] : null;
}
