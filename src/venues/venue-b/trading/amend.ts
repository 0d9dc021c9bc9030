// A change of a resting order at venue B (venue-b.md §5.4): the body, and the meaning of the answer. The order keeps the venue's id and
// takes our new client order id. It keeps its place in the queue only if it gets smaller and nothing else changes. Pure.

import { SECOND_MS } from '../../../core/domain/durations.ts';
import { isAbsent, isObject } from '../../../core/domain/json.ts';
import type { MicroShares } from '../../../core/domain/numbers.ts';
import type { VenueBOrderRequest } from '../../../core/domain/order-request.ts';
import { HTTP_SERVER_ERROR } from '../../../core/net/http-status.ts';
import type { OutboundOutcome } from '../../../core/net/outbound.ts';
import type { AmendOutcome } from '../../venue.ts';
import { venueIdOf } from '../../wire-values.ts';
import { countText, priceText, sizeOf } from './amounts.ts';
import { readSubmit, unreadable } from './answers.ts';
import { ORDERS, yesTerms } from './order-body.ts';
import { meaningOf, venueWordsOf } from './refusals.ts';

interface Amendment {
  /** The request with the new price. */
  readonly request: VenueBOrderRequest;
  readonly clientOrderId: string;
  readonly newClientOrderId: string;
  /** The full size of the venue's order, including the filled part. */
  readonly total: MicroShares;
}

export function amendPath(venueOrderId: string): string {
  return `${ORDERS}/${encodeURIComponent(venueOrderId)}/amend`;
}

export function amendBody({ request, clientOrderId, newClientOrderId, total }: Amendment): string {
  const { side, price } = yesTerms(request);
  // The expiry is stated again, so that the order ends when its record says, even if the venue has lost that time.
  const until = request.terms?.expiresAt ?? null;
  return JSON.stringify({
    ticker: request.ticker,
    side,
    price: priceText(price),
    count: countText(total),
    ...(until === null ? {} : { expiration_time: until / SECOND_MS }),
    client_order_id: clientOrderId,
    updated_client_order_id: newClientOrderId,
  });
}

/**
 * Returns the meaning of the answer. The venue says "not found" of cancelled and of filled orders alike, so the old order has to be looked
 * up.
 */
export function amendOutcome(newClientOrderId: string, outcome: OutboundOutcome): AmendOutcome {
  const gone = goneText(outcome);
  if (gone !== null) return { type: 'not-found', message: gone };
  const judged = readSubmit(outcome, (answer, body) => readAmended(newClientOrderId, body) ?? unreadable(answer));
  // The new client order id was used before, perhaps by this very amendment.
  if (judged.type === 'exists') return { type: 'unknown', cause: 'unreadable', message: judged.message };
  return judged.type === 'accepted'
    ? { type: 'unknown', cause: 'unreadable', message: 'an answer of another kind' }
    : judged;
}

function goneText(outcome: OutboundOutcome): string | null {
  if (outcome.type !== 'answer' || outcome.status >= HTTP_SERVER_ERROR) return null;
  const words = venueWordsOf(outcome.body);
  return words !== null && meaningOf(words) === 'no-such-order' ? words.text : null;
}

/** Reads the amended order. The venue states its sums only if it has filled or its size has changed. */
function readAmended(newClientOrderId: string, order: unknown): Extract<AmendOutcome, { type: 'amended' }> | null {
  if (!isObject(order)) return null;
  const venueOrderId = venueIdOf(order.order_id);
  const isOurs = isAbsent(order.client_order_id) || order.client_order_id === newClientOrderId;
  if (venueOrderId === '' || !isOurs) return null;
  const isStated = !isAbsent(order.remaining_count);
  const remaining = isStated ? sizeOf(order.remaining_count) : null;
  const taken = isAbsent(order.fill_count) ? (0 as MicroShares) : sizeOf(order.fill_count);
  if (taken === null || (isStated && remaining === null)) return null;
  return { type: 'amended', venueOrderId, remaining, taken };
}
