// The life of a submission: admit → intent → route → settle → answer. Nothing is recorded before admission, nothing is sent
// before the record, and nothing is sent twice. A batch takes the same way, with one record and one request. Engine thread.

import type { Answer } from '../../core/domain/answer.ts';
import type { Venue } from '../../core/domain/market.ts';
import { type Soon, then } from '../../core/domain/soon.ts';
import { admit } from './admission.ts';
import { firstKnown } from './first-known.ts';
import { type Admitted, type Recorded, recordIntents } from './intents.ts';
import type { Committed } from './ledger.ts';
import { recordFault } from './record-fault.ts';
import { answerAgain, answerOfKey, repeated } from './repeat.ts';
import { route, type Sent } from './route.ts';
import { settle } from './settle.ts';
import type { Submission, SubmitParts } from './submission.ts';

type Begun =
  /** The request makes no new order. */
  | { readonly type: 'answered'; readonly answer: Soon<Answer> }
  /** The request is refused, unless an earlier request with its key makes an order. Ask for the answer once the batch is recorded. */
  | { readonly type: 'refused'; readonly answer: () => Soon<Answer> }
  | ({ readonly type: 'admitted' } & Admitted);

/** Rejects only with a StoreError: then nothing was sent, or the intent is recorded and will be reconciled. */
export async function submit(parts: SubmitParts, submission: Submission): Promise<Answer> {
  const recorded = then<Begun, readonly Soon<Answer>[]>(begin(parts, submission), begun => {
    if (begun.type === 'admitted') return recordAndSend(parts, [begun]);
    return [begun.type === 'refused' ? begun.answer() : begun.answer];
  });
  // Other requests see no time between arrival and record if there is none.
  const isLater = recorded instanceof Promise;
  const [answer] = isLater ? await parts.underWay.during([submission.orderId], recorded) : recorded;
  return answer!;
}

/**
 * Submits several orders of one caller at one venue. They are recorded in one step, sent in one request, and each is answered as if it were
 * alone. `failed` is the answer for an order whose store has failed.
 */
export async function submitBatch(
  parts: SubmitParts,
  submissions: readonly Submission[],
  failed: (submission: Submission, error: unknown) => Answer,
): Promise<readonly Answer[]> {
  const orderIds = submissions.map(({ orderId }) => orderId);
  return Promise.all(await parts.underWay.during(orderIds, recordBatch(parts, submissions, failed)));
}

/** The answers to come; resolves once all are recorded. */
async function recordBatch(
  parts: SubmitParts,
  submissions: readonly Submission[],
  failed: (submission: Submission, error: unknown) => Answer,
): Promise<readonly Soon<Answer>[]> {
  const kept = async (submission: Submission, answer: Soon<Answer>): Promise<Answer> => {
    try {
      return await answer;
    } catch (error) {
      return failed(submission, error);
    }
  };
  const begun = await Promise.all(
    submissions.map(async (submission): Promise<Begun> => {
      try {
        const one = await begin(parts, submission);
        return one.type === 'answered' ? { ...one, answer: kept(submission, one.answer) } : one;
      } catch (error) {
        return { type: 'answered', answer: kept(submission, Promise.reject(error)) };
      }
    }),
  );
  const admitted = begun.filter(it => it.type === 'admitted');
  const sent = await sentOrFailed(parts, admitted);
  let next = 0;
  return begun.map((one, index) => {
    if (one.type === 'answered') return one.answer;
    return kept(submissions[index]!, one.type === 'refused' ? one.answer() : sent[next++]!);
  });
}

async function sentOrFailed(parts: SubmitParts, admitted: readonly Admitted[]): Promise<readonly Soon<Answer>[]> {
  try {
    return await recordAndSend(parts, admitted);
  } catch (error) {
    return admitted.map(() => Promise.reject<Answer>(error));
  }
}

function begin(parts: SubmitParts, submission: Submission): Soon<Begun> {
  // Read this before the submission itself is in flight.
  const before = parts.underWay.latest(submission.orderId);
  const earlier = repeated(parts.ledger.store, submission);
  if (earlier !== null) {
    return { type: 'answered', answer: lasting(parts, submission, answerAgain(parts, submission, earlier)) };
  }
  return then(admit(parts, submission), admission => {
    submission.passed('admit');
    if (admission.type !== 'refused') return { type: 'admitted', submission, admission };
    const answer = async (): Promise<Answer> => {
      await before;
      const first = await answerOfKey(parts, submission);
      return first === null ? admission.answer : lasting(parts, submission, first);
    };
    return { type: 'refused', answer };
  });
}

/** The answers to come, in the order of `admitted`; there once all are recorded. */
function recordAndSend(parts: SubmitParts, admitted: readonly Admitted[]): Soon<readonly Soon<Answer>[]> {
  if (admitted.length === 0) return [];
  return then(recordIntents(parts, admitted), recorded => sendRecorded(parts, admitted, recorded));
}

function sendRecorded(
  parts: SubmitParts,
  admitted: readonly Admitted[],
  { value: recorded, fault }: Committed<readonly Recorded[]>,
): readonly Soon<Answer>[] {
  const sent: Sent[] = [];
  for (const [index, record] of recorded.entries()) {
    const { submission } = admitted[index]!;
    submission.passed('store');
    if (record.type === 'sent') sent.push({ ...record, submission, fault });
  }
  if (fault === null) for (const { submission, order } of sent) submission.recorded?.(order.orderId);
  const settled = send(parts, sent);
  let next = 0;
  return recorded.map((record, index) => {
    const { submission } = admitted[index]!;
    if (record.type === 'answered') return lasting(parts, submission, answerAgain(parts, submission, record.answer));
    const at = next++;
    const its = settled.then(answers => answers[at]!);
    return lasting(parts, submission, firstKnown(parts, submission, its));
  });
}

/** The bytes leave before it returns. */
export async function send(parts: SubmitParts, sent: readonly Sent[]): Promise<readonly Soon<Answer>[]> {
  const outcomes = await route(parts, sent);
  for (const { submission } of sent) submission.passed('venue');
  const answers = settle(parts, sent, outcomes);
  for (const { submission } of sent) submission.passed('settle');
  return answers;
}

/** In the power-safe mode, the answer waits for the disk if the venue could not report the outcome again. */
export function lasting(
  { ledger: { store }, timers }: SubmitParts,
  { request, orderId }: Submission,
  answered: Soon<Answer>,
): Soon<Answer> {
  return then(answered, answer => {
    const kept = isKeptHereOnly(answer, request.venue) ? recordFault(store, timers) : null;
    if (kept === null) return answer;
    return kept.then(fault => {
      // The answer may be lost with the power, unless it is a refusal of which nothing is kept.
      if (fault !== null && store.order(orderId) !== null) throw fault;
      return answer;
    });
  });
}

/** Refusals and orders at venue A may be lost with the power: venue A forgets an order that ends untraded. */
function isKeptHereOnly(answer: Answer, venue: Venue): boolean {
  if (answer.type === 'made') return venue === 'venue_a' || answer.status === 'CANCELLED';
  return answer.orderId === null && answer.kind !== 'unavailable' && answer.kind !== 'idempotencyConflict';
}
