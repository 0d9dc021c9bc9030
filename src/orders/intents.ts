// Records orders and their idempotency keys before the first byte leaves (contract §4.6). One step that looks each key up again: of
// two concurrent requests one is the first. Engine thread.

import { type Answer, refused } from '../domain/answer.ts';
import type { ApiErrorKind } from '../domain/api-error.ts';
import type { Intent } from '../domain/intent.ts';
import type { UnixMillis } from '../domain/numbers.ts';
import { type Order, type OrderError, transition } from '../domain/order.ts';
import { assert } from '../domain/result.ts';
import type { LiveReads, StoredAnswer } from '../store/order-records.ts';
import type { VenueTrading } from '../venues/venue.ts';
import { limitProblem } from './actor-limits.ts';
import type { Admission } from './admission.ts';
import { type InFlight, keptAs } from './answers.ts';
import { haltedAnswer, haltOf } from './halts.ts';
import { holdingProblem } from './holdings.ts';
import type { LedgerEntry } from './ledger-entry.ts';
import { earlierOf } from './repeat.ts';
import { type Submission, type SubmitParts, tooLate } from './submission.ts';

export type Recorded =
  | { readonly type: 'answered'; readonly answer: Answer | InFlight }
  | { readonly type: 'sent'; readonly order: Order; readonly intent: Intent; readonly venue: VenueTrading };

/** A submission that no check has refused. */
export interface Admitted {
  readonly submission: Submission;
  readonly admission: Exclude<Admission, { type: 'refused' }>;
}

/** Records all in one step. In the power-safe mode, resolves once it is on disk. */
export async function recordIntents(parts: SubmitParts, admitted: readonly Admitted[]): Promise<readonly Recorded[]> {
  return parts.ledger.commit(entry =>
    admitted.map(({ submission, admission }) => record(parts, submission, admission, entry)),
  );
}

function record(
  parts: SubmitParts,
  submission: Submission,
  admitted: Admitted['admission'],
  entry: LedgerEntry,
): Recorded {
  const { transaction, at } = entry;
  const earlier = earlierOf(entry, submission, admitted.order.orderId);
  if (earlier !== null) return { type: 'answered', answer: earlier };
  // Perhaps since admission. Without a record, the key stays free.
  const halt = haltOf(parts, transaction, submission);
  if (halt !== null) return { type: 'answered', answer: haltedAnswer(halt) };
  const before = transaction.order(admitted.order.orderId);
  const pending = before === null ? admitted.order : reopened(before.order, submission, at);
  const refusal = refusalOf(submission, admitted, transaction, at);
  if (refusal !== null) {
    const { kind, error } = refusal;
    const order = transition(pending, { type: 'refused', at, error, isReleased: false });
    const answer = refused(kind, error.message ?? '');
    entry.putOrder({ order, intent: null, refusedAs: kind });
    entry.say('STATUS', order, null);
    keepKey(entry, submission, order, keptAs(answer, order.status, at));
    return { type: 'answered', answer };
  }
  assert(admitted.type === 'ready', 'an admitted order is ready');
  const { intent, venue } = admitted;
  const order = transition(pending, { type: 'sent', at });
  entry.putOrder({ order, intent, refusedAs: null });
  keepKey(entry, submission, order, null);
  return { type: 'sent', order, intent, venue };
}

function keepKey(
  entry: LedgerEntry,
  { actorId, request, idempotencyKey, bodySha256Hex }: Submission,
  { orderId }: Order,
  answer: StoredAnswer | null,
): void {
  entry.putKey(actorId, request.venue, idempotencyKey, { orderId, bodySha256Hex, answer });
}

function reopened(order: Order, { keyId }: Submission, at: UnixMillis): Order<'PENDING'> {
  assert(order.status === 'REJECTED', 'only a refusal is released');
  return transition(order as Order<'REJECTED'>, { type: 'reopened', at, keyId }) as Order<'PENDING'>;
}

interface LocalRefusal {
  readonly kind: ApiErrorKind;
  readonly error: OrderError;
}

/** Contract §4.3, class b: a refusal here is recorded and listed as an order. */
function refusalOf(
  { notAfter, actorId, request, limits }: Submission,
  admitted: Admitted['admission'],
  reads: LiveReads,
  at: UnixMillis,
): LocalRefusal | null {
  if (notAfter !== null && at > notAfter) {
    return { kind: 'invalid', error: { code: 'NOT_FEASIBLE', message: tooLate(notAfter, at) } };
  }
  const limit = limitProblem(limits, reads, actorId, request, admitted.grid);
  if (limit !== null) return { kind: 'invalid', error: { code: 'INVALID_ORDER', message: limit } };
  const holding = holdingProblem(reads, actorId, request, admitted.grid, at);
  if (holding !== null) return { kind: 'insufficientBalance', error: { code: 'INVALID_ORDER', message: holding } };
  // The book changes all the time, so it is checked last.
  return admitted.type === 'infeasible' ? admitted : null;
}
