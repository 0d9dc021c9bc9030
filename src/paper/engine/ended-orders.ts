// The last ended orders as plain columns in a ring. They no longer change, and objects that live so long would burden the
// garbage collector.

import type { Side } from '../../core/domain/market.ts';
import type { MicroDollars, MicroShares, Ticks, UnixMillis } from '../../core/domain/numbers.ts';
import { assert } from '../../core/domain/result.ts';
import type { AccountId, Effect, MarketId, OrderId, OrderStatus, OrderView } from './engine-types.ts';
import type { Order } from './order.ts';

const COLUMNS = 15;
/** Effects in the order of their codes. */
const EFFECTS: readonly Effect[] = ['net', 'open', 'close'];
const STATUSES: readonly OrderStatus[] = ['filled', 'cancelled'];
const NEVER = -1;

export class EndedOrders {
  readonly #max: number;
  readonly #columns: Float64Array;
  #count = 0;
  #next = 0;

  constructor(max: number) {
    assert(max > 0, 'the order that ended last is always remembered');
    this.#max = max;
    this.#columns = new Float64Array(max * COLUMNS);
  }

  /** The order that the next `keep` drops; −1 while there is room. */
  get forgottenNext(): OrderId {
    return (this.#count < this.#max ? -1 : this.#columns[this.#next * COLUMNS]!) as OrderId;
  }

  /** Stores an order in the ring; returns its place. */
  keep(order: Order): number {
    const place = this.#next;
    this.#write(order, place * COLUMNS);
    this.#next = place + 1 === this.#max ? 0 : place + 1;
    if (this.#count < this.#max) this.#count += 1;
    return place;
  }

  accountAt(place: number): AccountId {
    return this.#columns[place * COLUMNS + 1] as AccountId;
  }

  viewAt(place: number): OrderView {
    const at = place * COLUMNS;
    const column = (index: number): number => this.#columns[at + index]!;
    return {
      id: column(0) as OrderId,
      account: column(1) as AccountId,
      market: column(2) as MarketId,
      side: column(3) as Side,
      effect: EFFECTS[column(4)]!,
      price: column(5) as Ticks,
      size: column(6) as MicroShares,
      filled: column(7) as MicroShares,
      resting: 0 as MicroShares,
      status: STATUSES[column(8)]!,
      expiresAt: column(9) === NEVER ? null : (column(9) as UnixMillis),
      cost: column(10) as MicroDollars,
      fees: column(11) as MicroDollars,
      filledAsTaker: column(12) as MicroShares,
      costAsTaker: column(13) as MicroDollars,
      feesAsTaker: column(14) as MicroDollars,
      closing: 0 as MicroShares,
      reserved: 0 as MicroDollars,
    };
  }

  #write(order: Order, at: number): void {
    const columns = this.#columns;
    columns[at] = order.id;
    columns[at + 1] = order.account.id;
    columns[at + 2] = order.market.id;
    columns[at + 3] = order.side;
    columns[at + 4] = EFFECTS.indexOf(order.effect);
    columns[at + 5] = order.price;
    columns[at + 6] = order.size;
    columns[at + 7] = order.filled;
    columns[at + 8] = STATUSES.indexOf(order.status);
    columns[at + 9] = order.expiresAt ?? NEVER;
    columns[at + 10] = order.cost;
    columns[at + 11] = order.fees;
    columns[at + 12] = order.filledAsTaker;
    columns[at + 13] = order.costAsTaker;
    columns[at + 14] = order.feesAsTaker;
  }
}
