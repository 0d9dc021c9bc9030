// Orders that a venue has and the store does not (contract §4.6): one whose id carries the tag of an actor of the pod was made here,
// and its record is lost; it is taken in as far as the venue tells it. The request that made it may come again and claims it.

import { readClientOrderId } from '../domain/actor-tag.ts';
import type { Intent } from '../domain/intent.ts';
import type { MicroShares, UnixMillis } from '../domain/numbers.ts';
import { createOrder, type Order, type OrderId, transition } from '../domain/order.ts';
import { asRequested, priceInFrame } from '../domain/order-frame.ts';
import { addressOf } from '../domain/order-lists.ts';
import type { OrderRequest } from '../domain/order-request.ts';
import { canRest } from '../domain/order-sums.ts';
import { limits } from '../limits.ts';
import type { Account, LedgerTransaction, LiveReads } from '../store/order-records.ts';
import type { VenueFill } from '../venues/venue.ts';
import { type Answer, type InFlight, refused, repeatedAnswer } from './answers.ts';
import { directionOf } from './direction.ts';
import { NO_AMOUNTS } from './fill-frame.ts';
import type { LedgerEntry } from './ledger-entry.ts';
import type { Submission } from './submission.ts';

/** What a venue says an order or a trade's order is called. */
export interface Trace {
  readonly venueOrderId: string;
  readonly clientOrderId: string | null;
}

/** Who it is whose orders carry a tag; null: nobody of the pod. */
export type ActorOfTag = (podId: string, tag: string) => string | null;

/** The order of the store that a trace is of; null: none. */
export function orderOfTrace(
  reads: Pick<LiveReads, 'order' | 'orderOfVenue'>,
  account: Account,
  { venueOrderId, clientOrderId }: Trace,
): OrderId | null {
  const known = reads.orderOfVenue(account, venueOrderId);
  if (known !== null) return known;
  const ours = clientOrderId === null ? null : readClientOrderId(clientOrderId);
  const order = ours === null ? null : (reads.order(ours.orderId)?.order ?? null);
  return order?.podId === account.podId && order.request.venue === account.venue ? order.orderId : null;
}

/** Null: it was not made here. `request`: as the venue tells it. */
export function adopt(
  entry: LedgerEntry,
  { podId }: Account,
  { venueOrderId, clientOrderId }: Trace,
  request: OrderRequest,
  actorOfTag: ActorOfTag,
): OrderId | null {
  const ours = clientOrderId === null ? null : readClientOrderId(clientOrderId);
  const actorId = ours === null ? null : actorOfTag(podId, ours.tag);
  if (clientOrderId === null || ours === null || actorId === null) return null;
  const { at, transaction } = entry;
  const { orderId } = ours;
  // Somebody at the venue uses the id of an order of ours that is not of this account.
  if (transaction.order(orderId) !== null) return null;
  const created = createOrder({ orderId, podId, actorId, keyId: '', request, at });
  const sent = transition(created, { type: 'sent', at }) as Order<'SUBMITTED'>;
  const order = { ...transition(sent, { type: 'sent-before', at }), venueOrderId };
  const intent: Intent = { payload: new Uint8Array(), venueOrderId, clientOrderId };
  entry.putOrder({ order, intent, idempotencyKey: '', refusedAs: null });
  entry.diverged('adopted-order', { orderId, venueOrderId, actorId });
  return orderId;
}

/** The request, as far as it can be told, of an order that is known by a trade only. Venue B; in terms of YES. */
export function requestOfTrade({ address, positionChange, addressPrice }: VenueFill, size: MicroShares): OrderRequest {
  const action = positionChange > 0 ? 'BUY' : 'SELL';
  return { venue: 'venue_b', ticker: address, side: 'YES', action, size, price: addressPrice, timeInForce: 'GTC' };
}

/** The request by which an adopted order was made has come again. Null: there is no such order. */
export function claimAdopted(
  entry: LedgerEntry,
  { actorId, keyId, request, idempotencyKey, bodySha256Hex }: Submission,
  orderId: OrderId,
): Answer | InFlight | null {
  const { transaction } = entry;
  const stored = transaction.order(orderId);
  if (stored === null || stored.order.isReleased) return null;
  if (!isMadeBy(stored.order, request)) {
    return refused('idempotencyConflict', 'Idempotency-Key: was used before with a different body');
  }
  reframeFills(transaction, stored.order, request);
  const order = { ...withoutRest(asRequested(stored.order, request), entry.at), keyId };
  const claimed = { ...stored, order, idempotencyKey };
  entry.putOrder(claimed);
  entry.putKey(actorId, request.venue, idempotencyKey, { orderId, bodySha256Hex, answer: null });
  entry.say('STATUS', order, null);
  return repeatedAnswer(claimed, null);
}

/** Whether a request can have made an order, by what the venue told of it, in terms of YES. */
function isMadeBy(order: Order, request: OrderRequest): boolean {
  const made = order.request;
  const isAlike = addressOf(made) === addressOf(request) && directionOf(made) === directionOf(request);
  if (!isAlike || made.venue !== 'venue_b' || request.venue !== 'venue_b') return isAlike;
  const better = directionOf(request) * (priceInFrame(request, request.price) - made.price);
  // Of such a one only trades are known: it wanted as much at least, and no better price.
  if (isByTradeOnly(order)) return request.size >= order.filled.size && better >= 0;
  const mayRest = canRest(request) || order.status !== 'OPEN';
  return request.size === made.size && better === 0 && mayRest;
}

/** What the venue has listed has been stated, and what was not listed does not rest. */
function isByTradeOnly({ status, stated }: Order): boolean {
  return status === 'FILLED' && stated === null;
}

/** It was FILLED by what was known of it: if more was wanted, the rest is gone. */
function withoutRest(order: Order, at: UnixMillis): Order {
  if (!isByTradeOnly(order)) return order;
  return transition(order as Order<'FILLED'>, { type: 'reverses', at, fill: NO_AMOUNTS, rests: false });
}

/** Fills are kept in the frame of their order. */
function reframeFills(
  transaction: Pick<LedgerTransaction, 'fills' | 'amendFill'>,
  { orderId, podId }: Order,
  request: OrderRequest,
): void {
  const account = { podId, venue: request.venue };
  const rowsMax = limits.fillsOfOrderMax;
  for (let after = 0; ; after += rowsMax) {
    const fills = transaction.fills(orderId, after, rowsMax);
    for (const { fillId, price } of fills) {
      transaction.amendFill(account, fillId, { price: priceInFrame(request, price) });
    }
    if (fills.length < rowsMax) return;
  }
}
