// Adopts orders at a venue that have no record here (contract §4.6). If the order's id carries the tag of an actor of the pod, this gateway
// made the order and lost its record. The adopted order is as the venue describes it. A repeat of the original request claims it. Engine
// thread.

import { isClientOrderIdOf, readClientOrderId } from '../../core/domain/actor-tag.ts';
import type { Answer } from '../../core/domain/answer.ts';
import type { MicroShares, UnixMillis } from '../../core/domain/numbers.ts';
import { createOrder, type Order, type OrderId, transition } from '../../core/domain/order.ts';
import { addressOf, asRequested, directionOf, priceInFrame } from '../../core/domain/order-frame.ts';
import type { Intent, OrderRequest } from '../../core/domain/order-request.ts';
import { canRest } from '../../core/domain/order-sums.ts';
import type { Account, LedgerTransaction, LiveReads, StoredOrder } from '../../core/store/order-records.ts';
import { limits } from '../../limits.ts';
import type { VenueFill } from '../../venues/venue.ts';
import { type InFlight, repeatedAnswer } from './answers.ts';
import { NO_AMOUNTS } from './fill-frame.ts';
import type { LedgerEntry } from './ledger-entry.ts';
import { firstUnfilled, tradedBefore } from './replacement-chain.ts';
import { keyConflict, type Submission } from './submission.ts';

/** The ids by which the venue names an order, or the order of a trade. */
interface Trace {
  readonly venueOrderId: string;
  readonly clientOrderId: string | null;
}

/** Returns the actor with the tag. Null means that no actor of the pod has it. */
export type ActorOfTag = (podId: string, tag: string) => string | null;

/** Returns the order of a trace. Null means that no order here has such ids. */
export function orderOfTrace(
  reads: Pick<LiveReads, 'order' | 'orderOfVenue'>,
  account: Account,
  trace: Trace,
): OrderId | null {
  const { venueOrderId, clientOrderId } = trace;
  const known = reads.orderOfVenue(account, venueOrderId);
  if (known !== null && clientOrderId !== null && isClientOrderIdOf(clientOrderId, known)) return known;
  const ours = clientOrderId === null ? null : readClientOrderId(clientOrderId);
  const named = ours === null ? null : orderOfAccount(reads, account, ours.orderId);
  // The venue keeps orders that replaced each other as one order under one id, so only the client's id tells which order the trace means.
  const isInChain = named !== null && (named.replaces !== null || named.replacedBy !== null);
  if (known === null || isInChain) return named?.orderId ?? null;
  if (named !== null) return known;
  // If the trace has a client's id of no order here, an order whose record is lost has replaced the known order. If it has none, the trace
  // belongs to the first unfilled order of the chain.
  return ours === null ? firstUnfilled(reads, known) : null;
}

/** Returns the order with the id. Null means that no such order exists, or that it belongs to another account. */
function orderOfAccount(reads: Pick<LiveReads, 'order'>, account: Account, orderId: OrderId): Order | null {
  const order = reads.order(orderId)?.order ?? null;
  return order?.podId === account.podId && order.request.venue === account.venue ? order : null;
}

/**
 * Adopts an order that was made here, and returns its id. Returns null if the order was not made here. `request` is the request as the
 * venue reports it.
 */
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
  // The order at the venue was not made here: its id is that of an order of ours in another account.
  if (transaction.order(orderId) !== null) return null;
  const known = transaction.orderOfVenue({ podId, venue: request.venue }, venueOrderId);
  const old = known === null ? null : (transaction.order(known)?.order ?? null);
  const created = {
    ...createOrder({ orderId, podId, actorId, keyId: '', idempotencyKey: '', request, at }),
    ...placeOf(transaction, old, request),
  };
  const sent = transition(created, { type: 'sent', at }) as Order<'SUBMITTED'>;
  const order = transition(sent, { type: 'sent-before', at });
  // The intent has no id of the venue, because another order may take the place of this order, and with it the id.
  const intent: Intent = { payload: new Uint8Array(), venueOrderId: null, clientOrderId };
  entry.putOrder({ order, intent, refusedAs: null });
  entry.apply(orderId, [{ type: 'delayed', at, venueOrderId }]);
  entry.diverged('adopted-order', { orderId, venueOrderId, actorId });
  return orderId;
}

/**
 * Returns the place of an adopted order in the chain of replacements. An order here with the venue's id was changed in place, and the
 * record of that change is lost.
 */
function placeOf(
  reads: Pick<LiveReads, 'order'>,
  old: Order | null,
  request: OrderRequest,
): Partial<Pick<Order, 'replaces'>> {
  if (old === null || old.replacedBy !== null || 'dollars' in request) return {};
  const before = tradedBefore(reads, old);
  const total = (request.size - before.size) as MicroShares;
  return { replaces: { orderId: old.orderId, total, venueTotal: request.size, before } };
}

/** Claims an adopted order for the repeat of the replace that made it. Returns null if the replace made no such order. */
export function claimReplacement(entry: LedgerEntry, submission: Submission, oldId: OrderId): Answer | InFlight | null {
  const { actorId, keyId, orderId, request, idempotencyKey, bodySha256Hex } = submission;
  const stored = entry.transaction.order(orderId);
  if (stored === null || stored.order.isReleased || stored.order.idempotencyKey !== '') return null;
  if (stored.order.replaces?.orderId !== oldId) return keyConflict(submission);
  const order = { ...stored.order, keyId, idempotencyKey };
  const claimed = { ...stored, order };
  entry.putOrder(claimed);
  entry.putKey(actorId, request.venue, idempotencyKey, { orderId, bodySha256Hex, answer: null });
  entry.addEvent('STATUS', order, null);
  return repeatedAnswer(claimed, null);
}

/** Returns the request of an order that is known only from a trade of venue B, as far as the trade shows it. It is in terms of YES. */
export function requestOfTrade({ address, positionChange, addressPrice }: VenueFill, size: MicroShares): OrderRequest {
  const action = positionChange > 0 ? 'BUY' : 'SELL';
  return { venue: 'venue_b', ticker: address, side: 'YES', action, size, price: addressPrice, timeInForce: 'GTC' };
}

/**
 * Claims an adopted order for the repeat of its original request. `stored` is the order with the submission's id. Returns null if no such
 * order is stored, or if its key was released.
 */
export function claimAdopted(
  entry: LedgerEntry,
  submission: Submission,
  stored: StoredOrder | null,
): Answer | InFlight | null {
  const { transaction } = entry;
  const { actorId, keyId, orderId, request, idempotencyKey, bodySha256Hex } = submission;
  if (stored === null || stored.order.isReleased) return null;
  if (!isMadeBy(stored.order, request)) return keyConflict(submission);
  reframeFills(transaction, stored.order, request);
  const order = { ...endRest(asRequested(stored.order, request), entry.at), keyId, idempotencyKey };
  const claimed = { ...stored, order };
  entry.putOrder(claimed);
  entry.putKey(actorId, request.venue, idempotencyKey, { orderId, bodySha256Hex, answer: null });
  entry.addEvent('STATUS', order, null);
  return repeatedAnswer(claimed, null);
}

/** Whether the request can have made the order. The venue's report is in terms of YES. */
function isMadeBy(order: Order, request: OrderRequest): boolean {
  const made = order.request;
  const isAlike = addressOf(made) === addressOf(request) && directionOf(made) === directionOf(request);
  if (!isAlike || made.venue !== 'venue_b' || request.venue !== 'venue_b') return isAlike;
  const better = directionOf(request) * (priceInFrame(request, request.price) - made.price);
  // The order is known only by its trades: the request had at least that size, and no better price.
  if (isKnownByTradesOnly(order)) return request.size >= order.filled.size && better >= 0;
  const mayRest = canRest(request) || order.status !== 'OPEN';
  return request.size === made.size && better === 0 && mayRest;
}

/** Whether an order is known only by its trades. A listed order has a stated sum; an order that was not listed does not rest. */
function isKnownByTradesOnly({ status, stated }: Order): boolean {
  return status === 'FILLED' && stated === null;
}

/**
 * Ends the rest of an order that is known only by its trades. Known fills made it FILLED; if the request asked for more, the rest is gone.
 */
function endRest(order: Order, at: UnixMillis): Order {
  if (!isKnownByTradesOnly(order)) return order;
  return transition(order as Order<'FILLED'>, { type: 'reverses', at, fill: NO_AMOUNTS, rests: false });
}

/** Moves the order's fills into the frame of the request, because fills are stored in the frame of their order. */
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
