// Schedules look-ups of one account's orders until their state is clear. These are unknown outcomes, requested cancels, and orders that
// rest although they were refused. Each order has its own growing pause. Cancels never wait behind look-ups. Engine thread.

import type { UnixMillis } from '../../core/domain/numbers.ts';
import { isTerminal, type Order, type OrderId } from '../../core/domain/order.ts';
import { addressOf } from '../../core/domain/order-frame.ts';
import type { Background } from '../../core/runtime/background.ts';
import { hasCome, type Timers } from '../../core/runtime/timers.ts';
import type { Account, StoredOrder } from '../../core/store/order-records.ts';
import { limits } from '../../limits.ts';
import type { UnreadRow, VenueTrading } from '../../venues/venue.ts';
import { type Confirmed, endGivenUp, intentFor } from './confirmed-cancel.ts';
import type { Ledger } from './ledger.ts';
import { reconcile, releaseUnsent } from './reconcile.ts';

interface ReconcileSchedulerParts {
  readonly account: Account;
  readonly trading: VenueTrading;
  readonly ledger: Ledger;
  readonly timers: Timers;
  readonly background: Background;
  /** Called with a row that cannot be read. */
  readonly onUnread: (row: UnreadRow) => void;
}

interface Due {
  readonly at: number;
  readonly pauseMs: number;
}

interface Trace {
  /** The id of the order at the venue. Null means that the process before saw the order there, and no look-up has found it yet. */
  venueOrderId: string | null;
  /**
   * Whether the order surely was at the venue: a stream has reported it, or a cancel has found it. A list, which may be stale, does not
   * suffice.
   */
  isCertain: boolean;
  /**
   * The venue's confirmation of the cancel. Null means that the cancel is not confirmed. A later look-up may find the fills that the
   * confirmation counts.
   */
  confirmed: Confirmed | null;
  due: Due;
  isBusy: boolean;
}

/** By the end of this pause a replacement was sent or given up long ago. */
const UNSENT_MS = 15_000;

export class ReconcileScheduler {
  readonly #parts: ReconcileSchedulerParts;
  /** The next look-up of each order. The number of open orders bounds the map. */
  readonly #due = new Map<OrderId, Due>();
  /**
   * Each lane resolves to whether the venue has answered. The three lanes are for cancels of resting orders, for cancels that need a
   * look-up first, and for other look-ups.
   */
  readonly #cancels = new Lanes(limits.cancelsInFlightMax, orderId => this.#lookNow(orderId));
  readonly #searches = new Lanes(limits.looksInFlightMax, orderId => this.#lookNow(orderId));
  readonly #looks = new Lanes(limits.looksInFlightMax, orderId => this.#lookNow(orderId));
  /** The orders with a cancel request that is not recorded. */
  readonly #unrecorded = new Set<OrderId>();
  /** The orders that have ended here but may rest at the venue. */
  readonly #traces = new Map<OrderId, Trace>();

  constructor(parts: ReconcileSchedulerParts) {
    this.#parts = parts;
  }

  /** Sends the cancels at once, ahead of look-ups. `isRecorded` says whether the records of the orders have the cancel requests. */
  cancelNow(orderIds: readonly OrderId[], isRecorded = true): void {
    for (const orderId of orderIds) {
      if (!isRecorded) this.#unrecorded.add(orderId);
      this.lookSoon(orderId);
      this.#parts.background.begin(() => this.#look(orderId));
    }
  }

  lookSoon(orderId: OrderId): void {
    this.#due.set(orderId, this.#first(0));
  }

  /** Whether a look-up of the order is scheduled. */
  isScheduled(orderId: OrderId): boolean {
    return this.#due.has(orderId);
  }

  lookLater(orderId: OrderId): void {
    if (this.#due.has(orderId)) return;
    this.#due.set(orderId, this.#first(limits.lookPauseMs));
  }

  /** Returns the orders in the market that have no known venue id. */
  unnamedOrders(address: string): readonly OrderId[] {
    return [...this.#unclear()].filter(it => isNameless(it) && addressOf(it.order.request) === address).map(idOf);
  }

  /** Does all due work. */
  async sweep(): Promise<void> {
    // The list is copied first, because an order whose change is undone moves to its end.
    for (const { order } of [...this.#unclear()]) {
      const isForgotten = order.status === 'PENDING' && hasCome(order.updatedAt + UNSENT_MS, this.#now(), UNSENT_MS);
      if (isForgotten) this.#release(order.orderId);
      const isUnclear = order.status === 'SUBMITTED' || order.cancelRequestedAt !== null;
      if (isUnclear && this.#isPast(order.updatedAt + limits.lookPauseMs)) this.#addFirst(order.orderId);
    }
    const due = [...this.#due].filter(([, { at }]) => this.#isPast(at)).map(([orderId]) => orderId);
    const traces = [...this.#traces].filter(([, trace]) => this.#isPast(trace.due.at)).map(([orderId]) => orderId);
    await Promise.all([this.lookAll(due), ...traces.map(orderId => this.#cancelTrace(orderId))]);
  }

  /** Looks each order up once. Returns whether the venue has answered for all of them. */
  async lookAll(orderIds: readonly OrderId[]): Promise<boolean> {
    const answers = await Promise.all(orderIds.map(orderId => this.#look(orderId)));
    return answers.every(hasAnswered => hasAnswered);
  }

  /** Cancels an order at once that was given up here but rests at the venue, because it must not trade (contract §4.7). */
  cancelTrace({ orderId }: Order, venueOrderId: string): void {
    const known = this.#traces.get(orderId);
    if (known?.isCertain === true && known.venueOrderId !== null) return;
    this.#traces.set(orderId, { venueOrderId, isCertain: true, confirmed: null, due: this.#first(0), isBusy: false });
    const ledger = this.#parts.ledger.lenient();
    countTrace(ledger, orderId, venueOrderId);
    // Even if the cancel fails, the order's key must not become free for another send.
    ledger.change(entry => entry.apply(orderId, [{ type: 'taken-late', at: entry.at }]));
    this.#parts.background.begin(() => this.#cancelTrace(orderId));
  }

  /** Schedules a look-up of an order that has ended here, but that a list shows as resting. */
  recheckEnd({ orderId }: Order, venueOrderId: string): void {
    if (this.#traces.has(orderId)) return;
    this.#traces.set(orderId, {
      venueOrderId,
      isCertain: false,
      confirmed: null,
      due: this.#first(limits.lookPauseMs),
      isBusy: false,
    });
  }

  /** Goes on with an order that was seen at the venue after its refusal, and that the process before has not ended there. */
  resumeTrace(orderId: OrderId): void {
    if (this.#traces.has(orderId)) return;
    const due = this.#first(0);
    this.#traces.set(orderId, { venueOrderId: null, isCertain: true, confirmed: null, due, isBusy: false });
    this.#parts.background.begin(() => this.#cancelTrace(orderId));
  }

  #addFirst(orderId: OrderId): void {
    if (!this.#due.has(orderId)) this.lookSoon(orderId);
  }

  #look(orderId: OrderId): Promise<boolean> {
    const order = this.#parts.ledger.store.order(orderId)?.order ?? null;
    const isUnwanted = order !== null && (order.cancelRequestedAt !== null || this.#unrecorded.has(orderId));
    if (!isUnwanted) return this.#looks.run(orderId);
    return (order.status === 'OPEN' ? this.#cancels : this.#searches).run(orderId);
  }

  async #lookNow(orderId: OrderId): Promise<boolean> {
    const { trading } = this.#parts;
    // Due cancels are sent even if nothing can be recorded.
    const ledger = this.#parts.ledger.lenient();
    const stored = ledger.store.order(orderId);
    if (stored === null || isTerminal(stored.order.status)) {
      this.#unrecorded.delete(orderId);
      this.#due.delete(orderId);
      return true;
    }
    const hasRequest = this.#unrecorded.has(orderId);
    const parts = { ledger, now: () => this.#now() };
    const { order, hasAnswered, unread } = await reconcile(parts, trading, stored, this.#deadline(), hasRequest);
    if (unread !== undefined) this.#parts.onUnread(unread);
    // An ended order needs no cancel request any more. Later look-ups only restore its record.
    if (isTerminal(order.status)) this.#unrecorded.delete(orderId);
    const rests = order.status === 'OPEN' && order.cancelRequestedAt === null && !hasRequest;
    // While an amendment is not answered, a look-up cannot divide the fills between the two orders. So another look-up follows the answer.
    const isKnown = ledger.isRecorded && !ledger.amending.has(orderId);
    if (isKnown && (rests || isTerminal(order.status))) this.#due.delete(orderId);
    else this.#due.set(orderId, this.#later(this.#due.get(orderId)));
    return hasAnswered && ledger.isRecorded;
  }

  async #cancelTrace(orderId: OrderId): Promise<void> {
    const trace = this.#traces.get(orderId);
    const stored = this.#parts.ledger.store.order(orderId);
    if (trace === undefined || stored === null || trace.isBusy) return;
    trace.isBusy = true;
    let isOver = false;
    try {
      isOver = isTerminal(stored.order.status) ? await this.#endTrace(stored, trace) : true;
    } finally {
      // This also runs if the store has failed.
      trace.isBusy = false;
      if (isOver) this.#traces.delete(orderId);
      else trace.due = this.#later(trace.due);
    }
  }

  /** Cancels an order at the venue that has ended here. Returns whether nothing of it rests any more and its fills are known. */
  async #endTrace({ order, intent }: StoredOrder, trace: Trace): Promise<boolean> {
    const { ledger, trading } = this.#parts;
    const venueOrderId = trace.venueOrderId ?? (await this.#findAgain({ order, intent }, trace));
    if (venueOrderId === null) return isOver(ledger.store.order(order.orderId)!.order);
    const traced = { ...order, venueOrderId };
    if (!trace.isCertain) {
      const names = intentFor(order.orderId, intent, venueOrderId);
      const doubted = await trading.lookUp(traced, names, this.#deadline());
      if (doubted.type === 'unavailable' || doubted.type === 'held') return false;
      if (doubted.type === 'absent' || doubted.state === 'gone') return true;
    }
    const outcome = trace.confirmed ?? (await trading.cancel(traced, this.#deadline()));
    if (outcome.type === 'cancelled') trace.confirmed = outcome;
    if (outcome.type === 'cancelled' && !trace.isCertain) {
      trace.isCertain = true;
      countTrace(ledger, order.orderId, venueOrderId);
    }
    return endGivenUp(ledger, trading, { order, intent }, venueOrderId, { outcome, deadline: this.#deadline() });
  }

  /**
   * Returns the venue's id of an order that the process before saw at the venue. Null means that the order is not found. The order ends
   * once its absence is proven.
   */
  async #findAgain({ order, intent }: Pick<StoredOrder, 'order' | 'intent'>, trace: Trace): Promise<string | null> {
    const { ledger, trading } = this.#parts;
    const { orderId, updatedAt } = order;
    const found = await trading.lookUp(order, intentFor(orderId, intent, ''), this.#deadline());
    if (found.type === 'found') trace.venueOrderId = found.venueOrderId;
    const { absenceProvenMs } = limits;
    const isLong = hasCome(updatedAt + absenceProvenMs, this.#now(), absenceProvenMs);
    if (found.type === 'absent' && found.isCurrent && isLong) endUnseen(ledger, orderId);
    return trace.venueOrderId;
  }

  /** Ends an order that was never sent. If this cannot be recorded, the next sweep tries again. */
  #release(orderId: OrderId): void {
    const ledger = this.#parts.ledger.lenient();
    ledger.change(entry => releaseUnsent(entry, orderId, 'the record that it was to be sent failed'));
  }

  #unclear(): Iterable<StoredOrder> {
    return this.#parts.ledger.store.unclearOrders(this.#parts.account);
  }

  #first(pauseMs: number): Due {
    return { at: this.#now() + pauseMs, pauseMs: limits.lookPauseMs };
  }

  #later(due: Due | undefined): Due {
    const pauseMs = due?.pauseMs ?? limits.lookPauseMs;
    return { at: this.#now() + pauseMs, pauseMs: Math.min(2 * pauseMs, limits.lookPauseMsMax) };
  }

  #deadline(): UnixMillis {
    return (this.#now() + limits.lookTimeoutMs) as UnixMillis;
  }

  #isPast(at: number): boolean {
    return hasCome(at, this.#now(), limits.lookPauseMsMax);
  }

  #now(): UnixMillis {
    return this.#parts.timers.now();
  }
}

function countTrace(ledger: Ledger, orderId: OrderId, venueOrderId: string): void {
  ledger.change(entry => entry.diverged('late-trace', { orderId, venueOrderId }));
}

function endUnseen(ledger: Ledger, orderId: OrderId): void {
  ledger.change(entry => {
    const isGivenUp = !isOver(entry.order(orderId));
    if (isGivenUp) entry.apply(orderId, [{ type: 'ends', at: entry.at, venueOrderId: null, stated: null }]);
  });
}

function isOver({ status }: Order): boolean {
  return status !== 'REJECTED';
}

function isNameless({ order, intent }: StoredOrder): boolean {
  return order.status === 'SUBMITTED' && order.venueOrderId === null && (intent?.venueOrderId ?? null) === null;
}

function idOf({ order }: StoredOrder): OrderId {
  return order.orderId;
}

/** Runs work on orders with bounded concurrency, first in, first out. A repeated request for pending work shares its result. */
class Lanes<T> {
  readonly #lanesMax: number;
  readonly #work: (orderId: OrderId) => Promise<T>;
  /** The work that waits or runs, by order. */
  readonly #promises = new Map<OrderId, Promise<T>>();
  readonly #waiting: (() => void)[] = [];
  #busy = 0;

  constructor(lanesMax: number, work: (orderId: OrderId) => Promise<T>) {
    this.#lanesMax = lanesMax;
    this.#work = work;
  }

  run(orderId: OrderId): Promise<T> {
    const asked = this.#promises.get(orderId);
    if (asked !== undefined) return asked;
    const done = this.#runInTurn(orderId);
    this.#promises.set(orderId, done);
    return done;
  }

  async #runInTurn(orderId: OrderId): Promise<T> {
    if (this.#busy < this.#lanesMax) this.#busy += 1;
    else await new Promise<void>(resolve => this.#waiting.push(resolve));
    try {
      return await this.#work(orderId);
    } finally {
      this.#promises.delete(orderId);
      // The first of the waiting tasks takes over the lane.
      const next = this.#waiting.shift();
      if (next === undefined) this.#busy -= 1;
      else next();
    }
  }
}
