// The life of a submission: admit → intent → route → settle → answer. Nothing is recorded before admission, nothing is sent
// before the record, and nothing is sent twice. Engine thread.

import type { Answer } from '../domain/answer.ts';
import type { Venue } from '../domain/market.ts';
import { admit } from './admission.ts';
import { firstKnown } from './first-known.ts';
import { type Recorded, recordIntent } from './intents.ts';
import { answerAdopted, answerAgain, repeated } from './repeat.ts';
import { route } from './route.ts';
import { settle } from './settle.ts';
import type { Submission, SubmitParts } from './submission.ts';

/** Rejects only with a StoreError: then nothing was sent, or the intent is there to be reconciled. */
export async function submit(parts: SubmitParts, submission: Submission): Promise<Answer> {
  const earlier = repeated(parts.ledger.store, submission);
  if (earlier !== null) return lasting(parts, submission, answerAgain(parts, submission, earlier));

  const admitted = await admit(parts, submission);
  submission.passed('admit');
  if (admitted.type === 'refused') return (await answerAdopted(parts, submission)) ?? admitted.answer;

  const recorded = await recordIntent(parts, submission, admitted);
  submission.passed('store');
  if (recorded.type === 'answered') return lasting(parts, submission, answerAgain(parts, submission, recorded.answer));

  submission.recorded?.(recorded.order.orderId);
  const sent = send(parts, submission, recorded);
  return lasting(parts, submission, firstKnown(parts, submission, recorded.order.orderId, sent));
}

/** In the power-safe mode, waits for the disk if the venue could not report the outcome again. */
async function lasting({ ledger }: SubmitParts, { request }: Submission, answered: Promise<Answer>): Promise<Answer> {
  const answer = await answered;
  if (isKeptHereOnly(answer, request.venue)) await ledger.store.durable();
  return answer;
}

/** A refusal, or an order at venue A, which forgets one that ends untraded. */
function isKeptHereOnly(answer: Answer, venue: Venue): boolean {
  if (answer.type === 'made') return venue === 'venue_a' || answer.status === 'CANCELLED';
  return answer.orderId === null && answer.kind !== 'unavailable' && answer.kind !== 'idempotencyConflict';
}

async function send(
  parts: SubmitParts,
  submission: Submission,
  recorded: Extract<Recorded, { type: 'sent' }>,
): Promise<Answer> {
  const outcome = await route(parts, submission, recorded);
  submission.passed('venue');

  const answer = await settle(parts, submission, recorded, outcome);
  submission.passed('settle');
  return answer;
}
