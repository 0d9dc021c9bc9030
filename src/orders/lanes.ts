// Bounded concurrency for work on orders, first in, first out. A repeated request for pending work shares its result. Engine
// thread.

import type { OrderId } from '../domain/order.ts';

export class Lanes<T> {
  readonly #lanesMax: number;
  readonly #work: (orderId: OrderId) => Promise<T>;
  /** Waiting and under way. */
  readonly #asked = new Map<OrderId, Promise<T>>();
  readonly #waiting: (() => void)[] = [];
  #busy = 0;

  constructor(lanesMax: number, work: (orderId: OrderId) => Promise<T>) {
    this.#lanesMax = lanesMax;
    this.#work = work;
  }

  run(orderId: OrderId): Promise<T> {
    const asked = this.#asked.get(orderId);
    if (asked !== undefined) return asked;
    const done = this.#runInTurn(orderId);
    this.#asked.set(orderId, done);
    return done;
  }

  async #runInTurn(orderId: OrderId): Promise<T> {
    if (this.#busy < this.#lanesMax) this.#busy += 1;
    else await new Promise<void>(resolve => this.#waiting.push(resolve));
    try {
      return await this.#work(orderId);
    } finally {
      this.#asked.delete(orderId);
      // The next waiting task takes the lane over.
      const next = this.#waiting.shift();
      if (next === undefined) this.#busy -= 1;
      else next();
    }
  }
}
