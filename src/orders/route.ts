// Sends orders to their venue in time, or not at all. Engine thread.

import type { UnixMillis } from '../domain/numbers.ts';
import type { SubmitOutcome } from '../venues/venue.ts';
import type { Recorded } from './intents.ts';
import { answerDeadline, type Submission, type SubmitParts, tooLate } from './submission.ts';

/** An order that is recorded, and its submission. */
export interface Sent extends Extract<Recorded, { type: 'sent' }> {
  readonly submission: Submission;
}

/**
 * Orders of one request, recorded in one step: several go to the venue as one batch. One outcome for each. The deadline counts from the
 * record, so that no order given up meanwhile is sent.
 */
export async function route({ timers }: SubmitParts, sent: readonly Sent[]): Promise<readonly SubmitOutcome[]> {
  const [first] = sent;
  if (first === undefined) return [];
  const { order, submission } = first;
  const { notAfter, claim } = submission;
  const now = timers.now();
  const all = (outcome: SubmitOutcome): readonly SubmitOutcome[] => sent.map(() => outcome);
  if (notAfter !== null && now > notAfter) return all(refusedAsLate(notAfter, now));
  const deadline = answerDeadline(order);
  if (now >= deadline)
    return all({ type: 'not-sent', message: 'the record of the order took too long', retryAfterS: 1 });
  if (!claim()) return all({ type: 'not-sent', message: 'the record of the order was not waited for', retryAfterS: 1 });
  const outcomes = await handedOver(sent, deadline, notAfter);
  // It may have waited too long for a connection.
  const isLate = notAfter !== null && timers.now() > notAfter;
  return outcomes.map(it => (isLate && it.type === 'not-sent' ? refusedAsLate(notAfter, timers.now()) : it));
}

async function handedOver(
  sent: readonly Sent[],
  deadline: UnixMillis,
  notAfter: UnixMillis | null,
): Promise<readonly SubmitOutcome[]> {
  const { venue } = sent[0]!;
  const outcomes = sent.length === 1 ? null : await venue.submitBatch(sent, deadline, notAfter);
  return outcomes ?? Promise.all(sent.map(({ order, intent }) => venue.submit(order, intent, deadline, notAfter)));
}

function refusedAsLate(notAfter: UnixMillis, now: UnixMillis): SubmitOutcome {
  return { type: 'refused', kind: 'invalid', error: { code: 'NOT_FEASIBLE', message: tooLate(notAfter, now) } };
}
