// Applies the venue's evidence about an order: first the fills, then the state. Look-ups and updates of the stream are treated alike.

import type { UnixMillis } from '../../core/domain/numbers.ts';
import type { Order, OrderEvent, OrderId } from '../../core/domain/order.ts';
import { filledInFrame } from '../../core/domain/order-frame.ts';
import { isPostOnly } from '../../core/domain/order-request.ts';
import type { Filled } from '../../core/domain/order-sums.ts';
import { unreachable } from '../../core/domain/result.ts';
import type { Account, LiveReads } from '../../core/store/order-records.ts';
import { limits } from '../../limits.ts';
import type { EndReason, LookUp, VenueFill } from '../../venues/venue.ts';
import { orderOfTrace } from './adoption.ts';
import type { Ledger } from './ledger.ts';
import type { LedgerEntry } from './ledger-entry.ts';
import { firstUnfilled, isWithoutPlace, ownFilled } from './replacement-chain.ts';

type Found = Extract<LookUp, { type: 'found' }>;

const WOULD_TAKE = 'the order is post-only, and would have traded at once';

/** Applies the result of a look-up, and returns the order afterwards. */
export function applyFound(ledger: Ledger, order: Order, found: Found): Order {
  if (ledger.amending.has(order.orderId)) return ledger.change(entry => applyPlace(entry, order, found));
  reverseFailed(ledger, order, found);
  const { fills } = found;
  const count = limits.fillsPerChangeMax;
  let from = 0;
  for (; from + count < fills.length; from += count) {
    const slice = { ...found, fills: fills.slice(from, from + count) };
    ledger.change(entry => applyFills(entry, order, slice));
  }
  return ledger.change(entry => applyEvidence(entry, order, { ...found, fills: fills.slice(from) }));
}

/**
 * Applies the place of an order whose amendment is not answered yet. The answer will say how much the order before it had filled. Until
 * then the venue's sums and fills, which count for both orders, cannot be divided between the two. So a look-up can show only that the new
 * order rests.
 */
function applyPlace(entry: LedgerEntry, { orderId }: Order, found: Found): Order {
  if (found.state !== 'rests') return entry.order(orderId);
  return entry.apply(orderId, [stateEvent({ ...found, stated: null }, entry.at)]);
}

/**
 * Reverses booked trades that have failed since, in one step each. A reversal books later trades again, and many reversals may be too much
 * for one transaction. The latest trade is reversed first, so that fewer trades are booked again.
 */
function reverseFailed(ledger: Ledger, { podId, request }: Order, { fills, state }: Found): void {
  const account = { podId, venue: request.venue };
  for (const fill of fills.toReversed()) {
    const known = fill.settlement === 'FAILED' ? ledger.store.fill(account, fill.fillId) : null;
    if (known === null || known.orderId === null || known.fill.settlement === 'FAILED') continue;
    ledger.change(entry => entry.applySettlement(account, fill, state === 'rests'));
  }
}

function applyEvidence(entry: LedgerEntry, order: Order, found: Found): Order {
  const { orderId } = order;
  applyFills(entry, order, found);
  const known = entry.order(orderId);
  // The request of an adopted order may have arrived during the look-up. Then the frame of the order differs from the frame of the look-up.
  const framed = found.stated && filledInFrame(known.request, filledInFrame(order.request, found.stated));
  const stated = ownFilled(entry.transaction, known, framed);
  // A refusal stands until a trade of the order is known, or its resting part is cancelled.
  if (known.status === 'REJECTED' && (stated === null || stated.size === 0)) return known;
  if (!isKilled(known, found)) return entry.apply(orderId, [stateEvent({ ...found, stated }, entry.at)]);
  const message = isPostOnly(known.request) ? WOULD_TAKE : 'the venue could not fill the order as a whole';
  const error = { code: 'NOT_FEASIBLE', message } as const;
  return entry.apply(orderId, [{ type: 'refused', at: entry.at, error, isReleased: false }], 'invalid');
}

function applyFills(entry: LedgerEntry, { orderId, podId, request }: Order, { fills, state }: Found): void {
  const account = { podId, venue: request.venue };
  const { transaction } = entry;
  for (const fill of fills) {
    const ownerId = ownerOf(transaction, account, fill, orderId);
    entry.applyFill(account, fill, ownerId);
    entry.applySettlement(account, fill, state === 'rests');
  }
}

/**
 * Returns the order that a fill belongs to. The venue shows the order, so it has replaced the order before it, even if the replacement is
 * not recorded yet.
 */
function ownerOf(reads: LiveReads, account: Account, fill: VenueFill, orderId: OrderId): OrderId {
  const isTakingPlace = fill.clientOrderId === null && isWithoutPlace(reads, reads.order(orderId)!.order);
  return (isTakingPlace ? null : orderOfTrace(reads, account, fill)) ?? firstUnfilled(reads, orderId);
}

/**
 * Whether the venue killed the order as it was made: a FOK order that is gone, untraded and unanswered, or a post-only order. The answer
 * would have been a refusal (contract §4.6). A cancel of ours cannot be the reason, since it needs the venue's id.
 */
function isKilled(
  { status, request, venueOrderId, filled }: Order,
  { state, stated, fills, isAtOnce }: Found,
): boolean {
  const isUnanswered = status === 'SUBMITTED' && venueOrderId === null;
  const hasTraded = filled.size > 0 || fills.length > 0 || stated?.size !== 0;
  const isRefusable = request.timeInForce === 'FOK' || (isPostOnly(request) && isAtOnce === true);
  return isUnanswered && isRefusable && state === 'gone' && !hasTraded;
}

/** Returns the event that moves an order to its state at the venue. `stated` is in the frame of the order. */
export function stateEvent(
  {
    state,
    venueOrderId,
    stated,
    reason,
  }: {
    readonly state: Found['state'];
    readonly venueOrderId: string;
    readonly stated: Filled | null;
    readonly reason?: EndReason | undefined;
  },
  at: UnixMillis,
): OrderEvent {
  switch (state) {
    case 'rests':
      return { type: 'rests', at, venueOrderId, stated };
    case 'gone':
      return { type: 'ends', at, venueOrderId, stated, reason };
    case 'delayed':
      return { type: 'delayed', at, venueOrderId };
    default:
      return unreachable(state);
  }
}
