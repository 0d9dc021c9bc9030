// A caller who submits hears what is known first: as a rule the venue's answer. An answer that is slow or lost is not waited for once the
// ledger knows the order by another way, the private stream or a look-up: a repeated request would be answered by then. What the venue
// says after that is settled all the same, and the answer stays. Engine thread.

import { leftNoTrace, type OrderId } from '../domain/order.ts';
import { limits } from '../limits.ts';
import { type Answer, finalAnswer } from './answers.ts';
import { answerAgain, repeated } from './repeat.ts';
import type { Submission, SubmitParts } from './submission.ts';

/** `settled`: when the venue has answered, or time is up. A caller who waits holds as little as can be: very many may wait at once. */
export function firstKnown(
  parts: SubmitParts,
  submission: Submission,
  orderId: OrderId,
  settled: Promise<Answer>,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const look = (): void => {
      try {
        const known = knownAnswer(parts, submission, orderId);
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
      stop = parts.ledger.waiters.wait(orderId, look);
      look();
    });
    settled.finally(() => stop()).then(resolve, reject);
  });
}

/** Null: an outcome that is unknown, an order without a trace, or a key that is free again is for the venue's answer to tell. */
function knownAnswer(parts: SubmitParts, submission: Submission, orderId: OrderId): Promise<Answer> | null {
  const { store } = parts.ledger;
  const known = repeated(store, submission);
  if (known === null || known.type === 'in-flight' || (known.type === 'refused' && known.orderId !== null)) return null;
  const { actorId, request, idempotencyKey } = submission;
  const kept = store.idempotency(actorId, request.venue, idempotencyKey)?.answer ?? null;
  // The venue has answered: what becomes of the order from then on is for another request to ask.
  if (kept !== null && finalAnswer(orderId, kept) === null) return null;
  const order = store.order(orderId)?.order ?? null;
  if (order !== null && leftNoTrace(order)) return null;
  return answerAgain(parts, submission, known).then(answer => ({ ...answer, isReplayed: false }));
}
