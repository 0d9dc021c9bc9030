// Pages of orders and fills (contract §4.4, §4.10): newest orders first, fills in the sequence of their arrival. History thread.

import type { UnixMillis } from '../../core/domain/numbers.ts';
import type { ListOperation, OperationReply } from '../../core/domain/operation.ts';
import { ORDER_STATUSES, type OrderId } from '../../core/domain/order.ts';
import type { HistoryReads, OrderPosition } from '../../core/store/order-records.ts';
import { readOrderId } from '../../core/wire/order-requests.ts';
import { actionView, fillView, orderView } from '../../core/wire/order-views.ts';
import { type PageScope, pageToken, readPage } from '../../core/wire/page-token.ts';
import { errorReply, replyOf } from '../../core/wire/replies.ts';

export function listOrders(
  reads: HistoryReads,
  scope: PageScope,
  { venue, caller, query }: ListOperation,
): OperationReply {
  const filter = venue === 'venue_a' ? 'tokenId' : 'ticker';
  const page = readPage(scope, query, [filter, 'status']);
  if (!page.ok) return errorReply('invalid', page.error);
  const { rows, filters } = page.value;
  const status = filters.status === undefined ? null : ORDER_STATUSES.find(it => it === filters.status);
  if (status === undefined) return errorReply('invalid', `status: must be one of ${ORDER_STATUSES.join(', ')}`);
  const after = page.value.after === null ? null : readPlace(page.value.after);
  const { actorId } = caller;
  // The read asks for one row more than the page shows, to find out whether another page follows.
  const found = reads.orders({ actorId, venue, address: filters[filter] ?? null, status, after, rowsMax: rows + 1 });
  const shown = found.slice(0, rows);
  const last = shown.at(-1);
  const isMore = found.length > rows && last !== undefined;
  const nextPageToken = isMore ? pageToken(scope, { rows, filters, after: placeText(last) }) : null;
  return replyOf(200, { orders: shown.map(order => orderView(order, false)), nextPageToken });
}

/** Returns a page of actions of wallets, newest first. */
export function listActions(
  reads: Pick<HistoryReads, 'actions'>,
  scope: PageScope,
  query: ReadonlyMap<string, string>,
): OperationReply {
  const page = readPage(scope, query, []);
  if (!page.ok) return errorReply('invalid', page.error);
  const { rows, filters } = page.value;
  const after = page.value.after === null ? null : readPlace(page.value.after);
  const found = reads.actions(scope.actorId, after, rows + 1);
  const shown = found.slice(0, rows);
  const last = found.length > rows ? shown.at(-1) : undefined;
  const place = last === undefined ? null : placeText({ createdAt: last.createdAt, orderId: last.actionId });
  const nextPageToken = place === null ? null : pageToken(scope, { rows, filters, after: place });
  return replyOf(200, { actions: shown.map(actionView), nextPageToken });
}

export function listFills(
  reads: HistoryReads,
  scope: PageScope,
  query: ReadonlyMap<string, string>,
  orderId: OrderId,
): OperationReply {
  const page = readPage(scope, query, []);
  if (!page.ok) return errorReply('invalid', page.error);
  const { rows, filters } = page.value;
  const after = Number(page.value.after ?? 0);
  const found = reads.fills(orderId, after, rows + 1);
  const nextPageToken = found.length > rows ? pageToken(scope, { rows, filters, after: String(after + rows) }) : null;
  return replyOf(200, { fills: found.slice(0, rows).map(fillView), nextPageToken });
}

export function placeText({ createdAt, orderId }: OrderPosition): string {
  return `${createdAt}.${orderId}`;
}

/** Reads the place that a page token states. Null means the beginning, and is also returned for a text that cannot come from a token. */
export function readPlace(text: string): OrderPosition | null {
  const [createdAt = '', id = ''] = text.split('.');
  const orderId = readOrderId(id);
  return orderId === null ? null : { createdAt: Number(createdAt) as UnixMillis, orderId };
}
