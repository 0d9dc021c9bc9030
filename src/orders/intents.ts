// The record of an order before its first byte leaves, and the promise of its idempotency key (contract §4.6): one transaction that
// looks the key up again, so that of two requests at the same time one is the first. Order worker.

import type { ApiErrorKind } from '../domain/api-error.ts';
import type { Intent } from '../domain/intent.ts';
import type { UnixMillis } from '../domain/numbers.ts';
import { type Order, type OrderError, transition } from '../domain/order.ts';
import { assert } from '../domain/result.ts';
import type { OrderReads, OrderTransaction, StoredAnswer } from '../store/order-records.ts';
import type { VenueTrading } from '../venues/venue.ts';
import { limitProblem } from './actor-limits.ts';
import type { Admission } from './admission.ts';
import { type Answer, keptAs, refused, repeatedAnswer } from './answers.ts';
import { holdingProblem } from './holdings.ts';
import type { LedgerEntry } from './ledger-entry.ts';
import type { Submission, SubmitParts } from './submission.ts';

export type Recorded =
  | { readonly type: 'answered'; readonly answer: Answer }
  | { readonly type: 'sent'; readonly order: Order; readonly intent: Intent; readonly venue: VenueTrading };

/** The answer to an idempotency key that was used before; null if it was not, or was released. */
export function repeated(reads: Pick<OrderReads, 'idempotency' | 'order'>, submission: Submission): Answer | null {
  const { actorId, request, idempotencyKey, bodySha256Hex } = submission;
  const entry = reads.idempotency(actorId, request.venue, idempotencyKey);
  if (entry === null) return null;
  if (entry.bodySha256Hex !== bodySha256Hex) {
    return refused('idempotencyConflict', 'Idempotency-Key: was used before with a different body');
  }
  const stored = reads.order(entry.orderId);
  if (stored === null) return { type: 'in-flight', orderId: entry.orderId };
  return stored.order.isReleased ? null : repeatedAnswer(stored, entry.answer);
}

/** In the power-safe mode it is on disk when this resolves. */
export async function recordIntent(
  parts: SubmitParts,
  submission: Submission,
  admission: Exclude<Admission, { type: 'refused' }>,
): Promise<Recorded> {
  return parts.ledger.commit(entry => record(parts, submission, admission, entry));
}

function record(
  parts: SubmitParts,
  submission: Submission,
  admission: Exclude<Admission, { type: 'refused' }>,
  entry: LedgerEntry,
): Recorded {
  const { transaction, at } = entry;
  const earlier = repeated(transaction, submission);
  if (earlier !== null) return answered(earlier);
  const { idempotencyKey } = submission;
  const before = transaction.order(admission.order.orderId);
  if (before !== null && !before.order.isReleased) {
    // Found at the venue after its record was lost here: this is the request that it was made by.
    promise(transaction, submission, before.order, null);
    return answered(repeatedAnswer(before, null));
  }
  const pending = before === null ? admission.order : reopened(before.order, at);
  const refusal = refusalOf(parts, submission, admission, transaction, at);
  if (refusal !== null) {
    const { kind, error } = refusal;
    const order = transition(pending, { type: 'refused', at, error, isReleased: false });
    const answer = refused(kind, error.message ?? '');
    transaction.putOrder({ order, intent: null, idempotencyKey, refusedAs: kind });
    entry.say('STATUS', order, null);
    promise(transaction, submission, order, keptAs(answer, order.status, at));
    return answered(answer);
  }
  assert(admission.type === 'ready', 'what cannot be made is refused');
  const { intent, venue } = admission;
  const order = transition(pending, { type: 'sent', at });
  transaction.putOrder({ order, intent, idempotencyKey, refusedAs: null });
  promise(transaction, submission, order, null);
  return { type: 'sent', order, intent, venue };
}

function answered(answer: Answer): Recorded {
  return { type: 'answered', answer };
}

function promise(
  transaction: OrderTransaction,
  { actorId, request, idempotencyKey, bodySha256Hex }: Submission,
  { orderId }: Order,
  answer: StoredAnswer | null,
): void {
  transaction.putIdempotency(actorId, request.venue, idempotencyKey, { orderId, bodySha256Hex, answer });
}

function reopened(order: Order, at: UnixMillis): Order<'PENDING'> {
  assert(order.status === 'REJECTED', 'only a refusal is released');
  return transition(order as Order<'REJECTED'>, { type: 'reopened', at }) as Order<'PENDING'>;
}

interface LocalRefusal {
  readonly kind: ApiErrorKind;
  readonly error: OrderError;
}

/** Contract §4.3, class b: an order that is refused here is one, and is listed. */
function refusalOf(
  parts: SubmitParts,
  { notAfter, actorId, request }: Submission,
  admission: Exclude<Admission, { type: 'refused' }>,
  reads: OrderReads,
  at: UnixMillis,
): LocalRefusal | null {
  if (admission.type === 'not-feasible') {
    return { kind: 'invalid', error: { code: 'NOT_FEASIBLE', message: admission.message } };
  }
  if (notAfter !== null && at > notAfter) {
    const message = `SVC-Not-After-Millis: ${notAfter} has passed, it is ${at}: nothing was sent`;
    return { kind: 'invalid', error: { code: 'NOT_FEASIBLE', message } };
  }
  const limit = limitProblem(parts.limitsOf(actorId), reads, actorId, request);
  if (limit !== null) return { kind: 'invalid', error: { code: 'INVALID_ORDER', message: limit } };
  const holding = holdingProblem(reads, actorId, request);
  return holding === null ? null : { kind: 'insufficientBalance', error: { code: 'INVALID_ORDER', message: holding } };
}
