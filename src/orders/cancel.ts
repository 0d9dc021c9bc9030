// A cancel (contract §4.9): wanted durably first, then made, and answered when the venue has confirmed it. A fill wins over a
// cancel; what the venue says ambiguously is read until it is clear or time is up. With a lenient ledger it is made also where nothing
// can be recorded: a cancel is harmless to repeat. Engine thread.

import type { Venue } from '../domain/market.ts';
import type { UnixMillis } from '../domain/numbers.ts';
import { isTerminal, type Order } from '../domain/order.ts';
import { traded } from '../domain/order-sums.ts';
import { unreachable } from '../domain/result.ts';
import { limits } from '../limits.ts';
import type { Timers } from '../runtime/timers.ts';
import type { StoredOrder } from '../store/order-records.ts';
import type { CancelOutcome, VenueTrading } from '../venues/venue.ts';
import { type Refused, refused, unavailable, unknownOutcome } from './answers.ts';
import { wantCancelled } from './cancel-wishes.ts';
import type { Ledger } from './ledger.ts';
import { untilKnown } from './order-waiters.ts';
import { cancelled, lookAt } from './reconcile.ts';

export interface CancelParts {
  readonly ledger: Ledger;
  readonly timers: Timers;
}

/** Confirmed by the venue: the order is CANCELLED. */
export type CancelAnswer = { readonly type: 'cancelled'; readonly order: Order } | Refused;

/** `stored`: an order of the caller. `deadline`: of the whole request. */
export async function cancel(
  parts: CancelParts,
  venue: VenueTrading,
  { order }: StoredOrder,
  deadline: UnixMillis,
): Promise<CancelAnswer> {
  if (isTerminal(order.status)) return notCancellable(order);
  const { orderId } = order;
  // Recorded before anything is sent: whoever finds the order later makes the cancel.
  const { wanted, isNew } = parts.ledger.change(entry => {
    const isNew = entry.order(orderId).cancelRequestedAt === null;
    return { wanted: wantCancelled(entry, orderId), isNew };
  });
  const isKept = parts.ledger.isRecorded;
  return carryOut(parts, venue, isKept ? wanted : order, { deadline, isNew, isKept });
}

/**
 * Of an order that is wanted cancelled, by more than this caller: others may have made the cancel by now. `isKept`: whether the wish is
 * recorded.
 */
export async function cancelWanted(
  parts: CancelParts,
  venue: VenueTrading,
  { order }: StoredOrder,
  wish: Omit<Wish, 'isNew'>,
): Promise<CancelAnswer> {
  return carryOut(parts, venue, order, { ...wish, isNew: false });
}

interface Wish {
  /** Of the whole request, however many orders it is about. */
  readonly deadline: UnixMillis;
  /** Nobody had wanted it before. */
  readonly isNew: boolean;
  /** It is recorded: the cancel is made later if it is not made now. */
  readonly isKept: boolean;
}

async function carryOut(
  parts: CancelParts,
  venue: VenueTrading,
  wanted: Order,
  { deadline, isNew, isKept }: Wish,
): Promise<CancelAnswer> {
  let known = wanted;
  for (let pauseMs: number = limits.cancelPollMs; ; pauseMs = Math.min(2 * pauseMs, limits.cancelPollMsMax)) {
    if (isTerminal(known.status)) return concluded(known);
    const attempt = known.venueOrderId === null ? null : await venue.cancel(known, deadline);
    if (attempt?.type === 'cancelled' && (attempt.filled ?? 0) > traded(current(parts, known)).size) {
      // Part of it was filled just before, and the answer should say so; but it is cancelled, whatever a look brings.
      known = await look(parts, venue, known, soon(parts, deadline));
      if (isTerminal(known.status)) return concluded(known);
    }
    if (attempt?.type === 'refused' && isNew && isKept) revoke(parts, wanted);
    const answer = attempt === null ? null : answerTo(parts, known, attempt, isKept);
    if (answer !== null) return answer;
    // The submission's answer is usually about to come, so an order without a venue id is looked up only once the pause has grown.
    if (known.venueOrderId !== null || pauseMs >= limits.cancelLookPauseMs)
      known = await look(parts, venue, known, deadline);
    if (isTerminal(known.status)) return concluded(known);
    if (parts.timers.now() + pauseMs >= deadline) return undecided(known, isKept);
    known = await afterPause(parts, known, pauseMs);
  }
}

/** What was refused is not done later, unless somebody has wanted it since. */
function revoke({ ledger }: CancelParts, { orderId, cancelRequestedAt }: Order): void {
  ledger.change(entry => {
    const isLast = entry.order(orderId).cancelRequestedAt === cancelRequestedAt;
    if (isLast) entry.apply(orderId, [{ type: 'cancel-revoked', at: entry.at }]);
  });
}

function soon({ timers }: CancelParts, deadline: UnixMillis): UnixMillis {
  return Math.min(deadline, timers.now() + limits.cancelFillsLookMs) as UnixMillis;
}

/** Contract §4.7, from now on. */
export function cancelDeadline({ timers }: Pick<CancelParts, 'timers'>): UnixMillis {
  return (timers.now() + limits.venueAnswerTimeoutMs) as UnixMillis;
}

const NOT_SENT_YET =
  'nothing was sent yet; the cancel stays wanted and is made as soon as the venue takes it: read the order';
const STAYS_WANTED = 'it stays wanted: read the order';
const NOT_KEPT = 'the cancel could not be recorded, and is not made later: cancel again';

/** Null: it has to be looked up. */
function answerTo(parts: CancelParts, order: Order, outcome: CancelOutcome, isKept: boolean): CancelAnswer | null {
  const { orderId, request } = order;
  const { ledger } = parts;
  switch (outcome.type) {
    case 'cancelled': {
      // The private stream may have told it, and recorded it while the disk took it.
      const told = current(parts, order);
      if (isTerminal(told.status)) return concluded(told);
      return concluded(ledger.change(entry => entry.apply(orderId, [cancelled(entry.at)])));
    }
    case 'refused':
      return refused(outcome.kind, outcome.message);
    case 'not-sent':
      return notSent(request.venue, outcome, isKept);
    case 'not-found':
    case 'not-now':
    case 'unknown':
      return null;
    default:
      return unreachable(outcome);
  }
}

export function notSent(
  venue: Venue,
  { message, retryAfterS }: Extract<CancelOutcome, { type: 'not-sent' }>,
  isKept: boolean,
): Refused {
  return unavailable(`${venue}: ${message}: ${isKept ? NOT_SENT_YET : NOT_KEPT}`, retryAfterS);
}

async function look(parts: CancelParts, venue: VenueTrading, order: Order, deadline: UnixMillis): Promise<Order> {
  const stored = parts.ledger.store.order(order.orderId);
  if (stored === null) return order;
  const now = () => parts.timers.now();
  return (await lookAt({ ledger: parts.ledger, now }, venue, stored, deadline)).order;
}

/** The private stream may have told of it meanwhile. The venue's id of it may be known here alone, where it could not be recorded. */
function current({ ledger }: CancelParts, order: Order): Order {
  const stored = ledger.store.order(order.orderId)?.order ?? order;
  const isBehind = stored.venueOrderId === null && order.venueOrderId !== null;
  return isBehind && !isTerminal(stored.status) ? order : stored;
}

/** It ends at once when the order does, or when the id is known by which the venue cancels it. */
async function afterPause(parts: CancelParts, known: Order, waitMs: number): Promise<Order> {
  const { ledger, timers } = parts;
  const news = await untilKnown(ledger.waiters, known.orderId, { timers, waitMs }, () => {
    const order = current(parts, known);
    const isNamed = known.venueOrderId === null && order.venueOrderId !== null;
    return isNamed || isTerminal(order.status) ? order : null;
  });
  return news ?? current(parts, known);
}

function concluded(order: Order): CancelAnswer {
  return order.status === 'CANCELLED' ? { type: 'cancelled', order } : notCancellable(order);
}

export function notCancellable({ orderId, status }: Pick<Order, 'orderId' | 'status'>): Refused {
  return refused('notCancellable', `order ${orderId} is ${status}`);
}

export function undecided({ orderId }: Pick<Order, 'orderId'>, isKept: boolean): Refused {
  const message = `the venue has not confirmed the cancel in time; ${isKept ? STAYS_WANTED : NOT_KEPT}`;
  return unknownOutcome('unknownOutcome', orderId, message);
}
