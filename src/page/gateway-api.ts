// The requests of the page, signed with its own key: those few that it makes, with the types of the contract. Browser.

import type { Operations } from '../client/api-types.generated.ts';
import { RequestSender } from '../client/request-sender.ts';
import { ServerClock } from '../client/server-clock.ts';
import { type QueryValue, requestTarget, type Signer } from '../client/signer.ts';
import { fetchTransport } from '../client/transport.ts';
import { isObject, parseJson, textOf } from '../domain/json.ts';
import { fail, ok, type Result } from '../domain/result.ts';

const ASKED = {
  getWhoami: ['GET', '/v1/whoami'],
  getPod: ['GET', '/v1/pod'],
  listPodOrders: ['GET', '/v1/pod/orders'],
  listPodPositions: ['GET', '/v1/pod/positions'],
  listPodEvents: ['GET', '/v1/pod/events'],
  cancelPodOrders: ['DELETE', '/v1/pod/orders'],
  cancelPodOrder: ['DELETE', '/v1/pod/orders/{orderId}'],
  listMarkets: ['GET', '/v1/markets'],
  createStreamTicket: ['POST', '/v1/orderbook/ticket'],
} as const satisfies {
  readonly [Id in keyof Operations]?: readonly [Operations[Id]['method'], Operations[Id]['path']];
};
type AskedId = keyof typeof ASKED;

export interface Refused {
  /** Null without an answer. */
  readonly status: number | null;
  readonly message: string;
}

interface Parts {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, QueryValue>>;
}

const TIMEOUT_MS = 10_000;
const NO_BODY = new Uint8Array(0);

export class GatewayApi {
  readonly clock = new ServerClock();
  readonly #sender: RequestSender;

  constructor(signer: Signer) {
    const transport = fetchTransport(location.origin);
    this.#sender = new RequestSender({ transport, signer, apiKey: null, clock: this.clock, needsTls: false });
  }

  async ask<Id extends AskedId>(id: Id, parts: Parts = {}): Promise<Result<Operations[Id]['answer'], Refused>> {
    const [method, path] = ASKED[id];
    const answer = await this.#sender.send({
      method,
      target: requestTarget(path, parts.path ?? {}, parts.query ?? {}),
      body: NO_BODY,
      // Two tickets of one second would have the same signature.
      idempotencyKey: method === 'GET' ? '' : crypto.randomUUID(),
      notAfterMillis: null,
      auth: 'signed',
      timeoutMs: TIMEOUT_MS,
    });
    if (!answer.ok) return fail({ status: null, message: answer.error.message });
    const { status, text } = answer.value;
    const body = parseJson(text ?? '');
    if (status < 300 && isObject(body)) return ok(body as unknown as Operations[Id]['answer']);
    const error = isObject(body) && isObject(body.error) ? body.error : {};
    return fail({ status, message: textOf(error.message) || `HTTP ${status}` });
  }
}
