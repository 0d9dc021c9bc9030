// Writes the tables of orders, every record together with its index rows, within one transaction. Only differences are written. History
// thread.

import type { Venue } from '../../domain/market.ts';
import type { UnixMillis } from '../../domain/numbers.ts';
import type { Order, OrderId } from '../../domain/order.ts';
import { addressOf } from '../../domain/order-frame.ts';
import type { Position } from '../../domain/position.ts';
import { type CountedFill, countedWith, type Protection, type ProtectionScope } from '../../domain/protection.ts';
import { assert } from '../../domain/result.ts';
import { ScratchMap } from '../../domain/scratch.ts';
import { isOver, type WalletAction } from '../../domain/wallet-action.ts';
import type {
  Account,
  ActionEventRecord,
  ActorEventRecord,
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
  accountKey,
  bookedKey,
  fillKey,
  fillsPrefix,
  idKey,
  listKey,
  NOTHING,
  type OrderTable,
  placeAtEnd,
  positionEnd,
  prefixEnd,
  scopedKey,
  textKey,
  writeList,
  writePosition,
  writeScope,
} from './keys.ts';
import { assertSameOrder, awaitedSinceOf, type ListOfOrders, listsOf, venueOrderIdOf } from './order-index.ts';
import { OrderReader } from './order-reader.ts';
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

/** An order as it is stored, and as it is now. Null means that the order is missing. */
interface HeldOrder {
  readonly orderId: OrderId;
  readonly before: StoredOrder | null;
  now: StoredOrder | null;
  /** The events of the order, each with the order's state at that event. Null means that the order has no events. */
  events: OrderEventRecord[] | null;
}

interface HeldKey {
  readonly actorId: string;
  readonly venue: Venue;
  readonly key: string;
  entry: IdempotencyEntry;
  /** The entry for the same key of another actor, or at the other venue. */
  other: HeldKey | null;
}

/** Writes within transactions. Orders and keys reach a transaction once each, in their final state, when `flush` is called. */
export class OrderWriter {
  readonly #reads: OrderReader;
  readonly #transaction: Transaction<OrderTable>;
  readonly #orders = new ScratchMap<OrderId, HeldOrder>();
  readonly #keys = new ScratchMap<string, HeldKey>();
  /** The order that was read or put last. The next change usually concerns the same order. */
  #latest: HeldOrder | null = null;

  constructor(transaction: Transaction<OrderTable>) {
    this.#reads = new OrderReader(transaction);
    this.#transaction = transaction;
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
    this.#putVenueName(held.now, stored);
    held.now = stored;
  }

  putIdempotency(actorId: string, venue: Venue, key: string, entry: IdempotencyEntry): void {
    const first = this.#keys.get(key);
    let held: HeldKey | null = first ?? null;
    while (held !== null && (held.actorId !== actorId || held.venue !== venue)) held = held.other;
    if (held !== null) held.entry = entry;
    else if (first === undefined) this.#keys.add(key, { actorId, venue, key, entry, other: null });
    else first.other = { actorId, venue, key, entry, other: first.other };
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

  /** Adds an event about an order that is in the tables. */
  putEvent(event: OrderEventRecord): void {
    const { orderId } = event.order;
    const held = this.#latest?.orderId === orderId ? this.#latest : this.#held(orderId);
    if (held.events === null) held.events = [event];
    else held.events.push(event);
  }

  putActionEvent(event: ActionEventRecord): void {
    this.#writeEvent(event);
  }

  /** Ensures that no cursor up to `floor` is used from now on. */
  leapCursors(floor: number): void {
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
    for (let place = 0; place < this.#orders.size; place++) this.#writeHeld(this.#orders.values[place]!);
    for (let place = 0; place < this.#keys.size; place++) this.#writeKeys(this.#keys.values[place]!);
  }

  /** Forgets all orders and keys. To be called at the end of each transaction. */
  clear(): void {
    this.#orders.clear();
    this.#keys.clear();
    this.#latest = null;
  }

  #writeHeld({ before, now, events }: HeldOrder): void {
    for (let index = 0; index < (events?.length ?? 0); index++) this.#writeEvent(events![index]!);
    if (now !== null && now !== before) this.#writeOrder(before?.order ?? null, now);
  }

  #held(orderId: OrderId): HeldOrder {
    if (this.#latest?.orderId === orderId) return this.#latest;
    const held = this.#orders.get(orderId) ?? this.#read(orderId);
    this.#latest = held;
    return held;
  }

  #read(orderId: OrderId): HeldOrder {
    this.#transaction.key('orders').orderId(orderId);
    const found = this.#transaction.found();
    const before = found === undefined ? null : orderCodec.decode(found, idKey(orderId));
    const made: HeldOrder = { orderId, before, now: before, events: null };
    this.#orders.add(orderId, made);
    return made;
  }

  #put(table: OrderTable, key: Uint8Array, value: Uint8Array): void {
    this.#transaction.put(table, key, value);
  }

  #writeOrder(before: Order | null, stored: StoredOrder): void {
    const { order } = stored;
    const to = this.#transaction;
    to.key('orders').orderId(order.orderId);
    orderCodec.write(to.value(), stored);
    to.write();
    if (before?.status !== order.status) {
      if (before !== null) this.#leaveLists(before);
      this.#enterLists(order);
    }
    const awaited = before === null ? null : awaitedSinceOf(before);
    const awaits = awaitedSinceOf(order);
    if (awaited === awaits) return;
    if (awaited !== null) this.#transaction.delete('awaited', awaitedKey(awaited, order));
    if (awaits !== null) this.#put('awaited', awaitedKey(awaits, order), NOTHING);
  }

  #enterLists(order: Order): void {
    const address = addressOf(order.request);
    const lists = listsOf(order.status);
    for (let index = 0; index < lists.length; index++) {
      const list = lists[index]!;
      this.#listKey(list, order, address);
      const value = this.#transaction.value();
      if (list.table === 'working') value.rawText(address);
      this.#transaction.write();
    }
  }

  #leaveLists(order: Order): void {
    for (const list of listsOf(order.status)) {
      this.#listKey(list, order, addressOf(order.request));
      this.#transaction.erase();
    }
  }

  #listKey({ table, isOfMarket }: ListOfOrders, order: Order, address: string): void {
    const { actorId, request, status } = order;
    const key = this.#transaction.key(table);
    writePosition(writeList(key, actorId, request.venue, isOfMarket ? address : null, status), order);
  }

  #writeEvent(event: ActorEventRecord): void {
    const to = this.#transaction;
    to.key('events').text(event.actorId).time(event.cursor);
    eventCodec.write(to.value(), event);
    to.write();
  }

  /** Writes the order's name at the venue at once. If two orders get the same name, the later order has it. */
  #putVenueName(before: StoredOrder | null, after: StoredOrder): void {
    const { orderId, podId, request } = after.order;
    const { venue } = request;
    const stale = before === null ? null : venueOrderIdOf(before);
    const name = venueOrderIdOf(after);
    if (stale === name) return;
    if (stale !== null && this.#reads.orderOfVenue({ podId, venue }, stale) === orderId) {
      this.#transaction.delete('venueOrders', accountKey({ podId, venue }, stale));
    }
    if (name === null) return;
    writeScope(this.#transaction.key('venueOrders'), podId, venue).rawText(name);
    this.#transaction.value().orderId(orderId);
    this.#transaction.write();
  }

  #writeKeys(first: HeldKey): void {
    for (let held: HeldKey | null = first; held !== null; held = held.other) {
      writeScope(this.#transaction.key('idempotency'), held.actorId, held.venue).rawText(held.key);
      idempotencyCodec.write(this.#transaction.value(), held.entry);
      this.#transaction.write();
    }
  }

  /** Adds the fill as the last fill of its order, or of the fills without an order. */
  #placeFill(account: Account, stored: StoredFill): void {
    const prefix = fillsPrefix(account, stored.orderId);
    const bounds = { gte: prefix, lt: prefixEnd(prefix), reverse: true, limit: 1 };
    const [last] = this.#transaction.range('fills', bounds);
    const key = fillKey(account, stored.orderId, last === undefined ? 1 : placeAtEnd(last.key) + 1);
    this.#put('fills', key, fillCodec.encode(stored));
    this.#put('fillPlaces', accountKey(account, stored.fill.fillId), key);
  }
}

function awaitedKey(closedAt: UnixMillis, { orderId }: Order): Uint8Array {
  return positionEnd({ createdAt: closedAt, orderId });
}
