// The requests of one connection about markets, which may wait for a venue: those that name the same market follow each other in the order
// in which they came, all others go on beside each other. Bounded. Main thread.

import { marketAddress } from '../../domain/market.ts';
import { limits } from '../../limits.ts';
import type { MarketMessage } from '../../wire/messages.ts';

export class RequestLanes {
  /** Of each market that a request under way names, the end of the last of these requests. */
  readonly #ends = new Map<string, Promise<void>>();
  #underWay = 0;

  get hasRoom(): boolean {
    return this.#underWay < limits.streamRequestsWaitingMax;
  }

  /** Begins the task in a later turn of the microtasks, those without a predecessor in the order of the calls. */
  enter(message: MarketMessage, task: () => Promise<void> | void): void {
    const requests = message.op === 'snapshot' ? [message.market] : message.markets;
    const names = new Set(requests.map(({ market }) => `${market.venue} ${marketAddress(market)}`));
    const before = [...names].flatMap(name => this.#ends.get(name) ?? []);
    this.#underWay += 1;
    const end: Promise<void> = Promise.all(before)
      .then(task)
      .then(() => {
        this.#underWay -= 1;
        for (const name of names) if (this.#ends.get(name) === end) this.#ends.delete(name);
      });
    for (const name of names) this.#ends.set(name, end);
  }
}
