// The life of a submission: admit → intent → route → settle → answer. Nothing is recorded before it is admitted, nothing is sent
// before it is recorded, and what was sent once is never sent again. Order worker.

import type { UnixMillis } from '../domain/numbers.ts';
import { limits } from '../limits.ts';
import { admit } from './admission.ts';
import type { Answer } from './answers.ts';
import { recordIntent, repeated } from './intents.ts';
import { settle } from './settle.ts';
import type { Submission, SubmitParts } from './submission.ts';

/** Never rejects but for a StoreError: then nothing was sent, or the intent is there to be reconciled. */
export async function submit(parts: SubmitParts, submission: Submission): Promise<Answer> {
  const earlier = repeated(parts.ledger.store, submission);
  if (earlier !== null) return earlier;

  const admitted = await admit(parts, submission);
  submission.passed('admit');
  if (admitted.type === 'refused') return admitted.answer;

  const recorded = await recordIntent(parts, submission, admitted);
  submission.passed('store');
  if (recorded.type === 'answered') return recorded.answer;

  const deadline = (parts.now() + limits.venueAnswerTimeoutMs) as UnixMillis;
  const outcome = await recorded.venue.submit(recorded.order, recorded.intent, deadline);
  submission.passed('venue');

  const answer = await settle(parts, submission, recorded, outcome, deadline);
  submission.passed('settle');
  return answer;
}
