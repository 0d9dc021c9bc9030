// The dollars of one wallet of venue A. The CLOB answers from a cache (venue-a.md §3.7), which lacks deposits, withdrawals and redemptions
// until a client has it updated. So each read asks for an update first, but at most every two seconds, because the rate limit of updates is
// small (§10). Engine thread.

import { isObject } from '../../../core/domain/json.ts';
import type { MicroDollars } from '../../../core/domain/numbers.ts';
import type { VenueAOrderRequest } from '../../../core/domain/order-request.ts';
import { fail, ok, type Result } from '../../../core/domain/result.ts';
import { limits } from '../../../limits.ts';
import { assetQuery } from './holdings.ts';
import type { VenueApi } from './venue-api.ts';
import { collateralOf } from './wire-numbers.ts';

const UPDATED_EVERY_MS = 2_000;
/** The longest wait for an update, which waits for the chain. Without the update, the balance is the last known one. */
const UPDATE_MS = limits.upstreamRestTimeoutMs / 2;

interface Unread {
  readonly message: string;
  /** The HTTP status. Null if the venue has not answered. */
  readonly status: number | null;
}

export class Collateral {
  readonly #api: VenueApi;
  readonly #signatureType: number;
  readonly #query: string;
  #updatedAt = Number.NEGATIVE_INFINITY;
  /** The time of the last update of any token. */
  #tokenUpdatedAt = Number.NEGATIVE_INFINITY;
  #updating: Promise<unknown> = Promise.resolve();

  constructor(api: VenueApi, signatureType: number) {
    this.#api = api;
    this.#signatureType = signatureType;
    this.#query = `asset_type=COLLATERAL&signature_type=${signatureType}`;
  }

  /** Reads the dollars, including the money that resting buys hold back. */
  async read(): Promise<Result<MicroDollars, Unread>> {
    const deadline = this.#api.now() + limits.upstreamRestTimeoutMs;
    await this.#updated();
    const leftMs = Math.max(UPDATE_MS, deadline - this.#api.now());
    const answer = await this.#api.readPrivate(`/balance-allowance?${this.#query}`, leftMs);
    if (!answer.ok) return unread(answer.error.message, answer.error.status);
    const cash = isObject(answer.value) ? collateralOf(answer.value.balance) : null;
    return cash === null ? unread('a balance that cannot be read') : ok(cash);
  }

  /**
   * Updates the cache after the venue has refused an order for want of dollars or shares. So later deposits on the chain count for the next
   * order.
   */
  refresh({ side, tokenId }: Pick<VenueAOrderRequest, 'side' | 'tokenId'>): void {
    if (side === 'BUY') void this.#updated();
    else if (this.#isDue(this.#tokenUpdatedAt)) {
      this.#tokenUpdatedAt = this.#api.now();
      void this.#update(`${assetQuery(tokenId)}&signature_type=${this.#signatureType}`);
    }
  }

  /** Updates the dollars. Concurrent callers share an update. */
  #updated(): Promise<unknown> {
    if (this.#isDue(this.#updatedAt)) {
      this.#updatedAt = this.#api.now();
      this.#updating = this.#update(this.#query);
    }
    return this.#updating;
  }

  #isDue(last: number): boolean {
    const passedMs = this.#api.now() - last;
    return passedMs >= UPDATED_EVERY_MS || passedMs < 0;
  }

  #update(query: string): Promise<unknown> {
    return this.#api.readPrivate(`/balance-allowance/update?${query}`, UPDATE_MS);
  }
}

function unread(message: string, status: number | null = null): Result<never, Unread> {
  return fail({ message: `/balance-allowance: ${message}`, status });
}
