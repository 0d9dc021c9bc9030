// The naive twin of a ledger, both the engine's and the history's. It searches plain maps and arrays from end to end, and undoes a failed
// step by a log of its changes.

import type { Venue } from '../../src/core/domain/market.ts';
import type { MicroDollars } from '../../src/core/domain/numbers.ts';
import type { Order, OrderId, OrderStatus } from '../../src/core/domain/order.ts';
import { exactly, type Position, type PositionTotals } from '../../src/core/domain/position.ts';
import type { Protection, ProtectionScope } from '../../src/core/domain/protection.ts';
import { assert } from '../../src/core/domain/result.ts';
import type { WalletAction } from '../../src/core/domain/wallet-action.ts';
import type {
  Account,
  ActionEventRecord,
  ActorEventRecord,
  BookedChange,
  CancelAfter,
  HistoryReads,
  IdempotencyEntry,
  LedgerWrites,
  LiveReads,
  MergedOrders,
  MergedQuery,
  OrderEventRecord,
  OrderPosition,
  OrderQuery,
  PendingHolds,
  StoredFill,
  StoredOrder,
} from '../../src/core/store/order-records.ts';
import { limits } from '../../src/limits.ts';
import { naiveHolds } from './naive-holds.ts';

const ALIVE: readonly OrderStatus[] = ['PENDING', 'SUBMITTED', 'OPEN'];

type NaiveReads = Omit<LiveReads, 'ordersOf'> & HistoryReads;
type NaiveStep = NaiveReads & LedgerWrites;

export class NaiveOrderLedger implements NaiveReads {
  /** The orders of all actors. Older orders are forgotten. */
  readonly #orders = new Map<OrderId, StoredOrder>();
  readonly #ofVenue = new Map<string, OrderId>();
  readonly #idempotency = new Map<string, IdempotencyEntry>();
  readonly #fills = new Map<string, StoredFill>();
  readonly #fillsOf = new Map<OrderId, readonly string[]>();
  readonly #positions = new Map<string, { readonly actorId: string; readonly position: Position }>();
  readonly #booked = new Map<string, readonly BookedChange[]>();
  readonly #events = new Map<string, readonly ActorEventRecord[]>();
  readonly #cursors = new Map<string, number>();
  readonly #marks = new Map<string, string>();
  readonly #cancelAfters = new Map<string, CancelAfter>();
  readonly #protections = new Map<string, Protection>();
  readonly #actions = new Map<OrderId, WalletAction>();
  /** The functions that undo the step that is under way. Null between steps. */
  #undo: (() => void)[] | null = null;

  order(orderId: OrderId): StoredOrder | null {
    return this.#orders.get(orderId) ?? null;
  }

  orderOfVenue(account: Account, venueOrderId: string): OrderId | null {
    return this.#ofVenue.get(keyOf(account.podId, account.venue, venueOrderId)) ?? null;
  }

  idempotency(actorId: string, venue: Venue, key: string): IdempotencyEntry | null {
    return this.#idempotency.get(keyOf(actorId, venue, key)) ?? null;
  }

  orders({ actorId, venue, address, status, after, rowsMax }: OrderQuery): readonly Order[] {
    return [...this.#orders.values()]
      .map(({ order }) => order)
      .filter(order => order.actorId === actorId && order.request.venue === venue)
      .filter(order => address === null || addressOf(order) === address)
      .filter(order => status === null || order.status === status)
      .filter(order => after === null || isOlder(order, after))
      .sort((one, other) => (isOlder(one, other) ? 1 : -1))
      .slice(0, rowsMax);
  }

  mergedOrders({ lists, isWanted, rowsMax, looksMax, ...query }: MergedQuery): MergedOrders {
    const all = lists
      .flatMap(list => this.orders({ ...query, ...list, address: null, rowsMax: Number.POSITIVE_INFINITY }))
      .sort((one, other) => (isOlder(one, other) ? 1 : -1));
    const seen = all.slice(0, looksMax);
    const orders = seen.filter(isWanted).slice(0, rowsMax);
    const isStopped = orders.length < rowsMax && all.length > seen.length;
    return { orders, stoppedAt: isStopped ? (seen.at(-1) ?? null) : null };
  }

  openOrders(account: Account): readonly StoredOrder[] {
    return this.#open(account);
  }

  unclearOrders(account: Account): readonly StoredOrder[] {
    const open = this.#open(account);
    const inFlight = open.filter(({ order }) => order.status !== 'OPEN');
    return [...inFlight, ...open.filter(({ order }) => order.status === 'OPEN' && order.cancelRequestedAt !== null)];
  }

  unreportedOrders({ podId, venue }: Account): readonly StoredOrder[] {
    return [...this.#orders.values()].filter(({ order }) => {
      const isOfAccount = order.podId === podId && order.request.venue === venue;
      const least = venue === 'venue_b' ? 1 : 100_000;
      return isOfAccount && !isAlive(order) && (order.stated?.size ?? 0) - order.filled.size >= least;
    });
  }

  pending(actorId: string, venue: Venue, address: string): PendingHolds {
    const its = [...this.#orders.values()].filter(
      ({ order }) => order.actorId === actorId && order.request.venue === venue && addressOf(order) === address,
    );
    const { sums, costs, passing } = naiveHolds(its);
    const [up, down, bought] = sums;
    return {
      growth: direction => (direction === 1 ? up : down),
      cost: direction => costs[direction === 1 ? 0 : 1] as MicroDollars,
      bought,
      immediate: passing,
    };
  }

  openCount(actorId: string, venue: Venue | null): number {
    return [...this.#orders.values()]
      .map(({ order }) => order)
      .filter(
        order => order.actorId === actorId && order.request.venue === (venue ?? order.request.venue) && isAlive(order),
      ).length;
  }

  fills(orderId: OrderId, after: number, rowsMax: number): StoredFill['fill'][] {
    const keys = this.#fillsOf.get(orderId) ?? [];
    return keys.slice(after, after + rowsMax).map(key => this.#fills.get(key)!.fill);
  }

  fill({ podId, venue }: Account, fillId: string): StoredFill | null {
    return this.#fills.get(keyOf(podId, venue, fillId)) ?? null;
  }

  positions(actorId: string, venue: Venue): readonly Position[] {
    return [...this.#positions.values()]
      .filter(it => it.actorId === actorId && it.position.venue === venue)
      .map(({ position }) => position)
      .sort((one, other) => (one.address < other.address ? -1 : 1));
  }

  totals(actorId: string, venue: Venue): PositionTotals {
    const positions = this.positions(actorId, venue);
    const realized = positions.reduce((sum, it) => sum + exactly(it.realized), 0n);
    return { realized, fees: positions.reduce((sum, { fees }) => sum + BigInt(fees), 0n) };
  }

  addressesOf(actorId: string, venue: Venue): readonly ReadonlySet<string>[] {
    const orders = [...this.#orders.values()].filter(({ order }) => order.actorId === actorId);
    return [
      new Set([...this.positions(actorId, venue).map(it => it.address), ...orders.map(it => addressOf(it.order))]),
    ];
  }

  held(actorId: string, venue: Venue, address: string): Position | null {
    return this.position(actorId, venue, address);
  }

  position(actorId: string, venue: Venue, address: string): Position | null {
    return this.#positions.get(keyOf(actorId, venue, address))?.position ?? null;
  }

  movements(actorId: string, venue: Venue, address: string, rowsMax: number): readonly BookedChange[] {
    return this.#bookedAt(actorId, venue, address).slice(0, rowsMax);
  }

  events(actorId: string, after: number, rowsMax: number): readonly ActorEventRecord[] | null {
    const last = this.lastCursor(actorId);
    if (after > last) return null;
    const kept = this.#events.get(actorId) ?? [];
    if (after < last - kept.length) return null;
    return kept.filter(({ cursor }) => cursor > after).slice(0, rowsMax);
  }

  lastCursor(actorId: string): number {
    return this.#cursors.get(actorId) ?? 0;
  }

  action(actionId: OrderId): WalletAction | null {
    return this.#actions.get(actionId) ?? null;
  }

  openActions(podId: string): readonly WalletAction[] {
    return [...this.#actions.values()]
      .filter(it => it.podId === podId && it.status !== 'CONFIRMED' && it.status !== 'FAILED')
      .sort((one, other) => one.turn - other.turn);
  }

  actions(actorId: string, after: OrderPosition | null, rowsMax: number): readonly WalletAction[] {
    const place = ({ createdAt, actionId }: WalletAction) => ({ createdAt, orderId: actionId });
    return [...this.#actions.values()]
      .filter(it => it.actorId === actorId && (after === null || isOlder(place(it), after)))
      .sort((one, other) => (isOlder(place(one), place(other)) ? 1 : -1))
      .slice(0, rowsMax);
  }

  mark(name: string): string | null {
    return this.#marks.get(name) ?? null;
  }

  /** Returns the dead man's switches, ordered by key id. */
  cancelAfters(): readonly CancelAfter[] {
    return [...this.#cancelAfters.values()].sort((one, other) => (one.keyId < other.keyId ? -1 : 1));
  }

  protections(actorId: string | null): readonly Protection[] {
    return [...this.#protections.values()].filter(it => actorId === null || it.actorId === actorId);
  }

  protection(scope: ProtectionScope): Protection | null {
    return this.#protections.get(nameOf(scope)) ?? null;
  }

  /** Runs `work` as one step. An error of `work` undoes the changes of the step. */
  change<T>(work: (step: NaiveStep) => T): T {
    assert(this.#undo === null, 'steps are not nested');
    this.#undo = [];
    try {
      return work(this.#step);
    } catch (error) {
      for (const undo of this.#undo.reverse()) undo();
      throw error;
    } finally {
      this.#undo = null;
    }
  }

  #open({ podId, venue }: Account): readonly StoredOrder[] {
    return [...this.#orders.values()]
      .filter(({ order }) => order.podId === podId && order.request.venue === venue && isAlive(order))
      .sort((one, other) => (isOlder(one.order, other.order) ? -1 : 1));
  }

  #put<Key, Value>(table: Map<Key, Value>, key: Key, value: Value): void {
    assert(this.#undo !== null, 'a change is part of a step');
    const before = table.get(key);
    this.#undo.push(before === undefined ? () => table.delete(key) : () => table.set(key, before));
    table.set(key, value);
  }

  #delete<Key, Value>(table: Map<Key, Value>, key: Key): void {
    assert(this.#undo !== null, 'a change is part of a step');
    const before = table.get(key);
    if (before === undefined) return;
    this.#undo.push(() => table.set(key, before));
    table.delete(key);
  }

  readonly #step: NaiveStep = {
    order: orderId => this.order(orderId),
    orderOfVenue: (account, venueOrderId) => this.orderOfVenue(account, venueOrderId),
    idempotency: (actorId, venue, key) => this.idempotency(actorId, venue, key),
    orders: query => this.orders(query),
    mergedOrders: query => this.mergedOrders(query),
    openOrders: account => this.openOrders(account),
    unclearOrders: account => this.unclearOrders(account),
    unreportedOrders: account => this.unreportedOrders(account),
    pending: (actorId, venue, address) => this.pending(actorId, venue, address),
    openCount: (actorId, venue) => this.openCount(actorId, venue),
    fills: (orderId, after, rowsMax) => this.fills(orderId, after, rowsMax),
    fill: (account, fillId) => this.fill(account, fillId),
    positions: (actorId, venue) => this.positions(actorId, venue),
    totals: (actorId, venue) => this.totals(actorId, venue),
    addressesOf: (actorId, venue) => this.addressesOf(actorId, venue),
    held: (actorId, venue, address) => this.held(actorId, venue, address),
    position: (actorId, venue, address) => this.position(actorId, venue, address),
    events: (actorId, after, rowsMax) => this.events(actorId, after, rowsMax),
    lastCursor: actorId => this.lastCursor(actorId),
    mark: name => this.mark(name),
    action: actionId => this.action(actionId),
    openActions: podId => this.openActions(podId),
    actions: (...query) => this.actions(...query),
    cancelAfters: () => this.cancelAfters(),
    protections: actorId => this.protections(actorId),
    protection: scope => this.protection(scope),
    putOrder: stored => this.#putOrder(stored),
    putIdempotency: (actorId, venue, key, entry) => this.#put(this.#idempotency, keyOf(actorId, venue, key), entry),
    addFill: (account, stored) => this.#addFill(account, stored),
    claimFill: (account, stored) => this.#claimFill(account, stored),
    amendFill: ({ podId, venue }, fillId, change) => {
      const key = keyOf(podId, venue, fillId);
      const stored = this.#fills.get(key);
      assert(stored !== undefined, 'a fill that changes is there');
      this.#put(this.#fills, key, { ...stored, fill: { ...stored.fill, ...change } });
    },
    putPosition: (actorId, position) =>
      this.#put(this.#positions, keyOf(actorId, position.venue, position.address), { actorId, position }),
    movements: (...position) => this.movements(...position),
    addBooked: (actorId, booked) => {
      const { venue, address } = booked.before;
      const kept = this.#bookedAt(actorId, venue, address);
      const number = (kept.at(-1)?.number ?? 0) + 1;
      const dropped = number - limits.bookedChangesKeptMax;
      const left = kept.filter(it => it.number !== dropped);
      this.#put(this.#booked, keyOf(actorId, venue, address), [...left, { ...booked, number }]);
    },
    putBooked: (actorId, booked) => this.#changeBooked(actorId, booked, [booked]),
    deleteBooked: (actorId, booked) => this.#changeBooked(actorId, booked, []),
    appendEvent: event => this.#appendEvent(event),
    putAction: action => {
      this.#put(this.#actions, action.actionId, action);
      const { actorId, updatedAt: at } = action;
      return this.#appendEvent({ actorId, event: 'ACTION', action: { ...action, intent: null }, at });
    },
    putMark: (name, value) => this.#put(this.#marks, name, value),
    putCancelAfter: cancelAfter => this.#put(this.#cancelAfters, cancelAfter.keyId, cancelAfter),
    deleteCancelAfter: keyId => this.#delete(this.#cancelAfters, keyId),
    putProtection: protection => this.#put(this.#protections, nameOf(protection), protection),
    deleteProtection: scope => this.#delete(this.#protections, nameOf(scope)),
    countFill: (scope, fill, dropped) => {
      const protection = this.protection(scope);
      assert(protection !== null, 'a protection that counts is there');
      const [earlier, later] = [protection.counted.slice(dropped), [fill]];
      const counted = [...earlier, ...later].sort((one, other) => one.executedAt - other.executedAt);
      this.#put(this.#protections, nameOf(scope), { ...protection, counted });
    },
  };

  #putOrder(stored: StoredOrder): void {
    const { order, intent } = stored;
    const before = this.#orders.get(order.orderId);
    if (before !== undefined) this.#delete(this.#ofVenue, venueKeyOf(before) ?? '');
    this.#put(this.#orders, order.orderId, stored);
    const venueKey = venueKeyOf({ order, intent });
    if (venueKey !== null) this.#put(this.#ofVenue, venueKey, order.orderId);
  }

  #addFill({ podId, venue }: Account, stored: StoredFill): void {
    const key = keyOf(podId, venue, stored.fill.fillId);
    if (this.#fills.has(key)) return;
    this.#put(this.#fills, key, stored);
    this.#listFill(key, stored);
  }

  #bookedAt(actorId: string, venue: Venue, address: string): readonly BookedChange[] {
    return this.#booked.get(keyOf(actorId, venue, address)) ?? [];
  }

  #changeBooked(actorId: string, { before, number }: BookedChange, by: readonly BookedChange[]): void {
    const { venue, address } = before;
    const others = this.#bookedAt(actorId, venue, address).filter(it => it.number !== number);
    const changed = [...others, ...by].sort((one, other) => one.number - other.number);
    this.#put(this.#booked, keyOf(actorId, venue, address), changed);
  }

  #claimFill({ podId, venue }: Account, stored: StoredFill): void {
    const key = keyOf(podId, venue, stored.fill.fillId);
    assert(this.#fills.get(key)?.orderId === null, 'only what is nobody’s is claimed');
    this.#put(this.#fills, key, stored);
    this.#listFill(key, stored);
  }

  #listFill(key: string, { orderId }: StoredFill): void {
    if (orderId !== null) this.#put(this.#fillsOf, orderId, [...(this.#fillsOf.get(orderId) ?? []), key]);
  }

  #appendEvent<Event extends Omit<OrderEventRecord, 'cursor'> | Omit<ActionEventRecord, 'cursor'>>(event: Event) {
    const { actorId } = event;
    const record = { ...event, cursor: this.lastCursor(actorId) + 1 } as Event & ActorEventRecord;
    this.#put(this.#cursors, actorId, record.cursor);
    const events = [...(this.#events.get(actorId) ?? []), record];
    this.#put(this.#events, actorId, events);
    return record;
  }
}

/** Joins the parts of a key by NUL, which no id holds. */
function keyOf(...parts: readonly string[]): string {
  return parts.join('\0');
}

function nameOf({ actorId, venue, address }: ProtectionScope): string {
  return keyOf(actorId, venue, address ?? '');
}

function venueKeyOf({ order, intent }: Pick<StoredOrder, 'order' | 'intent'>): string | null {
  const venueOrderId = order.venueOrderId ?? intent?.venueOrderId ?? null;
  return venueOrderId === null ? null : keyOf(order.podId, order.request.venue, venueOrderId);
}

function addressOf({ request }: Order): string {
  return request.venue === 'venue_a' ? request.tokenId : request.ticker;
}

function isAlive({ status }: Order): boolean {
  return ALIVE.includes(status);
}

/** Returns whether `one` is older, by (createdAt, orderId). */
function isOlder(one: Pick<Order, 'createdAt' | 'orderId'>, other: Pick<Order, 'createdAt' | 'orderId'>): boolean {
  return one.createdAt === other.createdAt ? one.orderId < other.orderId : one.createdAt < other.createdAt;
}
