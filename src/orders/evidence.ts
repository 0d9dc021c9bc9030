// What a venue shows of an order, applied: its fills first, then where it stands. The same whether it was asked for or told.

import type { UnixMillis } from '../domain/numbers.ts';
import type { Filled, Order, OrderEvent } from '../domain/order.ts';
import { unreachable } from '../domain/result.ts';
import type { LookUp } from '../venues/venue.ts';
import type { LedgerEntry } from './ledger-entry.ts';

export type Found = Extract<LookUp, { type: 'found' }>;

export function applyEvidence(entry: LedgerEntry, { orderId, podId, request }: Order, found: Found): Order {
  const account = { podId, venue: request.venue };
  for (const fill of found.fills) {
    entry.applyFill(account, fill, orderId);
    entry.applySettlement(account, fill, found.state === 'rests');
  }
  // A refusal stands until something of the order is traded, or what rests of it is cancelled.
  const known = entry.order(orderId);
  return known.status === 'REJECTED' ? known : entry.apply(orderId, [standing(found, entry.at)]);
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
