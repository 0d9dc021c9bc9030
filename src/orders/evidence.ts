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
    if (fill.settlement !== 'FAILED') entry.applyFill(account, fill, orderId);
    entry.applySettlement(account, fill, fill.settlement, found.state === 'rests');
  }
  return entry.apply(orderId, [standing(found, entry.at)]);
}

/** The event by which an order is where the venue says it is. */
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
