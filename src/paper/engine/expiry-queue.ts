// Resting orders that expire, soonest first, then by id. A binary heap in which every order knows its index, so that a
// cancelled order is removed at once.

import type { UnixMillis } from '../../core/domain/numbers.ts';
import type { Order } from './order.ts';

export class ExpiryQueue {
  readonly #heap: Order[] = [];

  /** When the next order is due; null if none expires. */
  get next(): UnixMillis | null {
    return this.#heap[0]?.expiresAt ?? null;
  }

  /** The next order due at `now`; it stays until removed. */
  due(now: UnixMillis): Order | null {
    const first = this.#heap[0];
    return first !== undefined && first.expiresAt! <= now ? first : null;
  }

  add(order: Order): void {
    this.#heap.push(order);
    this.#rise(order, this.#heap.length - 1);
  }

  remove(order: Order): void {
    const place = order.expiryPlace;
    const last = this.#heap.pop()!;
    order.expiryPlace = -1;
    if (last === order) return;
    this.#rise(last, place);
    this.#sink(last, last.expiryPlace);
  }

  #rise(order: Order, from: number): void {
    let place = from;
    while (place > 0) {
      const above = (place - 1) >>> 1;
      if (!isSooner(order, this.#heap[above]!)) break;
      this.#put(this.#heap[above]!, place);
      place = above;
    }
    this.#put(order, place);
  }

  #sink(order: Order, from: number): void {
    const heap = this.#heap;
    let place = from;
    for (;;) {
      let below = 2 * place + 1;
      if (below >= heap.length) break;
      if (below + 1 < heap.length && isSooner(heap[below + 1]!, heap[below]!)) below += 1;
      if (!isSooner(heap[below]!, order)) break;
      this.#put(heap[below]!, place);
      place = below;
    }
    this.#put(order, place);
  }

  #put(order: Order, place: number): void {
    this.#heap[place] = order;
    order.expiryPlace = place;
  }
}

function isSooner(a: Order, b: Order): boolean {
  return a.expiresAt === b.expiresAt ? a.id < b.id : a.expiresAt! < b.expiresAt!;
}
