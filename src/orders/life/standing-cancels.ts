// Cancels open orders page by page for as long as something forbids them, such as a triggered protection. Orders with a cancel request are on
// their way out already. Engine thread.

import type { CancelReason, Order, OrderId } from '../../core/domain/order.ts';
import { type Timers, turn } from '../../core/runtime/timers.ts';
import { type Meant, openOrderPages, wantCancelled } from './cancel-requests.ts';
import type { Ledger } from './ledger.ts';

interface StandingParts {
  readonly ledger: Ledger;
  readonly timers: Timers;
  readonly reason: CancelReason;
  readonly storeFailed: (error: unknown) => void;
}

interface Forbidden extends Meant {
  /** Whether it still forbids the order. */
  readonly isUnwanted: (order: Order) => boolean;
  /** Called with orders to cancel and whether that is recorded; page by page for many orders. */
  readonly unwanted: (orderIds: readonly OrderId[], isRecorded: boolean) => void;
}

export class StandingCancels {
  readonly #parts: StandingParts;
  /** The names of cancels that are under way. */
  readonly #cancelling = new Set<string>();
  /**
   * Orders whose cancels were requested without a record, as they were then: no second request until there is a record. Each change makes
   * another object.
   */
  readonly #askedUnrecorded = new WeakSet<Order>();
  #isStopped = false;

  constructor(parts: StandingParts) {
    this.#parts = parts;
  }

  stop(): void {
    this.#isStopped = true;
  }

  /** Does nothing while the same is under way. */
  async cancel({ isUnwanted, unwanted, ...meant }: Forbidden): Promise<void> {
    const { store } = this.#parts.ledger;
    const name = `${meant.actorId} ${meant.venue} ${meant.address}`;
    if (this.#cancelling.has(name)) return;
    this.#cancelling.add(name);
    // The code that has made the step goes on first, since it knows the order as it was then.
    await null;
    for (const page of openOrderPages(store, meant)) {
      if (this.#isStopped) break;
      const orders = page.map(orderId => store.order(orderId)!.order);
      const orderIds = orders.filter(it => it.cancelRequestedAt === null && isUnwanted(it)).map(it => it.orderId);
      const isRecorded = orderIds.length === 0 || this.#want(orderIds);
      const unasked = orderIds.filter(orderId => isRecorded || !this.#isRequestedAgain(orderId));
      if (unasked.length > 0) unwanted(unasked, isRecorded);
      await turn(this.#parts.timers);
    }
    this.#cancelling.delete(name);
  }

  /** Whether the cancel of this version of the order was requested before, without a record; from now on it was. */
  #isRequestedAgain(orderId: OrderId): boolean {
    const order = this.#parts.ledger.store.order(orderId)?.order;
    if (order === undefined || this.#askedUnrecorded.has(order)) return true;
    this.#askedUnrecorded.add(order);
    return false;
  }

  /** False if the journal takes no record: the cancels are made all the same. */
  #want(orderIds: readonly OrderId[]): boolean {
    const { ledger, reason, storeFailed } = this.#parts;
    try {
      ledger.change(entry => {
        for (const orderId of orderIds) wantCancelled(entry, orderId, reason);
      });
      return true;
    } catch (error) {
      storeFailed(error);
      return false;
    }
  }
}
