// What happens to one account at its venue, applied to the ledger: what its private stream tells, in any order and any number of
// times, and what has to be read because no stream told it. Whatever it holds in memory is read again after a restart: only what is
// applied moves the mark from which fills are read. Engine thread.

import { BoundedMap } from '../domain/bounded-map.ts';
import { isTerminal, isToBeCancelled, type Order, type OrderId } from '../domain/order.ts';
import { filledInFrame } from '../domain/order-frame.ts';
import { traded } from '../domain/order-sums.ts';
import { unreachable } from '../domain/result.ts';
import { limits } from '../limits.ts';
import type { PrivateEvent, VenueFill, VenueOrder } from '../venues/venue.ts';
import type { AccountParts } from './account-parts.ts';
import { AccountReading } from './account-reading.ts';
import { adopt, orderOfTrace, requestOfTrade } from './adoption.ts';
import { bookSettlement, settledValue, unattributedOf } from './bookings.ts';
import { standing } from './evidence.ts';
import { advances } from './fill-frame.ts';
import { HeldRows } from './held-rows.ts';
import { HoldingsAudit } from './holdings-audit.ts';
import { OrphanFills } from './orphan-fills.ts';
import type { LedgerEntry } from './ledger-entry.ts';
import { ReconcileScheduler } from './reconcile-scheduler.ts';
import { Redemptions } from './redemptions.ts';

export class AccountExecutions {
  readonly #parts: AccountParts;
  readonly #held: HeldRows;
  readonly #scheduler: ReconcileScheduler;
  readonly #reading: AccountReading;
  readonly #orphans: OrphanFills;
  readonly #audit: HoldingsAudit;
  readonly #redemptions: Redemptions;
  /** Settlements of fills that are not known yet. */
  readonly #early = new BoundedMap<string, Extract<PrivateEvent, { type: 'settlement' }>>(limits.earlySettlementsMax);
  readonly #strangers = new BoundedMap<string, true>(limits.strangeOrdersMax);
  #stopListening: () => void = () => {};

  constructor(parts: AccountParts) {
    this.#parts = parts;
    this.#held = new HeldRows(parts);
    this.#scheduler = new ReconcileScheduler({ ...parts, notice: row => this.#held.notice(row) });
    this.#audit = new HoldingsAudit(parts, this.#held);
    const reader = {
      fill: (fill: VenueFill) => this.#fill(fill),
      order: (order: VenueOrder) => this.#listed(order),
      // Waiting fills are in memory only: while there are any, a restart has to read them again.
      isComplete: () => this.#orphans.size === 0,
    };
    this.#reading = new AccountReading(parts, { scheduler: this.#scheduler, reader, held: this.#held });
    this.#orphans = new OrphanFills(parts, this.#scheduler, this.#reading);
    this.#redemptions = new Redemptions(parts);
  }

  /** Whether everything was read once since the start (contract §4.7). */
  get isRead(): boolean {
    return this.#reading.isRead;
  }

  start(): void {
    this.#stopListening = this.#parts.trading.listen(
      event => this.hear(event),
      address => this.#isHeld(address),
    );
    this.#read();
  }

  stop(): void {
    this.#stopListening();
  }

  /** What could not be recorded is read again, as after a connection that was lost. */
  hear(event: PrivateEvent): void {
    try {
      this.#hear(event);
    } catch (error) {
      this.#parts.storeFailed(error);
      this.#reading.readSoon();
    }
  }

  #hear(event: PrivateEvent): void {
    switch (event.type) {
      case 'fill':
        this.#fill(event.fill);
        break;
      case 'settlement':
        this.#settlement(event);
        break;
      case 'order':
        this.#order(event.order);
        break;
      case 'settled': {
        const { account, ledger, actorsOf } = this.#parts;
        // Lists are told whole each time: what is known needs no write lock.
        if (settledValue(ledger.store, account, event.address) === event.value) break;
        const owners = actorsOf(account.podId);
        ledger.change(({ transaction }) => bookSettlement(transaction, account, owners, event));
        break;
      }
      case 'unlisted': {
        const { account, ledger } = this.#parts;
        const { podId, venue } = account;
        ledger.change(({ diverged }) => diverged('settlement-unlisted', { podId, venue, address: event.address }));
        break;
      }
      case 'unread':
        this.#held.notice(event.row);
        // A list that has such a row is read again by itself.
        if (event.row.about !== 'position') this.#reading.reread();
        break;
      case 'redeemable':
        this.#redemptions.hear(event.addresses);
        break;
      case 'up':
        this.#parts.announce(this.#parts.account, { type: 'stream-up' });
        this.#read();
        break;
      case 'down':
        this.#parts.announce(this.#parts.account, { type: 'stream-down', message: event.message });
        break;
      default:
        unreachable(event);
    }
  }

  cancelNow(orderIds: readonly OrderId[], isRecorded: boolean): void {
    this.#scheduler.cancelNow(orderIds, isRecorded);
  }

  /** Looks at what is due; resolves when that is done. */
  async sweep(): Promise<void> {
    await Promise.all([this.#scheduler.sweep(), this.#reading.readIfDue()]);
    this.#house();
    if (this.#isBooked()) this.#parts.background.begin(() => this.#audit.lookIfDue());
  }

  /** Whether all that was traded until lately is booked: neither unread, nor waiting for its order. */
  #isBooked(): boolean {
    const ageMs = this.#parts.timers.now() - this.#reading.lastReadAt;
    return this.isRead && ageMs <= limits.holdingsReadAgeMs && this.#orphans.size === 0;
  }

  #read(): void {
    this.#parts.background.begin(() => this.#reading.read());
  }

  #fill(told: VenueFill): void {
    const { account, ledger } = this.#parts;
    const fill = this.#orphans.asToldFirst(told);
    if (this.#orphans.mayTurnUp(fill)) return;
    const early = this.#early.get(fill.fillId);
    let wasRefused = false;
    const order = ledger.change(entry => {
      const orderId = this.#ownerOf(entry, fill);
      wasRefused = orderId !== null && entry.order(orderId).status === 'REJECTED';
      entry.applyFill(account, fill, orderId);
      entry.applySettlement(account, fill);
      if (early !== undefined) entry.applySettlement(account, { ...fill, settlement: early.settlement });
      return orderId === null ? null : entry.order(orderId);
    });
    this.#orphans.housed(fill);
    this.#early.delete(fill.fillId);
    // It had been given up, and has traded: the rest of it is cancelled.
    if (wasRefused && order?.status === 'CANCELLED') this.#scheduler.cancelTrace(order, fill.venueOrderId);
    this.#lookAfter(order, fill.settlement === 'FAILED' || early?.settlement === 'FAILED');
  }

  /** Within the transaction. */
  #ownerOf(entry: LedgerEntry, fill: VenueFill): OrderId | null {
    const { account, actorOfTag } = this.#parts;
    const known = orderOfTrace(entry.transaction, account, fill);
    if (known !== null || entry.transaction.fill(account, fill.fillId) !== null) return known;
    // It does not rest: what was traded is all that is known of it.
    const size = this.#orphans.tradedWith(fill);
    return adopt(entry, account, fill, requestOfTrade(fill, size), actorOfTag);
  }

  #settlement(event: Extract<PrivateEvent, { type: 'settlement' }>): void {
    const { account, ledger } = this.#parts;
    const { fillId } = event;
    const known = ledger.store.fill(account, fillId);
    if (known === null) {
      const earlier = this.#early.get(fillId)?.settlement ?? 'MATCHED';
      if (advances(earlier, event.settlement)) this.#early.set(fillId, event);
      return;
    }
    const order = ledger.change(entry => {
      const isDone = entry.applySettlement(account, event);
      // A failed trade of nobody's: what it has moved is in the venue's list of trades.
      if (!isDone) this.#reading.readFrom(known.fill.executedAt);
      return known.orderId === null ? null : entry.order(known.orderId);
    });
    this.#lookAfter(order, event.settlement === 'FAILED');
  }

  #isHeld(address: string): boolean {
    const { account, ledger, actorsOf } = this.#parts;
    const owners = [...actorsOf(account.podId), unattributedOf(account.podId)];
    return owners.some(owner => (ledger.store.position(owner, account.venue, address)?.size ?? 0) !== 0);
  }

  /** An order that a reading lists as resting and that has ended here is looked up: the reading is stale, or the end was wrong. */
  #listed(told: VenueOrder): void {
    this.#order(told);
    const { account, ledger } = this.#parts;
    const orderId = orderOfTrace(ledger.store, account, told);
    const order = orderId === null ? null : (ledger.store.order(orderId)?.order ?? null);
    if (told.state !== 'gone' && order !== null && isTerminal(order.status))
      this.#scheduler.doubtEnd(order, told.venueOrderId);
  }

  #order(told: VenueOrder): void {
    const order = this.#knownSo(told) ?? this.#applied(told);
    if (order === null) this.#strange(told);
    else if (order.status === 'REJECTED' && hasLife(told)) this.#scheduler.cancelTrace(order, told.venueOrderId);
    else this.#lookAfter(order, false);
  }

  /** Often the submission's answer has told it before: a read shows that, and needs no write lock. Null: it is news. */
  #knownSo(told: VenueOrder): Order | null {
    const { account, ledger } = this.#parts;
    const orderId = orderOfTrace(ledger.store, account, told);
    const order = orderId === null ? null : (ledger.store.order(orderId)?.order ?? null);
    if (order === null || order.venueOrderId !== told.venueOrderId) return null;
    const isThere = told.state === 'rests' ? order.status === 'OPEN' : told.state === 'gone' && isEnded(order.status);
    return isThere && (told.stated?.size ?? 0) <= traded(order).size ? order : null;
  }

  /** Null: it is of no order that anybody here knows. */
  #applied(told: VenueOrder): Order | null {
    const { account, ledger, actorOfTag } = this.#parts;
    return ledger.change(entry => {
      const orderId =
        orderOfTrace(entry.transaction, account, told) ??
        (told.request === undefined ? null : adopt(entry, account, told, told.request, actorOfTag));
      if (orderId === null) return null;
      const known = entry.order(orderId);
      if (known.status === 'REJECTED' || this.#isForTheAnswer(known, told)) return known;
      // What it has traded is told by its fills, and if they do not come, by a look: until then it has not ended.
      if (told.state === 'gone' && (told.stated === null || this.#held.holdsOrder(orderId))) {
        this.#scheduler.lookSoon(orderId);
        return known;
      }
      const stated = told.stated === null ? null : filledInFrame(known.request, told.stated);
      return entry.apply(orderId, [standing({ ...told, stated }, entry.at)]);
    });
  }

  /**
   * The venue may tell that an order is gone, untraded, before its submission is answered with the reason, a refusal: that is left to
   * the answer, or to a look-up if there is none.
   */
  #isForTheAnswer({ status, venueOrderId, filled }: Order, told: VenueOrder): boolean {
    return status === 'SUBMITTED' && venueOrderId === null && filled.size === 0 && !hasLife(told);
  }

  /** What was reversed may rest again, or not: the venue knows. */
  #lookAfter(order: Order | null, hasFailed: boolean): void {
    if (order === null) return;
    const { orderId, status } = order;
    const isUnwanted = isToBeCancelled(order);
    if (hasFailed && status === 'OPEN') this.#scheduler.lookSoon(orderId);
    // It was looked for in vain, ever less often, and is there: its cancel does not wait for the next look.
    else if (isUnwanted && this.#scheduler.awaits(orderId)) this.#scheduler.cancelNow([orderId]);
    else if (isUnwanted || status === 'SUBMITTED') this.#scheduler.lookLater(orderId);
  }

  #strange({ venueOrderId, clientOrderId, state }: VenueOrder): void {
    const { account, ledger } = this.#parts;
    if (state === 'gone' || this.#strangers.get(venueOrderId) !== undefined) return;
    this.#strangers.set(venueOrderId, true);
    const detail = { podId: account.podId, venue: account.venue, venueOrderId, clientOrderId: clientOrderId ?? '' };
    ledger.change(entry => entry.diverged('unattributed-order', detail));
  }

  /** Fills whose order may have been found by now. */
  #house(): void {
    for (const fill of this.#orphans.fills()) this.#fill(fill);
  }
}

function isEnded(status: Order['status']): boolean {
  return status === 'FILLED' || status === 'CANCELLED';
}

/** It rests, will rest, or has traded. */
function hasLife({ state, stated }: VenueOrder): boolean {
  return state !== 'gone' || (stated !== null && stated.size > 0);
}
