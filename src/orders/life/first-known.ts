// Answers a submission with the first definite information, usually the venue's answer. If that is slow or lost, the private stream
// or a look-up may show the order first, just as a repeated request would see it. The venue's later answer is still settled, but
// does not change ours. Engine thread.

import type { Answer } from '../../core/domain/answer.ts';
import { leftNoTrace } from '../../core/domain/order.ts';
import type { Soon } from '../../core/domain/soon.ts';
import { limits } from '../../limits.ts';
import { finalAnswer } from './answers.ts';
import { answerAgain, repeated } from './repeat.ts';
import type { Submission, SubmitParts } from './submission.ts';

/** `settled`: when the venue has answered or time is up. Holds little memory per caller, since very many may wait at once. */
export function firstKnown(parts: SubmitParts, submission: Submission, settled: Soon<Answer>): Soon<Answer> {
  if (!(settled instanceof Promise)) return settled;
  return new Promise((resolve, reject) => {
    const look = (): void => {
      try {
        const known = knownAnswer(parts, submission);
        if (known === null) return;
        parts.late(settled);
        submission.passed('venue');
        resolve(known);
      } catch (error) {
        reject(error);
      }
      stop();
    };
    let stop = parts.timers.after(limits.answerPatienceMs, () => {
      stop = parts.ledger.waiters.wait(submission.orderId, look);
      look();
    });
    settled.then(
      answer => {
        stop();
        resolve(answer);
      },
      error => {
        stop();
        reject(error);
      },
    );
  });
}

/** Null if only the venue's answer can decide: the outcome is unknown, the order has no trace, or the key is free. */
function knownAnswer(parts: SubmitParts, submission: Submission): Promise<Answer> | null {
  const { store } = parts.ledger;
  const known = repeated(store, submission);
  if (known === null || known.type === 'in-flight' || (known.type === 'refused' && known.orderId !== null)) return null;
  const { actorId, orderId, request, idempotencyKey } = submission;
  const kept = store.idempotency(actorId, request.venue, idempotencyKey)?.answer ?? null;
  const order = store.order(orderId)?.order ?? null;
  // The venue has answered. Later changes of the order are for other requests.
  const isAnswered = order !== null && kept !== null && finalAnswer(order, kept) === null;
  if (isAnswered || (order !== null && leftNoTrace(order))) return null;
  return answerAgain(parts, submission, known).then(answer => ({ ...answer, isReplayed: false }));
}
