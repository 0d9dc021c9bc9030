// The engine's state: everything that an order changes, in memory, as the fold of `apply` over the journal. `apply` decides nothing, and
// cannot fail on events that `EngineLedger` has appended. Engine thread.

import type { Fill } from '../../../core/domain/fill.ts';
import type { Venue } from '../../../core/domain/market.ts';
import type { UnixMillis } from '../../../core/domain/numbers.ts';
import { isTerminal, type OrderId } from '../../../core/domain/order.ts';
import type { Position, PositionTotals } from '../../../core/domain/position.ts';
import type { Protection, ProtectionScope } from '../../../core/domain/protection.ts';
import { unreachable } from '../../../core/domain/result.ts';
import type { WalletAction } from '../../../core/domain/wallet-action.ts';
import {
  type Account,
  type BookedChange,
  type CancelAfter,
  type IdempotencyEntry,
  type LedgerStore,
  type LiveReads,
  mustStayInMemory,
  type PendingHolds,
  type StoredFill,
  type StoredOrder,
} from '../../../core/store/order-records.ts';
import type { Archive, LiveRows } from '../archive.ts';
import type { LedgerEvent, OrderChange } from '../events.ts';
import { ActionTable } from './action-table.ts';
import { ByName, internText } from './by-owner.ts';
import { CursorTable } from './cursor-table.ts';
import { type Candidate, EvictionQueue } from './eviction-queue.ts';
import { FillTable } from './fill-table.ts';
import { type HeldOrder, OrderTable } from './order-table.ts';
import { PositionTable } from './position-table.ts';
import { ProtectionTable } from './protection-table.ts';
import { UndoLog } from './undo-log.ts';

export class LedgerState implements LiveReads {
  readonly orders: OrderTable;
  onPositionMoved: LedgerStore['onPositionMoved'] = null;
  protected readonly undoLog = new UndoLog();
  readonly #archive: Archive;
  readonly #queue = new EvictionQueue();
  /** The idempotency keys by actor. */
  readonly #keys = new ByName<HeldKey>();
  readonly #fills: FillTable;
  readonly #positions: PositionTable;
  protected readonly cursors = new CursorTable(this.undoLog);
  readonly #marks = new Map<string, string>();
  readonly #switches = new Map<string, CancelAfter>();
  readonly #protections = new ProtectionTable(this.undoLog);
  readonly #actions: ActionTable;

  constructor(archive: Archive) {
    this.#archive = archive;
    this.orders = new OrderTable(archive, this.#queue, this.undoLog);
    this.#fills = new FillTable(archive, this.orders, this.#queue, this.undoLog);
    this.#positions = new PositionTable(archive, this.#queue, this.undoLog);
    this.#actions = new ActionTable(archive, this.#queue, this.undoLog);
  }

  get onStakeMoved(): LedgerStore['onStakeMoved'] {
    return this.orders.onHoldsMoved;
  }

  set onStakeMoved(hear: LedgerStore['onStakeMoved']) {
    this.orders.onHoldsMoved = hear;
  }

  /** The number of rows of each kind in memory. */
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
    return this.#fills.get(account, fillId);
  }

  fills(orderId: OrderId, after: number, rowsMax: number): readonly Fill[] {
    const fills = this.orders.get(orderId)?.fills ?? [];
    return fills.slice(after, after + rowsMax).map(({ fill }) => fill);
  }

  position(owner: string, venue: Venue, address: string): Position | null {
    return this.#positions.get(owner, venue, address).position;
  }

  addressesOf(owner: string, venue: Venue): readonly Pick<ReadonlySet<string>, 'has'>[] {
    const [positions, orders] = [this.#positions.positionsOf(owner, venue), this.orders.marketsOf(owner, venue)];
    if (positions === null) return orders === null ? [] : [orders];
    return orders === null ? [positions] : [positions, orders];
  }

  held(owner: string, venue: Venue, address: string): Position | null {
    return this.#positions.held(owner, venue, address);
  }

  /** Returns the positions in memory, ordered by address. All nonzero positions are in memory. */
  positions(owner: string, venue: Venue): Iterable<Position> {
    return this.#positions.all(owner, venue);
  }

  totals(owner: string, venue: Venue): PositionTotals {
    return this.#positions.totals(owner, venue);
  }

  /** Returns the latest movements of a position, oldest first. */
  movements(owner: string, venue: Venue, address: string, rowsMax: number): readonly BookedChange[] {
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

  openCount(actorId: string, venue: Venue | null): number {
    return this.orders.openCount(actorId, venue);
  }

  lastCursor(actorId: string): number {
    return this.cursors.last(actorId);
  }

  /** Returns the highest cursor of all actors. */
  highestCursor(): number {
    return this.cursors.highest();
  }

  mark(name: string): string | null {
    return this.#marks.get(name) ?? null;
  }

  cancelAfters(): readonly CancelAfter[] {
    return [...this.#switches.values()];
  }

  protections(actorId: string | null): readonly Protection[] {
    return this.#protections.protectionsOf(actorId);
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

  /** Applies an event. `sequence` is that of the journal's record with the event. */
  apply(event: LedgerEvent, sequence: number): void {
    switch (event.type) {
      case 'order-made':
        this.#change(event.stored, event, sequence);
        break;
      case 'order-moved': {
        const { stored } = this.orders.existing(event.orderId);
        const { motion, refusedAs } = event;
        this.#change({ ...stored, order: { ...stored.order, ...motion }, refusedAs }, event, sequence);
        break;
      }
      case 'key-kept': {
        const { actorId: owner, venue, key: name, entry } = event;
        // The key is queued by itself, because it may leave memory before its order, or without one.
        this.#queue.addChanged({ kind: 'key', owner, venue, name, changedBy: sequence });
        this.keepKey(owner, venue, name, entry, sequence);
        break;
      }
      case 'fill-booked':
        this.#fills.book(event.account, event.stored, sequence);
        break;
      case 'fill-claimed':
        this.#fills.claim(event.account, event.stored, sequence);
        break;
      case 'fill-amended':
        this.#fills.amend(event.account, event.fillId, event.change, sequence);
        break;
      case 'position-moved':
        this.#movePosition(event.owner, event.position, sequence);
        break;
      case 'movement-kept':
        this.#positions.keepMovement(event.owner, event.booked, sequence);
        break;
      case 'movement-dropped':
        this.#positions.dropMovement(event.owner, event.venue, event.address, event.number, sequence);
        break;
      case 'event-appended':
        this.cursors.set(event.actorId, event.cursor);
        break;
      case 'cursors-leapt':
        this.cursors.skipTo(event.floor);
        break;
      case 'mark-set':
        this.undoLog.setIn(this.#marks, event.name, event.value);
        break;
      case 'switch-armed':
        this.undoLog.setIn(this.#switches, event.cancelAfter.keyId, event.cancelAfter);
        break;
      case 'switch-disarmed':
        this.undoLog.setIn(this.#switches, event.keyId, undefined);
        break;
      case 'protection-set':
        this.#protections.put(event.protection);
        break;
      case 'protection-ended':
        this.#protections.remove(event.scope);
        break;
      case 'fill-counted':
        this.#protections.count(event.scope, event.fill, event.dropped);
        break;
      case 'action-put':
        this.#actions.put(event.action, sequence);
        this.cursors.set(event.action.actorId, event.cursor);
        break;
      default:
        unreachable(event);
    }
  }

  /** Loads the history's rows at a start. To be called before the later records of the journal are replayed. */
  load({ orders, positions, marks, cursors, cancelAfters, protections, actions, eventFloor }: LiveRows): void {
    for (const live of orders) {
      this.#fills.addFills(this.orders.load(live));
      const { orderId, actorId, request, idempotencyKey } = live.stored.order;
      if (live.entry === null) continue;
      const held = { entry: { ...live.entry, orderId }, changedBy: 0 };
      this.#keys.set(actorId, request.venue, idempotencyKey, held);
    }
    for (const it of positions) this.#positions.load(it);
    for (const [name, value] of marks) this.#marks.set(name, value);
    for (const [actorId, cursor] of cursors) this.cursors.set(actorId, cursor);
    for (const it of cancelAfters) this.#switches.set(it.keyId, it);
    for (const it of protections) this.#protections.put(it);
    for (const it of actions) this.#actions.put(it, 0);
    this.cursors.skipTo(eventFloor);
  }

  /**
   * Evicts ended rows that are in the history, which has followed up to the sequence `followed`. To be called between steps. Examines at
   * most `looksMax` candidates, and returns how many it examined.
   */
  evict(followed: number, now: UnixMillis, looksMax: number): number {
    let looks = 0;
    for (; looks < looksMax; looks++) {
      const candidate = this.#queue.takeNext(followed, now);
      if (candidate === null) break;
      this.#evictRow(candidate, followed, now);
    }
    this.#archive.release();
    return looks;
  }

  #evictRow(candidate: Candidate, followed: number, now: UnixMillis): void {
    const { kind, owner, venue, name, changedBy } = candidate;
    switch (kind) {
      case 'order': {
        const held = this.orders.inMemory(name as OrderId);
        if (held?.changedBy !== changedBy || !isTerminal(held.stored.order.status)) return;
        if (mustStayInMemory(held.stored, now)) this.#queue.addWaiting(candidate);
        else this.#dropOrder(held, followed);
        return;
      }
      case 'key': {
        const held = this.#keys.get(owner, venue, name);
        // The key of an order in memory stays, and leaves together with the order.
        if (held?.changedBy === changedBy && !this.#isOfOrder(owner, name, held))
          this.#keys.set(owner, venue, name, undefined);
        return;
      }
      case 'fill':
        this.#fills.evict(candidate);
        return;
      case 'position':
        this.#positions.evict(candidate);
        return;
      case 'action':
        this.#actions.evict(name as OrderId, changedBy);
        return;
      default:
        unreachable(kind);
    }
  }

  #isOfOrder(actorId: string, key: string, { entry }: HeldKey): boolean {
    const order = this.orders.inMemory(entry.orderId)?.stored.order;
    return order?.idempotencyKey === key && order.actorId === actorId;
  }

  #dropOrder(held: HeldOrder, followed: number): void {
    const { orderId, actorId, request, idempotencyKey } = held.stored.order;
    const { venue } = request;
    this.#fills.dropFills(held);
    const key = this.#keys.get(actorId, venue, idempotencyKey);
    // A key that has changed since then is queued as a candidate of its own.
    if (key?.entry.orderId === orderId && key.changedBy <= followed) {
      this.#keys.set(actorId, venue, idempotencyKey, undefined);
    }
    this.orders.set(orderId, null, 0);
  }

  #movePosition(owner: string, position: Position, sequence: number): void {
    const { venue, address } = position;
    this.undoLog.note(reportStake, this, owner, address);
    this.#positions.move(owner, venue, address, { position }, sequence);
    this.onStakeMoved?.(owner, address);
    this.onPositionMoved?.(owner, venue, address);
  }

  #change(stored: StoredOrder, { cursor, key }: OrderChange, sequence: number): void {
    const { actorId, orderId, request, idempotencyKey } = stored.order;
    this.orders.put(stored, sequence);
    if (cursor !== null) this.cursors.set(actorId, cursor);
    if (key !== null) this.keepKey(actorId, request.venue, idempotencyKey, { orderId, ...key }, sequence);
  }

  protected keepKey(owner: string, venue: Venue, key: string, entry: IdempotencyEntry, changedBy: number): void {
    const order = this.orders.inMemory(entry.orderId)?.stored.order;
    const name = internText(key, order?.idempotencyKey);
    const held = { entry: { ...entry, orderId: internText(entry.orderId, order?.orderId) }, changedBy };
    this.undoLog.setName(this.#keys, owner, venue, name, held);
  }
}

function reportStake(state: LedgerState, owner: string, address: string): void {
  state.onStakeMoved?.(owner, address);
}

interface HeldKey {
  readonly entry: IdempotencyEntry;
  /** The journal sequence of the key's last change. */
  readonly changedBy: number;
}
