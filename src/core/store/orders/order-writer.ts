// Writes the tables of orders: within one transaction, every record together with its index rows. Only differences are written.
// History thread.

import type { Venue } from '../../domain/market.ts';
import type { UnixMillis } from '../../domain/numbers.ts';
import type { Order, OrderId } from '../../domain/order.ts';
import type { Intent } from '../../domain/order-request.ts';
import type { Position } from '../../domain/position.ts';
import { type CountedFill, countedWith, type Protection, type ProtectionScope } from '../../domain/protection.ts';
import { assert } from '../../domain/result.ts';
import { isOver, type WalletAction } from '../../domain/wallet-action.ts';
import {
  type Account,
  type ActionEventRecord,
  type ActorEventRecord,
  type BookedChange,
  type CancelAfter,
  type FillChange,
  type IdempotencyEntry,
  mayFillYet,
  type OrderEventRecord,
  type StoredFill,
  type StoredOrder,
} from '../order-records.ts';
import type { Transaction } from '../tables.ts';
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
  textKey,
} from './keys.ts';
import { assertSameOrder, type IndexRow, indexRows, isSameRow, submissionOf, venueOrderIdOf } from './order-index.ts';
import { OrderReader } from './order-reader.ts';
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
  positionCodec,
  protectionCodec,
} from './records.ts';

/** Oldest events dropped per appended one: two, so that a lowered bound is reached. */
const DROPPED_PER_EVENT = 2;

/** An order as stored, and as it is now; null: missing. */
interface HeldOrder {
  readonly before: StoredOrder | null;
  now: StoredOrder | null;
}

/** The same for a key. `answeredAt`: of the stored answer, Unix milliseconds. */
interface HeldKey {
  readonly row: Uint8Array;
  readonly answeredAt: UnixMillis | null;
  now: IdempotencyEntry;
}

/** Runs `work`; its orders, keys and cursors reach the transaction once each, in their final state. */
export function writeOrders(
  transaction: Transaction<OrderTable>,
  eventsKeptMax: number,
  work: (writer: OrderWriter) => void,
): void {
  const writer = new Writer(transaction, eventsKeptMax);
  work(writer);
  writer.flush();
}

export type OrderWriter = Omit<Writer, 'flush'>;

class Writer {
  readonly #reads: OrderReader;
  readonly #transaction: Transaction<OrderTable>;
  readonly #eventsKeptMax: number;
  readonly #orders = new Map<OrderId, HeldOrder>();
  /** Keys by actor, venue and key. */
  readonly #keys = new Map<string, HeldKey>();
  /** Spans of events by actor. */
  readonly #spans = new Map<string, EventSpan>();

  constructor(transaction: Transaction<OrderTable>, eventsKeptMax: number) {
    this.#reads = new OrderReader(transaction);
    this.#transaction = transaction;
    this.#eventsKeptMax = eventsKeptMax;
  }

  order(orderId: OrderId): StoredOrder | null {
    return this.#held(orderId).now;
  }

  fill(account: Account, fillId: string): StoredFill | null {
    return this.#reads.fill(account, fillId);
  }

  putOrder(stored: StoredOrder): void {
    const held = this.#held(stored.order.orderId);
    if (held.now !== null) assertSameOrder(held.now.order, stored.order);
    this.#nameAtVenue(held.now, stored);
    held.now = stored;
  }

  putIdempotency(actorId: string, venue: Venue, key: string, entry: IdempotencyEntry): void {
    const name = `${venue} ${actorId.length} ${actorId}${key}`;
    const held = this.#keys.get(name);
    if (held !== undefined) {
      held.now = entry;
      return;
    }
    const answeredAt = this.#reads.idempotency(actorId, venue, key)?.answer?.at ?? null;
    this.#keys.set(name, { row: scopedKey(actorId, venue, key), answeredAt, now: entry });
  }

  addFill(account: Account, stored: StoredFill): void {
    const place = accountKey(account, stored.fill.fillId);
    if (this.#transaction.get('fillPlaces', place) === undefined) this.#placeFill(account, stored);
  }

  claimFill(account: Account, stored: StoredFill): void {
    const placed = this.#reads.placedFill(account, stored.fill.fillId);
    assert(placed !== null && placed.stored.orderId === null, 'a claimed fill has no order yet');
    this.#transaction.delete('fills', placed.key);
    this.#placeFill(account, stored);
  }

  amendFill(account: Account, fillId: string, change: FillChange): void {
    const placed = this.#reads.placedFill(account, fillId);
    assert(placed !== null, 'a fill that changes is in the tables');
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

  putAction(action: WalletAction): void {
    const { actionId, actorId, createdAt } = action;
    const key = listKey(actorId, 'venue_a', null, null, { createdAt, orderId: actionId });
    this.#put('actions', key, actionCodec.encode(action));
    this.#put('actionPlaces', idKey(actionId), key);
    if (isOver(action)) this.#transaction.delete('openActions', idKey(actionId));
    else this.#put('openActions', idKey(actionId), NOTHING);
  }

  appendEvent<Event extends Omit<OrderEventRecord, 'cursor'> | Omit<ActionEventRecord, 'cursor'>>(
    event: Event,
  ): Event & Pick<ActorEventRecord, 'cursor'> {
    const { actorId } = event;
    const span = this.#spans.get(actorId) ?? this.#reads.eventSpan(actorId);
    const cursor = span.last + 1;
    this.#put('events', eventKey(actorId, cursor), eventCodec.encode(event));
    let { first } = span;
    for (let dropped = 0; dropped < DROPPED_PER_EVENT && cursor - first >= this.#eventsKeptMax; dropped++) {
      this.#transaction.delete('events', eventKey(actorId, first));
      first += 1;
    }
    this.#spans.set(actorId, { first, last: cursor });
    return { cursor, ...event };
  }

  /** From now on no cursor up to `floor` is used. */
  leapCursors(floor: number): void {
    this.#flushSpans();
    this.#put('eventFloor', NOTHING, counterCodec.encode(floor));
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

  putProtection(protection: Protection): void {
    const { actorId, venue, address } = protection;
    this.#put('protections', scopedKey(actorId, venue, address ?? ''), protectionCodec.encode(protection));
  }

  deleteProtection({ actorId, venue, address }: ProtectionScope): void {
    this.#transaction.delete('protections', scopedKey(actorId, venue, address ?? ''));
  }

  countFill(scope: ProtectionScope, fill: CountedFill, dropped: number): void {
    const protection = this.#reads.protection(scope);
    assert(protection !== null, 'a protection that counts a fill is in the tables');
    this.putProtection({ ...protection, counted: countedWith(protection.counted, fill, dropped) });
  }

  flush(): void {
    for (const { before, now } of this.#orders.values()) if (now !== null && now !== before) this.#write(before, now);
    for (const { row, answeredAt, now } of this.#keys.values()) this.#writeKey(row, answeredAt, now);
    this.#flushSpans();
  }

  #flushSpans(): void {
    for (const [actorId, span] of this.#spans) this.#put('eventSpans', textKey(actorId), eventSpanCodec.encode(span));
    this.#spans.clear();
  }

  #held(orderId: OrderId): HeldOrder {
    const held = this.#orders.get(orderId);
    if (held !== undefined) return held;
    const before = this.#reads.order(orderId);
    const made = { before, now: before };
    this.#orders.set(orderId, made);
    return made;
  }

  #put(table: OrderTable, key: Uint8Array, value: Uint8Array): void {
    this.#transaction.put(table, key, value);
  }

  #write(before: StoredOrder | null, stored: StoredOrder): void {
    const { order, refusedAs, intent } = stored;
    const { orderId, actorId, request } = order;
    this.#put('orders', listKey(actorId, request.venue, null, null, order), orderCodec.encode({ order, refusedAs }));
    if (before?.order.idempotencyKey !== order.idempotencyKey || !isSameIntent(before.intent, intent)) {
      this.#put('submissions', idKey(orderId), submissionCodec.encode(submissionOf(stored)));
    }
    if (before === null || isListedOtherwise(before.order, order)) {
      this.#index(before === null ? [] : indexRows(before.order), indexRows(order));
    }
  }

  /** Rows in both lists stay. */
  #index(before: readonly IndexRow[], after: readonly IndexRow[]): void {
    for (const row of before) if (!after.some(it => isSameRow(it, row))) this.#transaction.delete(row.table, row.key);
    for (const row of after) if (!before.some(it => isSameRow(it, row))) this.#put(row.table, row.key, NOTHING);
  }

  /** Names the order at once: if two orders get one name, the later order has it. */
  #nameAtVenue(before: StoredOrder | null, after: StoredOrder): void {
    const { orderId, podId, request } = after.order;
    const account = { podId, venue: request.venue };
    const [stale, name] = [venueOrderIdOf(before), venueOrderIdOf(after)];
    if (stale === name) return;
    if (stale !== null && this.#reads.orderOfVenue(account, stale) === orderId) {
      this.#transaction.delete('venueOrders', accountKey(account, stale));
    }
    if (name !== null) this.#put('venueOrders', accountKey(account, name), idKey(orderId));
  }

  #writeKey(row: Uint8Array, before: UnixMillis | null, entry: IdempotencyEntry): void {
    const after = entry.answer?.at ?? null;
    this.#put('idempotency', row, idempotencyCodec.encode(entry));
    if (before === after) return;
    if (before !== null) this.#transaction.delete('answerAges', answerAgeKey(before, row));
    if (after !== null) this.#put('answerAges', answerAgeKey(after, row), NOTHING);
  }

  /** Adds the fill as the last one of its order, or of the fills without an order. */
  #placeFill(account: Account, stored: StoredFill): void {
    const prefix = fillsPrefix(account, stored.orderId);
    const bounds = { gte: prefix, lt: beyond(prefix), reverse: true, limit: 1 };
    const [last] = this.#transaction.range('fills', bounds);
    const key = fillKey(account, stored.orderId, last === undefined ? 1 : placeAtEnd(last.key) + 1);
    this.#put('fills', key, fillCodec.encode(stored));
    this.#put('fillPlaces', accountKey(account, stored.fill.fillId), key);
  }
}

function isListedOtherwise(before: Order, after: Order): boolean {
  if (before.status !== after.status || before.closedAt !== after.closedAt) return true;
  return mayFillYet(before) !== mayFillYet(after);
}

function isSameIntent(a: Intent | null, b: Intent | null): boolean {
  if (a === b) return true;
  if (a === null || b === null) return false;
  const isNamedAlike = a.venueOrderId === b.venueOrderId && a.clientOrderId === b.clientOrderId;
  return isNamedAlike && isSameBytes(a.payload, b.payload);
}
