// Finds out whether venue B has an order, and its state (contract §4.7). With the venue's id the order is read directly. The
// venue has no search by our id. So without its id, the orders of the market around the sending are searched for ours. The
// venue's reads lag behind its engine. So absence counts only in a list that is read after the venue stated that its data is
// younger than the order. What ended about three months ago is in the venue's archive alone (venue-b.md §4.5). Engine thread.

import { readClientOrderId } from '../../../domain/actor-tag.ts';
import { DAY_MS, SECOND_MS } from '../../../domain/durations.ts';
import type { Intent } from '../../../domain/intent.ts';
import { isObject } from '../../../domain/json.ts';
import type { UnixMillis } from '../../../domain/numbers.ts';
import type { Order } from '../../../domain/order.ts';
import { filledInFrame } from '../../../domain/order-frame.ts';
import { addressOf } from '../../../domain/order-lists.ts';
import { type Filled, isExact, NOTHING_FILLED } from '../../../domain/order-sums.ts';
import { ok } from '../../../domain/result.ts';
import { limits } from '../../../limits.ts';
import { listedOf } from '../../unread-rows.ts';
import type { Listed, LookUp, OrderName, Reading, UnreadRow, VenueFill } from '../../venue.ts';
import { asOf } from './account.ts';
import {
  fillInFrame,
  fillRecordOf,
  type OrderRecord,
  orderRecordOf,
  unreadFillOf,
  unreadOrderOf,
} from './reported-rows.ts';
import type { VenueBRest } from './rest.ts';

/** Result of a search; `null`: not found in the venue's current reads. */
type Sought = OrderRecord | Extract<LookUp, { type: 'held' | 'unavailable' }> | null;

const [LIVE, ARCHIVE] = ['/portfolio', '/historical'] as const;
type Place = typeof LIVE | typeof ARCHIVE;
/** Nothing younger is archived: the venue means to keep three months of data live. */
const ARCHIVED_MS = 30 * DAY_MS;

type Window = 'around' | 'since' | 'archived';

export async function lookUp(rest: VenueBRest, order: Order, intent: Intent, deadline: UnixMillis): Promise<LookUp> {
  const first = await find(rest, order, intent, 'around', deadline);
  if (first !== null) return found(rest, order, first, deadline);
  const at = await asOf(rest, deadline);
  if (!at.ok) return unavailable(at.error);
  if (at.value <= newsOf(order) + limits.venueBReadMarginMs) return { type: 'absent', isCurrent: false };
  // The first read may predate the venue's statement. The second has no upper time bound, so that no reading of the venue's
  // times hides the order.
  const second = await find(rest, order, intent, 'since', deadline);
  if (second !== null) return found(rest, order, second, deadline);
  const mayBeArchived = at.value - (order.sentAt ?? order.createdAt) >= ARCHIVED_MS;
  const archived = mayBeArchived ? await findByOurId(rest, order, intent.clientOrderId, 'archived', deadline) : null;
  return archived === null ? { type: 'absent', isCurrent: true } : found(rest, order, archived, deadline, ARCHIVE);
}

async function find(
  rest: VenueBRest,
  order: Order,
  intent: Intent,
  window: 'around' | 'since',
  deadline: UnixMillis,
): Promise<Sought> {
  if (order.venueOrderId !== null) {
    const byId = await findById(rest, order.venueOrderId, deadline);
    if (byId !== null && !isAnothers(byId, order)) return byId;
  }
  // With its ticker the venue finds an order on any shard, by its id perhaps not.
  return findByOurId(rest, order, intent.clientOrderId, window, deadline);
}

/** An order that was changed in place has the venue's id of the one before, and our id of the one after. */
function isAnothers(sought: Exclude<Sought, null>, { orderId }: Order): boolean {
  const named = 'type' in sought ? null : readClientOrderId(sought.clientOrderId ?? '');
  return named !== null && named.orderId !== orderId;
}

async function findById(rest: VenueBRest, venueOrderId: string, deadline: UnixMillis): Promise<Sought> {
  const answer = await rest.read(`/portfolio/orders/${encodeURIComponent(venueOrderId)}`, deadline, 'order');
  if (answer.type === 'missing') return null;
  if (answer.type === 'unavailable') return unavailable(answer.message);
  const shown = isObject(answer.body.order) ? answer.body.order : answer.body;
  const record = orderRecordOf(shown);
  return record?.venueOrderId === venueOrderId ? record : { type: 'held', row: unreadOrderOf(shown) };
}

async function findByOurId(
  rest: VenueBRest,
  order: Order,
  clientOrderId: string,
  window: Window,
  deadline: UnixMillis,
): Promise<Sought> {
  const ticker = encodeURIComponent(addressOf(order.request));
  const query = `ticker=${ticker}${window === 'archived' ? '' : times(order.sentAt, window)}`;
  const path = `${window === 'archived' ? ARCHIVE : LIVE}/orders?${query}`;
  const isOurs = (row: unknown): boolean => isObject(row) && row.client_order_id === clientOrderId;
  const rows = await rest.readList(path, 'orders', deadline, isOurs);
  if (!rows.ok) return unavailable(rows.error);
  const { rows: records, unread } = listedOf(rows.value, orderRecordOf, unreadOrderOf);
  const its = records.find(record => record.clientOrderId === clientOrderId);
  const lost = unread.find(row => mayName(row, { venueOrderId: order.venueOrderId ?? '', clientOrderId }));
  return its ?? (lost === undefined ? null : { type: 'held', row: lost });
}

/** Whether an unreadable row may be of this order: it names it, or names none. */
function mayName({ orders }: UnreadRow, { venueOrderId, clientOrderId }: OrderName): boolean {
  if (orders.length === 0) return true;
  return orders.some(named =>
    named.clientOrderId === null || clientOrderId === null
      ? named.venueOrderId === venueOrderId
      : named.clientOrderId === clientOrderId,
  );
}

/** The query for the times at which the order may have been sent. */
function times(sentAt: UnixMillis | null, window: 'around' | 'since'): string {
  if (sentAt === null) return '';
  const from = Math.floor((sentAt - limits.venueBLookUpWindowMs) / SECOND_MS);
  const until = Math.ceil((sentAt + limits.venueBLookUpWindowMs) / SECOND_MS);
  return `&min_ts=${from}${window === 'around' ? `&max_ts=${until}` : ''}`;
}

/** Its sending; of an order in the book, the last news of it. It may have arrived long after its sending: an earlier read lacks it. */
function newsOf({ status, sentAt, createdAt, updatedAt }: Order): number {
  const since = sentAt ?? createdAt;
  return status === 'OPEN' ? Math.max(since, updatedAt) : since;
}

async function found(
  rest: VenueBRest,
  order: Order,
  sought: Exclude<Sought, null>,
  deadline: UnixMillis,
  where: Place = LIVE,
): Promise<LookUp> {
  if ('type' in sought) return sought;
  const { venueOrderId, state, filled, stated, reason, isAtOnce } = sought;
  const listed =
    filled === 0 ? ok({ rows: [], unread: [] }) : await fillsOf(rest, order, { venueOrderId, where }, deadline);
  if (!listed.ok) return unavailable(listed.error);
  const { rows: fills, unread } = listed.value;
  const total = sumOf(fills);
  if (!isExact(total)) return unavailable('venue B lists more fills of an order than can be counted');
  const inFrame = stated === null ? null : filledInFrame(order.request, stated);
  // Fills have prices of their own, sums do not: prefer fills that account for as much.
  const best = total.size >= filled ? total : inFrame;
  if (state === 'rests') return { type: 'found', venueOrderId, state, stated: best, fills };
  if (unread[0] !== undefined && total.size < filled) return { type: 'held', row: unread[0] };
  if (best === null) return unavailable('venue B shows more filled than it lists, and not at which prices');
  return { type: 'found', venueOrderId, state, stated: best, reason, isAtOnce, fills };
}

/** Oldest first, in the frame of the order. */
async function fillsOf(
  rest: VenueBRest,
  { request }: Order,
  { venueOrderId, where }: { readonly venueOrderId: string; readonly where: Place },
  deadline: UnixMillis,
): Reading<Listed<VenueFill>> {
  const ticker = encodeURIComponent(addressOf(request));
  // The archive is not known to search by order.
  const ofOrder = where === LIVE ? `order_id=${encodeURIComponent(venueOrderId)}&` : '';
  const path = `${where}/fills?${ofOrder}ticker=${ticker}`;
  const listed = await rest.readList(path, 'fills', deadline);
  if (!listed.ok) return listed;
  const { rows, unread } = listedOf(listed.value.toReversed(), fillRecordOf, unreadFillOf);
  const its = rows.filter(fill => fill.venueOrderId === venueOrderId).map(fill => fillInFrame(request, fill));
  return ok({ rows: its, unread: unread.filter(row => mayName(row, { venueOrderId, clientOrderId: null })) });
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
