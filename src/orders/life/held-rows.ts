// Unreadable rows of an account's lists. Each row holds the orders and markets that it names. A row that names neither holds the whole
// account. Each reading requests the row again, and the reading mark does not pass it. Once the row can be read, it is applied once, like
// any fill. Engine thread.

import { BoundedMap } from '../../core/domain/bounded-map.ts';
import type { UnixMillis } from '../../core/domain/numbers.ts';
import type { OrderId } from '../../core/domain/order.ts';
import { addressOf } from '../../core/domain/order-frame.ts';
import { limits } from '../../limits.ts';
import type { UnreadRow } from '../../venues/venue.ts';
import type { AccountParts } from './account-parts.ts';
import { orderOfTrace } from './adoption.ts';
import { type HeldMarkets, NOTHING_HELD, putHeld, readHeld } from './held-markets.ts';
import type { Part } from './reading-window.ts';

type HeldParts = Pick<AccountParts, 'account' | 'ledger' | 'announce'>;

/** The orders, markets and times that unreadable fills hold. */
interface Held {
  readonly rows: ReadonlyMap<string, UnreadRow>;
  readonly markets: HeldMarkets;
  /** Orders that have unknown fills. */
  readonly orders: ReadonlySet<OrderId>;
  /** Addresses whose position is unknown. */
  readonly addresses: ReadonlySet<string>;
}

const NONE: Held = {
  rows: new Map(),
  markets: NOTHING_HELD,
  orders: new Set(),
  addresses: new Set(),
};

export class HeldRows {
  readonly #parts: HeldParts;
  /** Whether a row is in the operator's log, by the key of the row. */
  readonly #isLogged = new BoundedMap<string, boolean>(limits.unreadRowsMax);
  #held: Held = NONE;
  /** Rows that the current reading has found so far. */
  #found = new Map<string, UnreadRow>();

  constructor(parts: HeldParts) {
    this.#parts = parts;
  }

  get isAccountHeld(): boolean {
    return this.#held.markets.isAccount;
  }

  /** Whether a row lacks only numbers that the venue may report soon. */
  get isAnyUnreported(): boolean {
    return [...this.#held.rows.values()].some(({ isUnreported }) => isUnreported);
  }

  /** Whether the order has unknown fills, so that it cannot end. */
  isOrderHeld(orderId: OrderId): boolean {
    return this.#held.orders.has(orderId);
  }

  /** Whether the account's position at the address is unknown. */
  isUncertain(address: string): boolean {
    return this.isAccountHeld || this.#held.addresses.has(address);
  }

  /** The trade time of the oldest held fill. Null means that no fill is held, 'unknown' that one of them has no time. */
  get oldestTime(): UnixMillis | null | 'unknown' {
    let first: UnixMillis | null = null;
    for (const { about, at } of [...this.#held.rows.values(), ...this.#found.values()]) {
      if (about !== 'fill') continue;
      if (at === null) return 'unknown';
      first = first === null || at < first ? at : first;
    }
    return first;
  }

  /** Returns time spans before `end` that contain the held fills. */
  spansBefore(end: UnixMillis): readonly Part[] {
    const overlapMs = limits.accountReadOverlapMs;
    const times = [...this.#held.rows.values()].flatMap(({ at }) => (at === null || at >= end ? [] : [at]));
    const spans: { since: UnixMillis; until: UnixMillis }[] = [];
    for (const at of times.toSorted((one, other) => one - other)) {
      const last = spans.at(-1);
      const [since, until] = [(at - overlapMs) as UnixMillis, (at + overlapMs) as UnixMillis];
      if (last !== undefined && (since <= last.until || spans.length === limits.heldSpansMax)) last.until = until;
      else spans.push({ since, until });
    }
    return spans;
  }

  /** Adds the unreadable rows of one part of the list. They hold their orders and markets at once. */
  addFound(rows: readonly UnreadRow[]): void {
    for (const row of rows) {
      this.report(row);
      // A row about an order that it names holds nothing: the look-up of that order decides.
      if (row.about === 'fill' || row.orders.length === 0) this.#found.set(row.key, row);
    }
    if (rows.length > 0) this.#hold(new Map([...this.#held.rows, ...this.#found]), 'more');
  }

  /** Ends the reading of the whole list. Only the rows that this reading has found stay held. */
  endReading(): void {
    this.#hold(this.#found, 'all');
    this.#found = new Map();
  }

  /** Forgets the rows found so far, because the list will be read from its beginning. */
  restartReading(): void {
    this.#found = new Map();
  }

  /** Counts and logs a row once. A row that lacks only its numbers is logged at the second sighting. */
  report(row: UnreadRow): void {
    const { account, ledger } = this.#parts;
    const before = this.#isLogged.get(row.key);
    if (before === true) return;
    const isLogged = !row.isUnreported || before === false;
    this.#isLogged.set(row.key, isLogged);
    if (!isLogged) return;
    const { podId, venue } = account;
    const orders = row.orders.map(named => orderOfTrace(ledger.store, account, named) ?? 'not made here');
    const detail = { orders: orders.join(' '), markets: row.addresses.join(' '), form: row.form };
    ledger.change(entry => entry.diverged('unreadable-row', { podId, venue, about: row.about, ...detail }));
  }

  /** Holds what the rows name. With `more`, rows of an earlier process stay held until the whole list is read. */
  #hold(rows: ReadonlyMap<string, UnreadRow>, are: 'all' | 'more'): void {
    const { account, ledger, announce } = this.#parts;
    const count = this.#held.rows.size;
    const kept = readHeld(ledger.store, account);
    this.#held = this.#heldBy(rows, are === 'all' ? NOTHING_HELD : kept);
    const { markets } = this.#held;
    const isSame = kept.isAccount === markets.isAccount && kept.addresses.join() === markets.addresses.join();
    if (!isSame) ledger.change(({ transaction }) => putHeld(transaction, account, markets));
    if (rows.size !== count) announce(account, { type: 'held', rows: rows.size });
  }

  #heldBy(rows: ReadonlyMap<string, UnreadRow>, before: HeldMarkets): Held {
    const { account, ledger } = this.#parts;
    let isAccount = before.isAccount || rows.size > limits.unreadRowsMax;
    const markets = new Set(before.addresses);
    const [addresses, orders] = [new Set<string>(), new Set<OrderId>()];
    for (const row of rows.values()) {
      const known = row.orders.map(named => orderOfTrace(ledger.store, account, named));
      const ours = known.filter(orderId => orderId !== null);
      const traded = new Set([...row.addresses, ...ours.map(it => addressOf(ledger.store.order(it)!.order.request))]);
      for (const address of traded) addresses.add(address);
      const isOurs = known.length > 0 && ours.length === known.length;
      // The fills of this row are booked, and only their settlement is unknown.
      if (isOurs && ours.every(orderId => this.#isBooked(row, orderId))) continue;
      for (const orderId of ours) orders.add(orderId);
      // The order counts as open until its numbers come, so its market needs no hold.
      if (isOurs && row.isUnreported) continue;
      if (traded.size === 0) isAccount = true;
      for (const address of traded) markets.add(address);
    }
    if (markets.size > limits.heldMarketsMax) isAccount = true;
    const listed = isAccount ? [] : [...markets].toSorted();
    return { rows, markets: { isAccount, addresses: listed }, orders, addresses };
  }

  #isBooked({ tradeId }: UnreadRow, orderId: OrderId): boolean {
    const fills = this.#parts.ledger.store.fills(orderId, 0, limits.fillsOfOrderMax);
    return tradeId !== '' && fills.some(({ venueTradeId }) => venueTradeId === tradeId);
  }
}
