// Sends orders to their venue in time, or not at all. Engine thread.

import type { UnixMillis } from '../../core/domain/numbers.ts';
import type { FieldNames } from '../../core/domain/operation.ts';
import type { Soon } from '../../core/domain/soon.ts';
import type { StoreError } from '../../core/store/store-error.ts';
import type { SubmitOutcome } from '../../venues/venue.ts';
import { haltOf, stopOf } from './halts.ts';
import type { Recorded } from './intents.ts';
import { answerDeadline, type Submission, type SubmitParts, tooLate } from './submission.ts';

/** An order that is recorded, and its submission. */
export interface Sent extends Extract<Recorded, { type: 'sent' }> {
  readonly submission: Submission;
  /** Why its record is not as safe as it must be before anything is sent; null if it is safe. */
  readonly fault: StoreError | null;
}

/** Sends the orders of one request, which were recorded in one step; several go to the venue as one batch. Returns one outcome for each. */
export function route(parts: SubmitParts, sent: readonly Sent[]): Soon<readonly SubmitOutcome[]> {
  return inTime<SubmitOutcome>(parts, sent, (open, bounds) => {
    if (open.length > 1) return sendBatch(parts, open, bounds);
    return sendOne(open[0]!, bounds).then(outcome => [outcome]);
  });
}

function sendOne(sent: Sent, { deadline, notAfter }: Bounds): Promise<SubmitOutcome> {
  return new Promise((resolve, reject) => sent.venue.submit(sent, deadline, notAfter, resolve, reject));
}

async function sendBatch(parts: SubmitParts, open: readonly Sent[], bounds: Bounds): Promise<readonly SubmitOutcome[]> {
  const { venue } = open[0]!;
  const { deadline, notAfter } = bounds;
  const outcomes = await venue.submitBatch(open, deadline, notAfter);
  if (outcomes !== null) return outcomes;
  // The venue has refused the batch as such, and a halt may have come meanwhile.
  const alone = (it: Sent): Soon<SubmitOutcome> => haltedOutcome(parts, it) ?? sendOne(it, bounds);
  return Promise.all(open.map(alone));
}

type Unsent = Extract<SubmitOutcome, { readonly type: 'refused' | 'not-sent' }>;

interface Bounds {
  readonly deadline: UnixMillis;
  readonly notAfter: UnixMillis | null;
}

/** Calls `send` with the orders that may be sent. The deadline counts from the record, so that no given-up order is sent. */
export function inTime<Outcome extends { readonly type: string }>(
  parts: SubmitParts,
  sent: readonly Sent[],
  send: (open: readonly Sent[], bounds: Bounds) => Promise<readonly (Outcome | Unsent)[]>,
): Soon<readonly (Outcome | Unsent)[]> {
  const [first] = sent;
  if (first === undefined) return [];
  const { order, submission, fault } = first;
  const { notAfter, names, claim, begun } = submission;
  const { timers } = parts;
  const now = timers.now();
  const all = (outcome: Unsent): readonly Unsent[] => sent.map(() => outcome);
  if (fault !== null) return all({ type: 'not-sent', ...unsafe(fault) });
  const stopped = stopOf(parts, submission);
  if (stopped !== null) return all({ type: 'not-sent', ...stopped });
  if (notAfter !== null && now > notAfter) return all(refusedAsLate(notAfter, now, names));
  const deadline = answerDeadline(order);
  if (now >= deadline)
    return all({ type: 'not-sent', message: 'the record of the order took too long', retryAfterS: 1 });
  const halted = sent.map(it => haltedOutcome(parts, it));
  const open = sent.filter((_, index) => halted[index] === null);
  if (open.length === 0) return halted.map(it => it!);
  if (!claim())
    return all({
      type: 'not-sent',
      message: 'the gateway stopped waiting for the record of the order',
      retryAfterS: 1,
    });
  begun(open.map(({ order, intent }) => ({ order, venueOrderId: intent.venueOrderId })));
  const answers = send(open, { deadline, notAfter });
  if (open.length === sent.length && notAfter === null) return answers;
  return answers.then(its => {
    let next = 0;
    const outcomes = halted.map(it => it ?? its[next++]!);
    // The order may have waited too long for a connection.
    const isLate = notAfter !== null && timers.now() > notAfter;
    return outcomes.map(it => (isLate && it.type === 'not-sent' ? refusedAsLate(notAfter, timers.now(), names) : it));
  });
}

/** The words for an order that is not sent because its record is not safe. */
export function unsafe({ message }: StoreError) {
  return { message: `the record of the order is not safe: ${message}`, retryAfterS: 1 } as const;
}

/** Null if the order may be sent. */
function haltedOutcome(parts: SubmitParts, { submission }: Sent): Unsent | null {
  const halt = haltOf(parts, parts.ledger.store, submission);
  return halt === null ? null : { type: 'not-sent', ...halt };
}

function refusedAsLate(notAfter: UnixMillis, now: UnixMillis, names: FieldNames): Unsent {
  return { type: 'refused', kind: 'invalid', error: { code: 'NOT_FEASIBLE', message: tooLate(notAfter, now, names) } };
}
