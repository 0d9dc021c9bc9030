// Records orders and their idempotency keys before the first byte leaves (contract §4.6). The step that records an order looks its key up
// again, so that of two concurrent requests only one is the first. Engine thread.

import { type Answer, type ApiErrorKind, type Refused, refused } from '../../core/domain/answer.ts';
import type { MicroShares, UnixMillis } from '../../core/domain/numbers.ts';
import { type Order, type OrderError, transition } from '../../core/domain/order.ts';
import type { Intent } from '../../core/domain/order-request.ts';
import { mostSizeOf } from '../../core/domain/order-sums.ts';
import { assert } from '../../core/domain/result.ts';
import type { Soon } from '../../core/domain/soon.ts';
import type { LiveReads, StoredAnswer } from '../../core/store/order-records.ts';
import type { VenueTrading } from '../../venues/venue.ts';
import { type LimitReads, limitProblem, orderProblem } from './actor-limits.ts';
import type { Halt } from './actor-rates.ts';
import type { Admission } from './admission.ts';
import { asStored, type InFlight } from './answers.ts';
import { EVENTS_UNKNOWN, exposureProblem, type Measured } from './exposure.ts';
import { haltOf, haltRefusal } from './halts.ts';
import { holdingProblem } from './holdings.ts';
import type { Committed } from './ledger.ts';
import type { LedgerEntry } from './ledger-entry.ts';
import { earlierAnswer } from './repeat.ts';
import { largerRests } from './replaced-reads.ts';
import { lateText, type Submission, type SubmitParts } from './submission.ts';

export type Recorded =
  | { readonly type: 'answered'; readonly answer: Answer | InFlight }
  | { readonly type: 'sent'; readonly order: Order; readonly intent: Intent; readonly venue: VenueTrading };

/** A submission that no check has refused. */
export interface Admitted {
  readonly submission: Submission;
  readonly admission: Exclude<Admission, { type: 'refused' }>;
}

/**
 * Records all orders in one step. The result comes once the record is as safe as it must be before anything is sent. Otherwise it comes
 * with the reason why the record is not safe.
 */
export function recordIntents(parts: SubmitParts, admitted: readonly Admitted[]): Soon<Committed<readonly Recorded[]>> {
  return parts.ledger.commit(parts.timers, entry => admitted.map(one => record(parts, one, entry)));
}

function record(parts: SubmitParts, admitted: Admitted, entry: LedgerEntry): Recorded {
  const unless = { problem: null, reads: entry.transaction };
  return recordOrRefuse(parts, admitted, unless, entry, pending => putPending(entry, admitted, pending));
}

interface Unless {
  /** Why no order is made, unless the key was used before. */
  readonly problem: Refused | null;
  /** The reads with which limits and holdings are checked. */
  readonly reads: LimitReads;
}

/** Records the order by `putOrderAndKey`, or as REJECTED if the order is refused here. Records nothing for a used key or a halt. */
export function recordOrRefuse(
  parts: Pick<SubmitParts, 'stopProblem' | 'lossHalt' | 'rates' | 'exposure'>,
  { submission, admission }: Admitted,
  { problem, reads }: Unless,
  entry: LedgerEntry,
  keep: (pending: Order<'PENDING'>) => Recorded,
): Recorded {
  const { transaction, at } = entry;
  const before = transaction.order(submission.orderId);
  const earlier = earlierAnswer(entry, submission, before) ?? problem;
  if (earlier !== null) return { type: 'answered', answer: earlier };
  // A halt may have come after admission. It leaves no record, so the key stays free.
  const measured = parts.exposure.measure(submission, reads);
  const halt = haltNow(parts, transaction, reads, submission, measured) ?? parts.rates.countOrder(submission);
  if (halt !== null) return { type: 'answered', answer: haltRefusal(halt) };
  const pending = before === null ? admission.order : reopenedOrder(before.order, submission, at);
  const refusal = refusalOf(parts, submission, admission, { reads, measured, at });
  if (refusal === null) return keep(pending);
  const { kind, error } = refusal;
  const order = transition(pending, { type: 'refused', at, error, isReleased: false });
  const answer = refused(kind, error.message ?? '', error.code);
  entry.putOrder({ order, intent: null, refusedAs: kind });
  entry.addEvent('STATUS', order, null);
  putKey(entry, submission, order, asStored(answer, order.status, at));
  return { type: 'answered', answer };
}

/** Returns the halt for which the order may not be recorded now. Rates are not checked. */
export function haltNow(
  parts: Pick<SubmitParts, 'stopProblem' | 'lossHalt'>,
  protections: Pick<LiveReads, 'protections'>,
  reads: LimitReads,
  submission: Submission,
  { exposures }: Measured,
): Halt | null {
  return (
    haltOf(parts, protections, submission) ??
    parts.lossHalt(reads, submission, sizeOf(submission), 0) ??
    (exposures === null ? EVENTS_UNKNOWN : null)
  );
}

/** Returns the size of a submission, and 0 for an order in dollars. */
function sizeOf({ request }: Submission): MicroShares {
  return 'size' in request ? request.size : (0 as MicroShares);
}

/** Records that from now on the first byte of the order may leave. */
export function putPending(entry: LedgerEntry, admitted: Admitted, pending: Order<'PENDING'>): Recorded {
  return putOrderAndKey(entry, admitted, transition(pending, { type: 'sent', at: entry.at }));
}

/** Puts the order and its key into the ledger. The bytes of a PENDING order are not kept, because they may not leave yet. */
export function putOrderAndKey(entry: LedgerEntry, { submission, admission }: Admitted, order: Order): Recorded {
  assert(admission.type === 'ready', 'an admitted order is ready');
  const { intent, venue } = admission;
  entry.putOrder({ order, intent: order.status === 'PENDING' ? null : intent, refusedAs: null });
  putKey(entry, submission, order, null);
  return { type: 'sent', order, intent, venue };
}

function putKey(
  entry: LedgerEntry,
  { actorId, request, idempotencyKey, bodySha256Hex }: Submission,
  { orderId }: Order,
  answer: StoredAnswer | null,
): void {
  entry.putKey(actorId, request.venue, idempotencyKey, { orderId, bodySha256Hex, answer });
}

function reopenedOrder(order: Order, { keyId, request }: Submission, at: UnixMillis): Order<'PENDING'> {
  assert(order.status === 'REJECTED', 'only a refusal is released');
  return transition(order as Order<'REJECTED'>, { type: 'reopened', at, keyId, request }) as Order<'PENDING'>;
}

interface LocalRefusal {
  readonly kind: ApiErrorKind;
  readonly error: OrderError;
}

/** The orders and holdings of an actor, and the figures that limits of positions and of exposure count with the order. */
interface Weighed {
  readonly reads: LimitReads;
  readonly measured: Measured;
  readonly at: UnixMillis;
}

/** Returns the refusal of contract §4.3, class b: it is recorded and listed as an order. */
export function refusalOf(
  { exposure }: Pick<SubmitParts, 'exposure'>,
  submission: Submission,
  admitted: Admitted['admission'],
  weighed: Weighed,
): LocalRefusal | null {
  const refusal = problemOf(submission, admitted, weighed);
  if (refusal === null) return null;
  const { reads, at } = weighed;
  const once = largerRests(reads, submission);
  if (once === reads) return refusal;
  return problemOf(submission, admitted, { reads: once, measured: exposure.measure(submission, once, false), at });
}

function problemOf(
  submission: Submission,
  admitted: Admitted['admission'],
  { reads, measured: { holdings, exposures }, at }: Weighed,
): LocalRefusal | null {
  const { notAfter, names, podId, actorId, request, limits } = submission;
  if (notAfter !== null && at > notAfter) {
    return { kind: 'invalid', error: { code: 'NOT_FEASIBLE', message: lateText(notAfter, at, names) } };
  }
  const size = mostSizeOf(request, admitted.grid);
  const order = orderProblem(limits, request, size) ?? (exposures && exposureProblem(exposures));
  if (order !== null) return { kind: 'invalid', error: { code: 'NOT_FEASIBLE', message: order } };
  const limit = limitProblem(submission, reads, holdings, size, admitted.grid);
  if (limit !== null) return { kind: 'invalid', error: { code: 'INVALID_ORDER', message: limit } };
  const holding = holdingProblem(reads, { podId, actorId }, request, admitted.grid, at);
  if (holding !== null) return { kind: 'insufficientBalance', error: { code: 'INVALID_ORDER', message: holding } };
  // The book is checked last, because it changes all the time.
  return admitted.type === 'infeasible' ? admitted : null;
}
