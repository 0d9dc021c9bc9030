// The index rows of an order in its current state, for writing and for checks. Pure.

import type { Order, OrderStatus } from '../../domain/order.ts';
import { addressOf } from '../../domain/order-frame.ts';
import { assert } from '../../domain/result.ts';
import { mayFillYet, type StoredOrder } from '../order-records.ts';
import { isSameBytes, listKey, type OrderTable, openKey, positionEnd } from './keys.ts';
import type { SubmissionRecord } from './order-record.ts';

export interface IndexRow {
  readonly table: OrderTable;
  readonly key: Uint8Array;
}

/** Statuses of an order before its first answer. */
export const IN_FLIGHT: readonly OrderStatus[] = ['PENDING', 'SUBMITTED'];

/** Rows for all lists except that of everything, which the records themselves form. */
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

/** The id by which the venue names it: the one the venue has given or, until then, the expected one. */
export function venueOrderIdOf(stored: StoredOrder | null): string | null {
  return stored?.order.venueOrderId ?? stored?.intent?.venueOrderId ?? null;
}

export function submissionOf({ order, intent }: StoredOrder): SubmissionRecord {
  const { actorId, createdAt, request, idempotencyKey } = order;
  return { actorId, venue: request.venue, createdAt, idempotencyKey, intent };
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
