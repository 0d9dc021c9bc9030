// What must be true before an order exists (contract §4.3, class a): the market is known and open, the request fits its grid and
// its minimum, and can be built. What is refused here leaves no trace; but an order that the book cannot fill has been one, and
// is recorded as refused. Order worker.

import type { Intent } from '../domain/intent.ts';
import { createOrder, type Order } from '../domain/order.ts';
import { addressOf, type PrepareRefusal, type VenueTrading } from '../venues/venue.ts';
import { type Answer, refused, unavailable } from './answers.ts';
import { addressField, marketObjection } from './market-rules.ts';
import { deriveOrderId } from './order-ids.ts';
import type { Submission, SubmitParts } from './submission.ts';

export type Admission =
  | { readonly type: 'refused'; readonly answer: Answer }
  | { readonly type: 'ready'; readonly order: Order<'PENDING'>; readonly intent: Intent; readonly venue: VenueTrading }
  /** To be recorded as REJECTED. */
  | { readonly type: 'not-feasible'; readonly order: Order<'PENDING'>; readonly message: string };

export async function admit(parts: SubmitParts, submission: Submission): Promise<Admission> {
  const { podId, actorId, keyId, request, idempotencyKey } = submission;
  const venue = parts.tradingOf(submission);
  if (!venue.ok) return refusedWith(unavailable(venue.error));
  const facts = await venue.value.facts(addressOf(request));
  if (!facts.ok) {
    const isUnknown = facts.error.type === 'unknown-market';
    return refusedWith(
      isUnknown
        ? refused('notFound', `${addressField(request)}: no such market`)
        : unavailable(facts.error.type === 'unavailable' ? facts.error.message : ''),
    );
  }
  const objection = marketObjection(request, facts.value);
  if (objection !== null) return refusedWith(refused(objection.kind, objection.message));
  const orderId = deriveOrderId(parts.podSecretOf(podId), actorId, request.venue, idempotencyKey);
  const order = createOrder({ orderId, podId, actorId, keyId, request, at: parts.now() });
  const intent = await venue.value.prepare(order, idempotencyKey);
  if (intent.ok) return { type: 'ready', order, intent: intent.value, venue: venue.value };
  return unprepared(order, intent.error);
}

function unprepared(order: Order<'PENDING'>, { kind, error, message }: PrepareRefusal): Admission {
  if (error.code === 'NOT_FEASIBLE') return { type: 'not-feasible', order, message };
  return refusedWith(kind === 'unavailable' ? unavailable(message) : refused(kind, message));
}

function refusedWith(answer: Answer): Admission {
  return { type: 'refused', answer };
}
