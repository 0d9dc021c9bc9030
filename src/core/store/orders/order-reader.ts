// Reads the tables of orders: each question is one range, or one row at a time by key. Works on the history's tables, or on a transaction
// with its own writes. Any thread.

import { limits } from '../../../limits.ts';
import type { Fill } from '../../domain/fill.ts';
import type { Venue } from '../../domain/market.ts';
import type { UnixMillis } from '../../domain/numbers.ts';
import { isTerminal, ORDER_STATUSES, type Order, type OrderId, type OrderStatus } from '../../domain/order.ts';
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
  eventKey,
  eventsPrefix,
  fillKey,
  fillsPrefix,
  idAtEnd,
  idKey,
  isSameBytes,
  listKey,
  listPrefix,
  NOTHING,
  nextKey,
  numberAtEnd,
  type OrderTable,
  orderEnd,
  orderIdAtEnd,
  prefixEnd,
  readEventActor,
  scopedKey,
  scopeKey,
  textKey,
  timeKey,
} from './keys.ts';
import { newestFirst } from './newest-first.ts';
import { orderCodec } from './order-record.ts';
import {
  actionCodec,
  bookedCodec,
  cancelAfterCodec,
  counterCodec,
  eventCodec,
  fillCodec,
  idempotencyCodec,
  markCodec,
  positionCodec,
  protectionCodec,
} from './records.ts';

export class OrderReader implements HistoryReads {
  protected readonly reader: Reader<OrderTable>;

  constructor(reader: Reader<OrderTable>) {
    this.reader = reader;
  }

  order(orderId: OrderId): StoredOrder | null {
    return isOrderId(orderId) ? this.#orderAt(idKey(orderId)) : null;
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
    const orders: Order[] = [];
    for (const end of newestFirst(this.#lists(query))) {
      orders.push(this.#listedOrder(end));
      if (orders.length === query.rowsMax) break;
    }
    return orders;
  }

  mergedOrders({ actorId, lists, after, isWanted, rowsMax, looksMax }: MergedQuery): MergedOrders {
    const ranges = lists.flatMap(list => this.#lists({ actorId, ...list, address: null, after, rowsMax }));
    const orders: Order[] = [];
    let looks = 0;
    let last: OrderPosition | null = null;
    for (const end of newestFirst(ranges)) {
      if (looks === looksMax) return { orders, stoppedAt: last };
      const order = this.#listedOrder(end);
      if (isWanted(order)) orders.push(order);
      if (orders.length === rowsMax) break;
      looks += 1;
      last = order;
    }
    return { orders, stoppedAt: null };
  }

  /** Returns a list for each status. */
  #lists(query: OrderQuery): Iterable<Uint8Array>[] {
    const statuses = query.status === null ? ORDER_STATUSES : [query.status];
    return statuses.map(status => this.#list(query, status));
  }

  /** Yields the ends of the keys of a list, newest first, to the end of the list. */
  *#list({ actorId, venue, address, after, rowsMax }: OrderQuery, status: OrderStatus): Iterable<Uint8Array> {
    const isWorking = !isTerminal(status);
    const table = isWorking ? 'working' : address === null ? 'ended' : 'endedOfMarket';
    const wanted = isWorking && address !== null ? textKey(address) : null;
    const scope = [actorId, venue, isWorking ? null : address, status] as const;
    const gte = listPrefix(...scope);
    const limit = wanted === null ? rowsMax : limits.orderRowsPerSliceMax;
    for (let lt = after === null ? prefixEnd(gte) : listKey(...scope, after); ; ) {
      const rows = this.reader.range(table, { gte, lt, reverse: true, limit });
      for (const { key, value } of rows) if (wanted === null || isSameBytes(value, wanted)) yield orderEnd(key);
      const last = rows.at(-1);
      if (last === undefined || rows.length < limit) return;
      lt = last.key;
    }
  }

  #listedOrder(end: Uint8Array): Order {
    const key = idAtEnd(end);
    const stored = this.#orderAt(key);
    if (stored === null) throw damaged('order', key, 'is missing, and is listed');
    return stored.order;
  }

  #orderAt(key: Uint8Array): StoredOrder | null {
    const found = this.reader.get('orders', key);
    return found === undefined ? null : orderCodec.decode(found, key);
  }

  /** Yields the orders of these accounts that have not ended, oldest first. */
  *openOrders(...accounts: readonly Account[]): Iterable<StoredOrder> {
    const ends = Array.from(this.rows('working'), row => orderEnd(row.key)).sort(Buffer.compare);
    for (const end of ends) {
      // The order may have ended since the row was read.
      const stored = this.#orderAt(idAtEnd(end));
      if (stored !== null && accounts.some(it => isOpenOf(stored.order, it))) yield stored;
    }
  }

  /** Yields the orders that ended at `since` or later and may still get fills, oldest first. */
  *awaitedOrders(since: UnixMillis): Iterable<StoredOrder> {
    for (let gte = timeKey(since); ; ) {
      const rows = this.reader.range('awaited', { gte, limit: limits.orderRowsPerSliceMax });
      for (const { key } of rows) {
        const stored = this.order(orderIdAtEnd(key));
        if (stored !== null) yield stored;
      }
      const last = rows.at(-1);
      if (last === undefined) return;
      gte = nextKey(last.key);
    }
  }

  /** Whether any actor of the pod has an order. All orders of an actor belong to one pod. */
  hasOrders(podId: string): boolean {
    return (['working', 'ended'] as const).some(table => {
      for (let gte: Uint8Array = new Uint8Array(0); ; ) {
        const [row] = this.reader.range(table, { gte, limit: 1 });
        if (row === undefined) return false;
        const order = this.#listedOrder(orderEnd(row.key));
        if (order.podId === podId) return true;
        gte = prefixEnd(scopeKey(order.actorId, order.request.venue));
      }
    });
  }

  fills(orderId: OrderId, after: number, rowsMax: number): readonly Fill[] {
    if (!isOrderId(orderId)) return [];
    const gte = fillKey(NO_ACCOUNT, orderId, after + 1);
    const rows = this.reader.range('fills', { gte, lt: prefixEnd(fillsPrefix(NO_ACCOUNT, orderId)), limit: rowsMax });
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

  movements(actorId: string, venue: Venue, address: string, rowsMax: number): readonly BookedChange[] {
    const gte = listPrefix(actorId, venue, address, null);
    const rows = this.reader.range('bookedChanges', { gte, lt: prefixEnd(gte), limit: rowsMax });
    return rows.map(({ key, value }) => ({ number: numberAtEnd(key), ...bookedCodec.decode(value, key) }));
  }

  events(actorId: string, after: number, rowsMax: number): readonly ActorEventRecord[] | null {
    const { first, last } = this.eventSpan(actorId);
    // A cursor that was never given comes from a lost store, and so do the events after it.
    if (after < first - 1 || after > last) return null;
    const rows = this.reader.range('events', { ...eventsAfter(actorId, after), limit: rowsMax });
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
    const gte = scopeKey(actorId, 'venue_a');
    const lt = after === null ? prefixEnd(gte) : listKey(actorId, 'venue_a', null, null, after);
    const rows = this.reader.range('actions', { gte, lt, reverse: true, limit: rowsMax });
    return rows.map(({ key, value }) => actionCodec.decode(value, key));
  }

  /** Returns the open actions of a pod in the sequence of their records. `podId` null means all pods. */
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

  /** Yields all rows whose keys begin with `prefix`, in slices. Rows that are added behind the last read row are included. */
  *rows(table: OrderTable, prefix?: Uint8Array): Iterable<Row> {
    const end = prefix === undefined ? {} : { lt: prefixEnd(prefix) };
    for (let from = prefix ?? new Uint8Array(0); ; ) {
      const rows = this.reader.range(table, { gte: from, ...end, limit: limits.orderRowsPerSliceMax });
      yield* rows;
      const last = rows.at(-1);
      if (last === undefined || rows.length < limits.orderRowsPerSliceMax) return;
      from = nextKey(last.key);
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

  /** Returns the span of an actor's events that are kept. Events from before a loss are not in it. */
  eventSpan(actorId: string): EventSpan {
    const floor = this.eventFloor();
    const range = eventsAfter(actorId, floor);
    const [first] = this.reader.range('events', { ...range, limit: 1 });
    const [last] = this.reader.range('events', { ...range, limit: 1, reverse: true });
    if (first === undefined || last === undefined) return { first: floor + 1, last: floor };
    const isPruned = first.value.length === 0;
    return { first: numberAtEnd(first.key) + (isPruned ? 1 : 0), last: numberAtEnd(last.key) };
  }

  /** Yields the actors that have had events, from a key in `events` on. */
  *eventActors(from: Uint8Array): Iterable<string> {
    for (let gte = from; ; ) {
      const [row] = this.reader.range('events', { gte, limit: 1 });
      if (row === undefined) return;
      const actorId = readEventActor(row.key);
      yield actorId;
      gte = prefixEnd(eventsPrefix(actorId));
    }
  }

  /** Returns the highest cursor that was given before events were lost. No cursor up to it is used again. */
  eventFloor(): number {
    const found = this.reader.get('eventFloor', NOTHING);
    return found === undefined ? 0 : counterCodec.decode(found, NOTHING);
  }
}

function isOpenOf({ podId, request, status }: Order, account: Account): boolean {
  return podId === account.podId && request.venue === account.venue && !isTerminal(status);
}

/** The cursors of the kept events, from `first` to `last`. No event is kept if `first` is `last + 1`. */
interface EventSpan {
  readonly first: number;
  readonly last: number;
}

function eventsAfter(actorId: string, cursor: number): { readonly gte: Uint8Array; readonly lt: Uint8Array } {
  return { gte: eventKey(actorId, cursor + 1), lt: prefixEnd(eventsPrefix(actorId)) };
}

interface PlacedFill {
  readonly key: Uint8Array;
  readonly stored: StoredFill;
}

/** The account for fills of an order, which are found by the order alone. */
const NO_ACCOUNT: Account = { podId: '', venue: 'venue_a' };
