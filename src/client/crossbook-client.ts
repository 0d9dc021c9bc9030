// The REST client, for Node and browsers: every operation of the contract by its name, typed from it, signed, with the
// clock corrected, and every outcome a value. It never repeats by itself what might have taken effect.
//
//   const client = new CrossbookClient({ url: 'http://127.0.0.1:8080', signer: portableSigner({ keyId, seedHex }) });
//   const placed = await client.call('submitVenueBOrder', { body: { ticker, side: 'YES', action: 'BUY', … } });
//   if (!placed.ok && placed.error.kind === 'unknown-outcome') …

import { assert, type Result } from '../domain/result.ts';
import { limits } from '../limits.ts';
import { type ApiAnswer, type ApiFailure, readAnswer } from './api-failure.ts';
import { OPERATIONS, type Operations } from './api-types.generated.ts';
import { Exchange } from './exchange.ts';
import { fetchTransport } from './fetch-transport.ts';
import { type QueryValue, requestTarget } from './request-target.ts';
import { ServerClock } from './server-clock.ts';
import type { Signer } from './signer.ts';
import type { Transport } from './transport.ts';
import { UuidV7Source } from './uuid-v7.ts';

export interface CrossbookClientOptions {
  /** Origin of the gateway, without a path: its paths are signed as they are. */
  readonly url: string;
  /** For everything but the older paths. */
  readonly signer?: Signer;
  /** For the older paths. */
  readonly apiKey?: string;
  /** `fetch` unless told otherwise; `createNodeClient` brings the faster one of Node. */
  readonly transport?: Transport;
  /** To be shared with a stream, so that either corrects it for both. */
  readonly clock?: ServerClock;
}

export type OperationId = keyof Operations;

/** What an operation is called with: its own parts, and how. */
export type CallRequest<Id extends OperationId> = Part<'path', Operations[Id]['pathParameters']> &
  Part<'query', Operations[Id]['query']> &
  Part<'body', Operations[Id]['body']> &
  (Operations[Id]['method'] extends 'GET' ? ReadOptions : MutationOptions);

export interface ReadOptions {
  /** Bounds the whole call, but for a second attempt after the clock was wrong; `clientAnswerTimeoutMs` by default. */
  readonly timeoutMs?: number;
}

export interface MutationOptions extends ReadOptions {
  /** 1 to 255 visible ASCII; a new UUIDv7 by default. Give the same again to repeat an order whose outcome is unknown. */
  readonly idempotencyKey?: string;
  /** Unix milliseconds after which the gateway must not hand an order to the venue. */
  readonly notAfterMillis?: number;
}

/** A part that the operation has; optional if nothing in it is required. */
type Part<Name extends string, Value> = [Value] extends [undefined]
  ? unknown
  : Partial<Value> extends Value
    ? { readonly [N in Name]?: Value }
    : { readonly [N in Name]: Value };

type Arguments<Request> = Partial<Request> extends Request ? [request?: Request] : [request: Request];

const NO_BODY = new Uint8Array(0);
const encoder = new TextEncoder();

export class CrossbookClient {
  readonly url: string;
  readonly clock: ServerClock;
  readonly #exchange: Exchange;
  readonly #ids: UuidV7Source;

  constructor({ url, signer, apiKey, transport, clock = new ServerClock() }: CrossbookClientOptions) {
    const { origin, pathname, search } = new URL(url);
    assert(pathname + search === '/', 'url: must be the origin of the gateway, without a path');
    this.url = origin;
    this.clock = clock;
    this.#exchange = new Exchange({
      transport: transport ?? fetchTransport(url),
      signer: signer ?? null,
      apiKey: apiKey ?? null,
      clock,
    });
    this.#ids = new UuidV7Source(() => clock.now());
  }

  /**
   * Never rejects for what the network or the gateway does; a signer that rejects, or a request that no gateway could
   * take (an empty order id, a missing signer), rejects.
   */
  async call<Id extends OperationId>(
    operationId: Id,
    ...[request]: Arguments<CallRequest<Id>>
  ): Promise<Result<ApiAnswer<Operations[Id]['answer']>, ApiFailure>> {
    const { method, path, auth } = OPERATIONS[operationId];
    const parts: LooseRequest = request ?? {};
    const isMutation = method !== 'GET';
    // All of them, not only those that must have one: two tickets asked for within a second would have one signature.
    const idempotencyKey = isMutation ? (parts.idempotencyKey ?? this.#ids.next()) : '';
    const outcome = await this.#exchange.send({
      method,
      target: requestTarget(path, parts.path ?? {}, parts.query ?? {}),
      // Once: what is hashed is what is sent.
      body: parts.body === undefined ? NO_BODY : encoder.encode(JSON.stringify(parts.body)),
      idempotencyKey,
      notAfterMillis: parts.notAfterMillis ?? null,
      auth,
      timeoutMs: parts.timeoutMs ?? limits.clientAnswerTimeoutMs,
    });
    // The gateway keeps to its contract, which its own tests hold it to.
    type Answer = Operations[Id]['answer'];
    return readAnswer({ isMutation, idempotencyKey }, outcome) as Result<ApiAnswer<Answer>, ApiFailure>;
  }
}

/** Any operation's request, as `call` looks at it. */
interface LooseRequest extends MutationOptions {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, QueryValue>>;
  readonly body?: object;
}
