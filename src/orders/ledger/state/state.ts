// The engine's state: everything that an order changes, in memory, as the fold of `apply` over the journal. `apply` decides nothing
// and cannot fail on events that `EngineLedger` has appended. Engine thread.

import type { Fill } from '../../../core/domain/fill.ts';
import type { Venue } from '../../../core/domain/market.ts';
import type { UnixMillis } from '../../../core/domain/numbers.ts';
import { isTerminal, type OrderId } from '../../../core/domain/order.ts';
import type { Position } from '../../../core/domain/position.ts';
import type { Protection, ProtectionScope } from '../../../core/domain/protection.ts';
import { assert, unreachable } from '../../../core/domain/result.ts';
import type { WalletAction } from '../../../core/domain/wallet-action.ts';
import {
  type Account,
  type BookedChange,
  type CancelAfter,
  type IdempotencyEntry,
  type LiveReads,
  type PendingHolds,
  type StoredFill,
  type StoredOrder,
  staysInMemory,
} from '../../../core/store/order-records.ts';
import type { Archive, LiveRows } from '../archive.ts';
import type { LedgerEvent } from '../events.ts';
import { ActionTable } from './action-table.ts';
import { ByName, both, removeFrom, sameText, setIn, setName } from './by-owner.ts';
import { CursorTable } from './cursor-table.ts';
import { type Candidate, EvictionQueue } from './eviction-queue.ts';
import {
  fillIn,
  type HeldFill,
  type HeldKey,
  type HeldOrder,
  OrderTable,
  placeIn,
  withoutPayload,
} from './order-table.ts';
import { PositionTable } from './position-table.ts';
import { ProtectionTable } from './protection-table.ts';

type Undo = () => void;

export class LedgerState implements LiveReads {
  readonly orders: OrderTable;
  readonly #archive: Archive;
  readonly #queue = new EvictionQueue();
  /** Idempotency keys by actor. */
  readonly #keys = new ByName<HeldKey>();
  /** The order id of an order in memory, or a fill without an order, by account. */
  readonly #fills = new ByName<OrderId | HeldFill>();
  readonly #positions: PositionTable;
  readonly #cursors = new CursorTable();
  readonly #marks = new Map<string, string>();
  readonly #switches = new Map<string, CancelAfter>();
  readonly #protections = new ProtectionTable();
  readonly #actions: ActionTable;

  constructor(archive: Archive) {
    this.#archive = archive;
    this.orders = new OrderTable(archive, this.#queue);
    this.#positions = new PositionTable(archive, this.#queue);
    this.#actions = new ActionTable(archive, this.#queue);
  }

  /** Number of each in memory. */
  get sizes(): Readonly<Record<'orders' | 'keys' | 'fills' | 'positions', number>> {
    const { orders } = this;
    return { orders: orders.size, keys: this.#keys.size, fills: this.#fills.size, positions: this.#positions.size };
  }

  order(orderId: OrderId): StoredOrder | null {
    return this.orders.get(orderId)?.stored ?? null;
  }

  idempotency(actorId: string, venue: Venue, key: string): IdempotencyEntry | null {
    return this.#keys.get(actorId, venue, key)?.entry ?? this.#archive.idempotency(actorId, venue, key);
  }

  fill(account: Account, fillId: string): StoredFill | null {
    const found = this.#fills.get(account.podId, account.venue, fillId);
    if (found === undefined) return this.#recalledFill(account, fillId);
    return typeof found === 'string' ? fillIn(this.#held(found), fillId) : found.stored;
  }

  fills(orderId: OrderId, after: number, rowsMax: number): readonly Fill[] {
    const fills = this.orders.get(orderId)?.fills ?? [];
    return fills.slice(after, after + rowsMax).map(({ fill }) => fill);
  }

  position(owner: string, venue: Venue, address: string): Position | null {
    return this.#positions.get(owner, venue, address).position;
  }

  /** Positions in memory, ordered by address; memory has all nonzero ones. */
  positions(owner: string, venue: Venue): Iterable<Position> {
    return this.#positions.all(owner, venue);
  }

  /** The latest movements of a position, oldest first. */
  booked(owner: string, venue: Venue, address: string, rowsMax: number): readonly BookedChange[] {
    const { movements } = this.#positions.get(owner, venue, address);
    return movements.length <= rowsMax ? movements : movements.slice(0, rowsMax);
  }

  orderOfVenue(account: Account, venueOrderId: string): OrderId | null {
    return this.orders.byVenueId(account, venueOrderId);
  }

  openOrders(account: Account): Iterable<StoredOrder> {
    return this.orders.open(account);
  }

  unclearOrders(account: Account): Iterable<StoredOrder> {
    return this.orders.unclear(account);
  }

  unreportedOrders(account: Account): Iterable<StoredOrder> {
    return this.orders.unreported(account);
  }

  pending(actorId: string, venue: Venue, address: string): PendingHolds {
    return this.orders.pending(actorId, venue, address);
  }

  ordersOf(actorId: string, venue: Venue, address: string | null): Iterable<StoredOrder> {
    return this.orders.ofMarket(actorId, venue, address);
  }

  openCount(actorId: string, venue: Venue): number {
    return this.orders.openCount(actorId, venue);
  }

  lastCursor(actorId: string): number {
    return this.#cursors.last(actorId);
  }

  /** The highest cursor over all actors. */
  highestCursor(): number {
    return this.#cursors.highest();
  }

  mark(name: string): string | null {
    return this.#marks.get(name) ?? null;
  }

  cancelAfters(): readonly CancelAfter[] {
    return [...this.#switches.values()];
  }

  protections(actorId: string | null): readonly Protection[] {
    return this.#protections.of(actorId);
  }

  protection(scope: ProtectionScope): Protection | null {
    return this.#protections.get(scope);
  }

  action(actionId: OrderId): WalletAction | null {
    return this.#actions.get(actionId);
  }

  openActions(podId: string): readonly WalletAction[] {
    return this.#actions.open(podId);
  }

  /** `sequence`: of the journal's record with the event. Returns the function that undoes it. */
  apply(event: LedgerEvent, sequence: number): Undo {
    switch (event.type) {
      case 'order-made':
        return this.#setOrder(event.stored.order.orderId, event.stored, sequence);
      case 'order-moved': {
        const { stored } = this.#held(event.orderId);
        const { motion, refusedAs } = event;
        const venueOrderId = sameText(motion.venueOrderId, stored.intent?.venueOrderId);
        const order = { ...stored.order, ...motion, venueOrderId };
        return this.#setOrder(order.orderId, { ...stored, order, refusedAs }, sequence);
      }
      case 'key-kept':
        return this.#keepKey(event.actorId, event.venue, event.key, event.entry, sequence);
      case 'fill-booked':
        return this.#bookFill(event.account, event.stored, sequence);
      case 'fill-claimed':
        return this.#claimFill(event.account, event.stored, sequence);
      case 'fill-amended': {
        const { orderId, fill } = this.#knownFill(event.account, event.fillId);
        return this.#amendFill(event.account, { orderId, fill: { ...fill, ...event.change } }, sequence);
      }
      case 'position-moved': {
        const { venue, address } = event.position;
        return this.#positions.move(event.owner, venue, address, { position: event.position }, sequence);
      }
      case 'movement-kept': {
        const { venue, address } = event.booked.before;
        const others = this.#movements(event.owner, venue, address).filter(it => it.number !== event.booked.number);
        const movements = [...others, event.booked].sort((one, other) => one.number - other.number);
        return this.#positions.move(event.owner, venue, address, { movements }, sequence);
      }
      case 'movement-dropped': {
        const { owner, venue, address, number } = event;
        const movements = this.#movements(owner, venue, address).filter(it => it.number !== number);
        return this.#positions.move(owner, venue, address, { movements }, sequence);
      }
      case 'event-appended':
        return this.#cursors.set(event.actorId, event.cursor);
      case 'cursors-leapt':
        return this.#cursors.leap(event.floor);
      case 'mark-set':
        return setIn(this.#marks, event.name, event.value);
      case 'switch-armed':
        return setIn(this.#switches, event.cancelAfter.keyId, event.cancelAfter);
      case 'switch-disarmed':
        return removeFrom(this.#switches, event.keyId);
      case 'protection-set':
        return this.#protections.put(event.protection);
      case 'protection-ended':
        return this.#protections.remove(event.scope);
      case 'fill-counted':
        return this.#protections.count(event.scope, event.fill, event.dropped);
      case 'action-put':
        return both(this.#actions.put(event.action, sequence), this.#cursors.set(event.action.actorId, event.cursor));
      default:
        return unreachable(event);
    }
  }

  /** Loads the history's rows at a start, before the rest of the journal is replayed. */
  load({ orders, positions, marks, cursors, cancelAfters, protections, actions, eventFloor }: LiveRows): void {
    for (const live of orders) {
      this.#placeFills(this.orders.load(live));
      const { orderId, actorId, request, idempotencyKey } = live.stored.order;
      if (live.entry === null) continue;
      const held = { entry: { ...live.entry, orderId }, changedBy: 0 };
      this.#keys.set(actorId, request.venue, idempotencyKey, held);
    }
    for (const it of positions) this.#positions.load(it);
    for (const [name, value] of marks) this.#marks.set(name, value);
    for (const [actorId, cursor] of cursors) this.#cursors.set(actorId, cursor);
    for (const it of cancelAfters) this.#switches.set(it.keyId, it);
    for (const it of protections) this.#protections.put(it);
    for (const it of actions) this.#actions.put(it, 0);
    this.#cursors.leap(eventFloor);
  }

  /**
   * Evicts rows between steps: those that have ended and are in the history up to the sequence `followed`. Examines at most `looksMax`
   * candidates; returns how many it examined.
   */
  evict(followed: number, now: UnixMillis, looksMax: number): number {
    let looks = 0;
    for (; looks < looksMax; looks++) {
      const candidate = this.#queue.next(followed, now);
      if (candidate === null) break;
      this.#leave(candidate, followed, now);
    }
    this.#archive.release();
    return looks;
  }

  #leave(candidate: Candidate, followed: number, now: UnixMillis): void {
    const { kind, owner, venue, name, changedBy } = candidate;
    switch (kind) {
      case 'order': {
        const held = this.orders.inMemory(name as OrderId);
        if (held?.changedBy !== changedBy || !isTerminal(held.stored.order.status)) return;
        if (staysInMemory(held.stored, now)) this.#queue.wait(candidate);
        else this.#dropOrder(held, followed);
        return;
      }
      case 'key': {
        const held = this.#keys.get(owner, venue, name);
        // A fill of an order in memory stays and leaves with it.
        if (held?.changedBy === changedBy && !this.#isOfOrder(owner, name, held))
          this.#keys.set(owner, venue, name, undefined);
        return;
      }
      case 'fill': {
        const held = this.#fills.get(owner, venue, name);
        if (typeof held === 'object' && held.changedBy === changedBy) this.#fills.set(owner, venue, name, undefined);
        return;
      }
      case 'position':
        this.#positions.leave(candidate);
        return;
      case 'action':
        this.#actions.leave(name as OrderId, changedBy);
        return;
      default:
        unreachable(kind);
    }
  }

  #isOfOrder(actorId: string, key: string, { entry }: HeldKey): boolean {
    const order = this.orders.inMemory(entry.orderId)?.stored.order;
    return order?.idempotencyKey === key && order.actorId === actorId;
  }

  #dropOrder({ stored, fills }: HeldOrder, followed: number): void {
    const { orderId, actorId, podId, request, idempotencyKey } = stored.order;
    const { venue } = request;
    for (const { fill } of fills) this.#fills.set(podId, venue, fill.fillId, undefined);
    const key = this.#keys.get(actorId, venue, idempotencyKey);
    // A key that has changed since is a candidate of its own.
    if (key?.entry.orderId === orderId && key.changedBy <= followed) {
      this.#keys.set(actorId, venue, idempotencyKey, undefined);
    }
    this.orders.set(orderId, null, 0);
  }

  #movements(owner: string, venue: Venue, address: string): readonly BookedChange[] {
    return this.booked(owner, venue, address, Number.POSITIVE_INFINITY);
  }

  #setOrder(orderId: OrderId, stored: StoredOrder, sequence: number): Undo {
    const held = this.orders.get(orderId);
    const before = held?.stored ?? null;
    const changedBy = held?.changedBy ?? 0;
    this.orders.set(orderId, withoutPayload(stored), sequence);
    this.#queueOrder(stored, sequence);
    return () => this.orders.set(orderId, before, changedBy);
  }

  #queueOrder({ order: { orderId, podId, request, status } }: StoredOrder, changedBy: number): void {
    if (!isTerminal(status)) return;
    this.#queue.changed({ kind: 'order', owner: podId, venue: request.venue, name: orderId, changedBy });
  }

  #keepKey(owner: string, venue: Venue, key: string, entry: IdempotencyEntry, changedBy: number): Undo {
    const order = this.orders.inMemory(entry.orderId)?.stored.order;
    const name = sameText(key, order?.idempotencyKey);
    const held = { entry: { ...entry, orderId: sameText(entry.orderId, order?.orderId) }, changedBy };
    this.#queue.changed({ kind: 'key', owner, venue, name, changedBy });
    return setName(this.#keys, owner, venue, name, held);
  }

  #bookFill(account: Account, stored: StoredFill, sequence: number): Undo {
    const { orderId } = stored;
    if (orderId === null) return this.#putStrange(account, stored, sequence);
    const held = this.#held(orderId);
    const revert = this.#setFill(held, held.fills.length, stored, sequence);
    return both(revert, setName(this.#fills, account.podId, account.venue, stored.fill.fillId, orderId));
  }

  #claimFill(account: Account, stored: StoredFill, sequence: number): Undo {
    assert(this.#knownFill(account, stored.fill.fillId).orderId === null, 'a claimed fill has no order yet');
    return this.#bookFill(account, stored, sequence);
  }

  #amendFill(account: Account, stored: StoredFill, sequence: number): Undo {
    const { fillId } = stored.fill;
    if (stored.orderId === null) return this.#putStrange(account, stored, sequence);
    const held = this.#held(stored.orderId);
    return this.#setFill(held, placeIn(held, fillId), stored, sequence);
  }

  /** A fill without an order. */
  #putStrange({ podId, venue }: Account, stored: StoredFill, changedBy: number): Undo {
    const { fillId } = stored.fill;
    this.#queue.changed({ kind: 'fill', owner: podId, venue, name: fillId, changedBy });
    return setName(this.#fills, podId, venue, fillId, { stored, changedBy });
  }

  /** Updates one place: an order may have tens of thousands of fills, each booked and settled singly. */
  #setFill(held: HeldOrder, place: number, stored: StoredFill, sequence: number): Undo {
    const { fills, changedBy } = held;
    const before = fills[place];
    fills[place] = stored;
    held.changedBy = sequence;
    this.#queueOrder(held.stored, sequence);
    return () => {
      if (before === undefined) fills.pop();
      else fills[place] = before;
      held.changedBy = changedBy;
    };
  }

  #held(orderId: OrderId): HeldOrder {
    const held = this.orders.get(orderId);
    assert(held !== null, 'an order that changes is known');
    return held;
  }

  #knownFill(account: Account, fillId: string): StoredFill {
    const stored = this.fill(account, fillId);
    assert(stored !== null, 'a fill that changes is known');
    return stored;
  }

  /** A fill of an evicted order: recalls the order with all of its fills. */
  #recalledFill(account: Account, fillId: string): StoredFill | null {
    const archived = this.#archive.fill(account, fillId);
    if (archived === null || archived.orderId === null) return archived;
    const held = this.#held(archived.orderId);
    this.#placeFills(held);
    return fillIn(held, fillId);
  }

  #placeFills({ stored: { order }, fills }: HeldOrder): void {
    for (const { fill } of fills) this.#fills.set(order.podId, order.request.venue, fill.fillId, order.orderId);
  }
}
