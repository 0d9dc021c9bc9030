// Whether venue B has an order, and what has become of it (contract §4.7). Known by the venue's id it is read; otherwise it is
// looked for by our own id among the orders of its market around the time of its sending, since the venue finds nothing by that
// id itself. Its reads lag behind its engine: absence counts only in a list that is read after the venue has said that what it
// shows is younger than the order. Executions thread and order workers.

import { SECOND_MS } from '../../../domain/durations.ts';
import type { Intent } from '../../../domain/intent.ts';
import { isObject } from '../../../domain/json.ts';
import type { UnixMillis } from '../../../domain/numbers.ts';
import type { Order } from '../../../domain/order.ts';
import { filledInFrame } from '../../../domain/order-frame.ts';
import { addressOf } from '../../../domain/order-lists.ts';
import { type Filled, isExact, NOTHING_FILLED } from '../../../domain/order-sums.ts';
import { fail, ok, type Result } from '../../../domain/result.ts';
import { limits } from '../../../limits.ts';
import type { LookUp, VenueFill } from '../../venue.ts';
import { asOf } from './account.ts';
import { fillInFrame, fillRecordOf } from './fill-record.ts';
import { type OrderRecord, orderRecordOf } from './order-record.ts';
import type { VenueBRest } from './rest.ts';

export async function lookUp(rest: VenueBRest, order: Order, intent: Intent, deadline: UnixMillis): Promise<LookUp> {
  const first = await find(rest, order, intent, 'around', deadline);
  if (!first.ok) return unavailable(first.error);
  if (first.value !== null) return found(rest, order, first.value, deadline);
  const isCurrent = await isYounger(rest, order, deadline);
  if (!isCurrent.ok) return unavailable(isCurrent.error);
  if (!isCurrent.value) return { type: 'absent', isCurrent: false };
  // What was read before the venue said so may have been older; and nothing that the venue might mean by a time hides it now.
  const second = await find(rest, order, intent, 'since', deadline);
  if (!second.ok) return unavailable(second.error);
  return second.value === null ? { type: 'absent', isCurrent: true } : found(rest, order, second.value, deadline);
}

/** Null: not there, as far as the venue's reads have come. */
async function find(
  rest: VenueBRest,
  order: Order,
  intent: Intent,
  window: 'around' | 'since',
  deadline: UnixMillis,
): Promise<Result<OrderRecord | null, string>> {
  if (order.venueOrderId !== null) {
    const byId = await findById(rest, order.venueOrderId, deadline);
    if (!byId.ok || byId.value !== null) return byId;
  }
  // By its ticker the venue finds an order on any shard, by its id perhaps not.
  return findByOurId(rest, order, intent.clientOrderId, window, deadline);
}

async function findById(
  rest: VenueBRest,
  venueOrderId: string,
  deadline: UnixMillis,
): Promise<Result<OrderRecord | null, string>> {
  const answer = await rest.read(`/portfolio/orders/${encodeURIComponent(venueOrderId)}`, deadline, 'order');
  if (answer.type === 'missing') return ok(null);
  if (answer.type === 'unavailable') return fail(answer.message);
  const { order } = answer.body;
  const record = isObject(order) ? orderRecordOf(order) : null;
  return record?.venueOrderId === venueOrderId ? ok(record) : fail('venue B shows an order that cannot be read');
}

async function findByOurId(
  rest: VenueBRest,
  order: Order,
  clientOrderId: string,
  window: 'around' | 'since',
  deadline: UnixMillis,
): Promise<Result<OrderRecord | null, string>> {
  const path = `/portfolio/orders?ticker=${encodeURIComponent(addressOf(order.request))}${times(order.sentAt, window)}`;
  const rows = await rest.readList(path, 'orders', deadline);
  if (!rows.ok) return rows;
  const row = rows.value.find(({ client_order_id }) => client_order_id === clientOrderId);
  if (row === undefined) return ok(null);
  const record = orderRecordOf(row);
  return record === null ? fail('venue B lists the order and it cannot be read') : ok(record);
}

/** When the order may have been sent, as a query. */
function times(sentAt: UnixMillis | null, window: 'around' | 'since'): string {
  if (sentAt === null) return '';
  const from = Math.floor((sentAt - limits.venueBLookUpWindowMs) / SECOND_MS);
  const until = Math.ceil((sentAt + limits.venueBLookUpWindowMs) / SECOND_MS);
  return `&min_ts=${from}${window === 'around' ? `&max_ts=${until}` : ''}`;
}

async function isYounger(rest: VenueBRest, order: Order, deadline: UnixMillis): Promise<Result<boolean, string>> {
  const reads = await asOf(rest, deadline);
  return reads.ok ? ok(reads.value > (order.sentAt ?? order.createdAt) + limits.venueBReadMarginMs) : reads;
}

async function found(rest: VenueBRest, order: Order, record: OrderRecord, deadline: UnixMillis): Promise<LookUp> {
  const { venueOrderId, state, filled, stated } = record;
  const fills = filled === 0 ? ok([]) : await fillsOf(rest, order, venueOrderId, deadline);
  if (!fills.ok) return unavailable(fills.error);
  const told = sumOf(fills.value);
  if (!isExact(told)) return unavailable('venue B lists more fills of an order than can be counted');
  const inFrame = stated === null ? null : filledInFrame(order.request, stated);
  // Fills have prices of their own, sums do not: where they say as much, they say it better.
  const best = told.size >= filled ? told : inFrame;
  if (state === 'rests') return { type: 'found', venueOrderId, state, stated: best, fills: fills.value };
  if (best === null) return unavailable('venue B shows more filled than it lists, and not at which prices');
  return { type: 'found', venueOrderId, state, stated: best, fills: fills.value };
}

/** Oldest first, in the frame of the order. */
async function fillsOf(
  rest: VenueBRest,
  { request }: Order,
  venueOrderId: string,
  deadline: UnixMillis,
): Promise<Result<readonly VenueFill[], string>> {
  const ticker = encodeURIComponent(addressOf(request));
  const path = `/portfolio/fills?order_id=${encodeURIComponent(venueOrderId)}&ticker=${ticker}`;
  const rows = await rest.readList(path, 'fills', deadline);
  if (!rows.ok) return rows;
  const fills = rows.value.map(fillRecordOf).filter(fill => fill === null || fill.venueOrderId === venueOrderId);
  if (!fills.every(fill => fill !== null)) return fail('venue B lists a fill that cannot be read');
  return ok(fills.toReversed().map(fill => fillInFrame(request, fill)));
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

function unavailable(message: string): LookUp {
  return { type: 'unavailable', message };
}
