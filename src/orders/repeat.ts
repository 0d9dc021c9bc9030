// The same request once more (contract §4.6): it gets the answer of the first. One that comes while the first is on its way waits
// for it; one that comes after the outcome was unknown gets the same answer until it is known, and from then on what turned out.
// Engine thread.

import type { Venue } from '../domain/market.ts';
import type { OrderId } from '../domain/order.ts';
import { limits } from '../limits.ts';
import type { LiveReads } from '../store/order-records.ts';
import { claimAdopted } from './adoption.ts';
import {
  type Answer,
  finalAnswer,
  type InFlight,
  keptAs,
  type Refused,
  refused,
  repeatedAnswer,
  replayed,
  unavailable,
  unknownOutcome,
} from './answers.ts';
import { answerDeadline } from './deadlines.ts';
import type { LedgerEntry } from './ledger-entry.ts';
import { deriveOrderId } from './order-ids.ts';
import { untilKnown } from './order-waiters.ts';
import type { Submission, SubmitParts } from './submission.ts';

/** What is known of an idempotency key that was used before; null if it was not, or was released. */
export function repeated(
  reads: Pick<LiveReads, 'idempotency' | 'order'>,
  { actorId, request, idempotencyKey, bodySha256Hex }: Submission,
): Answer | InFlight | null {
  const entry = reads.idempotency(actorId, request.venue, idempotencyKey);
  if (entry === null) return null;
  if (entry.bodySha256Hex !== bodySha256Hex) return USED_WITH_ANOTHER_BODY;
  const stored = reads.order(entry.orderId);
  if (stored === null || stored.order.isReleased) return null;
  return repeatedAnswer(stored, entry.answer);
}

/** Within a transaction: likewise, or by an order that was found at its venue, and that this is the request of. */
export function earlierOf(entry: LedgerEntry, submission: Submission, orderId: OrderId): Answer | InFlight | null {
  return repeated(entry.transaction, submission) ?? claimAdopted(entry, submission, orderId);
}

/** Of a body that no order can be read from: null unless its key was used before with another. */
export function conflicting(
  reads: Pick<LiveReads, 'idempotency'>,
  { actorId, venue, idempotencyKey, bodySha256Hex }: Keyed,
): Refused | null {
  const entry = reads.idempotency(actorId, venue, idempotencyKey);
  return entry === null || entry.bodySha256Hex === bodySha256Hex ? null : USED_WITH_ANOTHER_BODY;
}

interface Keyed extends Pick<Submission, 'actorId' | 'idempotencyKey' | 'bodySha256Hex'> {
  readonly venue: Venue;
}

const USED_WITH_ANOTHER_BODY = refused('idempotencyConflict', 'Idempotency-Key: was used before with a different body');

/** `earlier`: as `repeated` found it. */
export async function answerAgain(
  parts: SubmitParts,
  submission: Submission,
  earlier: Answer | InFlight,
): Promise<Answer> {
  const answer = earlier.type === 'in-flight' ? await theFirst(parts, submission, earlier) : earlier;
  return answer.isReplayed ? kept(parts, submission, answer) : answer;
}

/** Of a request that cannot make a new order: the answer if it has made one that was found at its venue; null if it has not. */
export async function answerAdopted(parts: SubmitParts, submission: Submission): Promise<Answer | null> {
  const { ledger, podSecretOf } = parts;
  const { podId, actorId, request, idempotencyKey } = submission;
  const orderId = deriveOrderId(podSecretOf(podId), actorId, request.venue, idempotencyKey);
  if (ledger.store.order(orderId) === null) return null;
  const earlier = await ledger.commit(entry => earlierOf(entry, submission, orderId));
  return earlier === null ? null : answerAgain(parts, submission, earlier);
}

/** The first may have been of a process that is no more: then its answer does not come. */
async function theFirst({ ledger, timers }: SubmitParts, submission: Submission, first: InFlight): Promise<Answer> {
  const { orderId } = first;
  const { store, waiters } = ledger;
  const sent = store.order(orderId)?.order ?? null;
  const leftMs = sent === null ? 0 : answerDeadline(sent) - timers.now();
  // Of a clock that was set back nobody can tell how much is left.
  const waitMs = Math.min(leftMs, limits.venueAnswerTimeoutMs) + limits.repeatGraceMs;
  const answer = await untilKnown(waiters, orderId, { timers, waitMs }, () => {
    const known = repeated(store, submission);
    if (known === null) return unavailable(store.order(orderId)?.order.error?.message ?? 'the order was not sent');
    return known.type === 'in-flight' ? null : known;
  });
  return answer ?? unknownOutcome('unknownOutcome', orderId, 'the first request with this key has no answer yet');
}

/** An answer reconstructed from the order is kept as its answer from now on; if one was kept meanwhile, that one counts. */
function kept({ ledger }: SubmitParts, { actorId, request, idempotencyKey }: Submission, answer: Answer): Answer {
  const { venue } = request;
  if (answer.type === 'refused' && answer.orderId !== null) return answer;
  return ledger.change(entry => {
    const { transaction, at } = entry;
    const before = transaction.idempotency(actorId, venue, idempotencyKey);
    const stored = before === null ? null : transaction.order(before.orderId);
    if (before === null || stored === null) return answer;
    const first = finalAnswer(before.orderId, before.answer);
    if (first !== null) return replayed(first);
    entry.putKey(actorId, venue, idempotencyKey, { ...before, answer: keptAs(answer, stored.order.status, at) });
    return answer;
  });
}
