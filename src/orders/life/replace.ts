// Replaces an order (docs/PROTOCOL.md). Some venues amend an order in place, in one request. At the others the old order is cancelled. Once
// the venue has confirmed the cancel and the fills are known, the new order is sent with the rest. The two orders are never live at once.
// Engine thread.

import { type Answer, type ApiErrorKind, refused, unavailable, unknownOutcome } from '../../core/domain/answer.ts';
import type { Grid } from '../../core/domain/grid.ts';
import type { MicroShares, UnixMillis } from '../../core/domain/numbers.ts';
import { type Order, type OrderError, type OrderId, transition } from '../../core/domain/order.ts';
import { mostSizeOf, traded } from '../../core/domain/order-sums.ts';
import { ok, unreachable } from '../../core/domain/result.ts';
import { pause } from '../../core/runtime/timers.ts';
import type { StoredOrder } from '../../core/store/order-records.ts';
import type { StoreError } from '../../core/store/store-error.ts';
import { limits } from '../../limits.ts';
import type { AmendOutcome, SubmitOutcome, VenueTrading } from '../../venues/venue.ts';
import { orderProblem } from './actor-limits.ts';
import type { Halt } from './actor-rates.ts';
import { admit } from './admission.ts';
import { claimReplacement } from './adoption.ts';
import { answerOf, asStored, type InFlight } from './answers.ts';
import { cancelDeadline, carryOut, endedRefusal, isDueBefore } from './cancel.ts';
import { collarBound, collarProblem } from './collar.ts';
import { applyFound } from './evidence.ts';
import { EVENTS_UNKNOWN, exposureProblem } from './exposure.ts';
import { haltBeforeSend } from './halts.ts';
import { firstResult } from './order-waiters.ts';
import { lookAt } from './reconcile.ts';
import { unsafeAnswer } from './record-fault.ts';
import { repeatAnswer } from './repeat.ts';
import { readsWithout } from './replaced-reads.ts';
import { newRequestOf, nothingLeftText, type ReplaceTerms, recordReplacement } from './replacement.ts';
import { tradedBefore } from './replacement-chain.ts';
import { settle } from './settle.ts';
import { answerDeadline, type Sent, type Submission, type SubmitParts } from './submission.ts';
import { answer, answerEarlier, lateAsUnsent, NO_LONGER_AWAITED, Placed, send, sendable } from './submit.ts';

interface Replace {
  /** The request of the old order, with the new terms. */
  readonly submission: Submission;
  readonly oldId: OrderId;
  readonly terms: ReplaceTerms;
}

/** A replace that is recorded. */
interface UnderWay {
  readonly sent: Sent;
  /** Why the record is not safe. Null means that it is safe. */
  readonly fault: StoreError | null;
  readonly oldId: OrderId;
  readonly total: MicroShares;
  readonly grid: Grid;
}

/** The longest wait for the answer to the old order's own submission. */
const ANSWERED_MS = 1_000;
/** The time-out of the old order's cancel. After that the new order has the same time as any other order. */
const CANCEL_MS = 3_000;

export function replace(parts: SubmitParts, venue: VenueTrading, replacing: Replace): void {
  const { asker, orderId } = replacing.submission;
  parts.underWay.track([orderId], record(parts, venue, replacing)).catch(error => asker.failed(error));
}

/** Records the new order, and begins the replace. Resolves once the new order is recorded, or cannot be. */
async function record(parts: SubmitParts, venue: VenueTrading, replacing: Replace): Promise<void> {
  const { oldId, terms } = replacing;
  const { orderId } = replacing.submission;
  const { store } = parts.ledger;
  // This must be read before the submission itself is in flight.
  const before = parts.underWay.latestWork(orderId);
  const earlier = repeatAnswer(store, replacing.submission);
  if (earlier !== null) return answerEarlier(parts, replacing.submission, earlier);

  const adopted = await adoptedAnswer(parts, replacing);
  if (adopted !== null) return answerEarlier(parts, replacing.submission, adopted);

  /** Refuses this request, unless an earlier request with its key was recorded meanwhile. */
  const refuse = (refusal: Answer): void => {
    const refused = (async () => {
      await before;
      answerEarlier(parts, replacing.submission, repeatAnswer(store, replacing.submission) ?? refusal);
    })();
    refused.catch(error => replacing.submission.asker.failed(error));
  };
  const old = await answeredOrder(parts, oldId);
  const wanted = newRequestOf(old, terms);
  if (!wanted.ok) return refuse(wanted.error);
  const { request, total } = wanted.value;
  const submission = { ...replacing.submission, request };
  const { amends } = venue;
  const venueTotal = (total + tradedBefore(store, old).size) as MicroShares;
  const change = (order: Order) => ok(amends!.prepare(store.order(oldId)!, order, venueTotal));
  const admission = await admit(parts, submission, amends === null ? null : change);
  submission.stopwatch?.passed('admit');
  if (admission.type === 'refused') return refuse(admission.answer);

  const replacement = { submission, admission, oldId, total, venueTotal: amends === null ? null : venueTotal };
  const { value: recorded, fault } = await parts.ledger.commit(parts.timers, entry =>
    recordReplacement(parts, replacement, entry),
  );
  submission.stopwatch?.passed('store');
  if (recorded.type === 'answered') return answerEarlier(parts, submission, recorded.answer);
  const placed = new Placed(parts, submission, recorded);
  if (fault === null) placed.acknowledge();
  if (amends !== null) return amend(parts, placed, fault, oldId);
  const cancelled = cancelAndSubmit(parts, { sent: placed, fault, oldId, total, grid: admission.grid });
  cancelled.then(
    known => known !== null && answer(parts, submission, known),
    error => submission.asker.failed(error),
  );
}

/** Returns the answer of an order that this request made, and that was adopted from the venue. */
async function adoptedAnswer(
  { ledger, timers }: SubmitParts,
  { submission, oldId }: Replace,
): Promise<Answer | InFlight | null> {
  if (ledger.store.order(submission.orderId) === null) return null;
  const { value, fault } = await ledger.commit(timers, entry => claimReplacement(entry, submission, oldId));
  if (fault !== null) throw fault;
  return value;
}

/** Returns the old order once its own submission is answered. When time is up, returns its present state. */
async function answeredOrder({ ledger, timers }: SubmitParts, oldId: OrderId): Promise<Order> {
  const read = (): Order => ledger.store.order(oldId)!.order;
  const look = (): Order | null => (['PENDING', 'SUBMITTED'].includes(read().status) ? null : read());
  const patience = { timers, waitMs: ANSWERED_MS };
  return (await firstResult(ledger.waiters, oldId, patience, look)) ?? read();
}

// Amends the order in place.

function amend(parts: SubmitParts, placed: Placed, fault: StoreError | null, oldId: OrderId): void {
  const old = parts.ledger.store.order(oldId)!;
  if (sendable(parts, [placed], fault).length > 0) placed.conclude(sendAmendment(parts, placed, old));
}

async function sendAmendment(parts: SubmitParts, sent: Sent, old: StoredOrder): Promise<Answer> {
  const { submission, venue, intent, order } = sent;
  const { amending } = parts.ledger;
  amending.add(order.orderId);
  try {
    const outcome = await venue.amends!.amend(old.order, intent, answerDeadline(order), submission.notAfter);
    submission.stopwatch?.passed('venue');
    return settleAmend(parts, sent, old, lateAsUnsent(parts, sent, outcome));
  } finally {
    amending.delete(order.orderId);
  }
}

/**
 * Settles the answer to an amendment. The leaves quantity is recorded before the first await, because until then the amendment counts as
 * unanswered.
 */
async function settleAmend(parts: SubmitParts, sent: Sent, old: StoredOrder, outcome: AmendOutcome): Promise<Answer> {
  const { ledger } = parts;
  switch (outcome.type) {
    case 'amended': {
      const { venueOrderId, remaining, taken } = outcome;
      if (remaining === 0) return settle(parts, [sent], [endedOutcome(venueOrderId)])[0]!;
      const rests = { type: 'accepted', venueOrderId, state: 'rests', stated: null } as const;
      const [answer] = settle(parts, [sent], [rests]);
      // By the time of the answer, the old order may have filled more than its reported fills show.
      if (remaining !== null)
        ledger.change(entry => entry.capSize(sent.order.orderId, (remaining + taken) as MicroShares));
      return answer!;
    }
    case 'not-found':
      await lookAt({ ledger, now: () => parts.timers.now() }, sent.venue, old, cancelDeadline(parts));
      return giveUp(parts, sent, {
        kind: 'notCancellable',
        error: { code: 'NOT_FEASIBLE', message: outcome.message },
        words: `order ${old.order.orderId} is not in the venue’s book any more (${outcome.message}): nothing was changed`,
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
 * Returns the outcome of an amended order that rests no more, though it may not be filled: a look-up shows that. The order may have met
 * another order of its account. Or it may have triggered the group of the old order, which may be spent by now. The stream says which of
 * the two happened.
 */
function endedOutcome(venueOrderId: string): SubmitOutcome {
  return { type: 'exists', message: 'the order was changed, and none of it rests', venueOrderId, reason: 'VENUE' };
}

// Cancels the old order, then sends the new one.

/**
 * Cancels the old order, then sends the new order. Returns null once the new order is sent, because that order then gets its own answer.
 */
async function cancelAndSubmit(parts: SubmitParts, underWay: UnderWay): Promise<Answer | null> {
  const { sent, fault, oldId, total } = underWay;
  const { ledger } = parts;
  const { submission, venue } = sent;
  if (fault !== null) return unsentAnswer(parts, sent, oldId, unsafeAnswer(fault));
  if (!submission.hooks.claim()) return unsentAnswer(parts, sent, oldId, NO_LONGER_AWAITED);
  const deadline = (parts.timers.now() + CANCEL_MS) as UnixMillis;
  const ended = await carryOut(parts, venue, ledger.store.order(oldId)!.order, { deadline, isNew: true, isKept: true });
  if (ended.type === 'refused') return keptAnswer(parts, sent, oldId, ended);
  const filled = await finalFilled(parts, venue, oldId, deadline);
  submission.stopwatch?.passed('venue');
  if (filled === null) {
    const words = `order ${oldId} is CANCELLED, and what it has filled is not known yet: the new order was not sent`;
    return giveUp(parts, sent, { kind: 'unavailable', error: { code: 'UNKNOWN', message: words }, words });
  }
  const left = (total - filled) as MicroShares;
  if (left <= 0) {
    const words = nothingLeftText({ orderId: oldId }, filled);
    return giveUp(parts, sent, { kind: 'notCancellable', error: { code: 'NOT_FEASIBLE', message: words }, words });
  }
  return submitRest(parts, underWay, left);
}

async function submitRest(
  parts: SubmitParts,
  { sent, oldId, grid }: UnderWay,
  left: MicroShares,
): Promise<Answer | null> {
  const { ledger } = parts;
  const { venue, order } = sent;
  const { orderId } = order;
  const request = { ...order.request, size: left } as Order['request'];
  const { hooks } = sent.submission;
  const claimed = { claim: () => true, begun: hooks.begun.bind(hooks), recorded: hooks.recorded.bind(hooks) };
  const submission = { ...sent.submission, request, hooks: claimed };
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
  const problem = restProblem(parts, sent.order, submission, grid);
  if (problem !== null) {
    const words = `order ${oldId} is CANCELLED, and the new order was not sent: ${problem}`;
    return giveUp(parts, sent, { kind: 'invalid', error: { code: 'NOT_FEASIBLE', message: words }, words });
  }
  const halt = haltBeforeSend(parts, sent) ?? priceHalt(parts, submission, grid) ?? eventHalt(parts, submission);
  if (halt !== null) {
    const words = `order ${oldId} is CANCELLED, and the new order was not sent: ${halt.message}`;
    const answer = giveUp(parts, sent, { kind: 'unavailable', error: { code: 'UNKNOWN', message: words }, words });
    return answer.type === 'refused' ? { ...answer, retryAfterS: halt.retryAfterS } : answer;
  }
  const { value: out, fault } = await ledger.commit(parts.timers, entry => {
    const pending = entry.order(orderId);
    // The new order was cancelled meanwhile, so it is never sent.
    if (pending.status !== 'PENDING') return null;
    const next = transition({ ...pending, request } as Order<'PENDING'>, { type: 'sent', at: entry.at });
    entry.putOrder({ order: next, intent, refusedAs: null });
    entry.apply(oldId, [{ type: 'replaced', at: entry.at, by: orderId, isSame: false }]);
    return next;
  });
  if (out === null) return answerOf(ledger.store.order(orderId)!) ?? endedRefusal(order);
  send(parts, [new Placed(parts, submission, { order: out, intent, venue })], fault);
  return null;
}

/**
 * Returns the limit that the rest would break. Prices have moved since the first check, and a trade that failed leaves a larger quantity.
 */
function restProblem(
  { ledger, bestOf, exposure }: SubmitParts,
  admitted: Order,
  rest: Submission,
  grid: Grid,
): string | null {
  const { limits: own, request } = rest;
  const bound = collarBound(own, rest, grid, bestOf);
  const beyond = bound.type === 'bounded' && 'price' in request ? collarProblem(request.price, bound) : null;
  const size = mostSizeOf(request, grid);
  const problem = orderProblem(own, request, size) ?? beyond;
  const isGrown = size > mostSizeOf(admitted.request, grid);
  if (problem !== null || !isGrown) return problem;
  return exposureProblem(exposure.measure(rest, readsWithout(ledger.store, admitted)).exposures ?? []);
}

function eventHalt({ ledger, exposure }: SubmitParts, rest: Submission): Halt | null {
  return exposure.measure(rest, ledger.store).exposures === null ? EVENTS_UNKNOWN : null;
}

function priceHalt({ bestOf }: SubmitParts, rest: Submission, grid: Grid): Halt | null {
  const bound = collarBound(rest.limits, rest, grid, bestOf);
  return bound.type === 'no-price' ? { message: bound.message, retryAfterS: 1 } : null;
}

/** Answers a replace whose old order was not cancelled, so that the new order is not sent. */
function keptAnswer(parts: SubmitParts, sent: Sent, oldId: OrderId, why: Extract<Answer, { type: 'refused' }>): Answer {
  const { kind, message } = why;
  switch (kind) {
    case 'unavailable':
      return unsentAnswer(parts, sent, oldId, why);
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

/** Answers a replace that has sent nothing. The old order stays, unless another request cancels it. */
function unsentAnswer(
  parts: SubmitParts,
  sent: Sent,
  oldId: OrderId,
  { message, retryAfterS }: { readonly message: string; readonly retryAfterS: number | null },
): Answer {
  parts.ledger.change(entry => {
    if (entry.order(oldId).cancelReason === 'REPLACED') entry.apply(oldId, [{ type: 'cancel-revoked', at: entry.at }]);
  });
  const words = `${message}: nothing was done`;
  const answer = giveUp(parts, sent, { kind: 'unavailable', error: { code: 'UNKNOWN', message: words }, words });
  return answer.type === 'refused' ? { ...answer, retryAfterS: retryAfterS ?? 1 } : answer;
}

interface GivenUp {
  readonly kind: ApiErrorKind;
  readonly error: OrderError;
  readonly words: string;
}

/** Ends the new order, which was not sent. Its key is free again if the same request may succeed later. */
function giveUp({ ledger }: SubmitParts, { order, submission }: Sent, { kind, error, words }: GivenUp): Answer {
  const { actorId, request, idempotencyKey, bodySha256Hex } = submission;
  const { orderId } = order;
  const answer = kind === 'unavailable' ? unavailable(words, 1, error.code) : refused(kind, words, error.code);
  return ledger.change(entry => {
    const isReleased = kind === 'unavailable';
    const after = entry.apply(orderId, [{ type: 'refused', at: entry.at, error, isReleased }], kind);
    // The caller has cancelled the new order meanwhile.
    if (after.status !== 'REJECTED') return answerOf(entry.transaction.order(orderId)!) ?? answer;
    const kept = asStored(answer, after.status, entry.at);
    entry.putKey(actorId, request.venue, idempotencyKey, { orderId, bodySha256Hex, answer: kept });
    return answer;
  });
}

/** Returns the cumulative quantity of a cancelled order, once the venue shows that it has ended. Null means that this took too long. */
async function finalFilled(
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
    if (isDueBefore({ timers }, deadline, pauseMs)) return null;
    await pause(timers, pauseMs);
  }
}
