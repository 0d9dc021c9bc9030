// The orders of an actor in one market that may still change its position, with running sums of their pending holds. So a risk check reads
// a sum, however many orders rest or have ended. Engine thread.

import { holdCostOf } from '../../../core/domain/hold-cost.ts';
import type { MicroDollars } from '../../../core/domain/numbers.ts';
import type { OrderId } from '../../../core/domain/order.ts';
import { directionOf, growthOf, isPassing, unreportedBuyOf } from '../../../core/domain/order-frame.ts';
import { isAtWork, type PendingHolds, type StoredOrder } from '../../../core/store/order-records.ts';
import { ExactSum } from './exact-sum.ts';

export class MarketHolds implements PendingHolds {
  /** Open orders, and ended ones that may get fills. */
  readonly ids = new Set<OrderId>();
  readonly #up = new ExactSum();
  readonly #down = new ExactSum();
  readonly #bought = new ExactSum();
  readonly #passing = new Map<OrderId, StoredOrder>();
  readonly #storedOf: (orderId: OrderId) => StoredOrder;
  /** Kept from the first question on: most actors have no limit that needs it. */
  #costs: { readonly up: ExactSum; readonly down: ExactSum } | null = null;

  constructor(storedOf: (orderId: OrderId) => StoredOrder) {
    this.#storedOf = storedOf;
  }

  growth(direction: 1 | -1): number {
    return (direction === 1 ? this.#up : this.#down).value;
  }

  cost(direction: 1 | -1): MicroDollars {
    if (this.#costs === null) {
      this.#costs = { up: new ExactSum(), down: new ExactSum() };
      for (const orderId of this.ids) this.#addCost(this.#storedOf(orderId), 1);
    }
    return (direction === 1 ? this.#costs.up : this.#costs.down).value as MicroDollars;
  }

  get bought(): number {
    return this.#bought.value;
  }

  get passing(): Iterable<StoredOrder> {
    return this.#passing.values();
  }

  change(orderId: OrderId, before: StoredOrder | null, after: StoredOrder | null): void {
    if (before !== null) this.#count(before, -1);
    if (after !== null) this.#count(after, 1);
    if (this.#costs !== null) {
      if (before !== null) this.#addCost(before, -1);
      if (after !== null) this.#addCost(after, 1);
    }
    if (after !== null && isAtWork(after)) this.ids.add(orderId);
    else this.ids.delete(orderId);
    if (after !== null && isPassing(after.order)) this.#passing.set(orderId, after);
    else this.#passing.delete(orderId);
  }

  #count({ order }: StoredOrder, sign: 1 | -1): void {
    (directionOf(order.request) === 1 ? this.#up : this.#down).add(sign * growthOf(order));
    this.#bought.add(sign * unreportedBuyOf(order));
  }

  #addCost({ order }: StoredOrder, sign: 1 | -1): void {
    const { up, down } = this.#costs!;
    (directionOf(order.request) === 1 ? up : down).add(sign * holdCostOf(order));
  }
}
