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

/** Returns the rows of an order in all lists. */
export function indexRows(order: Order): IndexRow[] {
  const { orderId, actorId, request, status } = order;
  const { venue } = request;
  const address = addressOf(request);
  const rows: IndexRow[] = listsOf(status).map(({ table, isOfMarket }) => ({
    table,
    key: listKey(actorId, venue, isOfMarket ? address : null, status, order),
    value: table === 'working' ? textKey(address) : NOTHING,
  }));
  const awaitedFrom = awaitedSinceOf(order);
  if (awaitedFrom !== null) {
    rows.push({ table: 'awaited', key: positionEnd({ createdAt: awaitedFrom, orderId }), value: NOTHING });
  }
  return rows;
}

export interface ListOfOrders {
  readonly table: 'working' | 'ended' | 'endedOfMarket';
  /** Whether the keys of the list contain the market. */
  readonly isOfMarket: boolean;
}

const LISTS_OF_WORKING: readonly ListOfOrders[] = [{ table: 'working', isOfMarket: false }];
const LISTS_OF_ENDED: readonly ListOfOrders[] = [
  { table: 'ended', isOfMarket: false },
  { table: 'endedOfMarket', isOfMarket: true },
];

/** Returns the lists that have the orders of this status. */
export function listsOf(status: OrderStatus): readonly ListOfOrders[] {
  return isTerminal(status) ? LISTS_OF_ENDED : LISTS_OF_WORKING;
}

/** Returns the time at which the order ended if the order may still get fills, else null. */
export function awaitedSinceOf(order: Order): UnixMillis | null {
  return order.closedAt !== null && mayFillYet(order) ? order.closedAt : null;
}

/** Returns the id by which the venue names the order: the id that the venue has given or, until then, the expected id. */
export function venueOrderIdOf(stored: StoredOrder | null): string | null {
  return stored?.order.venueOrderId ?? stored?.intent?.venueOrderId ?? null;
}

/** Asserts that the fields by which an order is found have not changed. */
export function assertSameOrder(before: Order, after: Order): void {
  const isSame =
    before.actorId === after.actorId &&
    before.podId === after.podId &&
    before.createdAt === after.createdAt &&
    before.request.venue === after.request.venue &&
    addressOf(before.request) === addressOf(after.request);
  assert(isSame, 'an order keeps its owner, market and time');
}
