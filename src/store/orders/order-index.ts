// Which rows of the index tables an order has, as it is now: what is written by, and what is checked against. Pure.

import type { Order, OrderStatus } from '../../domain/order.ts';
import { addressOf } from '../../domain/order-lists.ts';
import { assert } from '../../domain/result.ts';
import { mayFillYet } from '../live-orders.ts';
import type { StoredOrder } from '../order-records.ts';
import { isSameBytes, listKey, type OrderTable, openKey, positionEnd } from './keys.ts';
import type { SubmissionRecord } from './order-record.ts';

export interface IndexRow {
  readonly table: OrderTable;
  readonly key: Uint8Array;
}

/** Its first answer is not there yet. */
export const IN_FLIGHT: readonly OrderStatus[] = ['PENDING', 'SUBMITTED'];

/** The lists that it is in, beside that of everything, which are the records themselves. */
export function indexRows(order: Order): IndexRow[] {
  const { orderId, actorId, podId, request, status, closedAt } = order;
  const { venue } = request;
  const address = addressOf(request);
  const byBoth = listKey(actorId, venue, address, status, order);
  if (IN_FLIGHT.includes(status)) return [{ table: 'inFlight', key: byBoth }];
  const rows: IndexRow[] = [
    { table: 'ordersByMarket', key: listKey(actorId, venue, address, null, order) },
    { table: 'ordersByStatus', key: listKey(actorId, venue, null, status, order) },
    { table: 'ordersByMarketAndStatus', key: byBoth },
  ];
  if (status === 'OPEN') rows.push({ table: 'openOrders', key: openKey({ podId, venue }, order) });
  if (closedAt !== null && mayFillYet(order)) {
    rows.push({ table: 'awaited', key: positionEnd({ createdAt: closedAt, orderId }) });
  }
  return rows;
}

export function isSameRow(a: IndexRow, b: IndexRow): boolean {
  return a.table === b.table && isSameBytes(a.key, b.key);
}

/** By which its venue speaks of it: what the venue has called it or, until then, what it must be called if it is there. */
export function venueOrderIdOf({ order, intent }: StoredOrder): string | null {
  return order.venueOrderId ?? intent?.venueOrderId ?? null;
}

export function submissionOf({ order, idempotencyKey, intent }: StoredOrder): SubmissionRecord {
  const { actorId, createdAt, request } = order;
  return { actorId, venue: request.venue, createdAt, idempotencyKey, intent };
}

/** What an order is found by never changes. */
export function assertSameOrder(before: Order, after: Order): void {
  const isSame =
    before.actorId === after.actorId &&
    before.podId === after.podId &&
    before.createdAt === after.createdAt &&
    before.request.venue === after.request.venue &&
    addressOf(before.request) === addressOf(after.request);
  assert(isSame, 'an order keeps its owner, market and time');
}
