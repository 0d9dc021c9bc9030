// The life of a submission, from top to bottom: admit → record → send → settle → answer. Nothing is recorded before admission, nothing is
// sent before the record, and nothing is sent twice. A batch has one record and one request. Usually an order waits for its venue only:
// other steps follow at once, unless they need unread facts or a safe record. Engine thread.

import type { Answer, Refused } from '../../core/domain/answer.ts';
import { withItem } from '../../core/domain/lists.ts';
import type { Venue } from '../../core/domain/market.ts';
import type { UnixMillis } from '../../core/domain/numbers.ts';
import type { FieldNames } from '../../core/domain/operation.ts';
import { leftNoTrace, type Order } from '../../core/domain/order.ts';
import type { Intent } from '../../core/domain/order-request.ts';
import { all, type Soon } from '../../core/domain/soon.ts';
import { DelayedTask } from '../../core/runtime/timers.ts';
import type { StoreError } from '../../core/store/store-error.ts';
import type { SubmitHearer, SubmitOutcome, VenueTrading } from '../../venues/venue.ts';
import { type Admission, admit } from './admission.ts';
import { finalAnswer, type InFlight } from './answers.ts';
import { haltBeforeSend, stopHalt } from './halts.ts';
import { type Admitted, type Recorded, recordIntents } from './intents.ts';
import type { Committed } from './ledger.ts';
import { recordFault, unsafeAnswer } from './record-fault.ts';
import { answerOfKey, answerRepeat, keepAnswer, repeatAnswer } from './repeat.ts';
import { settle } from './settle.ts';
import { answerDeadline, lateText, type Sent, type Submission, type SubmitParts } from './submission.ts';

/** Submits orders of one caller at one venue. Each gets its answer by its own asker, as if it were alone. */
export function submit(parts: SubmitParts, submissions: readonly Submission[]): void {
  const begun = all(submissions.map(submission => begin(parts, submission)));
  const recorded = begun instanceof Promise ? begun.then(it => record(parts, it)) : record(parts, begun);
  // If nothing is left to wait for, no other request can come between arrival and record.
  if (!(recorded instanceof Promise)) return;
  const orderIds = submissions.map(({ orderId }) => orderId);
  parts.underWay.track(orderIds, recorded).catch(error => {
    for (const { asker } of submissions) asker.failed(error);
  });
}

/** A submission that may make a new order. */
interface Candidate {
  readonly submission: Submission;
  readonly admission: Admission;
  /** Resolves when the submission of the same order before this one is over. Null means that none is in flight. */
  readonly before: Promise<unknown> | null;
}

// Admit.

/** Admits a submission. Returns null if it makes no new order: then it is answered, or will be. */
function begin(parts: SubmitParts, submission: Submission): Soon<Candidate | null> {
  try {
    // This must be read before the submission itself is in flight.
    const before = parts.underWay.latestWork(submission.orderId);
    const earlier = repeatAnswer(parts.ledger.store, submission);
    if (earlier !== null) {
      answerEarlier(parts, submission, earlier);
      return null;
    }
    const admission = admit(parts, submission);
    if (!(admission instanceof Promise)) return candidate(submission, admission, before);
    return admission.then(
      it => candidate(submission, it, before),
      error => failBegin(submission, error),
    );
  } catch (error) {
    return failBegin(submission, error);
  }
}

function candidate(submission: Submission, admission: Admission, before: Promise<unknown> | null): Candidate {
  submission.stopwatch?.passed('admit');
  return { submission, admission, before };
}

function failBegin({ asker }: Submission, error: unknown): null {
  asker.failed(error);
  return null;
}

// Record.

/** Records all orders in one step, and goes on with them. */
function record(parts: SubmitParts, candidates: Candidates): Soon<void> {
  const admitted = candidates.every(isAdmitted) ? candidates : candidates.filter(isAdmitted);
  const others = admitted === candidates ? NONE : candidates;
  if (admitted.length === 0) return refuseOthers(parts, others);
  let committed: Soon<Committed<readonly Recorded[]>>;
  try {
    committed = recordIntents(parts, admitted);
  } catch (error) {
    return answerUnrecorded(parts, admitted, others, error);
  }
  if (!(committed instanceof Promise)) return continueWith(parts, admitted, others, committed);
  return committed.then(
    it => continueWith(parts, admitted, others, it),
    error => answerUnrecorded(parts, admitted, others, error),
  );
}

type Candidates = readonly (Candidate | null)[];

const NONE: Candidates = [];

function continueWith(
  parts: SubmitParts,
  admitted: readonly Admitted[],
  others: Candidates,
  committed: Committed<readonly Recorded[]>,
): void {
  sendRecorded(parts, admitted, committed);
  refuseOthers(parts, others);
}

function answerUnrecorded(parts: SubmitParts, admitted: readonly Admitted[], others: Candidates, error: unknown): void {
  for (const { submission } of admitted) submission.asker.failed(error);
  refuseOthers(parts, others);
}

function isAdmitted(candidate: Candidate | null): candidate is Candidate & Admitted {
  return candidate !== null && candidate.admission.type !== 'refused';
}

/** Refuses candidates, unless an earlier request with the same key, perhaps of the same batch, has an order by now. */
function refuseOthers(parts: SubmitParts, candidates: Candidates): void {
  for (const candidate of candidates)
    if (candidate?.admission.type === 'refused') void refuse(parts, candidate, candidate.admission.answer);
}

async function refuse(parts: SubmitParts, { submission, before }: Candidate, refusal: Refused): Promise<void> {
  try {
    await before;
    const first = await answerOfKey(parts, submission);
    if (first === null) submission.asker.answered(refusal);
    else answer(parts, submission, first);
  } catch (error) {
    submission.asker.failed(error);
  }
}

function sendRecorded(
  parts: SubmitParts,
  admitted: readonly Admitted[],
  { value, fault }: Committed<readonly Recorded[]>,
): void {
  let sent: Placed[] | null = null;
  for (let index = 0; index < value.length; index += 1) {
    const { submission } = admitted[index]!;
    const record = value[index]!;
    submission.stopwatch?.passed('store');
    if (record.type === 'sent') sent = withItem(sent, new Placed(parts, submission, record));
    else answerEarlier(parts, submission, record.answer);
  }
  if (sent === null) return;
  if (fault === null) for (const one of sent) one.acknowledge();
  send(parts, sent, fault);
}

// Send.

/** Sends orders that were recorded in one step, several of them as one batch. The bytes leave before this returns. */
export function send(parts: SubmitParts, placed: readonly Placed[], fault: StoreError | null): void {
  const open = sendable(parts, placed, fault);
  if (open.length === 1) sendOne(open[0]!);
  if (open.length > 1) void sendBatch(parts, open);
}

function sendOne(one: Placed): void {
  one.venue.submit(one, answerDeadline(one.order), one.submission.notAfter, one);
}

async function sendBatch(parts: SubmitParts, open: readonly Placed[]): Promise<void> {
  const { venue, order, submission } = open[0]!;
  const outcomes = await venue.submitBatch(open, answerDeadline(order), submission.notAfter);
  if (outcomes !== null) {
    const inTimes = outcomes.map((outcome, index) => lateAsUnsent(parts, open[index]!, outcome));
    settleOutcomes(parts, open, inTimes);
    return;
  }
  // The venue has refused the batch as such, so each order is sent alone, unless a halt has come meanwhile.
  for (const one of open) {
    const halt = stopHalt(parts, one.submission) ?? haltBeforeSend(parts, one);
    if (halt === null) sendOne(one);
    else settleOutcomes(parts, [one], [{ type: 'not-sent', ...halt }]);
  }
}

type Unsent = Extract<SubmitOutcome, { readonly type: 'refused' | 'not-sent' }>;

/** Returns the orders of one request that are to leave now. The other orders are settled as not sent. */
export function sendable(parts: SubmitParts, placed: readonly Placed[], fault: StoreError | null): readonly Placed[] {
  const { hooks } = placed[0]!.submission;
  const unsent = unsentReason(parts, placed[0]!, fault);
  if (unsent !== null) return settleUnsent(parts, placed, unsent);
  let open: Placed[] | null = null;
  for (let index = 0; index < placed.length; index += 1) {
    const one = placed[index]!;
    const halt = haltBeforeSend(parts, one);
    if (halt === null) open = withItem(open, one);
    else settleOutcomes(parts, [one], [{ type: 'not-sent', ...halt }]);
  }
  if (open === null) return [];
  if (!hooks.claim()) return settleUnsent(parts, open, NO_LONGER_AWAITED);
  hooks.begun(open);
  for (let index = 0; index < open.length; index += 1) parts.patience.begin(open[index]!);
  return open;
}

function settleUnsent(parts: SubmitParts, placed: readonly Placed[], unsent: Unsent): readonly [] {
  settleOutcomes(parts, placed, new Array<Unsent>(placed.length).fill(unsent));
  return [];
}

/** The outcome of an order whose caller already has the answer that nothing was sent. */
export const NO_LONGER_AWAITED = {
  type: 'not-sent',
  message: 'the gateway stopped waiting for the record of the order',
  retryAfterS: 1,
} as const satisfies Unsent;

/** Returns why nothing of a request may leave now, or null. The deadline counts from the record, so that no given-up order is sent. */
function unsentReason(parts: SubmitParts, { order, submission }: Sent, fault: StoreError | null): Unsent | null {
  const { notAfter, names } = submission;
  if (fault !== null) return { type: 'not-sent', ...unsafeAnswer(fault) };
  const stopped = stopHalt(parts, submission);
  if (stopped !== null) return { type: 'not-sent', ...stopped };
  const now = parts.timers.now();
  if (notAfter !== null && now > notAfter) return tooLateUnsent(notAfter, now, names);
  if (now < answerDeadline(order)) return null;
  return { type: 'not-sent', message: 'the record of the order took too long', retryAfterS: 1 };
}

/** Returns the outcome, or a refusal if the order was not sent because it waited too long for a connection. */
export function lateAsUnsent<Outcome extends { readonly type: string }>(
  { timers }: SubmitParts,
  { submission: { notAfter, names } }: Sent,
  outcome: Outcome,
): Outcome | Unsent {
  if (outcome.type !== 'not-sent' || notAfter === null) return outcome;
  const now = timers.now();
  return now > notAfter ? tooLateUnsent(notAfter, now, names) : outcome;
}

function tooLateUnsent(notAfter: UnixMillis, now: UnixMillis, names: FieldNames): Unsent {
  return { type: 'refused', kind: 'invalid', error: { code: 'NOT_FEASIBLE', message: lateText(notAfter, now, names) } };
}

// Settle.

/** Settles the outcomes: the venue has answered, or time is up, or nothing was sent. */
function settleOutcomes(parts: SubmitParts, placed: readonly Placed[], outcomes: readonly SubmitOutcome[]): void {
  try {
    for (let index = 0; index < placed.length; index += 1) placed[index]!.submission.stopwatch?.passed('venue');
    const answers = settle(parts, placed, outcomes);
    for (let index = 0; index < placed.length; index += 1) {
      placed[index]!.submission.stopwatch?.passed('store');
      placed[index]!.conclude(answers[index]!);
    }
  } catch (error) {
    for (const one of placed) one.failed(error);
  }
}

/**
 * An order from its record to its answer: the first definite information, usually the venue's answer. If that is slow or lost, the private
 * stream or a look-up may show the order first. The venue's later answer is settled, but does not change ours.
 */
export class Placed extends DelayedTask implements Sent, SubmitHearer {
  readonly submission: Submission;
  readonly order: Order;
  readonly intent: Intent;
  readonly venue: VenueTrading;
  readonly #parts: SubmitParts;
  #isAnswered = false;
  #stopLooking: (() => void) | null = null;
  /** Resolves when the order is settled, although it was answered before. */
  #late: PromiseWithResolvers<void> | null = null;

  constructor(parts: SubmitParts, submission: Submission, { order, intent, venue }: Omit<Sent, 'submission'>) {
    super();
    this.#parts = parts;
    this.submission = submission;
    this.order = order;
    this.intent = intent;
    this.venue = venue;
  }

  answered(outcome: SubmitOutcome): void {
    settleOutcomes(this.#parts, [this], [lateAsUnsent(this.#parts, this, outcome)]);
  }

  acknowledge(): void {
    const { isAckWanted, hooks, orderId } = this.submission;
    if (isAckWanted) hooks.recorded(orderId);
  }

  /** From now on, the caller waits for any sign of the order, not only for the venue's answer. */
  acceptAnySign(): void {
    this.#stopLooking = this.#parts.ledger.waiters.wait(this.submission.orderId, () => this.#look());
    this.#look();
  }

  /** Answers the caller, unless the caller has an answer by now. */
  conclude(settled: Soon<Answer>): void {
    if (settled instanceof Promise)
      settled.then(
        it => this.conclude(it),
        error => this.failed(error),
      );
    else if (this.#isAnswered) this.#late?.resolve();
    else this.#answer(settled);
  }

  failed(error: unknown): void {
    if (this.#isAnswered) {
      if (this.#late === null) this.#parts.onLate(Promise.reject(error));
      else this.#late.reject(error);
      return;
    }
    this.#end();
    this.submission.asker.failed(error);
  }

  #look(): void {
    try {
      const known = knownAnswer(this.#parts, this.submission);
      if (known === null) return;
      this.#late = Promise.withResolvers();
      this.#parts.onLate(this.#late.promise);
      this.submission.stopwatch?.passed('venue');
      this.#answer(known);
    } catch (error) {
      this.failed(error);
    }
  }

  #answer(known: Answer): void {
    this.#end();
    try {
      answer(this.#parts, this.submission, known);
    } catch (error) {
      this.submission.asker.failed(error);
    }
  }

  #end(): void {
    this.#isAnswered = true;
    this.#parts.patience.end(this);
    this.#stopLooking?.();
  }
}

/** Returns the ledger's answer. Null means that only the venue can decide: the outcome is unknown, no trace is left, or the key is free. */
function knownAnswer(parts: SubmitParts, submission: Submission): Answer | null {
  const { store } = parts.ledger;
  const known = repeatAnswer(store, submission);
  if (known === null || known.type === 'in-flight' || (known.type === 'refused' && known.orderId !== null)) return null;
  const { actorId, orderId, request, idempotencyKey } = submission;
  const stored = store.idempotency(actorId, request.venue, idempotencyKey)?.answer ?? null;
  const order = store.order(orderId)?.order ?? null;
  // The venue has answered. Later changes of the order do not change this answer.
  const isAnswered = order !== null && stored !== null && finalAnswer(order, stored) === null;
  if (isAnswered || (order !== null && leftNoTrace(order))) return null;
  return { ...keepAnswer(parts, submission, known), isReplayed: false };
}

// Answer.

export function answerEarlier(parts: SubmitParts, submission: Submission, earlier: Answer | InFlight): void {
  try {
    const again = answerRepeat(parts, submission, earlier);
    if (!(again instanceof Promise)) answer(parts, submission, again);
    else again.then(it => answer(parts, submission, it)).catch(error => submission.asker.failed(error));
  } catch (error) {
    submission.asker.failed(error);
  }
}

/** Answers the caller. In the power-safe mode, the answer waits for the disk if the venue could not report the outcome again. */
export function answer(
  { ledger: { store }, timers }: SubmitParts,
  { request, orderId, asker }: Submission,
  known: Answer,
): void {
  const safe = isKeptHereOnly(known, request.venue) ? recordFault(store, timers) : null;
  if (safe === null) {
    asker.answered(known);
    return;
  }
  const answered = safe.then(fault => {
    // Power loss may take the record of this answer, which matters unless it is a refusal without a record.
    if (fault !== null && store.order(orderId) !== null) throw fault;
    asker.answered(known);
  });
  answered.catch(error => asker.failed(error));
}

/** Whether only this gateway keeps the outcome: refusals, and orders at venue A, which forgets an order that ends untraded. */
function isKeptHereOnly(answer: Answer, venue: Venue): boolean {
  if (answer.type === 'made') return venue === 'venue_a' || answer.status === 'CANCELLED';
  return answer.orderId === null && answer.kind !== 'unavailable' && answer.kind !== 'idempotencyConflict';
}
