// Checks before an order exists (contract §4.3, class a): the market is known and open, and the request fits its grid and minimum. A
// request that fails here leaves no record. If the book cannot fill the order or the account cannot pay, the order is recorded as REJECTED.
// Engine thread.

import { type ApiErrorKind, type Refused, refused, unavailable } from '../../core/domain/answer.ts';
import type { Grid } from '../../core/domain/grid.ts';
import type { Venue } from '../../core/domain/market.ts';
import { createOrder, type Order, type OrderError } from '../../core/domain/order.ts';
import type { Intent } from '../../core/domain/order-request.ts';
import { type Result, unreachable } from '../../core/domain/result.ts';
import type { Soon } from '../../core/domain/soon.ts';
import type { FactsRefusal, PrepareRefusal, TradingFacts, VenueTrading } from '../../venues/venue.ts';
import { collarBound, collarProblem } from './collar.ts';
import { haltRefusal, stopHalt } from './halts.ts';
import { heldProblem } from './held-markets.ts';
import { addressField, expiryRefusal, marketRefusalOf } from './market-rules.ts';
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
  /** The order is to be recorded as REJECTED. */
  | {
      readonly type: 'infeasible';
      readonly order: Order<'PENDING'>;
      readonly kind: ApiErrorKind;
      readonly error: OrderError;
      readonly grid: Grid;
    };

/** Makes the bytes of an order that amends another order in place. Null means that the order amends no other order. */
type Change = ((order: Order) => Result<Intent, PrepareRefusal>) | null;

export function admit(parts: SubmitParts, submission: Submission, change: Change = null): Soon<Admission> {
  const { podId, request, address } = submission;
  const venue = parts.tradingOf(submission);
  if (!venue.ok) return refusedAdmission(venue.error);
  const stopped = stopHalt(parts, submission);
  if (stopped !== null) return refusedAdmission(haltRefusal(stopped));
  if (!submission.isTradable) return refusedAdmission(unavailable(notTradableText(request.venue)));
  const { backlog } = parts.ledger.store;
  if (backlog !== null) return refusedAdmission(unavailable(backlog));
  const held = heldProblem(parts.ledger.store, { podId, venue: request.venue }, address);
  if (held !== null) return refusedAdmission(unavailable(held));
  const { value } = venue;
  // Only fresh facts may refuse an order (§4.3). Facts that would refuse are read again first.
  const facts = value.facts(address, read => marketRefusalOf(request, read) === null);
  if (facts instanceof Promise) return facts.then(read => admitWithFacts(parts, submission, value, read, change));
  return admitWithFacts(parts, submission, value, facts, change);
}

function admitWithFacts(
  parts: SubmitParts,
  submission: Submission,
  venue: VenueTrading,
  facts: Result<TradingFacts, FactsRefusal>,
  change: Change,
): Soon<Admission> {
  if (facts.ok) return prepare(parts, submission, venue, facts.value, change);
  return refusedAdmission(marketRefusal(submission, facts.error));
}

function prepare(
  parts: SubmitParts,
  submission: Submission,
  venue: VenueTrading,
  facts: TradingFacts,
  change: Change,
): Soon<Admission> {
  const { podId, actorId, keyId, orderId, request, idempotencyKey } = submission;
  const now = parts.timers.now();
  const refusal = marketRefusalOf(request, facts, submission.hasExactPrice) ?? expiryRefusal(request, facts, now);
  if (refusal?.kind === 'unavailable') return refusedAdmission(unavailable(refusal.message));
  if (refusal !== null) return refusedAdmission(refused(refusal.kind, refusal.message));
  const { grid } = facts;
  const order = createOrder({ orderId, podId, actorId, keyId, idempotencyKey, request, at: now });
  const bound = collarBound(submission.limits, submission, grid, parts.bestOf);
  if (bound.type === 'no-price') return refusedAdmission(unavailable(`${bound.message}: nothing was sent`));
  // A market order without a limit price gets its limit when it is prepared.
  const limit = 'price' in request ? request.price : request.worstPrice;
  const beyond = bound.type === 'bounded' && limit !== null ? collarProblem(limit, bound) : null;
  if (beyond !== null) return rejectionOf(order, grid, infeasibleRefusal(beyond));
  const worst = bound.type === 'bounded' ? bound.worst : null;
  const intent = change === null ? venue.prepare(order, idempotencyKey, parts.groupOf(order), worst) : change(order);
  if (intent instanceof Promise) return intent.then(it => admissionOf(order, it, venue, grid));
  return admissionOf(order, intent, venue, grid);
}

function admissionOf(
  order: Order<'PENDING'>,
  intent: Result<Intent, PrepareRefusal>,
  venue: VenueTrading,
  grid: Grid,
): Admission {
  if (intent.ok) return { type: 'ready', order, intent: intent.value, venue, grid };
  return rejectionOf(order, grid, intent.error);
}

function infeasibleRefusal(message: string): PrepareRefusal {
  return { kind: 'invalid', error: { code: 'NOT_FEASIBLE', message }, message };
}

function notTradableText(venue: Venue): string {
  return `${venue}: not every order has been looked up there since the start: nothing was sent`;
}

function marketRefusal({ request }: Submission, refusal: FactsRefusal): Refused {
  switch (refusal.type) {
    case 'unknown-market':
      return refused('notFound', `${addressField(request)}: no such market`);
    case 'unavailable':
      return unavailable(refusal.message);
    default:
      return unreachable(refusal);
  }
}

function rejectionOf(order: Order<'PENDING'>, grid: Grid, { kind, error, message }: PrepareRefusal): Admission {
  if (kind === 'unavailable') return refusedAdmission(unavailable(message));
  const isOrder = error.code === 'NOT_FEASIBLE' || kind === 'insufficientBalance';
  if (isOrder) return { type: 'infeasible', order, grid, kind, error: { code: error.code, message } };
  return refusedAdmission(refused(kind, message));
}

function refusedAdmission(answer: Refused): Admission {
  return { type: 'refused', answer };
}
