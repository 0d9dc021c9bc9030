// Sends signed requests to venue B's REST. Reads wait for their turn in the budget, are repeated once if the connection fails, and follow
// all pages of a list. Writes are sent once. Engine thread.

import { isObject, type JsonObject, parseJson } from '../../../core/domain/json.ts';
import type { UnixMillis } from '../../../core/domain/numbers.ts';
import { fail, ok } from '../../../core/domain/result.ts';
import { HTTP_NOT_FOUND, HTTP_OK, HTTP_TOO_MANY } from '../../../core/net/http-status.ts';
import type { OutboundHeaders, OutboundOutcome, OutboundPool } from '../../../core/net/outbound.ts';
import { pause, type Timers } from '../../../core/runtime/timers.ts';
import { limits } from '../../../limits.ts';
import type { Reading, SubmitHearer } from '../../venue.ts';
import { REQUEST_HEADERS } from '../../venue-json.ts';
import { venueCursorOf } from '../../wire-values.ts';
import type { ReadKind, VenueBBudget } from './budget.ts';
import { isCredentialsRefusal, isTimestampExpired, logText, wordsIn } from './refusals.ts';
import type { RestMethod, VenueBSignatures } from './signatures.ts';

interface VenueBRestParts {
  /** An address such as `https://…/trade-api/v2`, without a trailing slash. */
  readonly restUrl: string;
  readonly signatures: Pick<VenueBSignatures, 'headers' | 'signNow' | 'renew'>;
  readonly outbound: OutboundPool;
  readonly budget: VenueBBudget;
  readonly timers: Timers;
}

export type ReadAnswer =
  | { readonly type: 'body'; readonly body: JsonObject }
  /** The venue itself says that it was not found. */
  | { readonly type: 'missing'; readonly message: string }
  /** The read failed. `isRefused` means that the venue refuses the account's credentials. */
  | { readonly type: 'unavailable'; readonly isRefused: boolean; readonly message: string };

const READ_ATTEMPTS_MAX = 2;

export class VenueBRest {
  readonly #parts: VenueBRestParts;
  readonly #basePath: string;

  constructor(parts: VenueBRestParts) {
    this.#parts = parts;
    this.#basePath = new URL(parts.restUrl).pathname;
  }

  /**
   * Sends a request once; cancels go ahead of all other requests. If the venue did not process the request because its timestamp was off,
   * the request is signed again and sent once more. `path` is relative to the base and includes the query.
   */
  request(
    method: RestMethod,
    path: string,
    body: string | Uint8Array,
    timeoutMs: number,
    sendWithinMs: number = timeoutMs,
  ): Promise<OutboundOutcome> {
    return new Promise((resolve, failed) =>
      this.send(method, path, body, timeoutMs, sendWithinMs, { failed }, resolve),
    );
  }

  /** Like `request`, but calls `done` once, now or later. `hearer` gets an error that `done` throws. */
  send(
    method: RestMethod,
    path: string,
    body: string | Uint8Array,
    timeoutMs: number,
    sendWithinMs: number,
    hearer: Pick<SubmitHearer, 'failed'>,
    done: (outcome: OutboundOutcome) => void,
  ): void {
    const { signatures, outbound, timers } = this.#parts;
    const startedAt = timers.elapsed();
    let isAgain = false;
    const headers = (): OutboundHeaders => {
      const signed = isAgain ? signatures.signNow(method, path) : signatures.headers(method, path);
      return body.length === 0 ? signed : { ...signed, 'Content-Type': 'application/json' };
    };
    const target = this.#basePath + path;
    const request = { method, target, headers, body, isUrgent: method === 'DELETE', sendWithinMs };
    const onOutcome = (outcome: OutboundOutcome): void => {
      if (!isAgain && isTimestampExpired(outcome)) {
        isAgain = true;
        const passedMs = Math.ceil(timers.elapsed() - startedAt);
        outbound.send({ ...request, sendWithinMs: sendWithinMs - passedMs }, timeoutMs - passedMs, onOutcome);
        return;
      }
      try {
        done(outcome);
      } catch (error) {
        hearer.failed(error);
      }
    };
    outbound.send(request, timeoutMs, onOutcome);
    signatures.renew(method, path);
  }

  /** Keeps a connection warm by a request that needs no key. */
  async keepWarm(): Promise<void> {
    const request = {
      method: 'GET',
      target: `${this.#basePath}/exchange/status`,
      headers: REQUEST_HEADERS,
      body: '',
    } as const;
    await this.#parts.outbound.request(request, limits.upstreamRestTimeoutMs);
  }

  /** Reads a path. Resolves by `deadline` at the latest. */
  async read(path: string, deadline: UnixMillis, kind: ReadKind = 'other'): Promise<ReadAnswer> {
    let answer: ReadAnswer = unavailable('no time is left');
    for (let attempt = 0; attempt < READ_ATTEMPTS_MAX; attempt += 1) {
      if (!(await this.#waitForTurn(kind, deadline))) return unavailable('the budget of reads is spent');
      const leftMs = deadline - this.#parts.timers.now();
      if (leftMs <= 0) return answer;
      const outcome = await this.request('GET', path, '', leftMs);
      answer = this.#answerOf(outcome);
      const isWorthAnother = outcome.type === 'lost' || (outcome.type === 'answer' && outcome.status === HTTP_TOO_MANY);
      if (!isWorthAnother) return answer;
    }
    return answer;
  }

  /**
   * Returns all rows of a list, unparsed, in the venue's sequence. `name` is the list's field in the answer. Without a deadline each page
   * has the usual time of a read, so that a long list is read completely. Reading ends with the page that has a row for which `isSought`
   * returns true.
   */
  async readList(
    path: string,
    name: string,
    deadline: UnixMillis | null = null,
    isSought: (row: unknown) => boolean = () => false,
  ): Reading<readonly unknown[]> {
    const rows: unknown[] = [];
    const query = `${path}${path.includes('?') ? '&' : '?'}limit=${limits.venueBRowsPerPageMax}`;
    let cursor = '';
    const seen = new Set<string>();
    for (let page = 0; page < limits.venueBPagesMax; page += 1) {
      const target = cursor === '' ? query : `${query}&cursor=${encodeURIComponent(cursor)}`;
      const answer = await this.read(target, deadline ?? this.deadline());
      if (answer.type !== 'body') return fail(answer.message);
      const list: unknown = answer.body[name];
      if (!Array.isArray(list)) return fail(`venue B answered without a list of ${name}`);
      for (const row of list as readonly unknown[]) rows.push(row);
      const next = venueCursorOf(answer.body.cursor);
      if (next === null) return fail(`venue B lists ${name} with a cursor that cannot be read`);
      // The venue may filter the rows of a page, so more may follow an empty one. Only a page that leads to itself is an end as well.
      const isLast = next === '' || (next === cursor && list.length === 0);
      if (isLast || list.some(isSought)) return ok(rows);
      if (seen.has(next)) return fail(`venue B lists ${name} with a page that leads back to one before it`);
      seen.add(next);
      cursor = next;
    }
    return fail(`venue B lists more than ${limits.venueBPagesMax} pages of ${name} (venueBPagesMax)`);
  }

  get now(): UnixMillis {
    return this.#parts.timers.now();
  }

  /** Returns the deadline of a read that begins now. */
  deadline(): UnixMillis {
    return (this.#parts.timers.now() + limits.upstreamRestTimeoutMs) as UnixMillis;
  }

  async #waitForTurn(kind: ReadKind, deadline: UnixMillis): Promise<boolean> {
    const { budget, timers } = this.#parts;
    const leftMs = Math.min(deadline - timers.now(), limits.upstreamRestTimeoutMs);
    const waitMs = budget.takeRead(kind, Math.max(0, leftMs));
    if (waitMs === 0) return true;
    if (waitMs > leftMs) return false;
    await pause(timers, waitMs);
    return true;
  }

  #answerOf(outcome: OutboundOutcome): ReadAnswer {
    if (outcome.type !== 'answer') return unavailable(outcome.message);
    const { status } = outcome;
    const body = parseJson(outcome.body);
    const words = wordsIn(body);
    if (status === HTTP_OK) {
      if (words !== null) return unavailable(`HTTP 200 with an error: ${words.text}`);
      return isObject(body) ? { type: 'body', body } : unavailable('HTTP 200 and nothing that can be read');
    }
    if (status === HTTP_TOO_MANY) this.#parts.budget.emptyReads();
    if (status === HTTP_NOT_FOUND && words !== null) return { type: 'missing', message: words.text };
    // An answer without the venue's words comes from a gateway in between.
    const isRefused = words !== null && isCredentialsRefusal(status, words);
    return unavailable(words === null ? `HTTP ${status}` : `HTTP ${status}: ${words.text}`, isRefused);
  }
}

function unavailable(words: string, isRefused = false): ReadAnswer {
  return { type: 'unavailable', isRefused, message: `venue B: ${logText(words)}` };
}
