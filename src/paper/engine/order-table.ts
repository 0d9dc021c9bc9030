// The orders by id: all live orders, and the orders that ended last, because an exchange that runs for months must not keep all. Ids count
// up, so chunks of an array hold them. A chunk with few remaining ids moves them to a map. Otherwise one order that rests for days would
// keep a whole chunk. The object of an ended order is reused for the next order.

import type { Side } from '../../core/domain/market.ts';
import type { MicroDollars, MicroShares, Ticks, UnixMillis } from '../../core/domain/numbers.ts';
import { assert } from '../../core/domain/result.ts';
import type { AccountId, Effect, MarketId, NewOrder, OrderId, OrderStatus, OrderView } from './engine-types.ts';
import { type Account, type Market, Order } from './order.ts';

const CHUNK = 4_096;
/** The most orders that take less memory in a map than their chunk does. */
const FEW = CHUNK / 8;

/** A live order, or the place in the ring of an ended order that is not dropped yet. */
type Entry = Order | number;

interface Chunk {
  readonly entries: (Entry | undefined)[];
  /** The number of ids that are not dropped yet or not issued yet. */
  left: number;
}

export class OrderTable {
  readonly #chunks: (Chunk | undefined)[] = [];
  /** The entries that remained of chunks that were freed. */
  readonly #left = new Map<OrderId, Entry>();
  readonly #ended: EndedOrders;
  readonly #unused: Order[] = [];
  #count = 0;

  constructor(endedMax: number) {
    this.#ended = new EndedOrders(endedMax);
  }

  /** Makes a new order with the next id. */
  open(account: Account, market: Market, request: NewOrder, size: MicroShares): Order {
    const order = this.#unused.pop() ?? new Order();
    order.begin(this.#count as OrderId, account, market, request, size);
    let chunk = this.#chunks[Math.floor(this.#count / CHUNK)];
    if (chunk === undefined) {
      chunk = { entries: [], left: CHUNK };
      this.#chunks.push(chunk);
    }
    chunk.entries.push(order);
    this.#count += 1;
    return order;
  }

  /** Returns the object of a live order. Do not keep it from one request to the next, because it is reused for another order. */
  live(id: OrderId): Order | undefined {
    const entry = this.#entry(id);
    return typeof entry === 'object' ? entry : undefined;
  }

  ownerOfEnded(id: OrderId): AccountId | undefined {
    const entry = this.#entry(id);
    return typeof entry === 'number' ? this.#ended.accountAt(entry) : undefined;
  }

  view(id: OrderId): OrderView | undefined {
    const entry = this.#entry(id);
    return typeof entry === 'number' ? this.#ended.viewAt(entry) : entry?.view();
  }

  /** Ends an order. It takes the place of the order that ended longest ago. */
  end(order: Order): void {
    const forgotten = this.#ended.nextDropped;
    if (forgotten >= 0) this.#forget(forgotten);
    const at = Math.floor(order.id / CHUNK);
    const place = this.#ended.keep(order);
    const chunk = this.#chunks[at];
    if (chunk === undefined) this.#left.set(order.id, place);
    else chunk.entries[order.id - at * CHUNK] = place;
    this.#unused.push(order);
  }

  #entry(id: OrderId): Entry | undefined {
    const at = Math.floor(id / CHUNK);
    const chunk = this.#chunks[at];
    return chunk === undefined ? this.#left.get(id) : chunk.entries[id - at * CHUNK];
  }

  #forget(id: OrderId): void {
    const at = Math.floor(id / CHUNK);
    const chunk = this.#chunks[at];
    if (chunk === undefined) {
      this.#left.delete(id);
      return;
    }
    chunk.entries[id - at * CHUNK] = undefined;
    chunk.left -= 1;
    // A chunk with ids that are still to be issued has more than a few left, so only full chunks are checked.
    if (chunk.left <= FEW && chunk.entries.length === CHUNK) this.#dissolve(at, chunk);
  }

  #dissolve(at: number, { entries }: Chunk): void {
    for (const [index, entry] of entries.entries()) {
      if (entry !== undefined) this.#left.set((at * CHUNK + index) as OrderId, entry);
    }
    this.#chunks[at] = undefined;
  }
}

const COLUMNS = 15;
/** The number of ended orders for which there is room at first. The room doubles as orders end. */
const ROWS_MIN = 64;
/** The effects in the order of their codes. */
const EFFECTS: readonly Effect[] = ['net', 'open', 'close'];
const STATUSES: readonly OrderStatus[] = ['filled', 'cancelled'];
const NEVER = -1;

class EndedOrders {
  readonly #max: number;
  #columns: Float64Array;
  #count = 0;
  #next = 0;

  constructor(max: number) {
    assert(max > 0, 'the order that ended last is always remembered');
    this.#max = max;
    this.#columns = new Float64Array(Math.min(ROWS_MIN, max) * COLUMNS);
  }

  /** The order that the next `keep` drops. −1 means that there is room. */
  get nextDropped(): OrderId {
    return (this.#count < this.#max ? -1 : this.#columns[this.#next * COLUMNS]!) as OrderId;
  }

  /** Stores an order in the ring. Returns its place. */
  keep(order: Order): number {
    const place = this.#next;
    if (place * COLUMNS === this.#columns.length) this.#grow();
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

  #grow(): void {
    const columns = new Float64Array(Math.min(this.#columns.length * 2, this.#max * COLUMNS));
    columns.set(this.#columns);
    this.#columns = columns;
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
