// The dollars of one wallet of venue A. The CLOB answers from a cache (venue-a.md §3.7), which lacks deposits, withdrawals and redemptions until a
// client has it updated. So each read asks for that first, at most every two seconds: the rate for it is small (§10). Engine thread.

import { isObject } from '../../../domain/json.ts';
import type { MicroDollars } from '../../../domain/numbers.ts';
import { fail, ok, type Result } from '../../../domain/result.ts';
import { limits } from '../../../limits.ts';
import type { VenueApi } from './venue-api.ts';
import { collateralOf } from './wire-numbers.ts';

const UPDATED_EVERY_MS = 2_000;
/** An update waits for the chain. Without it the balance is the last known one. */
const UPDATE_MS = limits.upstreamRestTimeoutMs / 2;

interface Unread {
  readonly message: string;
  /** Null: the venue has not answered. */
  readonly status: number | null;
}

export class Collateral {
  readonly #api: VenueApi;
  readonly #query: string;
  #updatedAt = Number.NEGATIVE_INFINITY;
  #updating: Promise<unknown> = Promise.resolve();

  constructor(api: VenueApi, signatureType: number) {
    this.#api = api;
    this.#query = `asset_type=COLLATERAL&signature_type=${signatureType}`;
  }

  /** With what resting buys hold back. */
  async read(): Promise<Result<MicroDollars, Unread>> {
    await this.#updated();
    const answer = await this.#api.readPrivate(`/balance-allowance?${this.#query}`, UPDATE_MS);
    if (!answer.ok) return unread(answer.error.message, answer.error.status);
    const cash = isObject(answer.value) ? collateralOf(answer.value.balance) : null;
    return cash === null ? unread('a balance that cannot be read') : ok(cash);
  }

  /** Callers at the same time share an update. */
  #updated(): Promise<unknown> {
    const passedMs = this.#api.now() - this.#updatedAt;
    if (passedMs >= UPDATED_EVERY_MS || passedMs < 0) {
      this.#updatedAt = this.#api.now();
      this.#updating = this.#api.readPrivate(`/balance-allowance/update?${this.#query}`, UPDATE_MS);
    }
    return this.#updating;
  }
}

function unread(message: string, status: number | null = null): Result<never, Unread> {
  return fail({ message: `/balance-allowance: ${message}`, status });
}
