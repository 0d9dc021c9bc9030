// The subscription requests for one channel of the stream. A refusal for an unknown market ends the request. After any other refusal the
// client asks again at growing intervals. Only the answer to the latest request for a market counts. Portable.

import { type MarketKey, marketAddress } from '../../core/domain/market.ts';
import type { ChannelOptions, RejectionCode } from '../../core/wire/messages.ts';
import { limits } from '../../limits.ts';

interface SubscriptionRequest {
  readonly market: MarketKey;
  readonly options: ChannelOptions;
  /** The id of the latest message that asked for the market. Null before the first message. */
  requestId: string | null;
  /** The number of refusals in a row. */
  refusals: number;
}

export class SubscriptionRequests {
  readonly #requests = new Map<string, SubscriptionRequest>();

  get markets(): readonly MarketKey[] {
    return [...this.#requests.values()].map(({ market }) => market);
  }

  add(market: MarketKey, options: ChannelOptions): void {
    this.#requests.set(nameOf(market), { market, options, requestId: null, refusals: 0 });
  }

  /** Groups markets with equal options. */
  byOptions(markets: readonly MarketKey[]): Iterable<readonly [ChannelOptions, readonly MarketKey[]]> {
    const groups = new Map<string, [ChannelOptions, MarketKey[]]>();
    for (const market of markets) {
      const options = this.#requests.get(nameOf(market))?.options ?? {};
      const name = `${options.depth} ${options.minIntervalMs}`;
      const group = groups.get(name);
      if (group === undefined) groups.set(name, [options, [market]]);
      else group[1].push(market);
    }
    return groups.values();
  }

  remove(market: MarketKey): void {
    this.#requests.delete(nameOf(market));
  }

  has(market: MarketKey): boolean {
    return this.#requests.has(nameOf(market));
  }

  ask(id: string, markets: readonly MarketKey[]): void {
    for (const market of markets) {
      const request = this.#requests.get(nameOf(market));
      if (request !== undefined) request.requestId = id;
    }
  }

  accept(id: string, markets: readonly MarketKey[]): void {
    for (const market of markets) {
      const request = this.#requests.get(nameOf(market));
      if (request?.requestId === id) request.refusals = 0;
    }
  }

  /** Takes in a refusal. Returns the milliseconds until the client asks again, or null if the request has ended. */
  refuse(market: MarketKey, code: RejectionCode): number | null {
    const request = this.#requests.get(nameOf(market));
    if (request === undefined) return null;
    if (code === 'UNKNOWN_MARKET') {
      this.remove(market);
      return null;
    }
    request.refusals += 1;
    return retryPauseMs(request.refusals);
  }

  /** Whether `id` is the latest message that asked for the market. */
  isLatestRequest(id: string, market: MarketKey): boolean {
    return this.#requests.get(nameOf(market))?.requestId === id;
  }
}

/** The pause in milliseconds after this many refusals in a row. */
export function retryPauseMs(refusals: number): number {
  return Math.min(limits.streamRetryMs * 2 ** (refusals - 1), limits.streamRetryMsMax);
}

export function nameOf(market: MarketKey): string {
  return `${market.venue}:${marketAddress(market)}`;
}
