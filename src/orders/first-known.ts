// Whoever submits hears what is known first: as a rule the venue's answer. One that is slow or lost is not waited for once the ledger
// knows the order by another way, the private stream or a look-up: a repeated request would be told by then. What the venue says
// after that is settled all the same, and the answer stays. Order worker.

import { limits } from '../limits.ts';
import type { Timers } from '../runtime/timers.ts';
import type { Answer } from './answers.ts';
import { answerAgain, repeated } from './repeat.ts';
import type { Submission, SubmitParts } from './submission.ts';

/** `settled`: when the venue has answered, or time is up. */
export async function firstKnown(
  parts: SubmitParts,
  submission: Submission,
  settled: Promise<Answer>,
): Promise<Answer> {
  for (let pauseMs: number = limits.answerPatienceMs; ; pauseMs = limits.answerPollMs) {
    const answer = await within(parts.timers, pauseMs, settled);
    if (answer !== null) return answer;
    const known = repeated(parts.ledger.store, submission);
    // An outcome that is unknown, or a key that is free again, is for `settled` to tell.
    if (known === null || known.type === 'in-flight' || (known.type === 'refused' && known.orderId !== null)) continue;
    parts.late(settled);
    submission.passed('venue');
    return { ...(await answerAgain(parts, submission, known)), isReplayed: false };
  }
}

/** Null: not within that time. */
function within<T>(timers: Timers, ms: number, coming: Promise<T>): Promise<T | null> {
  const { promise, resolve } = Promise.withResolvers<null>();
  const cancel = timers.after(ms, () => resolve(null));
  return Promise.race([coming, promise]).finally(cancel);
}
