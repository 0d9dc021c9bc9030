// Cancels one order (contract §4.9): the request is first recorded, then sent, and answered once the venue confirms the cancel. A fill wins
// over a cancel. After an ambiguous answer the order is read until its state is clear or time is up. With a lenient ledger the cancel is
// sent even without a record, since a repeated cancel does no harm. Engine thread.

import { type Refused, refused, unavailable, unknownOutcome } from '../../core/domain/answer.ts';
import type { Venue } from '../../core/domain/market.ts';
import type { UnixMillis } from '../../core/domain/numbers.ts';
import { isTerminal, type Order, type OrderId } from '../../core/domain/order.ts';
import { unreachable } from '../../core/domain/result.ts';
import { hasCome, type Timers } from '../../core/runtime/timers.ts';
import type { StoredOrder } from '../../core/store/order-records.ts';
import { limits } from '../../limits.ts';
import type { CancelOutcome, VenueTrading } from '../../venues/venue.ts';
import { recordCancelRequest } from './cancel-requests.ts';
import { type Confirmed, endCancelled } from './confirmed-cancel.ts';
import type { Ledger } from './ledger.ts';
import type { LedgerEntry } from './ledger-entry.ts';
import { firstResult } from './order-waiters.ts';
import { lookAt } from './reconcile.ts';

export interface CancelParts {
  readonly ledger: Ledger;
  readonly timers: Timers;
}

/** The answer to a cancel. `cancelled` means that the venue has confirmed the cancel, and the order is CANCELLED. */
export type CancelAnswer = { readonly type: 'cancelled'; readonly order: Order } | Refused;

/** Cancels an order of the caller. `deadline` is the deadline of the whole request. */
export async function cancel(
  parts: CancelParts,
  venue: VenueTrading,
  { order }: StoredOrder,
  deadline: UnixMillis,
): Promise<CancelAnswer> {
  if (isTerminal(order.status)) return endedRefusal(order);
  // The request is recorded before anything is sent, so that a later look-up can make the cancel.
  const { wanted, isNew } = parts.ledger.change(entry => requestCancel(entry, order.orderId));
  const isKept = parts.ledger.isRecorded;
  return carryOut(parts, venue, isKept ? wanted : order, { deadline, isNew, isKept });
}

export interface BatchCancel {
  readonly answer: CancelAnswer;
  readonly isRecorded: boolean;
}

/**
 * Cancels several orders of one caller at one venue (beyond §3). One record has all cancel requests, and one request goes to the venue.
 * Each order is answered as by `cancel`. Throws, or rejects with, a StoreError only.
 */
export function cancelBatch(
  { ledger, timers }: CancelParts,
  venue: VenueTrading,
  orders: readonly StoredOrder[],
  deadline: UnixMillis,
): readonly Promise<BatchCancel>[] {
  const shared = ledger.lenient();
  const open = orders.filter(({ order }) => !isTerminal(order.status));
  const requests = shared.change(entry => open.map(({ order }) => ({ order, ...requestCancel(entry, order.orderId) })));
  const isKept = shared.isRecorded;
  const wanted = requests.map(it => ({ ...it, order: isKept ? it.wanted : it.order }));
  const named = wanted.filter(({ order }) => order.venueOrderId !== null && !isTerminal(order.status));
  const targets = named.map(({ order }) => order);
  const attempts = targets.length > 1 ? venue.cancelBatch(targets, deadline) : null;
  return orders.map(async ({ order }) => {
    // Each order has its own ledger: if the record of one order is missing, the other orders are still recorded.
    const parts = { ledger: ledger.lenient(), timers };
    const request = wanted.find(it => it.order.orderId === order.orderId);
    if (request === undefined) return { answer: endedRefusal(order), isRecorded: true };
    const index = targets.indexOf(request.order);
    const first = attempts === null || index < 0 ? null : attempts.then(outcomes => outcomes[index]!);
    const answer = await carryOut(parts, venue, request.order, { deadline, isNew: request.isNew, isKept, first });
    return { answer, isRecorded: isKept && (await isRecordKept(parts, answer)) };
  });
}

/** Whether the record of an answered cancel is kept. */
export async function isRecordKept(parts: CancelParts, answer: CancelAnswer): Promise<boolean> {
  const isLeft = answer.type === 'refused' && answer.kind !== 'notCancellable';
  return isLeft ? isRequestKept(parts) : parts.ledger.isRecorded;
}

/** Whether the record of a cancel that is made later is as safe as the mode requires. */
export function isRequestKept({ ledger, timers }: CancelParts): Promise<boolean> {
  return ledger.isSafe(timers);
}

interface Requested {
  readonly wanted: Order;
  readonly isNew: boolean;
}

function requestCancel(entry: LedgerEntry, orderId: OrderId): Requested {
  const isNew = entry.order(orderId).cancelRequestedAt === null;
  return { wanted: recordCancelRequest(entry, orderId), isNew };
}

interface CancelRequest {
  /** The deadline of the whole request, however many orders it covers. */
  readonly deadline: UnixMillis;
  /** Whether no earlier cancel request existed, except for the request of a replace. */
  readonly isNew: boolean;
  /** Whether the request is recorded. A recorded cancel that is not made now is made later. */
  readonly isKept: boolean;
  /** The outcome of the order in a batch that is in flight. Null means that the order is cancelled by a request of its own. */
  readonly first?: Promise<CancelOutcome> | null;
}

/**
 * Carries out the cancel of an order with a cancel request. Another caller may have requested the cancel as well, and may have cancelled
 * the order by now.
 */
export async function carryOut(
  parts: CancelParts,
  venue: VenueTrading,
  wanted: Order,
  { deadline, isNew, isKept, first = null }: CancelRequest,
): Promise<CancelAnswer> {
  let known = wanted;
  let batch = first;
  /** The venue's confirmation, while fills that it counts are still to be found. */
  let confirmed: Confirmed | null = null;
  for (let pauseMs: number = limits.cancelPollMs; ; pauseMs = Math.min(2 * pauseMs, limits.cancelPollMsMax)) {
    if (isTerminal(known.status)) return finalAnswer(known);
    const isNamed = known.venueOrderId !== null;
    const attempt: CancelOutcome | null =
      confirmed ?? (isNamed ? await (batch ?? venue.cancel(known, deadline)) : null);
    batch = null;
    if (attempt?.type === 'cancelled') confirmed = attempt;
    if (attempt?.type === 'refused' && isNew && isKept) revoke(parts, wanted);
    const answer = attempt === null ? null : answerTo(parts, known, attempt, isKept);
    if (answer !== null) return answer;
    // An order without a venue's id is looked up only after longer pauses, because the answer to its submission is usually near.
    if (known.venueOrderId !== null || pauseMs >= limits.cancelLookPauseMs)
      known = await lookUp(parts, venue, known, confirmed === null ? deadline : lookDeadline(parts, deadline));
    if (isTerminal(known.status)) return finalAnswer(known);
    if (isDueBefore(parts, deadline, pauseMs))
      return confirmed === null
        ? undecidedRefusal(known, isKept)
        : unknownOutcome('unknownOutcome', known.orderId, FILLS_UNKNOWN);
    known = await orderAfterPause(parts, known, pauseMs);
  }
}

/** Whether the deadline comes before the pause ends. A deadline that is too far away counts as past, because the clock was set back. */
export function isDueBefore({ timers }: Pick<CancelParts, 'timers'>, deadline: UnixMillis, pauseMs: number): boolean {
  return hasCome(deadline, timers.now() + pauseMs, limits.venueAnswerTimeoutMs);
}

/** Revokes a refused cancel, unless another request asked for the cancel too. A cancel that is not revoked is tried again later. */
function revoke({ ledger }: CancelParts, { orderId, cancelRequestedAt }: Order): void {
  ledger.change(entry => {
    const isLast = entry.order(orderId).cancelRequestedAt === cancelRequestedAt;
    if (isLast) entry.apply(orderId, [{ type: 'cancel-revoked', at: entry.at }]);
  });
}

/** Returns a deadline for a short look-up. News of the private stream counts between the look-ups. */
function lookDeadline({ timers }: CancelParts, deadline: UnixMillis): UnixMillis {
  return Math.min(deadline, timers.now() + limits.cancelFillsLookMs) as UnixMillis;
}

/** Returns the deadline of contract §4.7, counted from now. */
export function cancelDeadline({ timers }: Pick<CancelParts, 'timers'>): UnixMillis {
  return (timers.now() + limits.venueAnswerTimeoutMs) as UnixMillis;
}

const NOT_SENT_YET =
  'nothing was sent yet; the cancel stays wanted and is made as soon as the venue takes it: read the order';
const STAYS_WANTED = 'it stays wanted: read the order';
const FILLS_UNKNOWN = 'the venue has cancelled it, and what it has filled is not known yet: read the order';
const NOT_KEPT = 'the cancel could not be recorded, and is not made later: cancel again';

/** Returns the answer to the outcome of a cancel. Null means that a look-up must decide. */
function answerTo(parts: CancelParts, order: Order, outcome: CancelOutcome, isKept: boolean): CancelAnswer | null {
  const { request } = order;
  switch (outcome.type) {
    case 'cancelled': {
      const ended = endCancelled(parts.ledger, order, outcome);
      return ended === null ? null : finalAnswer(ended);
    }
    case 'refused':
      return refused(outcome.kind, outcome.message);
    case 'not-sent':
      return notSentRefusal(request.venue, outcome, isKept);
    case 'not-found':
    case 'not-now':
    case 'unknown':
      return null;
    default:
      return unreachable(outcome);
  }
}

export function notSentRefusal(
  venue: Venue,
  { message, retryAfterS }: Extract<CancelOutcome, { type: 'not-sent' }>,
  isKept: boolean,
): Refused {
  return unavailable(`${venue}: ${message}: ${isKept ? NOT_SENT_YET : NOT_KEPT}`, retryAfterS);
}

async function lookUp(parts: CancelParts, venue: VenueTrading, order: Order, deadline: UnixMillis): Promise<Order> {
  const stored = parts.ledger.store.order(order.orderId);
  if (stored === null) return order;
  const now = () => parts.timers.now();
  return (await lookAt({ ledger: parts.ledger, now }, venue, stored, deadline)).order;
}

/**
 * Returns the stored order, which the stream may have updated. Returns `order` if only that has the venue's id, because nothing could be
 * recorded.
 */
function currentOrder({ ledger }: CancelParts, order: Order): Order {
  const stored = ledger.store.order(order.orderId)?.order ?? order;
  const isBehind = stored.venueOrderId === null && order.venueOrderId !== null;
  return isBehind && !isTerminal(stored.status) ? order : stored;
}

/** Waits for the pause. Ends early if the order ends, or if the venue's id that the cancel needs arrives. */
async function orderAfterPause(parts: CancelParts, known: Order, waitMs: number): Promise<Order> {
  const { ledger, timers } = parts;
  const news = await firstResult(ledger.waiters, known.orderId, { timers, waitMs }, () => {
    const order = currentOrder(parts, known);
    const isNamed = known.venueOrderId === null && order.venueOrderId !== null;
    return isNamed || isTerminal(order.status) ? order : null;
  });
  return news ?? currentOrder(parts, known);
}

function finalAnswer(order: Order): CancelAnswer {
  return order.status === 'CANCELLED' ? { type: 'cancelled', order } : endedRefusal(order);
}

export function endedRefusal({ orderId, status }: Pick<Order, 'orderId' | 'status'>): Refused {
  return refused('notCancellable', `order ${orderId} is ${status}`);
}

export function undecidedRefusal({ orderId }: Pick<Order, 'orderId'>, isKept: boolean): Refused {
  const message = `the venue has not confirmed the cancel in time; ${isKept ? STAYS_WANTED : NOT_KEPT}`;
  return unknownOutcome('unknownOutcome', orderId, message);
}
