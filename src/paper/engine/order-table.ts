// Orders by id. Those that live are always here, of the others the last ones that ended: an exchange that runs for months must
// not keep what nobody will ask for again. Ids count up, so that chunks of an array hold them. A chunk of which few ids are left gives
// them to a map: else one order that rests for days would keep a chunk. An order that has ended lends its object to the next one.

import type { MicroShares } from '../../domain/numbers.ts';
import type { Account } from './accounts.ts';
import { EndedOrders } from './ended-orders.ts';
import type { AccountId, NewOrder, OrderId } from './engine-types.ts';
import type { Market } from './market.ts';
import { Order, type OrderView } from './order.ts';

const CHUNK = 4_096;
/** So many of them in a map take less room than the chunk. */
const FEW = CHUNK / 8;

/** An order that lives, or the place of one that has ended, until it is forgotten. */
type Entry = Order | number;

interface Chunk {
  readonly entries: (Entry | undefined)[];
  /** Ids that are not forgotten, or still to be given. */
  left: number;
}

export class OrderTable {
  readonly #chunks: (Chunk | undefined)[] = [];
  /** What is left of chunks that are gone. */
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

  /** Of an order that lives. Whoever holds it across requests holds another one some day. */
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

  /** An order that has ended takes the place of the one that ended longest ago. */
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
    // While ids of it are still to be given more than a few are left.
    if (chunk.left <= FEW && chunk.entries.length === CHUNK) this.#dissolve(at, chunk);
  }

  #dissolve(at: number, { entries }: Chunk): void {
    for (const [index, entry] of entries.entries()) {
      if (entry !== undefined) this.#left.set((at * CHUNK + index) as OrderId, entry);
    }
    this.#chunks[at] = undefined;
  }
}
