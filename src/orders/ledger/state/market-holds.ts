// The orders of an actor in one market that may still change its position, with running sums of their pending holds. A risk check reads a
// sum, however many orders rest or have ended. Engine thread.

import { holdCostOf } from '../../../core/domain/hold-cost.ts';
import type { MicroDollars } from '../../../core/domain/numbers.ts';
import { isTerminal, type Order, type OrderId } from '../../../core/domain/order.ts';
import { directionOf, growthOf, isPassing, unreportedBuyOf } from '../../../core/domain/order-frame.ts';
import { isActive, type PendingHolds, type StoredOrder } from '../../../core/store/order-records.ts';
import { ExactSum } from './exact-sum.ts';

export class MarketHolds implements PendingHolds {
  /** The open orders, and ended orders that may still get fills. */
  readonly ids = new Set<OrderId>();
  readonly #up = new ExactSum();
  readonly #down = new ExactSum();
  readonly #bought = new ExactSum();
  readonly #immediate = new Set<OrderId>();
  readonly #storedOf: (orderId: OrderId) => StoredOrder;
  /** The sums of costs. They are kept from the first call of `cost` on, because most actors have no limit that needs them. */
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
      for (const orderId of this.ids) {
        const { order } = this.#storedOf(orderId);
        (directionOf(order.request) === 1 ? this.#costs.up : this.#costs.down).add(holdCostOf(order));
      }
    }
    return (direction === 1 ? this.#costs.up : this.#costs.down).value as MicroDollars;
  }

  get bought(): number {
    return this.#bought.value;
  }

  get immediate(): Iterable<StoredOrder> {
    return this.#immediate.size === 0 ? NONE : Array.from(this.#immediate, this.#storedOf);
  }

  /** Takes in a change of an order. Returns false if nothing has changed on which a hold depends. */
  change(orderId: OrderId, before: StoredOrder | null, after: StoredOrder | null): boolean {
    if (before !== null && after !== null && isSameHold(before.order, after.order)) return false;
    if (before !== null) this.#count(before.order, -1);
    if (after !== null) this.#count(after.order, 1);
    if (after !== null && isActive(after)) this.ids.add(orderId);
    else this.ids.delete(orderId);
    if (after !== null && isPassing(after.order)) this.#immediate.add(orderId);
    else this.#immediate.delete(orderId);
    return true;
  }

  #count(order: Order, sign: 1 | -1): void {
    const isUp = directionOf(order.request) === 1;
    const growth = growthOf(order);
    if (growth !== 0) (isUp ? this.#up : this.#down).add(sign * growth);
    const bought = order.stated === null ? 0 : unreportedBuyOf(order);
    if (bought !== 0) this.#bought.add(sign * bought);
    if (this.#costs !== null) (isUp ? this.#costs.up : this.#costs.down).add(sign * holdCostOf(order, growth));
  }
}

const NONE: readonly StoredOrder[] = [];

/** Whether an open order stays open and has traded nothing more. */
function isSameHold(one: Order, other: Order): boolean {
  const isSame =
    one.request === other.request &&
    one.filled === other.filled &&
    (one.stated?.size ?? 0) === (other.stated?.size ?? 0);
  return isSame && !isTerminal(one.status) && !isTerminal(other.status);
}
