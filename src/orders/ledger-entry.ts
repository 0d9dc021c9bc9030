// One change of the ledger from within its transaction: orders moved by what happens to them, fills applied once by their ids,
// positions kept, events numbered. What a venue tells comes late, twice and out of order: what an order's status does not admit
// any more changes nothing.

import type { ApiErrorKind } from '../domain/api-error.ts';
import type { Fill, Settlement } from '../domain/fill.ts';
import type { MicroDollars, MicroShares, UnixMillis } from '../domain/numbers.ts';
import { admits, type Order, type OrderEvent, type OrderId, transition } from '../domain/order.ts';
import { changed, noPosition } from '../domain/position.ts';
import { assert } from '../domain/result.ts';
import { type Account, type OrderEventRecord, type OrderTransaction, UNATTRIBUTED } from '../store/order-records.ts';
import type { VenueFill } from '../venues/venue.ts';
import type { Divergence } from './ledger.ts';

export interface LedgerEntryParts {
  readonly transaction: OrderTransaction;
  readonly at: UnixMillis;
  /** Receives what is to be told. */
  readonly events: OrderEventRecord[];
  readonly diverged: (kind: Divergence, detail: Readonly<Record<string, string>>) => void;
}

export class LedgerEntry {
  readonly transaction: OrderTransaction;
  /** When it happens. */
  readonly at: UnixMillis;
  readonly #events: OrderEventRecord[];
  readonly #diverged: LedgerEntryParts['diverged'];

  constructor({ transaction, at, events, diverged }: LedgerEntryParts) {
    this.transaction = transaction;
    this.at = at;
    this.#events = events;
    this.#diverged = diverged;
  }

  /** Moves an order by what it admits of these events, in their order. `refusedAs`: how a refusal among them is answered. */
  apply(orderId: OrderId, events: readonly OrderEvent[], refusedAs: ApiErrorKind | null = null): Order {
    const stored = this.transaction.order(orderId);
    assert(stored !== null, 'an order that changes is there');
    const before = stored.order;
    const order = events.reduce((it, event) => this.#moved(it, event), before);
    if (order === before) return order;
    const answeredAs = order.status === 'REJECTED' ? (refusedAs ?? stored.refusedAs) : null;
    this.transaction.putOrder({ ...stored, order, refusedAs: answeredAs });
    const isTold = before.status !== order.status || before.stated !== order.stated;
    if (isTold || before.venueOrderId !== order.venueOrderId) this.say('STATUS', order, null);
    return order;
  }

  /** A fill of an account, once for its id; false if it was applied before. `orderId` null: of no order that anybody here knows. */
  applyFill(account: Account, venueFill: VenueFill, orderId: OrderId | null): boolean {
    const fill = fillOf(venueFill);
    if (!this.transaction.addFill(account, { fill, orderId })) return false;
    const stored = orderId === null ? null : this.transaction.order(orderId);
    this.#book(account, venueFill, stored?.order.actorId ?? null, 1);
    if (stored === null) {
      const { venueOrderId, fillId } = venueFill;
      this.#diverged('unattributed-fill', { podId: account.podId, venue: account.venue, venueOrderId, fillId });
      return true;
    }
    if (stored.order.status === 'REJECTED') {
      this.#diverged('fill-of-refused', { orderId: stored.order.orderId, fillId: fill.fillId });
    }
    const venueOrderId = stored.order.venueOrderId ?? venueFill.venueOrderId;
    const order = this.#moved({ ...stored.order, venueOrderId }, { type: 'fills', at: this.at, fill });
    this.transaction.putOrder({ ...stored, order, refusedAs: order.status === 'REJECTED' ? stored.refusedAs : null });
    this.say('FILL', order, fill);
    return true;
  }

  /** A fill that was applied goes on to settle; one that fails is taken out again. `rests`: whether its order is in the book. */
  applySettlement(account: Account, venueFill: VenueFill, settlement: Settlement, rests: boolean): void {
    const known = this.transaction.fill(account, venueFill.fillId);
    if (known === null || known.fill.settlement === settlement || known.fill.settlement === 'FAILED') return;
    this.transaction.setSettlement(account, venueFill.fillId, settlement);
    if (settlement !== 'FAILED') return;
    const stored = known.orderId === null ? null : this.transaction.order(known.orderId);
    this.#book(account, venueFill, stored?.order.actorId ?? null, -1);
    if (stored === null) return;
    const event: OrderEvent = { type: 'reverses', at: this.at, fill: known.fill, rests };
    const order = this.#moved(stored.order, event);
    this.transaction.putOrder({ ...stored, order });
    this.say('FILL_REVERSED', order, { ...known.fill, settlement });
  }

  say(event: OrderEventRecord['event'], order: Order, fill: Fill | null): void {
    const { actorId } = order;
    this.#events.push(this.transaction.appendEvent({ actorId, event, order, fill, at: this.at }));
  }

  #moved(order: Order, event: OrderEvent): Order {
    const isAdmitted: boolean = admits(order, event);
    if (isAdmitted) return transition(order, event);
    const isContradiction =
      (event.type === 'refused' && order.status !== 'REJECTED') ||
      (event.type === 'rests' && order.status === 'REJECTED');
    if (isContradiction) this.#diverged('refused-but-there', { orderId: order.orderId, status: order.status });
    return order;
  }

  /** Into the position of whose the fill is, or out of it with `sign` −1. */
  #book(
    { podId, venue }: Account,
    { address, positionChange, addressPrice, fee }: VenueFill,
    actorId: string | null,
    sign: 1 | -1,
  ): void {
    const owner = actorId ?? unattributedOf(podId);
    const before = this.transaction.position(owner, venue, address) ?? noPosition(venue, address, this.at);
    const change = (sign * positionChange) as MicroShares;
    const after = changed(before, { change, addressPrice, fee: (sign * fee) as MicroDollars, at: this.at });
    this.transaction.putPosition(owner, after);
  }
}

/** Who owns in a pod what nobody here has made. */
export function unattributedOf(podId: string): string {
  return `${UNATTRIBUTED}:${podId}`;
}

function fillOf({ fillId, venueTradeId, price, size, fee, liquidity, settlement, executedAt }: VenueFill): Fill {
  return { fillId, venueTradeId, price, size, fee, liquidity, settlement, executedAt };
}
