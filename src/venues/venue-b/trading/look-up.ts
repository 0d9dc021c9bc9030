// Finds out whether venue B has an order, and the order's state (contract §4.7). With the venue's id the order is read directly. The venue
// cannot search by our id. So without the venue's id, our id is sought among the market's orders from around the time of sending. The
// venue's reads lag behind its engine. So absence counts only in a list that is read after the venue has stated that its data is younger
// than the order. An old order must be absent from the venue's archive, too (archive.ts). Engine thread.

import { readClientOrderId } from '../../../core/domain/actor-tag.ts';
import { SECOND_MS } from '../../../core/domain/durations.ts';
import { isObject } from '../../../core/domain/json.ts';
import type { UnixMillis } from '../../../core/domain/numbers.ts';
import type { Order } from '../../../core/domain/order.ts';
import { addressOf, filledInFrame } from '../../../core/domain/order-frame.ts';
import type { Intent } from '../../../core/domain/order-request.ts';
import { type Filled, isExact, NOTHING_FILLED } from '../../../core/domain/order-sums.ts';
import { ok } from '../../../core/domain/result.ts';
import { limits } from '../../../limits.ts';
import { listedOf } from '../../unread-rows.ts';
import type { Listed, LookUp, OrderName, Reading, UnreadRow, VenueFill } from '../../venue.ts';
import { asOf } from './account.ts';
import { readArchive, type VenueBReads } from './archive.ts';
import {
  fillInFrame,
  fillRecordOf,
  type OrderRecord,
  orderRecordOf,
  unreadFillOf,
  unreadOrderOf,
} from './reported-rows.ts';

/** The result of a search. Null means that the venue's current reads do not have the order. */
type Sought = OrderRecord | Extract<LookUp, { type: 'held' | 'unavailable' }> | null;

type Window = 'around' | 'since';

export async function lookUp(rest: VenueBReads, order: Order, intent: Intent, deadline: UnixMillis): Promise<LookUp> {
  const first = await find(rest, order, intent, 'around', deadline);
  if (first !== null) return foundOrder(rest, order, first, deadline);
  const at = await asOf(rest, deadline);
  if (!at.ok) return unavailable(at.error);
  if (at.value <= lastNewsTime(order) + limits.venueBReadMarginMs) return { type: 'absent', isCurrent: false };
  // The first read may predate the venue's statement. The second read has no upper bound of time, so that no inaccuracy of the venue's
  // times can hide the order.
  const second = await find(rest, order, intent, 'since', deadline);
  if (second !== null) return foundOrder(rest, order, second, deadline);
  const archived = await findArchived(rest, order, intent, deadline);
  return archived === null ? { type: 'absent', isCurrent: true } : foundOrder(rest, order, archived, deadline);
}

async function find(
  rest: VenueBReads,
  order: Order,
  intent: Intent,
  window: Window,
  deadline: UnixMillis,
): Promise<Sought> {
  if (order.venueOrderId !== null) {
    const byId = await findById(rest, order.venueOrderId, deadline);
    if (byId !== null && !isOfOtherOrder(byId, order)) return byId;
  }
  // The search is by ticker, with which the venue finds an order on any shard. By its id alone the venue may not find it.
  const query = `${tickerOf(order)}${timesQuery(order.sentAt, window)}`;
  const names = namesOf(order, intent);
  const rows = await rest.readList(`/portfolio/orders?${query}`, 'orders', deadline, row => isRowOf(row, names));
  return rows.ok ? orderAmong(rows.value, order, names) : unavailable(rows.error);
}

/** Finds the order in the archive by its list, because the archive has no read of a single order. */
async function findArchived(rest: VenueBReads, order: Order, intent: Intent, deadline: UnixMillis): Promise<Sought> {
  const names = namesOf(order, intent);
  const sought = { query: tickerOf(order), since: order.sentAt, deadline };
  const rows = await readArchive(rest, 'orders', sought, row => isRowOf(row, names));
  return rows.ok ? orderAmong(rows.value, order, names) : unavailable(rows.error);
}

/**
 * Whether the found order has the id of another record of ours. An order that was changed in place has kept the venue's id, and has the
 * client order id of its latest record.
 */
function isOfOtherOrder(sought: Exclude<Sought, null>, { orderId }: Order): boolean {
  const named = 'type' in sought ? null : readClientOrderId(sought.clientOrderId ?? '');
  return named !== null && named.orderId !== orderId;
}

async function findById(rest: VenueBReads, venueOrderId: string, deadline: UnixMillis): Promise<Sought> {
  const answer = await rest.read(`/portfolio/orders/${encodeURIComponent(venueOrderId)}`, deadline, 'order');
  if (answer.type === 'missing') return null;
  if (answer.type === 'unavailable') return unavailable(answer.message);
  const shown = isObject(answer.body.order) ? answer.body.order : answer.body;
  const record = orderRecordOf(shown);
  return record?.venueOrderId === venueOrderId ? record : { type: 'held', row: unreadOrderOf(shown) };
}

type Names = Readonly<Record<keyof OrderName, string>>;

function namesOf({ venueOrderId }: Order, { clientOrderId }: Intent): Names {
  return { venueOrderId: venueOrderId ?? '', clientOrderId };
}

function isRowOf(row: unknown, { clientOrderId }: Names): boolean {
  return isObject(row) && row.client_order_id === clientOrderId;
}

function orderAmong(rows: readonly unknown[], order: Order, names: Names): Sought {
  const { rows: records, unread } = listedOf(rows, orderRecordOf, unreadOrderOf);
  const ours = records.find(({ clientOrderId }) => clientOrderId === names.clientOrderId);
  const its = ours ?? records.find(row => row.venueOrderId === names.venueOrderId && !isOfOtherOrder(row, order));
  const lost = unread.find(row => mayName(row, names));
  return its ?? (lost === undefined ? null : { type: 'held', row: lost });
}

/** Whether an unreadable row may belong to this order: the row names the order, or names no order. */
function mayName({ orders }: UnreadRow, { venueOrderId, clientOrderId }: OrderName): boolean {
  if (orders.length === 0) return true;
  return orders.some(named =>
    named.clientOrderId === null || clientOrderId === null
      ? named.venueOrderId === venueOrderId
      : named.clientOrderId === clientOrderId,
  );
}

/** Returns the part of the query that limits the time at which the order may have been sent. */
function timesQuery(sentAt: UnixMillis | null, window: 'around' | 'since'): string {
  if (sentAt === null) return '';
  const from = Math.floor((sentAt - limits.venueBLookUpWindowMs) / SECOND_MS);
  const until = Math.ceil((sentAt + limits.venueBLookUpWindowMs) / SECOND_MS);
  return `&min_ts=${from}${window === 'around' ? `&max_ts=${until}` : ''}`;
}

/**
 * Returns the time of the order's sending, or for an order in the book the time of its last news. That news may have come long after the
 * sending, and an earlier read does not contain it.
 */
function lastNewsTime({ status, sentAt, createdAt, updatedAt }: Order): number {
  const since = sentAt ?? createdAt;
  return status === 'OPEN' ? Math.max(since, updatedAt) : since;
}

async function foundOrder(
  rest: VenueBReads,
  order: Order,
  sought: Exclude<Sought, null>,
  deadline: UnixMillis,
): Promise<LookUp> {
  if ('type' in sought) return sought;
  const { venueOrderId, state, filled, stated, reason, isAtOnce } = sought;
  const listed = filled === 0 ? ok({ rows: [], unread: [] }) : await fillsOf(rest, order, sought, deadline);
  if (!listed.ok) return unavailable(listed.error);
  const { rows: fills, unread } = listed.value;
  const total = sumOf(fills);
  if (!isExact(total)) return unavailable('venue B lists more fills of an order than can be counted');
  const inFrame = stated === null ? null : filledInFrame(order.request, stated);
  // Fills have exact prices, sums do not. So fills are preferred if they account for the whole filled size.
  const best = total.size >= filled ? total : inFrame;
  if (state === 'rests') return { type: 'found', venueOrderId, state, stated: best, fills };
  if (unread[0] !== undefined && total.size < filled) return { type: 'held', row: unread[0] };
  if (best === null) return unavailable('venue B shows more filled than it lists, without the prices');
  return { type: 'found', venueOrderId, state, stated: best, reason, isAtOnce, fills };
}

/**
 * Returns the order's fills, oldest first, in the frame of the order. A live order may have archived fills, and an archived order may have
 * live fills.
 */
async function fillsOf(
  rest: VenueBReads,
  order: Order,
  { venueOrderId, filled }: OrderRecord,
  deadline: UnixMillis,
): Reading<Listed<VenueFill>> {
  const query = tickerOf(order);
  const path = `/portfolio/fills?order_id=${encodeURIComponent(venueOrderId)}&${query}`;
  const live = await rest.readList(path, 'fills', deadline);
  if (!live.ok) return live;
  const listed = fillsAmong(live.value, order, venueOrderId);
  if (sumOf(listed.rows).size >= filled) return ok(listed);
  // Nothing says that the archive can search by order, so the search is by market and time. An order that replaced another in place has the
  // earlier order's fills, too.
  const since = order.replaces === null ? order.sentAt : null;
  const archived = await readArchive(rest, 'fills', { query, since, deadline });
  return archived.ok ? ok(fillsAmong([...live.value, ...archived.value], order, venueOrderId)) : archived;
}

/** Returns the order's fills among `rows`, which are newest first. A fill that is archived during the read is in both lists. */
function fillsAmong(rows: readonly unknown[], { request }: Order, venueOrderId: string): Listed<VenueFill> {
  const { rows: fills, unread } = listedOf(rows.toReversed(), fillRecordOf, unreadFillOf);
  const its = fills.filter(fill => fill.venueOrderId === venueOrderId).map(fill => fillInFrame(request, fill));
  return {
    rows: [...new Map(its.map(fill => [fill.fillId, fill])).values()],
    unread: unread.filter(row => mayName(row, { venueOrderId, clientOrderId: null })),
  };
}

function tickerOf({ request }: Order): string {
  return `ticker=${encodeURIComponent(addressOf(request))}`;
}

function sumOf(fills: readonly VenueFill[]): Filled {
  return fills.reduce(
    (sum, { size, price, fee }): Filled => ({
      size: (sum.size + size) as Filled['size'],
      cost: sum.cost + BigInt(price) * BigInt(size),
      fees: (sum.fees + fee) as Filled['fees'],
    }),
    NOTHING_FILLED,
  );
}

function unavailable(message: string): Extract<LookUp, { type: 'unavailable' }> {
  return { type: 'unavailable', message };
}
