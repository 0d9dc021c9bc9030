// The markets that are wanted on one channel of the stream, and what becomes of a wish that is refused: what nobody knows is given up, all
// else is asked for again at growing intervals. An answer to an earlier request says nothing of a later wish. Portable.

import { type MarketKey, marketAddress } from '../domain/market.ts';
import { limits } from '../limits.ts';
import type { RejectionCode } from '../wire/messages.ts';

interface Wish {
  readonly market: MarketKey;
  /** Id of the latest request for it; null before the first. */
  askedAs: string | null;
  /** In a row. */
  refusals: number;
}

export class MarketWishes {
  readonly #wishes = new Map<string, Wish>();

  get markets(): readonly MarketKey[] {
    return [...this.#wishes.values()].map(({ market }) => market);
  }

  add(market: MarketKey): void {
    this.#wishes.set(nameOf(market), { market, askedAs: null, refusals: 0 });
  }

  remove(market: MarketKey): void {
    this.#wishes.delete(nameOf(market));
  }

  has(market: MarketKey): boolean {
    return this.#wishes.has(nameOf(market));
  }

  ask(id: string, markets: readonly MarketKey[]): void {
    for (const market of markets) {
      const wish = this.#wishes.get(nameOf(market));
      if (wish !== undefined) wish.askedAs = id;
    }
  }

  accept(id: string, markets: readonly MarketKey[]): void {
    for (const market of markets) {
      const wish = this.#wishes.get(nameOf(market));
      if (wish?.askedAs === id) wish.refusals = 0;
    }
  }

  /** Milliseconds until the market is to be asked for again; null: it has been given up. */
  refuse(market: MarketKey, code: RejectionCode): number | null {
    const wish = this.#wishes.get(nameOf(market));
    if (wish === undefined) return null;
    if (code === 'UNKNOWN_MARKET') {
      this.remove(market);
      return null;
    }
    wish.refusals += 1;
    return retryPauseMs(wish.refusals);
  }

  /** Whether `id` is its latest request. */
  isAskedAs(id: string, market: MarketKey): boolean {
    return this.#wishes.get(nameOf(market))?.askedAs === id;
  }
}

/** After so many refusals in a row. */
export function retryPauseMs(refusals: number): number {
  return Math.min(limits.streamRetryMs * 2 ** (refusals - 1), limits.streamRetryMsMax);
}

export function nameOf(market: MarketKey): string {
  return `${market.venue}:${marketAddress(market)}`;
}
