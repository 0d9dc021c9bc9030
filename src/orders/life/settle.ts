// Applies the venue's answer to a submission, or the lack of an answer: moves the order, and stores the answer under its idempotency key.
// An older acknowledgement never overrides a report of the private stream. Engine thread.

import {
  type Answer,
  type ApiErrorKind,
  made,
  refused,
  type UnknownKind,
  unavailable,
  unknownOutcome,
} from '../../core/domain/answer.ts';
import type { UnixMillis } from '../../core/domain/numbers.ts';
import type { OrderError, VenueError } from '../../core/domain/order.ts';
import { NOTHING_FILLED } from '../../core/domain/order-sums.ts';
import { assert, unreachable } from '../../core/domain/result.ts';
import type { Soon } from '../../core/domain/soon.ts';
import { limits } from '../../limits.ts';
import type { SubmitOutcome } from '../../venues/venue.ts';
import { answerOf, asStored, finalAnswer } from './answers.ts';
import { endGivenUp } from './confirmed-cancel.ts';
import { applyFound, stateEvent } from './evidence.ts';
import type { LedgerEntry } from './ledger-entry.ts';
import { answerDeadline, type Sent, type SubmitParts } from './submission.ts';

/** Returns the answers to the orders, in the sequence of `sent`. Outcomes that need no look-up are settled in one step. */
export function settle(
  parts: SubmitParts,
  sent: readonly Sent[],
  outcomes: readonly SubmitOutcome[],
): readonly Soon<Answer>[] {
  const answers = parts.ledger.change(entry => sent.map((one, index) => finish(entry, one, outcomes[index]!)));
  return answers.map((known, index) => settleOne(parts, sent[index]!, outcomes[index]!, known));
}

function settleOne(parts: SubmitParts, sent: Sent, outcome: SubmitOutcome, known: Answer | null): Soon<Answer> {
  if (outcome.type === 'exists') return settleByLookUp(parts, sent, outcome);
  assert(known !== null, 'every outcome but one is settled at once');
  const isLate = outcome.type === 'accepted' && known.type === 'refused';
  return isLate ? cancelLate(parts, sent, outcome.venueOrderId).then(() => known) : known;
}

/**
 * Records the order's new state, and the answer under its key. This does not wait for the disk, since the venue can report the outcome
 * again.
 */
function finish(entry: LedgerEntry, sent: Sent, outcome: SubmitOutcome): Answer | null {
  const concluded = applyOutcome(entry, sent, outcome);
  if (concluded === null) return null;
  const { actorId, request, idempotencyKey, bodySha256Hex } = sent.submission;
  const { orderId } = sent.order;
  const { transaction, at } = entry;
  const latest = transaction.order(orderId)?.order ?? sent.order;
  // A report of the private stream may have answered a repeat meanwhile. Then that answer stays.
  const before = transaction.idempotency(actorId, request.venue, idempotencyKey);
  const answer = finalAnswer(latest, before?.answer ?? null) ?? concluded;
  const kept = asStored(answer, latest.status, at);
  entry.putKey(actorId, request.venue, idempotencyKey, { orderId, bodySha256Hex, answer: kept });
  return answer;
}

/** Applies the outcome and returns the answer. Null means that a look-up must decide. */
function applyOutcome(entry: LedgerEntry, sent: Sent, outcome: SubmitOutcome): Answer | null {
  const { orderId } = sent.order;
  switch (outcome.type) {
    case 'accepted': {
      const order = entry.apply(orderId, [stateEvent(outcome, entry.at)]);
      return order.status === 'REJECTED' ? unknownOutcome('unknownOutcome', orderId, TAKEN_LATE) : made(order);
    }
    case 'refused': {
      const { kind, error, venueError } = outcome;
      const words = refused(kind, error.message ?? 'the venue refused the order', error.code);
      return applyRefusal(entry, sent, { kind, error, venueError, isReleased: false }, words);
    }
    case 'not-sent': {
      const { retryAfterS, venueError } = outcome;
      const message = `${sent.order.request.venue}: ${outcome.message}: ${notSentText(sent)}`;
      const error = { code: 'UNKNOWN', message } as const;
      const words = unavailable(message, retryAfterS, error.code);
      return applyRefusal(entry, sent, { kind: 'unavailable', error, venueError, isReleased: true }, words);
    }
    case 'exists':
      return null;
    case 'unknown':
      return unknownAnswer(
        entry,
        sent,
        outcome.cause === 'timeout' ? 'unknownOutcome' : 'unreadableOutcome',
        outcome.message,
      );
    default:
      return unreachable(outcome);
  }
}

/** Returns the words for a submission that was not sent. */
function notSentText({ order: { replaces }, venue }: Sent): string {
  if (replaces === null || venue.amends !== null) return 'nothing was done';
  return `the new order was not sent, and order ${replaces.orderId} is over`;
}

const TAKEN_LATE =
  'the venue accepted the order after the gateway had given it up; the gateway cancels it: read the order';

/** Cancels an order that must not trade (contract §4.7). If the cancel fails, the account's next reading cancels the order. */
async function cancelLate(
  { ledger, timers }: SubmitParts,
  { order, intent, venue }: Sent,
  venueOrderId: string,
): Promise<void> {
  const { orderId } = order;
  ledger.change(entry => entry.diverged('late-trace', { orderId, venueOrderId }));
  const deadline = (timers.now() + limits.lookTimeoutMs) as UnixMillis;
  const outcome = await venue.cancel({ ...order, venueOrderId }, deadline);
  await endGivenUp(ledger, venue, { order, intent }, venueOrderId, { outcome, deadline });
}

interface Refusal {
  readonly kind: ApiErrorKind;
  readonly error: OrderError;
  readonly venueError: VenueError | undefined;
  readonly isReleased: boolean;
}

/** Applies a refusal and returns its answer. An order that was seen at the venue meanwhile counts as made. */
function applyRefusal(entry: LedgerEntry, sent: Sent, { kind, ...refusal }: Refusal, words: Answer): Answer {
  const { error } = refusal;
  const order = entry.apply(sent.order.orderId, [{ type: 'refused', at: entry.at, ...refusal }], kind);
  return order.status === 'REJECTED' ? words : unknownAnswer(entry, sent, 'unreadableOutcome', error.message ?? '');
}

/**
 * Settles an outcome by a look-up. The venue may have accepted without prices, which only the fills state. If the order has ended, a
 * look-up that still shows it resting is stale. Or the request is a retry of an order whose record was lost. The venue may have had that
 * order under this id for any time.
 */
async function settleByLookUp(
  { ledger }: SubmitParts,
  sent: Sent,
  { message, venueOrderId, reason }: Extract<SubmitOutcome, { type: 'exists' }>,
): Promise<Answer> {
  const { orderId } = sent.order;
  const isOver = venueOrderId !== undefined;
  const order = ledger.change(entry => {
    const { at } = entry;
    const isThere = { type: 'delayed', at, venueOrderId: venueOrderId ?? '', stated: NOTHING_FILLED } as const;
    return entry.apply(orderId, [isOver ? isThere : { type: 'sent-before', at }]);
  });
  const found = await sent.venue.lookUp(order, sent.intent, answerDeadline(sent.order));
  const isGone = found.type === 'found' && found.state === 'gone';
  const shown = isGone ? { ...found, reason: reason ?? found.reason } : found;
  if (shown.type === 'found' && (isGone || !isOver)) applyFound(ledger, order, shown);
  return ledger.change(entry => finish(entry, sent, { type: 'unknown', cause: 'timeout', message }))!;
}

/** Answers an unknown outcome. The private stream may have reported the outcome that the answer lacks. */
function unknownAnswer({ transaction }: LedgerEntry, { order }: Sent, kind: UnknownKind, message: string): Answer {
  const stored = transaction.order(order.orderId);
  return (stored === null ? null : answerOf(stored)) ?? unknownOutcome(kind, order.orderId, message);
}
