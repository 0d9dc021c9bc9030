// Replaces an order (docs/PROTOCOL.md). Some venues amend an order in place, in one request. At others the old order is cancelled; once the
// venue confirms that and its fills are known, the new order is sent with the rest. Both are never live at once. Engine thread.

import { type Answer, type ApiErrorKind, refused, unavailable, unknownOutcome } from '../../core/domain/answer.ts';
import type { MicroShares, UnixMillis } from '../../core/domain/numbers.ts';
import { type Order, type OrderError, type OrderId, transition } from '../../core/domain/order.ts';
import { traded } from '../../core/domain/order-sums.ts';
import { ok, unreachable } from '../../core/domain/result.ts';
import type { Soon } from '../../core/domain/soon.ts';
import { pause } from '../../core/runtime/timers.ts';
import type { StoredOrder } from '../../core/store/order-records.ts';
import { limits } from '../../limits.ts';
import type { AmendOutcome, SubmitOutcome, VenueTrading } from '../../venues/venue.ts';
import { notionalProblem } from './actor-limits.ts';
import { admit } from './admission.ts';
import { claimReplacement } from './adoption.ts';
import { answerOf, type InFlight, keptAs } from './answers.ts';
import { cancelDeadline, carryOut, isOverBy, notCancellable } from './cancel.ts';
import { applyFound } from './evidence.ts';
import { firstKnown } from './first-known.ts';
import { untilKnown } from './order-waiters.ts';
import { lookAt } from './reconcile.ts';
import { answerAgain, repeated } from './repeat.ts';
import { nothingLeft, type ReplaceTerms, recordReplacement, wantedOf } from './replacement.ts';
import { tradedBefore } from './replacement-chain.ts';
import { inTime, type Sent, unsafe } from './route.ts';
import { settle } from './settle.ts';
import type { Submission, SubmitParts } from './submission.ts';
import { lasting, send } from './submit.ts';

interface Replace {
  /** The request of the old order, with the new terms. */
  readonly submission: Submission;
  readonly oldId: OrderId;
  readonly terms: ReplaceTerms;
}

/** A replace from its record on. */
interface UnderWay {
  readonly sent: Sent;
  readonly oldId: OrderId;
  readonly total: MicroShares;
}

/** The longest wait for the answer to the old order's own submission. */
const ANSWERED_MS = 1_000;
/** The time-out of the old order's cancel. Then the new order has as long as any other. */
const CANCEL_MS = 3_000;

/** Rejects only with a StoreError: then the recorded orders are reconciled later. */
export async function replace(parts: SubmitParts, venue: VenueTrading, asked: Replace): Promise<Answer> {
  const [answer] = await parts.underWay.during([asked.submission.orderId], record(parts, venue, asked));
  return lasting(parts, asked.submission, answer);
}

/** The answer to come; resolves once the new order is recorded, or cannot be. */
async function record(parts: SubmitParts, venue: VenueTrading, asked: Replace): Promise<readonly [Soon<Answer>]> {
  const { oldId, terms } = asked;
  const { orderId } = asked.submission;
  const { store } = parts.ledger;
  // Read this before the submission itself is in flight.
  const before = parts.underWay.latest(orderId);
  const earlier = repeated(store, asked.submission);
  if (earlier !== null) return [answerAgain(parts, asked.submission, earlier)];

  const adopted = await claimed(parts, asked);
  if (adopted !== null) return [answerAgain(parts, asked.submission, adopted)];

  /** The refusal of this request: an earlier request with its key may have been recorded meanwhile. */
  const refusal = async (answer: Answer): Promise<Answer> => {
    await before;
    const first = repeated(store, asked.submission);
    return first === null ? answer : answerAgain(parts, asked.submission, first);
  };
  const old = await answered(parts, oldId);
  const wanted = wantedOf(old, terms);
  if (!wanted.ok) return [refusal(wanted.error)];
  const { request, total } = wanted.value;
  const submission = { ...asked.submission, request };
  const { amends } = venue;
  const venueTotal = (total + tradedBefore(store, old).size) as MicroShares;
  const change = (order: Order) => ok(amends!.prepare(store.order(oldId)!, order, venueTotal));
  const admission = await admit(parts, submission, amends === null ? null : change);
  submission.passed('admit');
  if (admission.type === 'refused') return [refusal(admission.answer)];

  const replacement = { submission, admission, oldId, total, venueTotal: amends === null ? null : venueTotal };
  const { value: recorded, fault } = await parts.ledger.commit(parts.timers, entry =>
    recordReplacement(parts, replacement, entry),
  );
  submission.passed('store');
  if (recorded.type === 'answered') return [answerAgain(parts, submission, recorded.answer)];
  if (fault === null) submission.recorded?.(orderId);
  const underWay = { sent: { ...recorded, submission, fault }, oldId, total };
  if (amends === null) return [cancelAndSubmit(parts, underWay)];
  return [firstKnown(parts, submission, amend(parts, underWay))];
}

/** The answer for an order that was adopted from the venue and that this request made. */
async function claimed(
  { ledger, timers }: SubmitParts,
  { submission, oldId }: Replace,
): Promise<Answer | InFlight | null> {
  if (ledger.store.order(submission.orderId) === null) return null;
  const { value, fault } = await ledger.commit(timers, entry => claimReplacement(entry, submission, oldId));
  if (fault !== null) throw fault;
  return value;
}

/** The old order once its own submission is answered; when time is up, its present state. */
async function answered({ ledger, timers }: SubmitParts, oldId: OrderId): Promise<Order> {
  const read = (): Order => ledger.store.order(oldId)!.order;
  const look = (): Order | null => (['PENDING', 'SUBMITTED'].includes(read().status) ? null : read());
  const patience = { timers, waitMs: ANSWERED_MS };
  return (await untilKnown(ledger.waiters, oldId, patience, look)) ?? read();
}

// Amends the order in place.

async function amend(parts: SubmitParts, underWay: UnderWay): Promise<Answer> {
  const { sent, oldId } = underWay;
  const { submission, venue, intent, order } = sent;
  const { amending, store } = parts.ledger;
  const old = store.order(oldId)!;
  amending.add(order.orderId);
  try {
    const [outcome] = await inTime<AmendOutcome>(parts, [sent], async (_, { deadline, notAfter }) => [
      await venue.amends!.amend(old.order, intent, deadline, notAfter),
    ]);
    submission.passed('venue');
    return settleAmend(parts, underWay, old, outcome!);
  } finally {
    amending.delete(order.orderId);
  }
}

/** The leaves quantity is recorded before the first await: until then the amendment counts as unanswered. */
async function settleAmend(
  parts: SubmitParts,
  { sent, oldId }: UnderWay,
  old: StoredOrder,
  outcome: AmendOutcome,
): Promise<Answer> {
  const { ledger } = parts;
  switch (outcome.type) {
    case 'amended': {
      const { venueOrderId, remaining, taken } = outcome;
      if (remaining === 0) return settle(parts, [sent], [overAtOnce(venueOrderId)])[0]!;
      const rests = { type: 'accepted', venueOrderId, state: 'rests', stated: null } as const;
      const [answer] = settle(parts, [sent], [rests]);
      // The old order may have filled more by then than its reported fills show.
      if (remaining !== null)
        ledger.change(entry => entry.leaveAtMost(sent.order.orderId, (remaining + taken) as MicroShares));
      return answer!;
    }
    case 'not-found':
      await lookAt({ ledger, now: () => parts.timers.now() }, sent.venue, old, cancelDeadline(parts));
      return giveUp(parts, sent, {
        kind: 'notCancellable',
        error: { code: 'NOT_FEASIBLE', message: outcome.message },
        words: `order ${oldId} is in the venue’s book no more (${outcome.message}): nothing was changed`,
      });
    case 'refused':
    case 'not-sent':
    case 'unknown':
      return settle(parts, [sent], [outcome])[0]!;
    default:
      return unreachable(outcome);
  }
}

/**
 * Nothing of the amended order rests, but it may not be filled: a look-up shows that. The order may have met another of its account, or
 * triggered the group of the old order, which may be spent by now. The stream says which.
 */
function overAtOnce(venueOrderId: string): SubmitOutcome {
  return { type: 'exists', message: 'the order was changed, and none of it rests', venueOrderId, reason: 'VENUE' };
}

// Cancels the old order, then sends the new one.

async function cancelAndSubmit(parts: SubmitParts, { sent, oldId, total }: UnderWay): Promise<Answer> {
  const { ledger } = parts;
  const { submission, venue } = sent;
  if (sent.fault !== null) return notBegun(parts, sent, oldId, unsafe(sent.fault));
  if (!submission.claim()) return notBegun(parts, sent, oldId);
  const deadline = (parts.timers.now() + CANCEL_MS) as UnixMillis;
  const ended = await carryOut(parts, venue, ledger.store.order(oldId)!.order, { deadline, isNew: true, isKept: true });
  if (ended.type === 'refused') return firstHalf(parts, sent, oldId, ended);
  const filled = await filledBy(parts, venue, oldId, deadline);
  submission.passed('venue');
  if (filled === null) {
    const words = `order ${oldId} is CANCELLED, and what it has filled is not known yet: the new order was not sent`;
    return giveUp(parts, sent, { kind: 'unavailable', error: { code: 'UNKNOWN', message: words }, words });
  }
  const left = (total - filled) as MicroShares;
  if (left <= 0) {
    const words = nothingLeft({ orderId: oldId }, filled);
    return giveUp(parts, sent, { kind: 'notCancellable', error: { code: 'NOT_FEASIBLE', message: words }, words });
  }
  return submitRest(parts, sent, oldId, left);
}

async function submitRest(parts: SubmitParts, sent: Sent, oldId: OrderId, left: MicroShares): Promise<Answer> {
  const { ledger } = parts;
  const { venue, order } = sent;
  const { orderId } = order;
  const request = { ...order.request, size: left } as Order['request'];
  const submission = { ...sent.submission, request, claim: () => true };
  // A trade that failed meanwhile leaves a larger quantity than the check saw.
  const problem = notionalProblem(submission.limits, request);
  if (problem !== null) {
    const words = `order ${oldId} is CANCELLED, and the new order was not sent: ${problem}`;
    return giveUp(parts, sent, { kind: 'invalid', error: { code: 'INVALID_ORDER', message: words }, words });
  }
  const isAsSigned = 'size' in order.request && order.request.size === left;
  const changed = { ...order, request };
  const prepared = isAsSigned
    ? ok(sent.intent)
    : await venue.prepare(changed, submission.idempotencyKey, parts.groupOf(changed));
  if (!prepared.ok) {
    const { kind, error, message } = prepared.error;
    return giveUp(parts, sent, { kind, error: { ...error, message }, words: message });
  }
  const intent = prepared.value;
  const { value: out, fault } = await ledger.commit(parts.timers, entry => {
    const pending = entry.order(orderId);
    // The new order was cancelled meanwhile: it is never sent.
    if (pending.status !== 'PENDING') return null;
    const next = transition({ ...pending, request } as Order<'PENDING'>, { type: 'sent', at: entry.at });
    entry.putOrder({ order: next, intent, refusedAs: null });
    entry.apply(oldId, [{ type: 'replaced', at: entry.at, by: orderId, isSame: false }]);
    return next;
  });
  if (out === null) return answerOf(ledger.store.order(orderId)!) ?? notCancellable(order);
  const settled = send(parts, [{ type: 'sent', order: out, intent, venue, submission, fault }]);
  return firstKnown(
    parts,
    submission,
    settled.then(answers => answers[0]!),
  );
}

/** The cancel of the old order has failed, so the new order is not sent. */
function firstHalf(parts: SubmitParts, sent: Sent, oldId: OrderId, why: Extract<Answer, { type: 'refused' }>): Answer {
  const { kind, message } = why;
  switch (kind) {
    case 'unavailable':
      return notBegun(parts, sent, oldId, why);
    case 'unknownOutcome': {
      const words = `the cancel of order ${oldId} is not confirmed, and stays wanted: read it; the new order was not sent`;
      const ofNew = giveUp(parts, sent, { kind: 'unavailable', error: { code: 'UNKNOWN', message: words }, words });
      return { ...unknownOutcome(kind, oldId, words), reason: ofNew.type === 'refused' ? ofNew.reason : null };
    }
    default: {
      const code = kind === 'notCancellable' ? 'NOT_FEASIBLE' : 'VENUE_REJECTED';
      return giveUp(parts, sent, { kind, error: { code, message }, words: message });
    }
  }
}

/** Nothing was sent: the old order stays, unless another request cancels it. */
function notBegun(
  parts: SubmitParts,
  sent: Sent,
  oldId: OrderId,
  { message, retryAfterS }: { message: string; retryAfterS: number | null } = NOT_WAITED_FOR,
): Answer {
  parts.ledger.change(entry => {
    if (entry.order(oldId).cancelReason === 'REPLACED') entry.apply(oldId, [{ type: 'cancel-revoked', at: entry.at }]);
  });
  const words = `${message}: nothing was done`;
  const answer = giveUp(parts, sent, { kind: 'unavailable', error: { code: 'UNKNOWN', message: words }, words });
  return answer.type === 'refused' ? { ...answer, retryAfterS: retryAfterS ?? 1 } : answer;
}

const NOT_WAITED_FOR = { message: 'the gateway stopped waiting for the record of the order', retryAfterS: 1 };

interface GivenUp {
  readonly kind: ApiErrorKind;
  readonly error: OrderError;
  readonly words: string;
}

/** Ends the new order unsent. Its key is free again where the same request may succeed later. */
function giveUp({ ledger }: SubmitParts, { order, submission }: Sent, { kind, error, words }: GivenUp): Answer {
  const { actorId, request, idempotencyKey, bodySha256Hex } = submission;
  const { orderId } = order;
  const answer = kind === 'unavailable' ? unavailable(words, 1, error.code) : refused(kind, words, error.code);
  return ledger.change(entry => {
    const isReleased = kind === 'unavailable';
    const after = entry.apply(orderId, [{ type: 'refused', at: entry.at, error, isReleased }], kind);
    // The caller has cancelled the new order meanwhile.
    if (after.status !== 'REJECTED') return answerOf(entry.transaction.order(orderId)!) ?? answer;
    const kept = keptAs(answer, after.status, entry.at);
    entry.putKey(actorId, request.venue, idempotencyKey, { orderId, bodySha256Hex, answer: kept });
    return answer;
  });
}

/** The cumulative quantity of a cancelled order, once the venue shows its end; null if that takes too long. */
async function filledBy(
  { ledger, timers }: SubmitParts,
  venue: VenueTrading,
  oldId: OrderId,
  deadline: UnixMillis,
): Promise<MicroShares | null> {
  for (let pauseMs: number = limits.cancelPollMs; ; pauseMs = Math.min(2 * pauseMs, limits.cancelPollMsMax)) {
    const { order, intent } = ledger.store.order(oldId)!;
    const found = await venue.lookUp(order, intent!, deadline);
    if (found.type === 'found') {
      const after = applyFound(ledger, order, found);
      if (found.state === 'gone') return traded(after).size;
    }
    if (isOverBy({ timers }, deadline, pauseMs)) return null;
    await pause(timers, pauseMs);
  }
}
