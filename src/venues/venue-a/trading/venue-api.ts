// Sends requests to venue A's CLOB for one account and returns their outcomes. Private requests are signed, by the venue's clock. Orders
// and cancels are sent once. A read whose connection broke is repeated, because reads have no effect. Any thread.

import { SECOND_MS } from '../../../core/domain/durations.ts';
import { decimalTextOf, isObject, parseJson, textOf } from '../../../core/domain/json.ts';
import type { UnixMillis } from '../../../core/domain/numbers.ts';
import type { VenueError } from '../../../core/domain/order.ts';
import { plainText } from '../../../core/domain/plain-text.ts';
import type { VenueAAccount } from '../../../core/domain/pod-accounts.ts';
import { fail } from '../../../core/domain/result.ts';
import { HTTP_UNAUTHORIZED } from '../../../core/net/http-status.ts';
import type { AnswerHeaders, OutboundHeaders, OutboundOutcome, OutboundPool } from '../../../core/net/outbound.ts';
import type { Timers } from '../../../core/runtime/timers.ts';
import { limits } from '../../../limits.ts';
import type { SubmitHearer } from '../../venue.ts';
import type { JsonResult } from '../../venue-json.ts';
import { askAgainIfLost, jsonResult, REQUEST_HEADERS, retryAfterS } from '../../venue-json.ts';
import { l2Signature } from '../auth.ts';
import { wholeOf } from './wire-numbers.ts';

/** An answer. `body` is its JSON, undefined if it is not JSON. */
export interface VenueAnswer {
  readonly type: 'answer';
  readonly status: number;
  readonly headers: AnswerHeaders;
  readonly body: unknown;
}
export type VenueOutcome = VenueAnswer | Exclude<OutboundOutcome, { readonly type: 'answer' }>;

interface VenueApiParts {
  readonly account: Pick<VenueAAccount, 'apiKey' | 'secret' | 'passphrase'>;
  /** The signer's address, written with its checksum. */
  readonly address: string;
  readonly outbound: OutboundPool;
  readonly timers: Timers;
}

interface SendBounds {
  readonly timeoutMs: number;
  readonly sendWithinMs: number;
}

const JSON_BODY = { ...REQUEST_HEADERS, 'content-type': 'application/json' };
const NO_BODY = new Uint8Array(0);

export class VenueApi {
  readonly #parts: VenueApiParts;
  /**
   * The milliseconds by which the venue's clock is ahead of ours. Requests are signed with the venue's time, because a wrong clock would
   * have all of them refused.
   */
  #aheadMs = 0;
  /** The read of the venue's time that is in flight; concurrent callers share it. */
  #askingTime: Promise<void> | null = null;

  constructor(parts: VenueApiParts) {
    this.#parts = parts;
  }

  /** Returns the wall time. */
  now(): UnixMillis {
    return this.#parts.timers.now();
  }

  /** Sends a request that changes something, at most once. Cancels go ahead of all other requests. */
  request(method: 'POST' | 'DELETE', target: string, body: Uint8Array, bounds: SendBounds): Promise<VenueOutcome> {
    return new Promise((resolve, failed) => this.send(method, target, body, bounds, { failed }, resolve));
  }

  /** Like `request`, but calls `done` once, now or later. `hearer` gets an error that `done` throws. */
  send(
    method: 'POST' | 'DELETE',
    target: string,
    body: Uint8Array,
    { timeoutMs, sendWithinMs }: SendBounds,
    hearer: Pick<SubmitHearer, 'failed'>,
    done: (outcome: VenueOutcome) => void,
  ): void {
    const headers = this.#signed(JSON_BODY, method, target, body);
    const request = { method, target, headers, body, isUrgent: method === 'DELETE', sendWithinMs };
    this.#parts.outbound.send(request, timeoutMs, outcome => {
      try {
        done(this.#opened(outcome));
      } catch (error) {
        hearer.failed(error);
      }
    });
  }

  readPrivate(target: string, timeoutMs: number = limits.upstreamRestTimeoutMs): Promise<JsonResult> {
    return this.#read(target, () => this.#signed(REQUEST_HEADERS, 'GET', target, NO_BODY), timeoutMs);
  }

  readPublic(target: string, timeoutMs: number = limits.upstreamRestTimeoutMs): Promise<JsonResult> {
    return this.#read(target, () => REQUEST_HEADERS, timeoutMs);
  }

  /** Reads how far the venue's clock is ahead of ours: at the start, and when the venue refuses our key. */
  askTime(): Promise<void> {
    this.#askingTime ??= this.#readTime().finally(() => {
      this.#askingTime = null;
    });
    return this.#askingTime;
  }

  async #readTime(): Promise<void> {
    const askedAt = this.now();
    const answer = await this.readPublic('/time');
    const seconds = Number(answer.ok ? decimalTextOf(answer.value) : Number.NaN);
    if (Number.isSafeInteger(seconds) && seconds > 0) {
      // The venue states whole seconds. Our time of its answer is taken as halfway between request and arrival.
      const aheadMs = seconds * SECOND_MS + SECOND_MS / 2 - (askedAt + this.now()) / 2;
      this.#aheadMs = Math.abs(aheadMs) <= limits.venueAClockToleranceMs ? 0 : aheadMs;
    }
  }

  async #read(target: string, headers: () => Readonly<Record<string, string>>, timeoutMs: number): Promise<JsonResult> {
    const { outbound, timers } = this.#parts;
    const deadline = timers.now() + timeoutMs;
    const ask = (): Promise<OutboundOutcome> =>
      outbound.request({ method: 'GET', target, headers: headers(), body: '' }, Math.max(1, deadline - timers.now()));
    const answer = this.#opened(await askAgainIfLost(ask, () => timers.now() < deadline));
    if (answer.type !== 'answer') return fail({ status: null, message: answer.message });
    return jsonResult(answer.status, answer.body, wordsOf(answer));
  }

  #opened(outcome: OutboundOutcome): VenueOutcome {
    if (outcome.type !== 'answer') return outcome;
    // The venue may refuse our key because of a wrong clock.
    if (outcome.status === HTTP_UNAUTHORIZED) void this.askTime();
    const { type, status, headers, body } = outcome;
    // An empty body means `null`, which the venue answers for ended orders.
    return { type, status, headers, body: body.length === 0 ? null : parseJson(body) };
  }

  /** Returns signed headers. `others` are the headers beside those of the signature. */
  #signed(others: OutboundHeaders, method: string, target: string, body: Uint8Array): OutboundHeaders {
    const { account, address } = this.#parts;
    const timestamp = String(Math.floor((this.now() + this.#aheadMs) / SECOND_MS));
    return {
      ...others,
      POLY_ADDRESS: address,
      POLY_SIGNATURE: l2Signature({ timestamp, method, path: target, body, secret: account.secret }),
      POLY_TIMESTAMP: timestamp,
      POLY_API_KEY: account.apiKey,
      POLY_PASSPHRASE: account.passphrase,
    };
  }
}

/** Returns the venue's error in its own words, or its status if it has no words. */
export function wordsOf(answer: Pick<VenueAnswer, 'status' | 'body'>): string {
  return saidIn(answer.body) || `HTTP ${answer.status}`;
}

/** Returns the venue's error, or undefined if the venue gave no words. */
export function venueErrorOf({ body }: Pick<VenueAnswer, 'body'>): VenueError | undefined {
  const message = saidIn(body);
  const code = isObject(body) ? plainText(textOf(body.code), limits.venueWordsMax) : '';
  return message === '' ? undefined : { code: code === '' ? null : code, message };
}

function saidIn(body: unknown): string {
  const said = isObject(body) ? textOf(body.error) || textOf(body.errorMsg) || textOf(body.message) : textOf(body);
  return plainText(said, limits.venueWordsMax);
}

/** Returns the seconds to wait, by the header or the body, within a bound. */
export function retryAfterOf({ headers, body }: VenueAnswer): number {
  const stated = isObject(body) ? wholeOf(body.retry_after_seconds) : null;
  return retryAfterS(headers, stated ?? limits.venueARetryAfterS, limits.venueARetryAfterLongestS);
}
