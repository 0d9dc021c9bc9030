// Sends requests to venue A's relayer for one wallet (venue-a.md §15). The relayer allows few requests, so they are counted here. Reads of
// a transaction's state leave some of them for nonces and transactions. Engine thread.

import { MINUTE_MS, SECOND_MS } from '../../../core/domain/durations.ts';
import { isObject, parseJson } from '../../../core/domain/json.ts';
import type { UnixMillis } from '../../../core/domain/numbers.ts';
import type { RelayerAccess } from '../../../core/domain/pod-accounts.ts';
import { fail, ok, type Result } from '../../../core/domain/result.ts';
import { HTTP_NOT_FOUND } from '../../../core/net/http-status.ts';
import type { OutboundHeaders, OutboundPool } from '../../../core/net/outbound.ts';
import type { Timers } from '../../../core/runtime/timers.ts';
import { limits } from '../../../limits.ts';
import { errorIn, jsonResult, REQUEST_HEADERS } from '../../venue-json.ts';
import type { WalletSubmitOutcome, WalletTransactionState } from '../../wallet-port.ts';
import { type Address, checksumAddress } from '../address.ts';
import { l2Signature } from '../auth.ts';
import { placeIn, type RelayerPlace, submitOutcome, transactionIn } from './relayer-answers.ts';
import type { WalletKind } from './wallet-transactions.ts';

interface RelayerApiParts {
  readonly access: RelayerAccess;
  readonly outbound: OutboundPool;
  readonly timers: Timers;
}

const SUBMIT = '/submit';
const REQUESTS_PER_MINUTE = 25;
const REQUESTS_FOR_SENDING = 5;
const TOO_MANY = `relayer: it allows ${REQUESTS_PER_MINUTE} requests a minute`;

export class RelayerApi {
  readonly #parts: RelayerApiParts;
  readonly #allowance: Allowance;

  constructor(parts: RelayerApiParts) {
    this.#parts = parts;
    this.#allowance = new Allowance(() => parts.timers.now());
  }

  /** Reads the nonce and address for the next transaction that the owner signs. */
  async place(owner: Address, kind: WalletKind): Promise<Result<RelayerPlace, string>> {
    const answer = await this.#read(
      `/v1/account/transactions/params?address=${checksumAddress(owner)}&type=${kind}`,
      0,
    );
    return answer.ok ? placeIn(answer.value) : fail(answer.error.message);
  }

  /** Whether a deposit wallet is on the chain. */
  async isDeployed(wallet: Address): Promise<Result<boolean, string>> {
    const answer = await this.#read(`/deployed?address=${checksumAddress(wallet)}&type=WALLET`, 0);
    if (!answer.ok) return fail(answer.error.message);
    const deployed = isObject(answer.value) ? answer.value.deployed : undefined;
    return typeof deployed === 'boolean' ? ok(deployed) : fail('relayer: an answer that is neither yes nor no');
  }

  async transaction(transactionId: string): Promise<Result<WalletTransactionState, string>> {
    const target = `/v1/account/transactions/${encodeURIComponent(transactionId)}`;
    const answer = await this.#read(target, REQUESTS_FOR_SENDING);
    if (answer.ok) return transactionIn(answer.value, transactionId);
    return answer.error.status === HTTP_NOT_FOUND ? ok({ type: 'absent' }) : fail(answer.error.message);
  }

  /** Sends the bytes once. `nonce` is the nonce that they use up. */
  async submit(body: Uint8Array, nonce: bigint, deadline: UnixMillis): Promise<WalletSubmitOutcome> {
    const { outbound, timers } = this.#parts;
    const waitS = this.#allowance.take(0);
    if (waitS > 0) return { type: 'not-now', message: TOO_MANY, retryAfterS: waitS };
    const leftMs = deadline - timers.now();
    if (leftMs <= 0) return { type: 'not-now', message: 'relayer: no time left to ask', retryAfterS: 1 };
    const headers = () => ({ ...REQUEST_HEADERS, 'content-type': 'application/json', ...this.#credentials(body) });
    const outcome = await outbound.request({ method: 'POST', target: SUBMIT, headers, body }, leftMs);
    if (outcome.type === 'answer') return submitOutcome(outcome, nonce);
    if (outcome.type === 'not-sent')
      return { type: 'not-now', message: outcome.message, retryAfterS: limits.venueARetryAfterS };
    return { type: 'unknown', message: outcome.message };
  }

  async #read(target: string, kept: number): Promise<ReturnType<typeof jsonResult>> {
    if (this.#allowance.take(kept) > 0) return fail({ status: null, message: TOO_MANY });
    const request = { method: 'GET', target, headers: REQUEST_HEADERS, body: '' } as const;
    const outcome = await this.#parts.outbound.request(request, limits.upstreamRestTimeoutMs);
    if (outcome.type !== 'answer') return fail({ status: null, message: `relayer: ${outcome.message}` });
    const body = parseJson(outcome.body);
    return jsonResult(outcome.status, body, `relayer: ${errorIn(body) || `HTTP ${outcome.status}`}`);
  }

  #credentials(body: Uint8Array): OutboundHeaders {
    const { access, timers } = this.#parts;
    if ('apiKey' in access) return { RELAYER_API_KEY: access.apiKey, RELAYER_API_KEY_ADDRESS: access.apiKeyAddress };
    const { builderKey, builderSecret: secret, builderPassphrase } = access;
    const timestamp = String(Math.floor(timers.now() / SECOND_MS));
    return {
      POLY_BUILDER_API_KEY: builderKey,
      POLY_BUILDER_TIMESTAMP: timestamp,
      POLY_BUILDER_PASSPHRASE: builderPassphrase,
      POLY_BUILDER_SIGNATURE: l2Signature({ timestamp, method: 'POST', path: SUBMIT, body, secret }),
    };
  }
}

/** Counts the requests that are allowed in a minute. They come back evenly. */
class Allowance {
  readonly #now: () => UnixMillis;
  #left = REQUESTS_PER_MINUTE;
  #leftAt: UnixMillis;

  constructor(now: () => UnixMillis) {
    this.#now = now;
    this.#leftAt = now();
  }

  /** Takes a request if that leaves `kept` requests over, and returns 0; otherwise returns the seconds until it can be taken. */
  take(kept: number): number {
    const now = this.#now();
    const more = (Math.max(0, now - this.#leftAt) * REQUESTS_PER_MINUTE) / MINUTE_MS;
    this.#left = Math.min(REQUESTS_PER_MINUTE, this.#left + more);
    this.#leftAt = now;
    const missing = kept + 1 - this.#left;
    if (missing > 0) return Math.ceil((missing * MINUTE_MS) / REQUESTS_PER_MINUTE / SECOND_MS);
    this.#left -= 1;
    return 0;
  }
}
