// Applies to the ledger what happens to one account at its venue. The private stream reports events in any order and any number of times;
// readings find what no stream reported. A restart loses nothing: only applied fills move the mark from which fills are read. Engine
// thread.

import { BoundedMap } from '../../core/domain/bounded-map.ts';
import { isTerminal, isToBeCancelled, type Order, type OrderId } from '../../core/domain/order.ts';
import { filledInFrame } from '../../core/domain/order-frame.ts';
import { type Filled, traded } from '../../core/domain/order-sums.ts';
import { unreachable } from '../../core/domain/result.ts';
import { limits } from '../../limits.ts';
import type { PrivateEvent, VenueFill, VenueOrder } from '../../venues/venue.ts';
import type { AccountParts } from './account-parts.ts';
import { AccountReading } from './account-reading.ts';
import { adopt, orderOfTrace, requestOfTrade } from './adoption.ts';
import { bookSettlement, settledValue, unattributedOf } from './bookings.ts';
import { stateEvent } from './evidence.ts';
import { isAdvance } from './fill-frame.ts';
import { HeldRows } from './held-rows.ts';
import { HoldingsAudit } from './holdings-audit.ts';
import type { LedgerEntry } from './ledger-entry.ts';
import { MissedNews } from './missed-news.ts';
import { OrphanFills } from './orphan-fills.ts';
import { ReconcileScheduler } from './reconcile-scheduler.ts';
import { Redemptions } from './redemptions.ts';
import { ownFilled } from './replacement-chain.ts';

export class AccountExecutions {
  readonly #parts: AccountParts;
  readonly #held: HeldRows;
  readonly #scheduler: ReconcileScheduler;
  readonly #reading: AccountReading;
  readonly #orphans: OrphanFills;
  readonly #audit: HoldingsAudit;
  readonly #redemptions: Redemptions;
  readonly #missed: MissedNews;
  /** Settlements that arrived before their fill, by the id of the fill. */
  readonly #early = new BoundedMap<string, Extract<PrivateEvent, { type: 'settlement' }>>(limits.earlySettlementsMax);
  /** Payouts that could not be recorded, by address. They are kept because no later reading brings them back. */
  readonly #unbooked = new Map<string, Extract<PrivateEvent, { type: 'settled' }>>();
  readonly #unknownOrders = new BoundedMap<string, true>(limits.strangeOrdersMax);
  #stopListening: () => void = () => {};

  constructor(parts: AccountParts) {
    this.#parts = parts;
    this.#held = new HeldRows(parts);
    this.#scheduler = new ReconcileScheduler({ ...parts, onUnread: row => this.#held.report(row) });
    this.#audit = new HoldingsAudit(parts, this.#held);
    const reader = {
      fill: (fill: VenueFill) => this.#applyFill(fill),
      order: (order: VenueOrder) => this.#applyListed(order),
      // Waiting fills are in memory only, so while any fill waits, a restart must read again what this reading has read.
      isComplete: () => this.#orphans.size === 0,
    };
    this.#missed = new MissedNews(isBehind => parts.announce(parts.account, { type: 'behind', isBehind }));
    const helpers = { scheduler: this.#scheduler, reader, held: this.#held, missed: this.#missed };
    this.#reading = new AccountReading(parts, helpers);
    this.#orphans = new OrphanFills(parts, this.#scheduler, this.#reading);
    this.#redemptions = new Redemptions(parts);
  }

  /** Whether a full reading has succeeded since the start (contract §4.7). */
  get isRead(): boolean {
    return this.#reading.isRead;
  }

  /** Whether reads may lack news that the venue has reported. */
  get isBehind(): boolean {
    return this.#missed.isBehind;
  }

  start(): void {
    this.#stopListening = this.#parts.trading.listen(
      event => this.handle(event),
      address => this.#isHeld(address),
    );
    this.#beginReading();
  }

  stop(): void {
    this.#stopListening();
  }

  /**
   * Handles an event of the venue. If the event cannot be recorded, the account is read again, as after a lost connection. A payout is
   * kept, because the venue may report it only once.
   */
  handle(event: PrivateEvent): void {
    try {
      this.#apply(event);
    } catch (error) {
      this.#parts.storeFailed(error);
      if (event.type === 'settled') this.#unbooked.set(event.address, event);
      this.#missed.noteMissed();
      this.#reading.readSoon();
    }
  }

  #apply(event: PrivateEvent): void {
    switch (event.type) {
      case 'fill':
        this.#applyFill(event.fill);
        break;
      case 'settlement':
        this.#applySettlement(event);
        break;
      case 'order':
        this.#applyOrder(event.order);
        break;
      case 'settled': {
        const { account, ledger, actorsOf } = this.#parts;
        const owners = actorsOf(account.podId);
        // Each message carries the whole list of payouts, so most values are booked already. For those no step is needed.
        if (settledValue(ledger.store, account, event.address) !== event.value)
          ledger.change(({ transaction }) => bookSettlement(transaction, account, owners, event));
        this.#unbooked.delete(event.address);
        break;
      }
      case 'unlisted': {
        const { account, ledger } = this.#parts;
        const { podId, venue } = account;
        ledger.change(entry => entry.diverged('settlement-unlisted', { podId, venue, address: event.address }));
        break;
      }
      case 'unread':
        this.#held.report(event.row);
        // The audit of holdings asks for positions anyway. An unreadable row of another kind needs a reading.
        if (event.row.about !== 'position') this.#reading.reread();
        break;
      case 'group':
        // protection-groups.ts handles this event where groups exist.
        break;
      case 'redeemable':
        this.#redemptions.handle(event.addresses);
        break;
      case 'attestation':
        this.#parts.announce(this.#parts.account, event);
        break;
      case 'up':
        this.#missed.noteUp();
        this.#parts.announce(this.#parts.account, { type: 'stream-up' });
        this.#beginReading();
        break;
      case 'down':
        this.#missed.noteDown();
        this.#parts.announce(this.#parts.account, { type: 'stream-down', message: event.message });
        break;
      default:
        unreachable(event);
    }
  }

  cancelNow(orderIds: readonly OrderId[], isRecorded: boolean): void {
    this.#scheduler.cancelNow(orderIds, isRecorded);
  }

  /** Does all due work. Resolves when it is done. */
  async sweep(): Promise<void> {
    await Promise.all([this.#scheduler.sweep(), this.#reading.readIfDue()]);
    if (this.#parts.ledger.store.problem === null) for (const payout of this.#unbooked.values()) this.handle(payout);
    this.#retryOrphans();
    if (this.#isBooked()) this.#parts.background.begin(() => this.#audit.checkIfDue());
  }

  /** Whether every recent trade is booked: no trade is unread, and no fill waits for its order. */
  #isBooked(): boolean {
    const ageMs = this.#parts.timers.now() - this.#reading.lastReadAt;
    return this.isRead && ageMs <= limits.holdingsReadAgeMs && this.#orphans.size === 0;
  }

  #beginReading(): void {
    this.#parts.background.begin(() => this.#reading.read());
  }

  #applyFill(report: VenueFill): void {
    const { account, ledger } = this.#parts;
    const fill = this.#orphans.asFirstReported(report);
    if (this.#orphans.keepIfWaiting(fill)) return;
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
    this.#orphans.drop(fill);
    this.#early.delete(fill.fillId);
    // The order was given up here but has traded at the venue, so its rest is cancelled.
    if (wasRefused && order?.status === 'CANCELLED') this.#scheduler.cancelTrace(order, fill.venueOrderId);
    this.#scheduleCheck(order, fill.settlement === 'FAILED' || early?.settlement === 'FAILED');
  }

  /**
   * Returns the order of a fill, adopted from the fill if its record is lost. Null means that no order is known. To be called within the
   * transaction.
   */
  #ownerOf(entry: LedgerEntry, fill: VenueFill): OrderId | null {
    const { account, actorOfTag } = this.#parts;
    const known = orderOfTrace(entry.transaction, account, fill);
    if (known !== null || entry.transaction.fill(account, fill.fillId) !== null) return known;
    // The order does not rest, so its trades are the only evidence of its size.
    const size = this.#orphans.waitingSizeOf(fill);
    return adopt(entry, account, fill, requestOfTrade(fill, size), actorOfTag);
  }

  #applySettlement(event: Extract<PrivateEvent, { type: 'settlement' }>): void {
    const { account, ledger } = this.#parts;
    const { fillId } = event;
    const known = ledger.store.fill(account, fillId);
    if (known === null) {
      const earlier = this.#early.get(fillId)?.settlement ?? 'MATCHED';
      if (isAdvance(earlier, event.settlement)) this.#early.set(fillId, event);
      return;
    }
    const order = ledger.change(entry => {
      const isDone = entry.applySettlement(account, event);
      // The failed trade has no order here. A reading of the venue's list of trades shows which position the trade moved.
      if (!isDone) this.#reading.readFrom(known.fill.executedAt);
      return known.orderId === null ? null : entry.order(known.orderId);
    });
    this.#scheduleCheck(order, event.settlement === 'FAILED');
  }

  #isHeld(address: string): boolean {
    const { account, ledger, actorsOf } = this.#parts;
    const owners = [...actorsOf(account.podId), unattributedOf(account.podId)];
    return owners.some(owner => (ledger.store.position(owner, account.venue, address)?.size ?? 0) !== 0);
  }

  /**
   * Handles a row of a reading. If the row rests at the venue but its order has ended here, the order is looked up. Either the reading is
   * stale, or the end was wrong.
   */
  #applyListed(row: VenueOrder): void {
    this.#applyOrder(row);
    const { account, ledger } = this.#parts;
    const orderId = orderOfTrace(ledger.store, account, row);
    const order = orderId === null ? null : (ledger.store.order(orderId)?.order ?? null);
    // If another order has replaced this order, the replacement is what rests under the venue's id.
    const isLeft = order?.replacedBy !== null;
    if (row.state !== 'gone' && order !== null && isTerminal(order.status) && !isLeft)
      this.#scheduler.recheckEnd(order, row.venueOrderId);
  }

  #applyOrder(update: VenueOrder): void {
    const order = this.#orderIfUnchanged(update) ?? this.#changeOrder(update);
    if (order === null) this.#reportUnknown(update);
    else if (order.status === 'REJECTED' && isAlive(update)) this.#scheduler.cancelTrace(order, update.venueOrderId);
    else this.#scheduleCheck(order, false);
  }

  /**
   * Returns the order if the update changes nothing, and null if the update is new. The answer to the submission often came before the
   * update; this check then saves a step.
   */
  #orderIfUnchanged(update: VenueOrder): Order | null {
    const { account, ledger } = this.#parts;
    const orderId = orderOfTrace(ledger.store, account, update);
    const order = orderId === null ? null : (ledger.store.order(orderId)?.order ?? null);
    if (order === null || order.venueOrderId !== update.venueOrderId) return null;
    const isThere = update.state === 'rests' ? order.status === 'OPEN' : update.state === 'gone' && isEnded(order);
    const isExplained =
      update.reason === undefined || order.status === 'FILLED' || order.cancelReason === update.reason;
    return isThere && isExplained && (update.stated?.size ?? 0) <= traded(order).size ? order : null;
  }

  /** Applies the update to its order. Returns null if no order is known or can be adopted. */
  #changeOrder(update: VenueOrder): Order | null {
    const { account, ledger, actorOfTag } = this.#parts;
    return ledger.change(entry => {
      const orderId =
        orderOfTrace(entry.transaction, account, update) ??
        (update.request === undefined ? null : adopt(entry, account, update, update.request, actorOfTag));
      if (orderId === null) return null;
      const known = entry.order(orderId);
      if (known.status === 'REJECTED' || this.#isLeftToAnswer(known, update)) return known;
      const framed = update.stated === null ? null : filledInFrame(known.request, update.stated);
      const stated = ownFilled(entry.transaction, known, framed);
      if (update.state === 'gone' && this.#isUnclear(entry, known, stated)) {
        this.#scheduler.lookSoon(orderId);
        return known;
      }
      return entry.apply(orderId, [stateEvent({ ...update, stated }, entry.at)]);
    });
  }

  /** Whether the end of the order must wait until its fills, or a look-up, say how much it traded. */
  #isUnclear(entry: LedgerEntry, known: Order, stated: Filled | null): boolean {
    return stated === null || entry.mayCountFailed(known, stated) || this.#held.isOrderHeld(known.orderId);
  }

  /**
   * Whether an update is left to the answer to the submission. The venue may report an untraded order as gone before it refuses the
   * submission, and only the answer gives the reason. If no answer comes, a look-up decides.
   */
  #isLeftToAnswer({ status, venueOrderId, filled }: Order, update: VenueOrder): boolean {
    return status === 'SUBMITTED' && venueOrderId === null && filled.size === 0 && !isAlive(update);
  }

  /** Schedules the look-up or the cancel that an order needs. After a reversed fill only the venue knows whether the order still rests. */
  #scheduleCheck(order: Order | null, hasFailed: boolean): void {
    if (order === null) return;
    const { orderId, status } = order;
    const isUnwanted = isToBeCancelled(order);
    if (hasFailed && status === 'OPEN') this.#scheduler.lookSoon(orderId);
    // Look-ups grow rare after they fail, but this report proves that the order exists. So it is cancelled without waiting for the next
    // look-up.
    else if (isUnwanted && this.#scheduler.isScheduled(orderId)) this.#scheduler.cancelNow([orderId]);
    else if (isUnwanted || status === 'SUBMITTED') this.#scheduler.lookLater(orderId);
  }

  #reportUnknown({ venueOrderId, clientOrderId, state }: VenueOrder): void {
    const { account, ledger } = this.#parts;
    if (state === 'gone' || this.#unknownOrders.get(venueOrderId) !== undefined) return;
    this.#unknownOrders.set(venueOrderId, true);
    const detail = { podId: account.podId, venue: account.venue, venueOrderId, clientOrderId: clientOrderId ?? '' };
    ledger.change(entry => entry.diverged('unattributed-order', detail));
  }

  /** Applies waiting fills whose order may be known by now. */
  #retryOrphans(): void {
    for (const fill of this.#orphans.fills()) this.#applyFill(fill);
  }
}

function isEnded({ status }: Order): boolean {
  return status === 'FILLED' || status === 'CANCELLED';
}

/** Whether the order rests, will rest, or has traded. */
function isAlive({ state, stated }: VenueOrder): boolean {
  return state !== 'gone' || (stated !== null && stated.size > 0);
}
