// The exchange version that orders are signed for. It changes once in years, and the venue refuses an order for another version. So
// it is read at the start, and again when the venue says so. Any thread.

import type { Intent } from '../../../domain/intent.ts';
import { isObject } from '../../../domain/json.ts';
import { parseJsonBytes } from '../../venue-json.ts';
import { type ChainId, type Exchange, type ExchangeVersion, exchangeOf } from '../exchanges.ts';
import { orderDigest, orderId } from '../order-signing.ts';
import { readSignedOrder } from '../signed-order.ts';
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

  /** An unreadable answer changes nothing. */
  async ask(timeoutMs?: number): Promise<void> {
    const answer = await this.#api.readPublic('/version', timeoutMs);
    const stated = answer.ok && isObject(answer.value) ? VERSIONS.get(answer.value.version) : undefined;
    this.#version = stated ?? this.#version;
  }

  /** Whether the order would be the same if signed now: another version may have been read since. */
  isOf({ payload, venueOrderId }: Intent): boolean {
    const body = parseJsonBytes(payload);
    const signed = readSignedOrder(isObject(body) ? body.order : null);
    const exchanges = [this.exchange(false), this.exchange(true)];
    return signed.ok && exchanges.some(it => orderId(orderDigest(signed.value.order, it)) === venueOrderId);
  }
}
