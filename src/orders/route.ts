// Sends an order to its venue in time, or not at all. Engine thread.

import type { UnixMillis } from '../domain/numbers.ts';
import type { SubmitOutcome } from '../venues/venue.ts';
import type { Recorded } from './intents.ts';
import { answerDeadline, type Submission, type SubmitParts, tooLate } from './submission.ts';

/** The deadline counts from the intent's record, so that no order given up meanwhile is sent. */
export async function route(
  { timers }: SubmitParts,
  { notAfter, claim }: Submission,
  { order, intent, venue }: Extract<Recorded, { type: 'sent' }>,
): Promise<SubmitOutcome> {
  const now = timers.now();
  if (notAfter !== null && now > notAfter) return refusedAsLate(notAfter, now);
  const deadline = answerDeadline(order);
  if (now >= deadline) return { type: 'not-sent', message: 'the record of the order took too long', retryAfterS: 1 };
  if (!claim()) return { type: 'not-sent', message: 'the record of the order was not waited for', retryAfterS: 1 };
  const outcome = await venue.submit(order, intent, deadline, notAfter);
  // It may have waited too long for a connection.
  const isLate = outcome.type === 'not-sent' && notAfter !== null && timers.now() > notAfter;
  return isLate ? refusedAsLate(notAfter, timers.now()) : outcome;
}

function refusedAsLate(notAfter: UnixMillis, now: UnixMillis): SubmitOutcome {
  return { type: 'refused', kind: 'invalid', error: { code: 'NOT_FEASIBLE', message: tooLate(notAfter, now) } };
}
