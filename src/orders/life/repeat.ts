// Answers a repeated request as the first request was answered (contract §4.6). If the first request is in flight, the repeat waits. If the
// first outcome was unknown, the repeat gets that answer until the outcome is known. Engine thread.

import { type Answer, type Refused, unavailable, unknownOutcome } from '../../core/domain/answer.ts';
import type { Venue } from '../../core/domain/market.ts';
import type { Soon } from '../../core/domain/soon.ts';
import type { LiveReads, StoredOrder } from '../../core/store/order-records.ts';
import { limits } from '../../limits.ts';
import { claimAdopted } from './adoption.ts';
import { asReplay, asStored, finalAnswer, type InFlight, repeatedAnswer } from './answers.ts';
import type { LedgerEntry } from './ledger-entry.ts';
import { firstResult } from './order-waiters.ts';
import { answerDeadline, keyConflict, type Submission, type SubmitParts } from './submission.ts';

/** Returns the answer of an idempotency key that was used before. Null means that the key was not used, or was released. */
export function repeatAnswer(
  reads: Pick<LiveReads, 'idempotency' | 'order'>,
  submission: Submission,
): Answer | InFlight | null {
  const { actorId, request, idempotencyKey, bodySha256Hex } = submission;
  const entry = reads.idempotency(actorId, request.venue, idempotencyKey);
  if (entry === null) return null;
  if (entry.bodySha256Hex !== bodySha256Hex) return keyConflict(submission);
  const stored = reads.order(entry.orderId);
  if (stored === null || stored.order.isReleased) return null;
  return repeatedAnswer(stored, entry.answer);
}

/**
 * Like `repeatAnswer`, but within a transaction. Also finds an order that this request made and that was adopted from the venue. `stored` is
 * the order with the submission's id.
 */
export function earlierAnswer(
  entry: LedgerEntry,
  submission: Submission,
  stored: StoredOrder | null,
): Answer | InFlight | null {
  return repeatAnswer(entry.transaction, submission) ?? claimAdopted(entry, submission, stored);
}

/** Returns the conflict of a malformed request whose key was used before with another body. Otherwise returns null. */
export function conflictOf(reads: Pick<LiveReads, 'idempotency'>, keyed: Keyed): Refused | null {
  const entry = reads.idempotency(keyed.actorId, keyed.venue, keyed.idempotencyKey);
  return entry === null || entry.bodySha256Hex === keyed.bodySha256Hex ? null : keyConflict(keyed);
}

interface Keyed extends Pick<Submission, 'actorId' | 'idempotencyKey' | 'bodySha256Hex' | 'names'> {
  readonly venue: Venue;
}

/** Answers a repeat. `earlier` is the result of `repeatAnswer`. */
export function answerRepeat(parts: SubmitParts, submission: Submission, earlier: Answer | InFlight): Soon<Answer> {
  if (earlier.type !== 'in-flight') return keepAnswer(parts, submission, earlier);
  return firstAnswer(parts, submission, earlier).then(answer => keepAnswer(parts, submission, answer));
}

/**
 * Returns the answer to a request that can make no new order. Its key has an order by now, or it has made an adopted order. Otherwise
 * returns null.
 */
export async function answerOfKey(parts: SubmitParts, submission: Submission): Promise<Answer | null> {
  const { ledger, timers } = parts;
  const stored = ledger.store.order(submission.orderId);
  if (stored === null) return null;
  const { value: earlier, fault } = await ledger.commit(timers, entry => earlierAnswer(entry, submission, stored));
  if (fault !== null) throw fault;
  return earlier === null ? null : answerRepeat(parts, submission, earlier);
}

/** Waits for the answer to the first request. If that request belongs to a process that has ended, no answer may come. */
async function firstAnswer({ ledger, timers }: SubmitParts, submission: Submission, first: InFlight): Promise<Answer> {
  const { orderId } = first;
  const { store, waiters } = ledger;
  const sent = store.order(orderId)?.order ?? null;
  const leftMs = sent === null ? 0 : answerDeadline(sent) - timers.now();
  // The remaining time is bounded, because it means nothing if the clock was set back.
  const waitMs = Math.min(leftMs, limits.venueAnswerTimeoutMs) + limits.repeatGraceMs;
  const answer = await firstResult(waiters, orderId, { timers, waitMs }, () => {
    const known = repeatAnswer(store, submission);
    if (known === null) {
      const error = store.order(orderId)?.order.error;
      return unavailable(error?.message ?? 'the order was not sent', 1, error?.code);
    }
    return known.type === 'in-flight' ? null : known;
  });
  return answer ?? unknownOutcome('unknownOutcome', orderId, 'the first request with this key has no answer yet');
}

/**
 * Stores an answer that was rebuilt from the order, and returns it. If another answer was stored meanwhile, returns that answer instead.
 */
export function keepAnswer(
  { ledger }: SubmitParts,
  { actorId, request, idempotencyKey }: Submission,
  answer: Answer,
): Answer {
  const { venue } = request;
  if (!answer.isReplayed || (answer.type === 'refused' && answer.orderId !== null)) return answer;
  return ledger.change(entry => {
    const { transaction, at } = entry;
    const before = transaction.idempotency(actorId, venue, idempotencyKey);
    const stored = before === null ? null : transaction.order(before.orderId);
    if (before === null || stored === null) return answer;
    const first = finalAnswer(stored.order, before.answer);
    if (first !== null) return asReplay(first);
    entry.putKey(actorId, venue, idempotencyKey, { ...before, answer: asStored(answer, stored.order.status, at) });
    return answer;
  });
}
