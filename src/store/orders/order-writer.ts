// The tables of orders, written: within one transaction, every record together with the index rows that follow from it. Only what
// differs is written. History thread.

import type { Intent } from '../../domain/intent.ts';
import type { Venue } from '../../domain/market.ts';
import { isTerminal, isToBeCancelled, type Order, type OrderId } from '../../domain/order.ts';
import type { Position } from '../../domain/position.ts';
import { assert } from '../../domain/result.ts';
import { mayFillYet } from '../live-orders.ts';
import type {
  Account,
  BookedChange,
  CancelAfter,
  FillChange,
  IdempotencyEntry,
  OrderEventRecord,
  StoredFill,
  StoredOrder,
} from '../order-records.ts';
import type { Transaction } from '../tables.ts';
import {
  bookedCodec,
  cancelAfterCodec,
  counterCodec,
  idempotencyCodec,
  markCodec,
  positionCodec,
} from './account-records.ts';
import { eventCodec, eventSpanCodec } from './event-record.ts';
import { fillCodec } from './fill-record.ts';
import {
  accountKey,
  answerAgeKey,
  beyond,
  bookedKey,
  eventKey,
  fillKey,
  fillsPrefix,
  idKey,
  isSameBytes,
  listKey,
  NOTHING,
  type OrderTable,
  placeAtEnd,
  scopedKey,
  scopeKey,
  textKey,
} from './keys.ts';
import { assertSameOrder, type IndexRow, indexRows, isSameRow, submissionOf, venueOrderIdOf } from './order-index.ts';
import { OrderReader } from './order-reader.ts';
import { orderCodec, submissionCodec } from './order-record.ts';

/** An append drops at most so many of an actor's oldest events: two, so that a lowered bound is reached. */
const DROPPED_PER_EVENT = 2;

interface Keyed {
  readonly actorId: string;
  readonly venue: Venue;
  readonly key: string;
}

export class OrderWriter extends OrderReader {
  readonly #transaction: Transaction<OrderTable>;
  readonly #eventsKeptMax: number;
  /** What was read or written last: whoever changes an order reads it first. */
  #latest: { readonly orderId: OrderId; readonly stored: StoredOrder | null } | null = null;
  /** Likewise: whoever makes a promise of a key has looked it up. */
  #latestKey: (Keyed & { readonly entry: IdempotencyEntry | null }) | null = null;

  constructor(transaction: Transaction<OrderTable>, eventsKeptMax: number) {
    super(transaction);
    this.#transaction = transaction;
    this.#eventsKeptMax = eventsKeptMax;
  }

  override order(orderId: OrderId): StoredOrder | null {
    if (this.#latest?.orderId !== orderId) this.#latest = { orderId, stored: super.order(orderId) };
    return this.#latest.stored;
  }

  override idempotency(actorId: string, venue: Venue, key: string): IdempotencyEntry | null {
    const latest = this.#latestKey;
    const isLatest = latest?.key === key && latest.actorId === actorId && latest.venue === venue;
    if (isLatest) return latest.entry;
    const entry = super.idempotency(actorId, venue, key);
    this.#latestKey = { actorId, venue, key, entry };
    return entry;
  }

  putOrder(stored: StoredOrder): void {
    const { order, refusedAs, intent } = stored;
    const { orderId, actorId, podId, request } = order;
    const before = this.order(orderId);
    if (before !== null) assertSameOrder(before.order, order);
    this.#put('orders', listKey(actorId, request.venue, null, null, order), orderCodec.encode({ order, refusedAs }));
    if (before?.idempotencyKey !== stored.idempotencyKey || !isSameIntent(before.intent, intent)) {
      this.#put('submissions', idKey(orderId), submissionCodec.encode(submissionOf(stored)));
    }
    if (before === null || isListedOtherwise(before.order, order)) {
      const stale = before === null ? [] : indexRows(before.order);
      this.#index(stale, indexRows(order));
      this.#count(actorId, request.venue, openOf(order) - openOf(before?.order ?? null));
    }
    this.#nameAtVenue({ podId, venue: request.venue }, before, stored);
    this.#latest = { orderId, stored };
  }

  putIdempotency(actorId: string, venue: Venue, key: string, entry: IdempotencyEntry): void {
    const row = scopedKey(actorId, venue, key);
    const before = this.idempotency(actorId, venue, key)?.answer?.at ?? null;
    const after = entry.answer?.at ?? null;
    this.#put('idempotency', row, idempotencyCodec.encode(entry));
    this.#latestKey = { actorId, venue, key, entry };
    if (before === after) return;
    if (before !== null) this.#transaction.delete('answerAges', answerAgeKey(before, row));
    if (after !== null) this.#put('answerAges', answerAgeKey(after, row), NOTHING);
  }

  addFill(account: Account, stored: StoredFill): void {
    const place = accountKey(account, stored.fill.fillId);
    if (this.reader.get('fillPlaces', place) === undefined) this.#placeFill(account, stored);
  }

  claimFill(account: Account, stored: StoredFill): void {
    const placed = this.placedFill(account, stored.fill.fillId);
    assert(placed !== null && placed.stored.orderId === null, "what is claimed is nobody's fill");
    this.#transaction.delete('fills', placed.key);
    this.#placeFill(account, stored);
  }

  amendFill(account: Account, fillId: string, change: FillChange): void {
    const placed = this.placedFill(account, fillId);
    assert(placed !== null, 'a fill that is told more of is there');
    const { fill, orderId } = placed.stored;
    this.#put('fills', placed.key, fillCodec.encode({ orderId, fill: { ...fill, ...change } }));
  }

  putPosition(actorId: string, position: Position): void {
    this.#put('positions', scopedKey(actorId, position.venue, position.address), positionCodec.encode(position));
  }

  putBooked(actorId: string, booked: BookedChange): void {
    this.#put('bookedChanges', bookedKey(actorId, booked.before, booked.number), bookedCodec.encode(booked));
  }

  deleteMovement(actorId: string, venue: Venue, address: string, number: number): void {
    this.#transaction.delete('bookedChanges', bookedKey(actorId, { venue, address }, number));
  }

  appendEvent(event: Omit<OrderEventRecord, 'cursor'>): OrderEventRecord {
    const { actorId } = event;
    const span = this.eventSpan(actorId);
    const cursor = span.last + 1;
    this.#put('events', eventKey(actorId, cursor), eventCodec.encode(event));
    let { first } = span;
    for (let dropped = 0; dropped < DROPPED_PER_EVENT && cursor - first >= this.#eventsKeptMax; dropped++) {
      this.#transaction.delete('events', eventKey(actorId, first));
      first += 1;
    }
    this.#put('eventSpans', textKey(actorId), eventSpanCodec.encode({ first, last: cursor }));
    return { cursor, ...event };
  }

  putMark(name: string, value: string): void {
    this.#put('marks', textKey(name), markCodec.encode(value));
  }

  putCancelAfter(cancelAfter: CancelAfter): void {
    this.#put('cancelAfters', textKey(cancelAfter.keyId), cancelAfterCodec.encode(cancelAfter));
  }

  deleteCancelAfter(keyId: string): void {
    this.#transaction.delete('cancelAfters', textKey(keyId));
  }

  #put(table: OrderTable, key: Uint8Array, value: Uint8Array): void {
    this.#transaction.put(table, key, value);
  }

  /** Rows that both have stay. */
  #index(before: readonly IndexRow[], after: readonly IndexRow[]): void {
    for (const row of before) if (!after.some(it => isSameRow(it, row))) this.#transaction.delete(row.table, row.key);
    for (const row of after) if (!before.some(it => isSameRow(it, row))) this.#put(row.table, row.key, NOTHING);
  }

  #count(actorId: string, venue: Venue, change: number): void {
    if (change === 0) return;
    const open = this.openCount(actorId, venue) + change;
    this.#put('openCounts', scopeKey(actorId, venue), counterCodec.encode(open));
  }

  #nameAtVenue(account: Account, before: StoredOrder | null, after: StoredOrder): void {
    const { orderId } = after.order;
    const [stale, name] = [before === null ? null : venueOrderIdOf(before), venueOrderIdOf(after)];
    if (stale === name) return;
    if (stale !== null && this.orderOfVenue(account, stale) === orderId) {
      this.#transaction.delete('venueOrders', accountKey(account, stale));
    }
    if (name !== null) this.#put('venueOrders', accountKey(account, name), idKey(orderId));
  }

  /** As the last of its order's, or of nobody's. */
  #placeFill(account: Account, stored: StoredFill): void {
    const prefix = fillsPrefix(account, stored.orderId);
    const [last] = this.reader.range('fills', { gte: prefix, lt: beyond(prefix), reverse: true, limit: 1 });
    const key = fillKey(account, stored.orderId, last === undefined ? 1 : placeAtEnd(last.key) + 1);
    this.#put('fills', key, fillCodec.encode(stored));
    this.#put('fillPlaces', accountKey(account, stored.fill.fillId), key);
  }
}

function isListedOtherwise(before: Order, after: Order): boolean {
  if (before.status !== after.status || before.closedAt !== after.closedAt) return true;
  return isToBeCancelled(before) !== isToBeCancelled(after) || mayFillYet(before) !== mayFillYet(after);
}

function openOf(order: Order | null): 0 | 1 {
  return order === null || isTerminal(order.status) ? 0 : 1;
}

function isSameIntent(a: Intent | null, b: Intent | null): boolean {
  if (a === b) return true;
  if (a === null || b === null) return false;
  const isNamedAlike = a.venueOrderId === b.venueOrderId && a.clientOrderId === b.clientOrderId;
  return isNamedAlike && isSameBytes(a.payload, b.payload);
}
