// Cancels open orders page by page for as long as something forbids them, such as a triggered protection. Orders that have a cancel request
// already are left out. Engine thread.

import type { CancelReason, Order, OrderId } from '../../core/domain/order.ts';
import { type Timers, turn } from '../../core/runtime/timers.ts';
import { openOrderPages, recordCancelRequest, type Selection } from './cancel-requests.ts';
import type { Ledger } from './ledger.ts';

interface StandingParts {
  readonly ledger: Ledger;
  readonly timers: Timers;
  readonly reason: CancelReason;
  readonly storeFailed: (error: unknown) => void;
}

interface Forbidden extends Selection {
  /** Whether the order is still forbidden. */
  readonly isUnwanted: (order: Order) => boolean;
  /** Called with each page of the orders to cancel, and with whether their cancel requests are recorded. */
  readonly onUnwanted: (orderIds: readonly OrderId[], isRecorded: boolean) => void;
}

export class StandingCancels {
  readonly #parts: StandingParts;
  /** The names of cancels that are in progress. */
  readonly #cancelling = new Set<string>();
  /**
   * Versions of orders whose cancels were requested without a record. A version is not requested a second time until the request can be
   * recorded. Each change of an order makes another object.
   */
  readonly #requestedUnrecorded = new WeakSet<Order>();
  #isStopped = false;

  constructor(parts: StandingParts) {
    this.#parts = parts;
  }

  stop(): void {
    this.#isStopped = true;
  }

  /** Cancels the forbidden orders. Does nothing while the same cancel is in progress. */
  async cancel({ isUnwanted, onUnwanted, ...meant }: Forbidden): Promise<void> {
    const { store } = this.#parts.ledger;
    const name = `${meant.actorId} ${meant.venue} ${meant.address}`;
    if (this.#cancelling.has(name)) return;
    this.#cancelling.add(name);
    // The code that made the step goes on first, because it relies on the order as the step left it.
    await null;
    for (const page of openOrderPages(store, meant)) {
      if (this.#isStopped) break;
      const orders = page.map(orderId => store.order(orderId)!.order);
      const orderIds = orders.filter(it => it.cancelRequestedAt === null && isUnwanted(it)).map(it => it.orderId);
      const isRecorded = orderIds.length === 0 || this.#record(orderIds);
      const unasked = orderIds.filter(orderId => isRecorded || !this.#wasRequested(orderId));
      if (unasked.length > 0) onUnwanted(unasked, isRecorded);
      await turn(this.#parts.timers);
    }
    this.#cancelling.delete(name);
  }

  /** Whether the cancel of this version of the order was requested before without a record. Notes the request. */
  #wasRequested(orderId: OrderId): boolean {
    const order = this.#parts.ledger.store.order(orderId)?.order;
    if (order === undefined || this.#requestedUnrecorded.has(order)) return true;
    this.#requestedUnrecorded.add(order);
    return false;
  }

  /** Records the cancel requests. Returns false if the journal takes no record. The cancels are made in any case. */
  #record(orderIds: readonly OrderId[]): boolean {
    const { ledger, reason, storeFailed } = this.#parts;
    try {
      ledger.change(entry => {
        for (const orderId of orderIds) recordCancelRequest(entry, orderId, reason);
      });
      return true;
    } catch (error) {
      storeFailed(error);
      return false;
    }
  }
}
