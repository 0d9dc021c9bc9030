// A cancel (contract §4.9): wanted durably first, then made, and answered when the venue has confirmed it. A fill wins over a
// cancel; what the venue says ambiguously is read until it is clear or time is up. Order worker.

import type { ApiErrorKind } from '../domain/api-error.ts';
import type { UnixMillis } from '../domain/numbers.ts';
import { isTerminal, type Order, type OrderId } from '../domain/order.ts';
import { unreachable } from '../domain/result.ts';
import { limits } from '../limits.ts';
import type { Timers } from '../runtime/timers.ts';
import type { StoredOrder } from '../store/order-records.ts';
import type { CancelOutcome, VenueTrading } from '../venues/venue.ts';
import { type Refused, refused, unavailable, unknownOutcome } from './answers.ts';
import type { Ledger } from './ledger.ts';
import { reconcile } from './reconcile.ts';

export interface CancelParts {
  readonly ledger: Ledger;
  readonly timers: Timers;
}

/** Confirmed by the venue: the order is CANCELLED. */
export type CancelAnswer = { readonly type: 'cancelled'; readonly order: Order } | Refused;

/** `stored`: an order of the caller. */
export async function cancel(parts: CancelParts, venue: VenueTrading, { order }: StoredOrder): Promise<CancelAnswer> {
  if (isTerminal(order.status)) return notCancellable(order);
  const deadline = (parts.timers.now() + limits.venueAnswerTimeoutMs) as UnixMillis;
  let known = want(parts, order);
  for (let pauseMs: number = limits.cancelPollMs; ; pauseMs = Math.min(2 * pauseMs, limits.cancelPollMsMax)) {
    if (isTerminal(known.status)) return concluded(known);
    const attempt = known.venueOrderId === null ? null : await venue.cancel(known, deadline);
    const answer = attempt === null ? null : answerTo(parts, known.orderId, attempt);
    if (answer !== null) return answer;
    known = await look(parts, venue, known, deadline);
    if (isTerminal(known.status)) return concluded(known);
    if (parts.timers.now() + pauseMs >= deadline) return undecided(known);
    await new Promise<void>(resolve => parts.timers.after(pauseMs, resolve));
    known = current(parts, known);
  }
}

/** Recorded before anything is sent: whoever finds the order later makes the cancel. */
function want({ ledger }: CancelParts, { orderId }: Order): Order {
  return ledger.change(entry => entry.apply(orderId, [{ type: 'cancel-requested', at: entry.at }]));
}

/** Null: it has to be looked up. */
function answerTo({ ledger }: CancelParts, orderId: OrderId, outcome: CancelOutcome): CancelAnswer | null {
  switch (outcome.type) {
    case 'cancelled':
      return concluded(
        ledger.change(entry =>
          entry.apply(orderId, [{ type: 'ends', at: entry.at, venueOrderId: null, stated: null }]),
        ),
      );
    case 'refused':
      return refused(outcome.kind satisfies ApiErrorKind, outcome.message);
    case 'not-sent':
      return unavailable(outcome.message, outcome.retryAfterS);
    case 'not-found':
    case 'not-now':
    case 'unknown':
      return null;
    default:
      return unreachable(outcome);
  }
}

async function look(parts: CancelParts, venue: VenueTrading, order: Order, deadline: UnixMillis): Promise<Order> {
  const stored = parts.ledger.store.order(order.orderId);
  if (stored === null) return order;
  return reconcile({ ledger: parts.ledger, now: () => parts.timers.now() }, venue, stored, deadline);
}

/** Another thread may have learned of it meanwhile. */
function current({ ledger }: CancelParts, order: Order): Order {
  return ledger.store.order(order.orderId)?.order ?? order;
}

function concluded(order: Order): CancelAnswer {
  return order.status === 'CANCELLED' ? { type: 'cancelled', order } : notCancellable(order);
}

function notCancellable({ orderId, status }: Order): Refused {
  return refused('notCancellable', `order ${orderId} is ${status}`);
}

function undecided({ orderId }: Order): Refused {
  const message = 'the venue has not confirmed the cancel in time; it stays wanted: read the order';
  return unknownOutcome('unknownOutcome', orderId, message);
}
