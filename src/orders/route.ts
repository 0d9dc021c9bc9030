// Sends orders to their venue in time, or not at all. Engine thread.

import type { UnixMillis } from '../domain/numbers.ts';
import type { SubmitOutcome } from '../venues/venue.ts';
import { STOP_RETRY_AFTER_S } from './admission.ts';
import type { Recorded } from './intents.ts';
import { protectionProblem } from './protection.ts';
import { answerDeadline, type Submission, type SubmitParts, tooLate } from './submission.ts';

/** An order that is recorded, and its submission. */
export interface Sent extends Extract<Recorded, { type: 'sent' }> {
  readonly submission: Submission;
}

/**
 * Orders of one request, recorded in one step: several go to the venue as one batch. One outcome for each. The deadline counts from the
 * record, so that no order given up meanwhile is sent.
 */
export async function route(
  { timers, ledger, stopProblem }: SubmitParts,
  sent: readonly Sent[],
): Promise<readonly SubmitOutcome[]> {
  const [first] = sent;
  if (first === undefined) return [];
  const { order, submission } = first;
  const { notAfter, claim } = submission;
  const now = timers.now();
  const all = (outcome: SubmitOutcome): readonly SubmitOutcome[] => sent.map(() => outcome);
  const stopped = stopProblem(submission);
  if (stopped !== null) return all({ type: 'not-sent', message: stopped, retryAfterS: STOP_RETRY_AFTER_S });
  if (notAfter !== null && now > notAfter) return all(refusedAsLate(notAfter, now));
  const deadline = answerDeadline(order);
  if (now >= deadline)
    return all({ type: 'not-sent', message: 'the record of the order took too long', retryAfterS: 1 });
  const haltOf = ({ submission: { actorId, request } }: Sent): SubmitOutcome | null => {
    const message = protectionProblem(ledger.store, actorId, request);
    return message === null ? null : { type: 'not-sent', message, retryAfterS: 1 };
  };
  const halted = sent.map(haltOf);
  const open = sent.filter((_, index) => halted[index] === null);
  if (open.length > 0 && !claim())
    return all({ type: 'not-sent', message: 'the record of the order was not waited for', retryAfterS: 1 });
  const answers = open.length === 0 ? [] : [...(await handedOver(open, { deadline, notAfter, haltOf }))];
  const outcomes = halted.map(it => it ?? answers.shift()!);
  // It may have waited too long for a connection.
  const isLate = notAfter !== null && timers.now() > notAfter;
  return outcomes.map(it => (isLate && it.type === 'not-sent' ? refusedAsLate(notAfter, timers.now()) : it));
}

interface Bounds {
  readonly deadline: UnixMillis;
  readonly notAfter: UnixMillis | null;
  /** The outcome of an order whose protection was triggered since its record; null: it may be sent. */
  readonly haltOf: (sent: Sent) => SubmitOutcome | null;
}

async function handedOver(
  sent: readonly Sent[],
  { deadline, notAfter, haltOf }: Bounds,
): Promise<readonly SubmitOutcome[]> {
  const { venue } = sent[0]!;
  const outcomes = sent.length === 1 ? null : await venue.submitBatch(sent, deadline, notAfter);
  return outcomes ?? Promise.all(sent.map(it => haltOf(it) ?? venue.submit(it.order, it.intent, deadline, notAfter)));
}

function refusedAsLate(notAfter: UnixMillis, now: UnixMillis): SubmitOutcome {
  return { type: 'refused', kind: 'invalid', error: { code: 'NOT_FEASIBLE', message: tooLate(notAfter, now) } };
}
