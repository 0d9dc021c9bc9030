// What the venue's word, or its silence, makes of a submission: the order moves, and the answer is kept under its idempotency key.
// What came by the private stream meanwhile stands: an acknowledgement that is older changes nothing. Order worker.

import type { ApiErrorKind } from '../domain/api-error.ts';
import type { UnixMillis } from '../domain/numbers.ts';
import type { Order, OrderEvent } from '../domain/order.ts';
import { unreachable } from '../domain/result.ts';
import type { SubmitOutcome } from '../venues/venue.ts';
import { type Answer, keptAs, made, refused, unavailable, unknownOutcome } from './answers.ts';
import { applyEvidence, standing } from './evidence.ts';
import type { Recorded } from './intents.ts';
import type { LedgerEntry } from './ledger-entry.ts';
import type { Submission, SubmitParts } from './submission.ts';

type Sent = Extract<Recorded, { type: 'sent' }>;

export async function settle(
  parts: SubmitParts,
  submission: Submission,
  sent: Sent,
  outcome: SubmitOutcome,
  deadline: UnixMillis,
): Promise<Answer> {
  const { order, intent, venue } = sent;
  switch (outcome.type) {
    case 'accepted':
      return finish(parts, submission, order, entry => made(entry.apply(order.orderId, [standing(outcome, entry.at)])));
    case 'refused': {
      const { kind, error } = outcome;
      const words = refused(kind, error.message ?? 'the venue refused the order');
      return finish(parts, submission, order, entry =>
        refusedBy(entry, order, { kind, error, isReleased: false }, words),
      );
    }
    case 'not-sent': {
      const { message, retryAfterS } = outcome;
      const released = { kind: 'unavailable', error: { code: 'UNKNOWN', message }, isReleased: true } as const;
      const words = unavailable(message, retryAfterS);
      return finish(parts, submission, order, entry => refusedBy(entry, order, released, words));
    }
    case 'exists': {
      // A retry whose record was lost here: the venue has the order under this very id.
      const found = await venue.lookUp(order, intent, deadline);
      if (found.type !== 'found') return unknown(parts, submission, order, 'unknownOutcome', outcome.message);
      return finish(parts, submission, order, entry => made(applyEvidence(entry, order, found)));
    }
    case 'unknown': {
      const kind = outcome.cause === 'timeout' ? 'unknownOutcome' : 'unreadableOutcome';
      return unknown(parts, submission, order, kind, outcome.message);
    }
    default:
      return unreachable(outcome);
  }
}

interface Refusal {
  readonly kind: ApiErrorKind;
  readonly error: NonNullable<Order['error']>;
  readonly isReleased: boolean;
}

/** The answer that goes with it; but if the order was seen at the venue meanwhile, it has been made. */
function refusedBy(
  entry: LedgerEntry,
  { orderId }: Order,
  { kind, error, isReleased }: Refusal,
  words: Answer,
): Answer {
  const event: OrderEvent = { type: 'refused', at: entry.at, error, isReleased };
  const order = entry.apply(orderId, [event], kind);
  return order.status === 'REJECTED' ? words : made(order);
}

/** The private stream may know by now what the answer did not say. */
function unknown(
  parts: SubmitParts,
  submission: Submission,
  order: Order,
  kind: 'unreadableOutcome' | 'unknownOutcome',
  message: string,
): Answer {
  const known = parts.ledger.store.order(order.orderId)?.order ?? order;
  if (known.status === 'SUBMITTED' && known.venueOrderId === null) return unknownOutcome(kind, order.orderId, message);
  return finish(parts, submission, known, () => made(known));
}

/** One transaction: the order's new state, and the answer under its key. */
function finish(
  { ledger }: SubmitParts,
  { actorId, request, idempotencyKey, bodySha256Hex }: Submission,
  { orderId, status }: Order,
  conclude: (entry: LedgerEntry) => Answer,
): Answer {
  return ledger.change(entry => {
    const answer = conclude(entry);
    const kept = keptAs(answer, status, entry.at);
    const promise = { orderId, bodySha256Hex, answer: kept };
    entry.transaction.putIdempotency(actorId, request.venue, idempotencyKey, promise);
    return answer;
  });
}
