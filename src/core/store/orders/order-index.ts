// The index rows of an order in its current state, for writing and for checks. Pure.

import type { UnixMillis } from '../../domain/numbers.ts';
import { isTerminal, type Order, type OrderStatus } from '../../domain/order.ts';
import { addressOf } from '../../domain/order-frame.ts';
import { assert } from '../../domain/result.ts';
import { mayFillYet, type StoredOrder } from '../order-records.ts';
import { listKey, NOTHING, type OrderTable, positionEnd, textKey } from './keys.ts';

export interface IndexRow {
  readonly table: OrderTable;
  readonly key: Uint8Array;
  readonly value: Uint8Array;
}

/** Rows for all lists. */
export function indexRows(order: Order): IndexRow[] {
  const { orderId, actorId, request, status } = order;
  const { venue } = request;
  const address = addressOf(request);
  const rows: IndexRow[] = listsOf(status).map(({ table, isOfMarket }) => ({
    table,
    key: listKey(actorId, venue, isOfMarket ? address : null, status, order),
    value: table === 'working' ? textKey(address) : NOTHING,
  }));
  const awaitedFrom = awaitedFromOf(order);
  if (awaitedFrom !== null) {
    rows.push({ table: 'awaited', key: positionEnd({ createdAt: awaitedFrom, orderId }), value: NOTHING });
  }
  return rows;
}

export interface ListOfOrders {
  readonly table: 'working' | 'ended' | 'endedOfMarket';
  /** Whether the market is in the key. */
  readonly isOfMarket: boolean;
}

const LISTS_OF_WORKING: readonly ListOfOrders[] = [{ table: 'working', isOfMarket: false }];
const LISTS_OF_ENDED: readonly ListOfOrders[] = [
  { table: 'ended', isOfMarket: false },
  { table: 'endedOfMarket', isOfMarket: true },
];

/** The lists with orders of this status. */
export function listsOf(status: OrderStatus): readonly ListOfOrders[] {
  return isTerminal(status) ? LISTS_OF_ENDED : LISTS_OF_WORKING;
}

/** When an order ended that may still get fills; null for any other. */
export function awaitedFromOf(order: Order): UnixMillis | null {
  return order.closedAt !== null && mayFillYet(order) ? order.closedAt : null;
}

/** The id by which the venue names it: the one the venue has given or, until then, the expected one. */
export function venueOrderIdOf(stored: StoredOrder | null): string | null {
  return stored?.order.venueOrderId ?? stored?.intent?.venueOrderId ?? null;
}

/** The fields by which an order is found never change. */
export function assertSameOrder(before: Order, after: Order): void {
  const isSame =
    before.actorId === after.actorId &&
    before.podId === after.podId &&
    before.createdAt === after.createdAt &&
    before.request.venue === after.request.venue &&
    addressOf(before.request) === addressOf(after.request);
  assert(isSame, 'an order keeps its owner, market and time');
}
