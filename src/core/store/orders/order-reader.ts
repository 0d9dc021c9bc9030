// Reads the tables of orders: each question is one range, or one row at a time by key. Works over the history's tables, or over a
// transaction with its own writes. Any thread.

import { limits } from '../../../limits.ts';
import type { Fill } from '../../domain/fill.ts';
import type { Venue } from '../../domain/market.ts';
import type { UnixMillis } from '../../domain/numbers.ts';
import { isTerminal, type Order, type OrderId, type OrderStatus } from '../../domain/order.ts';
import type { Position } from '../../domain/position.ts';
import type { Protection, ProtectionScope } from '../../domain/protection.ts';
import type { WalletAction } from '../../domain/wallet-action.ts';
import type {
  Account,
  ActorEventRecord,
  BookedChange,
  CancelAfter,
  HistoryReads,
  IdempotencyEntry,
  MergedOrders,
  MergedQuery,
  OrderPosition,
  OrderQuery,
  StoredFill,
  StoredOrder,
} from '../order-records.ts';
import type { Reader, Row } from '../tables.ts';
import { isOrderId } from './bytes.ts';
import { damaged } from './codec.ts';
import {
  accountKey,
  beyond,
  eventKey,
  eventsPrefix,
  fillKey,
  fillsPrefix,
  following,
  idKey,
  isOfStatus,
  isSameBytes,
  listKey,
  listPrefix,
  listTable,
  NOTHING,
  numberAtEnd,
  type OrderTable,
  orderEnd,
  orderIdAtEnd,
  orderKeyOf,
  positionEnd,
  readOrderEnd,
  scopedKey,
  scopeKey,
  textKey,
  timeKey,
} from './keys.ts';
import { type ListedOrder, newestFirst } from './newest-first.ts';
import { IN_FLIGHT } from './order-index.ts';
import { orderCodec, submissionCodec } from './order-record.ts';
import {
  actionCodec,
  bookedCodec,
  cancelAfterCodec,
  counterCodec,
  type EventSpan,
  eventCodec,
  eventSpanCodec,
  fillCodec,
  idempotencyCodec,
  markCodec,
  NO_EVENTS,
  positionCodec,
  protectionCodec,
} from './records.ts';

export class OrderReader implements HistoryReads {
  protected readonly reader: Reader<OrderTable>;

  constructor(reader: Reader<OrderTable>) {
    this.reader = reader;
  }

  order(orderId: OrderId): StoredOrder | null {
    if (!isOrderId(orderId)) return null;
    const key = idKey(orderId);
    const found = this.reader.get('submissions', key);
    if (found === undefined) return null;
    const { actorId, venue, createdAt, intent } = submissionCodec.decode(found, key);
    const orderKey = listKey(actorId, venue, null, null, { createdAt, orderId });
    const record = this.reader.get('orders', orderKey);
    if (record === undefined) throw damaged('order', orderKey, 'is missing, and was submitted');
    const { order, refusedAs } = orderCodec.decode(record, orderKey);
    return { order, refusedAs, intent };
  }

  orderOfVenue(account: Account, venueOrderId: string): OrderId | null {
    const found = this.reader.get('venueOrders', accountKey(account, venueOrderId));
    return found === undefined ? null : orderIdAtEnd(found);
  }

  idempotency(actorId: string, venue: Venue, key: string): IdempotencyEntry | null {
    const row = scopedKey(actorId, venue, key);
    const found = this.reader.get('idempotency', row);
    return found === undefined ? null : idempotencyCodec.decode(found, row);
  }

  orders(query: OrderQuery): readonly Order[] {
    const { actorId, venue, address, status, after, rowsMax } = query;
    if (address === null && status === null) {
      return this.#listed('orders', query, status).map(({ key, value }) => orderCodec.decode(value, key).order);
    }
    const scope = scopeKey(actorId, venue);
    const ends = this.#ends(query, scope, after === null ? null : positionEnd(after));
    return ends.slice(0, rowsMax).map(end => this.#listedOrder({ scope, end }));
  }

  mergedOrders({ actorId, lists, after, accepts, rowsMax, looksMax }: MergedQuery): MergedOrders {
    const ranges = lists.map(list => this.#list({ actorId, ...list, address: null, after, rowsMax }));
    const orders: Order[] = [];
    let looks = 0;
    let last: OrderPosition | null = null;
    for (const listed of newestFirst(ranges)) {
      if (looks === looksMax) return { orders, stoppedAt: last };
      const order = this.#listedOrder(listed);
      if (accepts(order)) orders.push(order);
      if (orders.length === rowsMax) break;
      looks += 1;
      last = order;
    }
    return { orders, stoppedAt: null };
  }

  /** The list to its end, read `rowsMax` rows at a time. */
  *#list(query: OrderQuery): Iterable<ListedOrder> {
    const scope = scopeKey(query.actorId, query.venue);
    for (let { after } = query; ; ) {
      const ends = this.#endsOf({ ...query, after }, scope);
      for (const end of ends) yield { scope, end };
      const last = ends.at(-1);
      if (last === undefined || ends.length < query.rowsMax) return;
      after = readOrderEnd(last);
    }
  }

  #endsOf(query: OrderQuery, scope: Uint8Array): Uint8Array[] {
    const { status, after } = query;
    if (status === null) return this.#listed('orders', query, null).map(row => orderEnd(row.key));
    return this.#ends(query, scope, after === null ? null : positionEnd(after));
  }

  #listedOrder({ scope, end }: ListedOrder): Order {
    const key = orderKeyOf(scope, end);
    const record = this.reader.get('orders', key);
    if (record === undefined) throw damaged('order', key, 'is missing, and is listed');
    return orderCodec.decode(record, key).order;
  }

  /** The newest orders of a market or status, newest first: both listed orders and those in flight. */
  #ends(query: OrderQuery, scope: Uint8Array, after: Uint8Array | null): Uint8Array[] {
    const { address, status } = query;
    const isInFlight = status !== null && IN_FLIGHT.includes(status);
    const listed = isInFlight ? [] : this.#listed(listTable(address, status), query, status);
    if (status !== null && !isInFlight) return listed.map(row => orderEnd(row.key));
    const inFlight =
      address === null
        ? [...this.rows('inFlight', scope)].filter(({ key }) => isOfStatus(key, status!) && isBefore(key, after))
        : (status === null ? IN_FLIGHT : [status]).flatMap(it => this.#listed('inFlight', query, it));
    return [...listed, ...inFlight].map(row => orderEnd(row.key)).sort((a, b) => Buffer.compare(b, a));
  }

  #listed(table: OrderTable, query: OrderQuery, status: OrderStatus | null): Row[] {
    const { actorId, venue, address, after, rowsMax } = query;
    const gte = listPrefix(actorId, venue, address, status);
    const lt = after === null ? beyond(gte) : listKey(actorId, venue, address, status, after);
    return this.reader.range(table, { gte, lt, reverse: true, limit: rowsMax });
  }

  *openOrders(account: Account): Iterable<StoredOrder> {
    // The orders in flight of all accounts are few enough to sort.
    const inFlight = Array.from(this.rows('inFlight'), row => orderEnd(row.key)).sort(Buffer.compare);
    for (const end of merged(inFlight, this.#openEnds(account))) {
      // The order may have ended since the row was read.
      const stored = this.order(orderIdAtEnd(end));
      if (stored !== null && isOpenOf(stored.order, account)) yield stored;
    }
  }

  /** Orders that ended since then and may still get fills, oldest first. */
  *awaitedOrders(since: UnixMillis): Iterable<StoredOrder> {
    for (let gte = timeKey(since); ; ) {
      const rows = this.reader.range('awaited', { gte, limit: limits.orderRowsPerSliceMax });
      for (const { key } of rows) {
        const stored = this.order(orderIdAtEnd(key));
        if (stored !== null) yield stored;
      }
      const last = rows.at(-1);
      if (last === undefined) return;
      gte = following(last.key);
    }
  }

  /** Whether any actor of the pod has an order. All orders of an actor belong to one pod. */
  hasOrders(podId: string): boolean {
    for (let gte: Uint8Array = new Uint8Array(0); ; ) {
      const [row] = this.reader.range('orders', { gte, limit: 1 });
      if (row === undefined) return false;
      const { order } = orderCodec.decode(row.value, row.key);
      if (order.podId === podId) return true;
      gte = beyond(scopeKey(order.actorId, order.request.venue));
    }
  }

  *#openEnds(account: Account): Iterable<Uint8Array> {
    for (const { key } of this.rows('openOrders', accountKey(account))) yield orderEnd(key);
  }

  fills(orderId: OrderId, after: number, rowsMax: number): readonly Fill[] {
    if (!isOrderId(orderId)) return [];
    const gte = fillKey(NO_ACCOUNT, orderId, after + 1);
    const rows = this.reader.range('fills', { gte, lt: beyond(fillsPrefix(NO_ACCOUNT, orderId)), limit: rowsMax });
    return rows.map(({ key, value }) => fillCodec.decode(value, key).fill);
  }

  fill(account: Account, fillId: string): StoredFill | null {
    return this.placedFill(account, fillId)?.stored ?? null;
  }

  position(actorId: string, venue: Venue, address: string): Position | null {
    const key = scopedKey(actorId, venue, address);
    const found = this.reader.get('positions', key);
    return found === undefined ? null : positionCodec.decode(found, key);
  }

  booked(actorId: string, venue: Venue, address: string, rowsMax: number): readonly BookedChange[] {
    const gte = listPrefix(actorId, venue, address, null);
    const rows = this.reader.range('bookedChanges', { gte, lt: beyond(gte), limit: rowsMax });
    return rows.map(({ key, value }) => ({ number: numberAtEnd(key), ...bookedCodec.decode(value, key) }));
  }

  events(actorId: string, after: number, rowsMax: number): readonly ActorEventRecord[] | null {
    const { first, last } = this.eventSpan(actorId);
    // A cursor that was never given is from a lost store, and so are the events after it.
    if (after < first - 1 || after > last) return null;
    const rows = this.reader.range('events', {
      gte: eventKey(actorId, after + 1),
      lt: beyond(eventsPrefix(actorId)),
      limit: rowsMax,
    });
    return rows.map(({ key, value }) => ({ actorId, cursor: numberAtEnd(key), ...eventCodec.decode(value, key) }));
  }

  lastCursor(actorId: string): number {
    return this.eventSpan(actorId).last;
  }

  action(actionId: OrderId): WalletAction | null {
    const key = isOrderId(actionId) ? this.reader.get('actionPlaces', idKey(actionId)) : undefined;
    if (key === undefined) return null;
    const found = this.reader.get('actions', key);
    if (found === undefined) throw damaged('action', key, 'is missing, and has a place');
    return actionCodec.decode(found, key);
  }

  actions(actorId: string, after: OrderPosition | null, rowsMax: number): readonly WalletAction[] {
    const query = { actorId, venue: 'venue_a', address: null, status: null, after, rowsMax } as const;
    return this.#listed('actions', query, null).map(({ key, value }) => actionCodec.decode(value, key));
  }

  /** Of a pod, or of all (null), in the order of their records. */
  openActions(podId: string | null): readonly WalletAction[] {
    const all = Array.from(this.rows('openActions'), ({ key }) => this.action(orderIdAtEnd(key)));
    const known = all.filter(it => it !== null).filter(it => podId === null || it.podId === podId);
    return known.sort((one, other) => one.turn - other.turn);
  }

  mark(name: string): string | null {
    const key = textKey(name);
    const found = this.reader.get('marks', key);
    return found === undefined ? null : markCodec.decode(found, key);
  }

  cancelAfters(): readonly CancelAfter[] {
    return Array.from(this.rows('cancelAfters'), ({ key, value }) => cancelAfterCodec.decode(value, key));
  }

  protections(actorId: string | null): readonly Protection[] {
    const all = Array.from(this.rows('protections'), ({ key, value }) => protectionCodec.decode(value, key));
    return actorId === null ? all : all.filter(it => it.actorId === actorId);
  }

  protection({ actorId, venue, address }: ProtectionScope): Protection | null {
    const key = scopedKey(actorId, venue, address ?? '');
    const found = this.reader.get('protections', key);
    return found === undefined ? null : protectionCodec.decode(found, key);
  }

  /** All rows whose keys begin with `prefix`, in slices. Rows that are added behind the last one read are included. */
  *rows(table: OrderTable, prefix?: Uint8Array): Iterable<Row> {
    const end = prefix === undefined ? {} : { lt: beyond(prefix) };
    for (let from = prefix ?? new Uint8Array(0); ; ) {
      const rows = this.reader.range(table, { gte: from, ...end, limit: limits.orderRowsPerSliceMax });
      yield* rows;
      const last = rows.at(-1);
      if (last === undefined || rows.length < limits.orderRowsPerSliceMax) return;
      from = following(last.key);
    }
  }

  placedFill(account: Account, fillId: string): PlacedFill | null {
    const place = accountKey(account, fillId);
    const key = this.reader.get('fillPlaces', place);
    if (key === undefined) return null;
    const found = this.reader.get('fills', key);
    if (found === undefined) throw damaged('fill', place, 'is missing, and has a place');
    return { key, stored: fillCodec.decode(found, key) };
  }

  /** The events of an actor that are kept: none from before a loss. */
  eventSpan(actorId: string): EventSpan {
    const key = textKey(actorId);
    const found = this.reader.get('eventSpans', key);
    const span = found === undefined ? NO_EVENTS : eventSpanCodec.decode(found, key);
    const floor = this.eventFloor();
    return span.last >= floor ? span : { first: floor + 1, last: floor };
  }

  /** Cursors up to this one were given before events were lost; none of them is reused. */
  eventFloor(): number {
    const found = this.reader.get('eventFloor', NOTHING);
    return found === undefined ? 0 : counterCodec.decode(found, NOTHING);
  }
}

/** Merges two ascending sequences without duplicates. */
function* merged(left: readonly Uint8Array[], right: Iterable<Uint8Array>): Iterable<Uint8Array> {
  let at = 0;
  for (const it of right) {
    for (; at < left.length && Buffer.compare(left[at]!, it) < 0; at++) yield left[at]!;
    if (at < left.length && isSameBytes(left[at]!, it)) at += 1;
    yield it;
  }
  yield* left.slice(at);
}

function isOpenOf({ podId, request, status }: Order, account: Account): boolean {
  return podId === account.podId && request.venue === account.venue && !isTerminal(status);
}

/** Comes after `after` in a list, which is newest first. */
function isBefore(key: Uint8Array, after: Uint8Array | null): boolean {
  return after === null || Buffer.compare(orderEnd(key), after) < 0;
}

interface PlacedFill {
  readonly key: Uint8Array;
  readonly stored: StoredFill;
}

/** Fills of an order are found by the order alone. */
const NO_ACCOUNT: Account = { podId: '', venue: 'venue_a' };
