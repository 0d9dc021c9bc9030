// An order on its way to its venue: in time, or not at all. Engine thread.

import type { UnixMillis } from '../domain/numbers.ts';
import type { SubmitOutcome } from '../venues/venue.ts';
import { answerDeadline, tooLate } from './deadlines.ts';
import type { Recorded } from './intents.ts';
import type { Submission, SubmitParts } from './submission.ts';

/** Counted from the record of the intent, so that nothing is sent which was given up meanwhile. */
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
  // It may have waited for a connection until it was too late.
  const isLate = outcome.type === 'not-sent' && notAfter !== null && timers.now() > notAfter;
  return isLate ? refusedAsLate(notAfter, timers.now()) : outcome;
}

function refusedAsLate(notAfter: UnixMillis, now: UnixMillis): SubmitOutcome {
  return { type: 'refused', kind: 'invalid', error: { code: 'NOT_FEASIBLE', message: tooLate(notAfter, now) } };
}
