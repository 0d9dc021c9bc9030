// Submissions and replaces as promises: the asker of each request settles its promise.

import type { Answer } from '../../src/core/domain/answer.ts';
import { EqualDelays, type Timers } from '../../src/core/runtime/timers.ts';
import { limits } from '../../src/limits.ts';
import * as replacing from '../../src/orders/life/replace.ts';
import type { Asker, Submission, SubmissionHooks, SubmitParts } from '../../src/orders/life/submission.ts';
import * as submitting from '../../src/orders/life/submit.ts';
import type { VenueTrading } from '../../src/venues/venue.ts';

export const HOOKS: SubmissionHooks = { claim: () => true, begun: () => {}, recorded: () => {} };

/** An asker that nobody calls: these functions put the end of a promise in its place. */
export const NOBODY: Asker = {
  answered: () => {
    throw new Error('nobody asks');
  },
  failed: error => {
    throw error;
  },
};

export function patienceOf(timers: Timers): EqualDelays {
  return new EqualDelays(timers, limits.answerPatienceMs);
}

/** Returns an asker and the promise of its answer. A second answer fails the run, because nobody waits for it. */
function asking(): { readonly asker: Asker; readonly answer: Promise<Answer> } {
  const { promise: answer, resolve, reject } = Promise.withResolvers<Answer>();
  let isAnswered = false;
  const once = (end: () => void): void => {
    if (isAnswered) void Promise.reject(new Error('a submission was answered twice'));
    isAnswered = true;
    end();
  };
  const answered = (it: Answer): void => once(() => resolve(it));
  return { answer, asker: { answered, failed: error => once(() => reject(error)) } };
}

export async function submit(parts: SubmitParts, submission: Submission): Promise<Answer> {
  const { asker, answer } = asking();
  submitting.submit(parts, [{ ...submission, asker }]);
  return answer;
}

/** Submits orders in one request. `failed` is the answer for an order whose store has failed. */
export async function submitBatch(
  parts: SubmitParts,
  submissions: readonly Submission[],
  failed: (submission: Submission, error: unknown) => Answer,
): Promise<readonly Answer[]> {
  const asked = submissions.map(submission => ({ submission, ...asking() }));
  submitting.submit(
    parts,
    asked.map(({ submission, asker }) => ({ ...submission, asker })),
  );
  return Promise.all(asked.map(({ submission, answer }) => answer.catch(error => failed(submission, error))));
}

export async function replace(
  parts: SubmitParts,
  venue: VenueTrading,
  { submission, ...asked }: Parameters<typeof replacing.replace>[2],
): Promise<Answer> {
  const { asker, answer } = asking();
  replacing.replace(parts, venue, { ...asked, submission: { ...submission, asker } });
  return answer;
}
