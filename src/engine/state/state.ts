// The engine's state: everything that an order changes, in memory, as the fold of `apply` over the journal. `apply` decides nothing
// and cannot fail on events that `EngineLedger` has appended. Engine thread.

import type { Fill } from '../../domain/fill.ts';
import type { Venue } from '../../domain/market.ts';
import type { OrderId } from '../../domain/order.ts';
import type { Position } from '../../domain/position.ts';
import { assert, unreachable } from '../../domain/result.ts';
import type {
  Account,
  BookedChange,
  CancelAfter,
  IdempotencyEntry,
  LiveReads,
  StoredFill,
  StoredOrder,
} from '../../store/order-records.ts';
import type { Archive, LiveRows } from '../archive.ts';
import type { LedgerEvent } from '../events.ts';
import { type HeldOrder, OrderTable, scopeOf } from './order-table.ts';

interface HeldPosition {
  position: Position | null;
  movements: readonly BookedChange[];
  changedBy: number;
}

type Undo = () => void;

export class LedgerState implements LiveReads {
  readonly orders: OrderTable;
  readonly #archive: Archive;
  readonly #keys = new Map<string, IdempotencyEntry>();
  /** Whose a fill is: of an order in memory, by its place there, or nobody's (null). */
  readonly #fills = new Map<string, OrderId | StoredFill>();
  readonly #positions = new Map<string, Map<string, HeldPosition>>();
  readonly #cursors = new Map<string, number>();
  #cursorFloor = 0;
  readonly #marks = new Map<string, string>();
  readonly #switches = new Map<string, CancelAfter>();

  constructor(archive: Archive) {
    this.#archive = archive;
    this.orders = new OrderTable(archive);
  }

  order(orderId: OrderId): StoredOrder | null {
    return this.orders.get(orderId)?.stored ?? null;
  }

  idempotency(actorId: string, venue: Venue, key: string): IdempotencyEntry | null {
    return this.#keys.get(scopeOf(actorId, venue) + key) ?? this.#archive.idempotency(actorId, venue, key);
  }

  fill(account: Account, fillId: string): StoredFill | null {
    const found = this.#fills.get(scopeOf(account.podId, account.venue) + fillId);
    if (found === undefined) return this.#recalledFill(account, fillId);
    return typeof found === 'string' ? fillIn(this.#held(found), fillId) : found;
  }

  /** In order of arrival, after so many. */
  fills(orderId: OrderId, after: number, rowsMax: number): readonly Fill[] {
    const fills = this.orders.get(orderId)?.fills ?? [];
    return fills.slice(after, after + rowsMax).map(({ fill }) => fill);
  }

  position(owner: string, venue: Venue, address: string): Position | null {
    return this.#heldPosition(owner, venue, address)?.position ?? null;
  }

  /** Those in memory, ordered by address: all that hold anything, and others. */
  *positions(owner: string, venue: Venue): Iterable<Position> {
    const held = this.#positions.get(scopeOf(owner, venue));
    if (held === undefined) return;
    for (const address of [...held.keys()].sort()) {
      const position = held.get(address)?.position;
      if (position != null) yield position;
    }
  }

  /** The latest movements of a position, oldest first. */
  booked(owner: string, venue: Venue, address: string, rowsMax: number): readonly BookedChange[] {
    const movements = this.#heldPosition(owner, venue, address)?.movements ?? [];
    return movements.length <= rowsMax ? movements : movements.slice(0, rowsMax);
  }

  orderOfVenue(account: Account, venueOrderId: string): OrderId | null {
    return this.orders.byVenueId(account, venueOrderId);
  }

  /** Not terminal, in the order in which they came. */
  openOrders(account: Account): Iterable<StoredOrder> {
    return this.orders.open(account);
  }

  /** Of those, in flight or wanted cancelled; in flight first. */
  unclearOrders(account: Account): Iterable<StoredOrder> {
    return this.orders.unclear(account);
  }

  /** In memory: not terminal, or over since lately. Of one market, or of all (null). */
  ordersOf(actorId: string, venue: Venue, address: string | null): Iterable<StoredOrder> {
    return this.orders.ofMarket(actorId, venue, address);
  }

  openCount(actorId: string, venue: Venue): number {
    return this.orders.openCount(actorId, venue);
  }

  lastCursor(actorId: string): number {
    const cursor = this.#cursors.get(actorId);
    if (cursor !== undefined) return Math.max(cursor, this.#cursorFloor);
    return Math.max(this.#archive.lastCursor(actorId), this.#cursorFloor);
  }

  mark(name: string): string | null {
    return this.#marks.get(name) ?? null;
  }

  cancelAfters(): readonly CancelAfter[] {
    return [...this.#switches.values()];
  }

  /** `sequence`: of the journal's record with the event. Returns what undoes it. */
  apply(event: LedgerEvent, sequence: number): Undo {
    switch (event.type) {
      case 'order-made':
        return this.#setOrder(event.stored.order.orderId, event.stored, sequence);
      case 'order-moved': {
        const { stored } = this.#held(event.orderId);
        const order = { ...stored.order, ...event.motion };
        return this.#setOrder(event.orderId, { ...stored, order, refusedAs: event.refusedAs }, sequence);
      }
      case 'key-kept':
        return put(this.#keys, scopeOf(event.actorId, event.venue) + event.key, event.entry);
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
        return this.#movePosition(event.owner, venue, address, { position: event.position }, sequence);
      }
      case 'movement-kept': {
        const { venue, address } = event.booked.before;
        const others = this.#movements(event.owner, venue, address).filter(it => it.number !== event.booked.number);
        const movements = [...others, event.booked].sort((one, other) => one.number - other.number);
        return this.#movePosition(event.owner, venue, address, { movements }, sequence);
      }
      case 'movement-dropped': {
        const { owner, venue, address, number } = event;
        const movements = this.#movements(owner, venue, address).filter(it => it.number !== number);
        return this.#movePosition(owner, venue, address, { movements }, sequence);
      }
      case 'told':
        return put(this.#cursors, event.actorId, event.cursor);
      case 'cursors-leapt': {
        const before = this.#cursorFloor;
        this.#cursorFloor = event.floor;
        return () => {
          this.#cursorFloor = before;
        };
      }
      case 'mark-set':
        return put(this.#marks, event.name, event.value);
      case 'switch-armed':
        return put(this.#switches, event.cancelAfter.keyId, event.cancelAfter);
      case 'switch-disarmed':
        return remove(this.#switches, event.keyId);
      case 'opened':
      case 'closed':
        return () => {};
      default:
        return unreachable(event);
    }
  }

  /** At a start: as the history has it, before the rest of the journal is replayed. */
  load({ orders, keys, positions, marks, cancelAfters, eventFloor }: LiveRows): void {
    for (const { stored, fills } of orders) this.orders.load(stored, fills);
    for (const held of this.orders.all()) this.#placeFills(held);
    for (const { actorId, venue, key, entry } of keys) this.#keys.set(scopeOf(actorId, venue) + key, entry);
    for (const { owner, position, movements } of positions) {
      this.#movePosition(owner, position.venue, position.address, { position, movements }, 0);
    }
    for (const [name, value] of marks) this.#marks.set(name, value);
    for (const it of cancelAfters) this.#switches.set(it.keyId, it);
    this.#cursorFloor = eventFloor;
  }

  #movements(owner: string, venue: Venue, address: string): readonly BookedChange[] {
    return this.booked(owner, venue, address, Number.POSITIVE_INFINITY);
  }

  #setOrder(orderId: OrderId, stored: StoredOrder, sequence: number): Undo {
    const held = this.orders.get(orderId);
    const before = held?.stored ?? null;
    const changedBy = held?.changedBy ?? 0;
    this.orders.set(orderId, stored, sequence);
    return () => this.orders.set(orderId, before, changedBy);
  }

  #bookFill(account: Account, stored: StoredFill, sequence: number): Undo {
    const key = scopeOf(account.podId, account.venue) + stored.fill.fillId;
    const unplace = put<string, OrderId | StoredFill>(this.#fills, key, stored.orderId ?? stored);
    if (stored.orderId === null) return unplace;
    const revert = this.#setFills(stored.orderId, fills => [...fills, stored], sequence);
    return () => {
      revert();
      unplace();
    };
  }

  #claimFill(account: Account, stored: StoredFill, sequence: number): Undo {
    assert(this.#knownFill(account, stored.fill.fillId).orderId === null, "a claimed fill is nobody's before");
    return this.#bookFill(account, stored, sequence);
  }

  #amendFill(account: Account, stored: StoredFill, sequence: number): Undo {
    const { fillId } = stored.fill;
    if (stored.orderId === null) return put(this.#fills, scopeOf(account.podId, account.venue) + fillId, stored);
    return this.#setFills(
      stored.orderId,
      fills => fills.map(it => (it.fill.fillId === fillId ? stored : it)),
      sequence,
    );
  }

  #setFills(orderId: OrderId, change: (fills: HeldOrder['fills']) => HeldOrder['fills'], sequence: number): Undo {
    const held = this.#held(orderId);
    const { fills, changedBy } = held;
    held.fills = change(fills);
    held.changedBy = sequence;
    return () => {
      held.fills = fills;
      held.changedBy = changedBy;
    };
  }

  #movePosition(
    owner: string,
    venue: Venue,
    address: string,
    change: Partial<Omit<HeldPosition, 'changedBy'>>,
    changedBy: number,
  ): Undo {
    const before = this.#heldPosition(owner, venue, address);
    const scope = scopeOf(owner, venue);
    const held = this.#positions.get(scope) ?? new Map<string, HeldPosition>();
    this.#positions.set(scope, held);
    return put(held, address, { position: null, movements: [], ...before, ...change, changedBy });
  }

  #held(orderId: OrderId): HeldOrder {
    const held = this.orders.get(orderId);
    assert(held !== null, 'an order that changes is known');
    return held;
  }

  #heldPosition(owner: string, venue: Venue, address: string): HeldPosition | null {
    const held = this.#positions.get(scopeOf(owner, venue))?.get(address);
    if (held !== undefined) return held;
    const archived = this.#archive.position(owner, venue, address);
    return archived === null ? null : { ...archived, changedBy: 0 };
  }

  #knownFill(account: Account, fillId: string): StoredFill {
    const stored = this.fill(account, fillId);
    assert(stored !== null, 'a fill that changes is known');
    return stored;
  }

  /** A fill whose order has left memory: the order comes back with all of its fills. */
  #recalledFill(account: Account, fillId: string): StoredFill | null {
    const archived = this.#archive.fill(account, fillId);
    if (archived === null || archived.orderId === null) return archived;
    const held = this.#held(archived.orderId);
    this.#placeFills(held);
    return fillIn(held, fillId);
  }

  #placeFills({ stored, fills }: HeldOrder): void {
    const scope = scopeOf(stored.order.podId, stored.order.request.venue);
    for (const { fill } of fills) this.#fills.set(scope + fill.fillId, stored.order.orderId);
  }
}

function fillIn({ fills }: HeldOrder, fillId: string): StoredFill {
  const stored = fills.findLast(({ fill }) => fill.fillId === fillId);
  assert(stored !== undefined, 'a fill with a place is in its order');
  return stored;
}

function put<Key, Value>(map: Map<Key, Value>, key: Key, value: Value): Undo {
  const before = map.get(key);
  map.set(key, value);
  return before === undefined ? () => void map.delete(key) : () => void map.set(key, before);
}

function remove<Key, Value>(map: Map<Key, Value>, key: Key): Undo {
  const before = map.get(key);
  map.delete(key);
  return before === undefined ? () => {} : () => void map.set(key, before);
}
