// Orders by id: all live ones, and the last ended ones, because an exchange that runs for months must not keep all. Ids count up, so that
// chunks of an array hold them. A chunk with few remaining ids moves these to a map; otherwise one order that rests for days would keep a
// chunk. The object of an ended order is reused for the next one.

import type { MicroShares } from '../../core/domain/numbers.ts';
import { EndedOrders } from './ended-orders.ts';
import type { AccountId, NewOrder, OrderId, OrderView } from './engine-types.ts';
import { type Account, type Market, Order } from './order.ts';

const CHUNK = 4_096;
/** This many in a map take less memory than the chunk. */
const FEW = CHUNK / 8;

/** A live order, or the ring place of an ended one, until it is dropped. */
type Entry = Order | number;

interface Chunk {
  readonly entries: (Entry | undefined)[];
  /** Ids that are not dropped yet, or not issued yet. */
  left: number;
}

export class OrderTable {
  readonly #chunks: (Chunk | undefined)[] = [];
  /** Remainders of chunks that were freed. */
  readonly #left = new Map<OrderId, Entry>();
  readonly #ended: EndedOrders;
  readonly #unused: Order[] = [];
  #count = 0;

  constructor(endedMax: number) {
    this.#ended = new EndedOrders(endedMax);
  }

  /** A new order of the next id. */
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

  /** The object of a live order. Do not keep it across requests: it is reused for another order. */
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

  /** An ended order replaces the one that ended longest ago. */
  end(order: Order): void {
    const forgotten = this.#ended.forgottenNext;
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
    // A chunk with ids still to be issued has more than a few left.
    if (chunk.left <= FEW && chunk.entries.length === CHUNK) this.#dissolve(at, chunk);
  }

  #dissolve(at: number, { entries }: Chunk): void {
    for (const [index, entry] of entries.entries()) {
      if (entry !== undefined) this.#left.set((at * CHUNK + index) as OrderId, entry);
    }
    this.#chunks[at] = undefined;
  }
}
