// Checks before an order exists (contract §4.3, class a): the market is known and open, and the request fits its grid and minimum. A
// request that fails here leaves no record. If the book cannot fill the order or the account cannot pay, the order is recorded as REJECTED.
// Engine thread.

import { type ApiErrorKind, type Refused, refused, unavailable } from '../../core/domain/answer.ts';
import type { Grid } from '../../core/domain/grid.ts';
import type { Venue } from '../../core/domain/market.ts';
import { createOrder, type Order, type OrderError } from '../../core/domain/order.ts';
import { addressOf } from '../../core/domain/order-frame.ts';
import type { Intent } from '../../core/domain/order-request.ts';
import { type Result, unreachable } from '../../core/domain/result.ts';
import type { FactsRefusal, PrepareRefusal, VenueTrading } from '../../venues/venue.ts';
import { haltedAnswer, stopOf } from './halts.ts';
import { heldProblem } from './held-markets.ts';
import { addressField, expiryObjection, marketObjection } from './market-rules.ts';
import type { Submission, SubmitParts } from './submission.ts';

export type Admission =
  | { readonly type: 'refused'; readonly answer: Refused }
  | {
      readonly type: 'ready';
      readonly order: Order<'PENDING'>;
      readonly intent: Intent;
      readonly venue: VenueTrading;
      /** The price grid of the order's market. */
      readonly grid: Grid;
    }
  /** Asks to record the order as REJECTED. */
  | {
      readonly type: 'infeasible';
      readonly order: Order<'PENDING'>;
      readonly kind: ApiErrorKind;
      readonly error: OrderError;
      readonly grid: Grid;
    };

/** `change` makes the bytes of an order that amends another order in place. */
export async function admit(
  parts: SubmitParts,
  submission: Submission,
  change: ((order: Order) => Result<Intent, PrepareRefusal>) | null = null,
): Promise<Admission> {
  const { podId, actorId, keyId, orderId, request, idempotencyKey } = submission;
  const venue = parts.tradingOf(submission);
  if (!venue.ok) return refusedWith(venue.error);
  const stopped = stopOf(parts, submission);
  if (stopped !== null) return refusedWith(haltedAnswer(stopped));
  if (!submission.isTradable) return refusedWith(unavailable(notTradable(request.venue)));
  const { backlog } = parts.ledger.store;
  if (backlog !== null) return refusedWith(unavailable(backlog));
  const held = heldProblem(parts.ledger.store, { podId, venue: request.venue }, addressOf(request));
  if (held !== null) return refusedWith(unavailable(held));
  // Fresh facts alone may refuse (§4.3): if older facts would refuse, they are read again first.
  const facts = await venue.value.facts(addressOf(request), read => marketObjection(request, read) === null);
  if (!facts.ok) return refusedWith(unknownMarket(submission, facts.error));
  const now = parts.timers.now();
  const objection =
    marketObjection(request, facts.value, submission.hasExactPrice) ?? expiryObjection(request, facts.value, now);
  if (objection?.kind === 'unavailable') return refusedWith(unavailable(objection.message));
  if (objection !== null) return refusedWith(refused(objection.kind, objection.message));
  const order = createOrder({
    orderId,
    podId,
    actorId,
    keyId,
    idempotencyKey,
    request,
    at: now,
  });
  const intent =
    change === null ? await venue.value.prepare(order, idempotencyKey, parts.groupOf(order)) : change(order);
  const { grid } = facts.value;
  if (intent.ok) return { type: 'ready', order, intent: intent.value, venue: venue.value, grid };
  return unprepared(order, grid, intent.error);
}

function notTradable(venue: Venue): string {
  return `${venue}: not every order has been looked up there since the start: nothing was sent`;
}

function unknownMarket({ request }: Submission, refusal: FactsRefusal): Refused {
  switch (refusal.type) {
    case 'unknown-market':
      return refused('notFound', `${addressField(request)}: no such market`);
    case 'unavailable':
      return unavailable(refusal.message);
    default:
      return unreachable(refusal);
  }
}

function unprepared(order: Order<'PENDING'>, grid: Grid, { kind, error, message }: PrepareRefusal): Admission {
  if (kind === 'unavailable') return refusedWith(unavailable(message));
  const isOrder = error.code === 'NOT_FEASIBLE' || kind === 'insufficientBalance';
  if (isOrder) return { type: 'infeasible', order, grid, kind, error: { code: error.code, message } };
  return refusedWith(refused(kind, message));
}

function refusedWith(answer: Refused): Admission {
  return { type: 'refused', answer };
}
