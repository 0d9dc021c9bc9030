// Decides when the market requests of one connection run. Requests that name the same market run in their order. All others run in
// parallel, up to a bound. Also rejects requests for which no venue need be asked. Main thread.

import { type MarketKey, marketAddress } from '../../core/domain/market.ts';
import type { MarketMessage, MarketRequest, Rejection } from '../../core/wire/messages.ts';
import { limits } from '../../limits.ts';

export class RequestLanes {
  /** The end of each market's last request in flight, by market. */
  readonly #ends = new Map<string, Promise<void>>();
  #underWay = 0;

  get hasRoom(): boolean {
    return this.#underWay < limits.streamRequestsWaitingMax;
  }

  /** Starts the task in a later microtask. Tasks that wait for no earlier task start in the order of the calls. */
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

/**
 * Rejects a request for the NO side, because clients derive venue B's NO book from the YES book (interface §6). Returns null if the request
 * is valid.
 */
export function sideRejection({ market, side }: MarketRequest): Rejection | null {
  if (side === null || side === 'yes') return null;
  return { market, code: 'UNKNOWN_MARKET', message: 'side: must be "yes"; the NO side is derived from the YES book' };
}

export function tooManyMarkets(market: MarketKey): Rejection {
  const message = `a connection holds at most ${limits.marketsPerConnectionMax} markets (marketsPerConnectionMax)`;
  return { market, code: 'SUBSCRIPTION_LIMIT', message };
}
