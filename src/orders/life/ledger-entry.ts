// One change of the ledger, within its step. It moves orders by events, applies fills once by id, keeps positions, and numbers events. The
// venue's reports arrive late, twice and out of order. A report that the order's status does not admit changes nothing.

import type { ApiErrorKind } from '../../core/domain/answer.ts';
import { type Fill, mayFail, type Settlement } from '../../core/domain/fill.ts';
import { withItem } from '../../core/domain/lists.ts';
import type { Venue } from '../../core/domain/market.ts';
import type { MicroDollars, MicroShares, UnixMillis } from '../../core/domain/numbers.ts';
import { admits, isTerminal, type Order, type OrderEvent, type OrderId, transition } from '../../core/domain/order.ts';
import {
  canRest,
  type Filled,
  isExact,
  isFull,
  isOverfilled,
  NOTHING_FILLED,
  withoutFailed,
} from '../../core/domain/order-sums.ts';
import { assert } from '../../core/domain/result.ts';
import { isAutomatic, type WalletAction } from '../../core/domain/wallet-action.ts';
import { hasCome } from '../../core/runtime/timers.ts';
import type {
  Account,
  ActorEventRecord,
  IdempotencyEntry,
  LedgerTransaction,
  OrderEventRecord,
  StoredFill,
  StoredOrder,
} from '../../core/store/order-records.ts';
import { limits } from '../../limits.ts';
import type { VenueFill } from '../../venues/venue.ts';
import { bookFill, canBook, unbookFill } from './bookings.ts';
import type { Diverged } from './divergence.ts';
import { fillFor, isAdvance, isTradeOf, movementOf, NO_AMOUNTS, withBookedAmounts } from './fill-frame.ts';
import { countFill } from './protection-count.ts';
import { subtract } from './redeem-bounds.ts';
import { latestOf, resizeEvent } from './replacement-chain.ts';

export class LedgerEntry {
  /** The transaction of the step. Only the entry writes orders, keys and actions, because it notes those changes. */
  readonly transaction: Omit<LedgerTransaction, 'putOrder' | 'putIdempotency' | 'putAction'>;
  /** The time of the step. */
  readonly at: UnixMillis;
  /**
   * Events for the private stream. Like the next two lists, they are published once the step is complete. Null means that there are none.
   */
  events: ActorEventRecord[] | null = null;
  divergences: Parameters<Diverged>[] | null = null;
  /** The ids of orders that changed or whose key changed, and of wallets' actions. An id may occur twice. */
  changed: OrderId[] | null = null;
  readonly #transaction: LedgerTransaction;

  constructor(transaction: LedgerTransaction, at: UnixMillis) {
    this.transaction = this.#transaction = transaction;
    this.at = at;
  }

  diverged(...divergence: Parameters<Diverged>): void {
    this.divergences = withItem(this.divergences, divergence);
  }

  putOrder(stored: StoredOrder): void {
    this.#transaction.putOrder(stored);
    this.#noteChange(stored.order.orderId);
  }

  putKey(actorId: string, venue: Venue, key: string, entry: IdempotencyEntry): void {
    this.#transaction.putIdempotency(actorId, venue, key, entry);
    this.#noteChange(entry.orderId);
  }

  putAction(action: WalletAction): WalletAction {
    // If the nonce was used, nobody can be sure that the action has paid nothing. So the bound gets nothing back.
    if (action.status === 'FAILED' && !action.isNonceUsed && isAutomatic(action)) subtract(this.#transaction, action);
    this.events = withItem<ActorEventRecord>(this.events, this.#transaction.putAction(action));
    this.#noteChange(action.actionId);
    return action;
  }

  /** Returns the order as the step has left it so far. */
  order(orderId: OrderId): Order {
    return this.#stored(orderId).order;
  }

  /** Applies the events in sequence, except those that the order does not admit. `refusedAs` is the answer to a refusal among them. */
  apply(orderId: OrderId, events: readonly OrderEvent[], refusedAs: ApiErrorKind | null = null): Order {
    const stored = this.#stored(orderId);
    const before = stored.order;
    const moved = events.reduce((it, event) => this.#transition(it, event), before);
    if (moved === before) return moved;
    const order = this.#endReplaced(before, moved);
    const answeredAs = order.status === 'REJECTED' ? (refusedAs ?? stored.refusedAs) : null;
    this.putOrder({ ...stored, order, refusedAs: answeredAs });
    const isMoved = before.status !== order.status || before.stated !== order.stated;
    const isExplained = order.status === 'CANCELLED' && before.cancelReason !== order.cancelReason;
    if (isMoved || isExplained || before.venueOrderId !== order.venueOrderId) this.addEvent('STATUS', order, null);
    this.#resizeReplacements(order);
    return order;
  }

  /** Applies a fill of an account, once for each id. A null `orderId` means that no order is known. */
  applyFill(account: Account, venueFill: VenueFill, orderId: OrderId | null): void {
    const named = orderId === null ? null : this.#stored(orderId);
    // A trade that the order cannot have made is unattributed, because it could not be reversed as a fill of the order.
    const stored = named !== null && isTradeOf(named.order, venueFill) ? named : null;
    const { fillId } = venueFill;
    const known = this.transaction.fill(account, fillId);
    if (known !== null) {
      if (known.orderId === null && stored !== null) this.#claimOrphan(account, venueFill, known, stored);
      return;
    }
    if (named !== stored) this.diverged('fill-of-another', { orderId: named?.order.orderId ?? '', fillId });
    if (!this.#isCountable(account, venueFill, stored)) return;
    const fill = fillFor(stored?.order ?? null, venueFill);
    this.transaction.addFill(account, { fill, orderId: stored?.order.orderId ?? null });
    if (fill.settlement === 'FAILED') {
      // The failed fill is stored as well, so that older reports of it are ignored. The venue's own sum may include it.
      if (stored !== null) {
        const reversal = {
          type: 'reverses',
          at: this.at,
          fill: NO_AMOUNTS,
          uncounted: fill,
          rests: canRest(stored.order.request),
        } as const;
        this.apply(stored.order.orderId, [reversal]);
      }
      return;
    }
    bookFill(this.transaction, { account, actorId: stored?.order.actorId ?? null, at: this.at }, venueFill, fillId);
    if (stored !== null) this.#bookToOrder(account, stored, venueFill, fill);
    else {
      const { venueOrderId } = venueFill;
      this.diverged('unattributed-fill', { podId: account.podId, venue: account.venue, venueOrderId, fillId });
    }
  }

  /**
   * Advances the settlement of an applied fill. A failed fill is reversed. `rests` says whether its order is in the book. If `rests` is
   * null, an order that can rest is assumed to be in the book until the venue is asked. Returns false if too little is known of the fill to
   * reverse it.
   */
  applySettlement(
    account: Account,
    report: VenueFill | { readonly fillId: string; readonly settlement: Settlement },
    rests: boolean | null = null,
  ): boolean {
    const { fillId, settlement } = report;
    const known = this.transaction.fill(account, fillId);
    if (known === null) return false;
    if (!isAdvance(known.fill.settlement, settlement)) return true;
    const stored = known.orderId === null ? null : this.#stored(known.orderId);
    const nobodys = 'address' in report ? withBookedAmounts(report, known.fill) : null;
    const movement = stored === null ? nobodys : movementOf(stored.order, known.fill);
    if (settlement === 'FAILED') {
      if (movement === null) return false;
      const booking = { account, actorId: stored?.order.actorId ?? null, at: this.at };
      if (!unbookFill(this.transaction, booking, movement, fillId)) {
        this.#reportUncountable(account, fillId);
        return true;
      }
      if (stored !== null) this.#reportShareDebt(account, stored.order, movement.address, fillId);
    }
    this.transaction.amendFill(account, fillId, { settlement });
    if (settlement !== 'FAILED' || stored === null) return true;
    const event = {
      type: 'reverses',
      at: this.at,
      fill: known.fill,
      rests: rests ?? canRest(stored.order.request),
    } as const;
    const order = this.#transition(stored.order, event);
    this.putOrder({ ...stored, order });
    this.addEvent('FILL_REVERSED', order, { ...known.fill, settlement });
    return true;
  }

  /** Cuts the size of a replacement to the leaves quantity of the order before it. */
  capSize(orderId: OrderId, size: MicroShares): void {
    const { request, replaces } = this.order(orderId);
    if (replaces === null || 'dollars' in request || size >= request.size) return;
    const { orderId: previous, before } = replaces;
    this.apply(orderId, [{ type: 'resized', at: this.at, size, previous, before }]);
  }

  /**
   * Whether only a sum of the venue, in which a failed trade may count, says that an open order is completely filled. Such a sum may be
   * older than the failure, and the venue may have put the order back into its book since. Or the sum counts a trade that is not reported
   * yet.
   */
  mayCountFailed(order: Order, stated: Filled): boolean {
    const { status, request } = order;
    const mayRest = !isTerminal(status) && canRest(request) && isFull(request, stated);
    return mayRest && this.#withoutFailed(order, stated) !== stated;
  }

  addEvent(event: OrderEventRecord['event'], order: Order, fill: Fill | null): void {
    const { actorId } = order;
    const record = this.transaction.appendEvent({ actorId, event, order, fill, at: this.at });
    this.events = withItem<ActorEventRecord>(this.events, record);
  }

  #noteChange(orderId: OrderId): void {
    if (this.changed?.at(-1) !== orderId) this.changed = withItem(this.changed, orderId);
  }

  #stored(orderId: OrderId): StoredOrder {
    const stored = this.transaction.order(orderId);
    assert(stored !== null, 'an order that changes exists');
    return stored;
  }

  #bookToOrder(account: Account, stored: StoredOrder, venueFill: VenueFill, fill: Fill): void {
    const { venueOrderId: reportedId, address, positionChange } = venueFill;
    const { orderId, status, venueOrderId, replacedBy } = stored.order;
    if (status === 'REJECTED') this.diverged('fill-of-refused', { orderId, fillId: fill.fillId });
    const isLeft = replacedBy !== null && venueOrderId === null;
    const seen = { ...stored.order, venueOrderId: isLeft ? null : (venueOrderId ?? reportedId) };
    const order = this.#endReplaced(stored.order, this.#transition(seen, { type: 'fills', at: this.at, fill }));
    if (isOverfilled(order.request, order.filled) && !isOverfilled(seen.request, seen.filled))
      this.diverged('overfilled', { orderId, fillId: fill.fillId });
    this.putOrder({ ...stored, order, refusedAs: order.status === 'REJECTED' ? stored.refusedAs : null });
    this.addEvent('FILL', order, fill);
    countFill(this.transaction, order, fill, this.at);
    this.#resizeReplacements(order);
    if (positionChange < 0) this.#reportShareDebt(account, order, address, fill.fillId);
  }

  /**
   * Ends the order that the venue amended into this order. Its fills so far reduce the size of this order. If this order was given up,
   * another replacement may have taken its place at the venue by now. Then that replacement ends.
   */
  #endReplaced(before: Order, order: Order): Order {
    const { replaces, venueOrderId, request } = order;
    const isNow = replaces !== null && before.venueOrderId === null && venueOrderId !== null;
    if (!isNow || request.venue !== 'venue_b') return order;
    const oldId = latestOf(this.transaction, replaces.orderId);
    const old = this.apply(oldId, [{ type: 'replaced', at: this.at, by: order.orderId, isSame: true }]);
    return this.#transition(order, resizeEvent(this.transaction, order, old, this.at)!);
  }

  /** Takes a late trade of an order off the size of the orders that replaced it. */
  #resizeReplacements(changed: Order): void {
    // An order counts the trades of the two orders before it, so after two unchanged orders no other order changes.
    let unchanged = 0;
    for (let previous = changed; previous.replacedBy !== null && unchanged < 2; ) {
      const stored = this.#stored(previous.replacedBy);
      const { venueOrderId, replacedBy } = stored.order;
      // The order gets its place at the venue in this very step.
      if (venueOrderId === null && replacedBy === null) return;
      const event = resizeEvent(this.transaction, stored.order, previous, this.at);
      const order = event === null ? stored.order : this.#transition(stored.order, event);
      unchanged = order === stored.order ? unchanged + 1 : 0;
      if (order !== stored.order) this.putOrder({ ...stored, order });
      if (order.request !== stored.order.request) this.addEvent('STATUS', order, null);
      previous = order;
    }
  }

  /** Reports a negative balance of a token: the actor has sold tokens that belong to another actor of the pod. */
  #reportShareDebt({ venue }: Account, { orderId, actorId }: Order, address: string, fillId: string): void {
    const held = venue === 'venue_a' ? this.transaction.position(actorId, venue, address) : null;
    if (held !== null && held.size < 0) this.diverged('shares-owed', { orderId, actorId, fillId });
  }

  /** Moves an orphan fill to its order, which was not known until now. */
  #claimOrphan(account: Account, report: VenueFill, known: StoredFill, stored: StoredOrder): void {
    const { order } = stored;
    const venueFill = withBookedAmounts(report, known.fill);
    if (!this.#isCountable(account, venueFill, stored)) return;
    const fill = { ...fillFor(order, venueFill), settlement: known.fill.settlement };
    const { fillId } = fill;
    const isBooked = fill.settlement !== 'FAILED';
    if (isBooked && !unbookFill(this.transaction, { account, actorId: null, at: this.at }, venueFill, fillId)) {
      this.#reportUncountable(account, fillId);
      return;
    }
    this.transaction.claimFill(account, { fill, orderId: order.orderId });
    if (!isBooked) return;
    bookFill(this.transaction, { account, actorId: order.actorId, at: this.at }, venueFill, fillId);
    this.#bookToOrder(account, stored, venueFill, fill);
  }

  /** Returns whether the fill fits the exact range. Reports a fill that does not. */
  #isCountable(account: Account, venueFill: VenueFill, stored: StoredOrder | null): boolean {
    const { size, fees } = stored?.order.filled ?? NOTHING_FILLED;
    const total = { size: (size + venueFill.size) as MicroShares, fees: (fees + venueFill.fee) as MicroDollars };
    const actorId = stored?.order.actorId ?? null;
    const isExactWithIt = isExact(total) && canBook(this.transaction, { account, actorId }, venueFill);
    return isExactWithIt || this.#reportUncountable(account, venueFill.fillId);
  }

  /** Reports a fill whose effect on the position is unknown. */
  #reportUncountable({ podId, venue }: Account, fillId: string): false {
    this.diverged('uncountable-fill', { podId, venue, fillId });
    return false;
  }

  #transition(before: Order, reported: OrderEvent): Order {
    const event = this.#withoutFailedFills(before, reported);
    // An order that the venue shows was sent, even if the record says that it was not.
    const order =
      before.status === 'PENDING' && isTrace(event) ? transition(before, { type: 'sent', at: this.at }) : before;
    const isAdmitted: boolean = admits(order, event);
    if (isAdmitted) return transition(order, event);
    if (event.type === 'refused' && order.status !== 'REJECTED') {
      this.diverged('refused-but-there', { orderId: order.orderId, status: order.status });
    }
    return order;
  }

  #withoutFailedFills(order: Order, event: OrderEvent): OrderEvent {
    if (!('stated' in event) || event.stated === null) return event;
    const stated = this.#withoutFailed(order, event.stated);
    if (stated === event.stated) return event;
    const { type, at, venueOrderId } = event;
    const isDoubtful = type === 'ends' && this.mayCountFailed(order, event.stated) && mayPrecedeFailure(order, at);
    if (!isDoubtful || venueOrderId === null) return { ...event, stated };
    return { type: order.status === 'OPEN' ? 'rests' : 'delayed', at, venueOrderId, stated };
  }

  /** Returns the venue's sum without failed fills, which the sum may still include. */
  #withoutFailed(order: Order, stated: Filled): Filled | null {
    if (stated.size <= order.filled.size || !mayFail(order.request.venue)) return stated;
    const fills = this.transaction.fills(order.orderId, 0, limits.fillsOfOrderMax);
    const failed = fills.filter(({ settlement }) => settlement === 'FAILED');
    if (failed.length === 0) return stated;
    const size = failed.reduce((sum, fill) => sum + fill.size, 0) as MicroShares;
    return withoutFailed(stated, size, order.filled);
  }
}

/** Whether a report may be older than the failure. No report arrives later than the time of a look-up and the lag of a read together. */
function mayPrecedeFailure({ updatedAt }: Order, at: UnixMillis): boolean {
  const ageMsMax = limits.venueAReadLagMs + limits.lookTimeoutMs;
  return !hasCome(updatedAt + ageMsMax, at, ageMsMax);
}

function isTrace({ type }: OrderEvent): boolean {
  return type === 'rests' || type === 'fills' || type === 'ends' || type === 'delayed';
}
