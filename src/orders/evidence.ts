// What a venue shows of an order, applied: its fills first, then where it stands. The same whether it was asked for or told.

import type { UnixMillis } from '../domain/numbers.ts';
import type { Order, OrderEvent } from '../domain/order.ts';
import { filledInFrame } from '../domain/order-frame.ts';
import type { Filled } from '../domain/order-sums.ts';
import { unreachable } from '../domain/result.ts';
import { limits } from '../limits.ts';
import type { LookUp } from '../venues/venue.ts';
import type { Ledger } from './ledger.ts';
import type { LedgerEntry } from './ledger-entry.ts';

export type Found = Extract<LookUp, { type: 'found' }>;

/** What a look has found. The order as it is then. */
export function applyFound(ledger: Ledger, order: Order, found: Found): Order {
  undoFailed(ledger, order, found);
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
 * Trades that were booked and have failed since, each by itself: what came after it is booked again, which may be too much for one
 * transaction where many have failed. The latest first: then less came after it.
 */
function undoFailed(ledger: Ledger, { podId, request }: Order, { fills, state }: Found): void {
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
  // A refusal stands until something of the order is traded, or what rests of it is cancelled.
  const known = entry.order(orderId);
  if (known.status === 'REJECTED') return known;
  // The request that had made an adopted order may have come meanwhile: then its frame is another than it was asked in.
  const stated = found.stated && filledInFrame(known.request, filledInFrame(order.request, found.stated));
  if (!isKilled(known, found)) return entry.apply(orderId, [standing({ ...found, stated }, entry.at)]);
  const error = { code: 'NOT_FEASIBLE', message: 'the venue could not fill the order as a whole' } as const;
  return entry.apply(orderId, [{ type: 'refused', at: entry.at, error, isReleased: false }], 'invalid');
}

function applyFills(entry: LedgerEntry, { orderId, podId, request }: Order, { fills, state }: Found): void {
  const account = { podId, venue: request.venue };
  for (const fill of fills) {
    entry.applyFill(account, fill, orderId);
    entry.applySettlement(account, fill, state === 'rests');
  }
}

/**
 * A FOK that is gone with nothing traded, and whose answer never came: it would have been a refusal (contract §4.6). No cancel of ours
 * can be the reason, since none is sent before the venue's id of an order is known.
 */
function isKilled({ status, request, venueOrderId, filled }: Order, { state, stated, fills }: Found): boolean {
  const isUnanswered = status === 'SUBMITTED' && venueOrderId === null;
  const hasTraded = filled.size > 0 || fills.length > 0 || stated?.size !== 0;
  return isUnanswered && request.timeInForce === 'FOK' && state === 'gone' && !hasTraded;
}

/** The event by which an order is where the venue says it is. `stated`: in the frame of the order. */
export function standing(
  {
    state,
    venueOrderId,
    stated,
  }: { readonly state: Found['state']; readonly venueOrderId: string; readonly stated: Filled | null },
  at: UnixMillis,
): OrderEvent {
  switch (state) {
    case 'rests':
      return { type: 'rests', at, venueOrderId, stated };
    case 'gone':
      return { type: 'ends', at, venueOrderId, stated };
    case 'delayed':
      return { type: 'delayed', at, venueOrderId };
    default:
      return unreachable(state);
  }
}
