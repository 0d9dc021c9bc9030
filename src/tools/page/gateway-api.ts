// The requests of the page. They are signed with the page's own key, and have the types of the contract. Browser.

import { wordsOf } from '../../core/domain/error-words.ts';
import { isObject, parseJson, textOf } from '../../core/domain/json.ts';
import { fail, ok, type Result } from '../../core/domain/result.ts';
import type { Operations } from '../../core/generated/api-types.ts';
import { originOf } from '../client/request-sender.ts';
import { type QueryValue, requestTarget, ServerClock, type Signer, signRequest } from '../client/signer.ts';
import { Reach } from './reach.ts';

const ASKED = {
  getWhoami: ['GET', '/v1/whoami'],
  getPod: ['GET', '/v1/pod'],
  listPodOrders: ['GET', '/v1/pod/orders'],
  listPodPositions: ['GET', '/v1/pod/positions'],
  listPodEvents: ['GET', '/v1/pod/events'],
  getRisk: ['GET', '/v1/risk'],
  getVenueBBalance: ['GET', '/v1/venue-b/balance'],
  cancelPodOrders: ['DELETE', '/v1/pod/orders'],
  cancelPodOrder: ['DELETE', '/v1/pod/orders/{orderId}'],
  stopPod: ['POST', '/v1/pod/stop'],
  listMarkets: ['GET', '/v1/markets'],
  listEvents: ['GET', '/v1/sports/events'],
  listCompetitions: ['GET', '/v1/sports/competitions'],
  getVenueAMarket: ['GET', '/v1/venue-a/markets/{tokenId}'],
  getVenueBMarket: ['GET', '/v1/venue-b/markets/{ticker}'],
  createStreamTicket: ['POST', '/v1/orderbook/ticket'],
} as const satisfies {
  readonly [Id in keyof Operations]?: readonly [Operations[Id]['method'], Operations[Id]['path']];
};
type AskedId = keyof typeof ASKED;

export interface Refused {
  /** Null means that there was no answer. */
  readonly status: number | null;
  readonly message: string;
  /** The origin of the gateway that owns the pod, as the answer names it. Null means that the answer names none. */
  readonly owner: string | null;
}

/** An answer. `isCurrent` is false if the answer may lack news of a venue. */
export type CurrentResult<Value> = Result<Value, Refused> & { readonly isCurrent: boolean };

interface Parts {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, QueryValue>>;
}

interface Attempt {
  readonly answer: Result<unknown, Refused>;
  readonly isCurrent: boolean;
  /** Whether the request was refused because a wrong clock signed it. The clock has been corrected since. */
  readonly isClockRefusal: boolean;
}

const TIMEOUT_MS = 10_000;
/**
 * A 401 counts as caused by a wrong clock if the clocks differ by more than this. The gateway allows a larger difference for a signature.
 */
const CLOCK_MS = 25_000;
const NO_BODY = new Uint8Array(0);

export class GatewayApi {
  readonly clock = new ServerClock();
  readonly reach = new Reach();
  readonly #signer: Signer;

  constructor(signer: Signer) {
    this.#signer = signer;
  }

  async ask<Id extends AskedId>(id: Id, parts: Parts = {}): Promise<CurrentResult<Operations[Id]['answer']>> {
    const [method, path] = ASKED[id];
    const target = requestTarget(path, parts.path ?? {}, parts.query ?? {});
    let attempt = await this.#send(method, target);
    if (attempt.isClockRefusal) attempt = await this.#send(method, target);
    const { answer, isCurrent } = attempt;
    return { ...(answer as Result<Operations[Id]['answer'], Refused>), isCurrent };
  }

  async #send(method: string, target: string): Promise<Attempt> {
    const signedMs = this.clock.now();
    // The key differs in each request. Otherwise two ticket requests within a second would have the same signature.
    const idempotencyKey = method === 'GET' ? '' : crypto.randomUUID();
    const asked = { method, target, body: NO_BODY, idempotencyKey, notAfterMillis: null };
    try {
      const headers = await signRequest(this.#signer, asked, signedMs);
      const sentMs = this.clock.ownNow();
      const signal = AbortSignal.timeout(TIMEOUT_MS);
      const response = await fetch(target, { method, headers, credentials: 'omit', redirect: 'error', signal });
      this.reach.noteAnswer();
      const serverMs = Number(response.headers.get('svc-server-time'));
      if (serverMs > 0) this.clock.observe(sentMs, this.clock.ownNow(), serverMs);
      const { status } = response;
      const isClockRefusal = status === 401 && Math.abs(serverMs - signedMs) > CLOCK_MS;
      const isCurrent = response.headers.get('svc-current') !== 'false';
      const owner = response.headers.get('svc-pod-owner') ?? '';
      return { answer: readAnswer(status, await response.text(), owner), isCurrent, isClockRefusal };
    } catch (error) {
      this.reach.failed();
      const message = `the gateway does not answer (${wordsOf(error)})`;
      return { answer: fail({ status: null, message, owner: null }), isCurrent: false, isClockRefusal: false };
    }
  }
}

/** Reads an answer, also one of the page's routes that need no key. */
export function readAnswer(status: number, text: string, owner = ''): Result<unknown, Refused> {
  const body = parseJson(text);
  if (status < 300 && isObject(body)) return ok(body);
  const error = isObject(body) && isObject(body.error) ? body.error : {};
  // TLS is not needed here, because a link sends no key anywhere.
  return fail({ status, message: textOf(error.message) || `HTTP ${status}`, owner: originOf(owner, false) });
}
