// The version of the exchange that orders are signed for. It changes once in years, and an order signed for another one is refused:
// so it is asked at start, and again when the venue says so. Any thread.

import { isObject } from '../../../domain/json.ts';
import { type ChainId, type Exchange, type ExchangeVersion, exchangeOf } from '../exchanges.ts';
import type { VenueApi } from './venue-api.ts';

const VERSIONS: ReadonlyMap<unknown, ExchangeVersion> = new Map([
  [2, '2'],
  [3, '3'],
]);

export class SignedVersion {
  readonly #api: VenueApi;
  readonly #chainId: ChainId;
  #version: ExchangeVersion = '2';

  constructor(api: VenueApi, chainId: ChainId) {
    this.#api = api;
    this.#chainId = chainId;
  }

  exchange(isNegRisk: boolean): Exchange {
    return exchangeOf(this.#version, this.#chainId, isNegRisk);
  }

  /** Whether it is another one than before. */
  async ask(timeoutMs?: number): Promise<boolean> {
    const answer = await this.#api.readPublic('/version', timeoutMs);
    const stated = answer.ok && isObject(answer.value) ? VERSIONS.get(answer.value.version) : undefined;
    if (stated === undefined || stated === this.#version) return false;
    this.#version = stated;
    return true;
  }
}
