// The REST client for Node and browsers. Operations are named and typed by the contract; requests are signed with the clock
// corrected; every outcome is a value. It never repeats a request that may have taken effect.
//
//   const client = new CrossbookClient({ url: 'http://127.0.0.1:8080', signer: portableSigner({ keyId, seedHex }) });
//   const placed = await client.call('submitVenueBOrder', { body: { ticker, side: 'YES', action: 'BUY', … } });
//   if (!placed.ok && placed.error.kind === 'unknown-outcome') …

import { assert, type Result } from '../../core/domain/result.ts';
import { OPERATIONS, type Operations } from '../../core/generated/api-types.ts';
import { limits } from '../../limits.ts';
import { type ApiAnswer, type ApiFailure, readAnswer } from './api-failure.ts';
import { fetchTransport, RequestSender, type Transport } from './request-sender.ts';
import { hasItemKeys, type QueryValue, requestTarget, ServerClock, type Signer } from './signer.ts';
import { UuidV7Source } from './uuid-v7.ts';

export interface CrossbookClientOptions {
  /** The origin of the gateway, without a path. A path prefix would break the signature. */
  readonly url: string;
  /** Signs all requests except those of the older family. */
  readonly signer?: Signer;
  /** The API key for the older family. */
  readonly apiKey?: string;
  /** The default is `fetch`. `createNodeClient` uses the faster transport of Node. */
  readonly transport?: Transport;
  /** The clock of the gateway. If a stream shares it, the answers to both correct it. */
  readonly clock?: ServerClock;
}

export type OperationId = keyof Operations;

/** The arguments of an operation: its own parts, and the options of the call. */
export type CallRequest<Id extends OperationId> = Part<'path', Operations[Id]['pathParameters']> &
  Part<'query', Operations[Id]['query']> &
  Part<'body', Operations[Id]['body']> &
  (Operations[Id]['method'] extends 'GET' ? ReadOptions : MutationOptions);

export interface ReadOptions {
  /**
   * The bound on the whole call in milliseconds. A second attempt after a wrong clock is not included. The default is
   * `clientAnswerTimeoutMs`.
   */
  readonly timeoutMs?: number;
}

export interface MutationOptions extends ReadOptions {
  /**
   * The idempotency key: 1 to 255 visible ASCII characters. The default is a new UUIDv7. Repeat an order of unknown outcome with the same
   * key.
   */
  readonly idempotencyKey?: string;
  /** The deadline in Unix milliseconds. After it the gateway must not send the order to the venue. */
  readonly notAfterMillis?: number;
}

/** A part of the operation's arguments. It is optional if none of its fields is required. */
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
  readonly #sender: RequestSender;
  readonly #ids: UuidV7Source;

  constructor({ url, signer, apiKey, transport, clock = new ServerClock() }: CrossbookClientOptions) {
    const { origin, pathname, search } = new URL(url);
    assert(pathname + search === '/', 'url: must be the origin of the gateway, without a path');
    this.url = origin;
    this.clock = clock;
    this.#sender = new RequestSender({
      transport: transport ?? fetchTransport(url),
      signer: signer ?? null,
      apiKey: apiKey ?? null,
      clock,
      needsTls: origin.startsWith('https:'),
    });
    this.#ids = new UuidV7Source(() => clock.now());
  }

  /** The origin of the gateway that gets the requests. Once `url` has named the owner of the key's pod, the owner gets them. */
  get origin(): string {
    return this.#sender.owner ?? this.url;
  }

  /**
   * Sends later requests to the gateway that a stream has named as the owner of the key's pod. Returns false if they may not go there, or
   * go there already.
   */
  follow(owner: string): boolean {
    return this.#sender.follow(owner);
  }

  /**
   * Performs an operation. Never rejects for a failure of the network or the gateway. Rejects if the signer rejects, or for a request that
   * no gateway could take (an empty order id, a missing signer).
   */
  async call<Id extends OperationId>(
    operationId: Id,
    ...[request]: Arguments<CallRequest<Id>>
  ): Promise<Result<ApiAnswer<Operations[Id]['answer']>, ApiFailure>> {
    const { method, path, auth } = OPERATIONS[operationId];
    const parts: LooseRequest = request ?? {};
    const isMutation = method !== 'GET';
    // Every mutation gets a key, even if none is required. Otherwise two ticket requests within a second would have the same signature.
    const isKeyed = isMutation && !hasItemKeys(method, path);
    const idempotencyKey = isKeyed ? (parts.idempotencyKey ?? this.#ids.next()) : '';
    const outcome = await this.#sender.send({
      method,
      target: requestTarget(path, parts.path ?? {}, parts.query ?? {}),
      // The body is serialised once, because the hash must cover the bytes that are sent.
      body: parts.body === undefined ? NO_BODY : encoder.encode(JSON.stringify(parts.body)),
      idempotencyKey,
      notAfterMillis: parts.notAfterMillis ?? null,
      auth,
      timeoutMs: parts.timeoutMs ?? limits.clientAnswerTimeoutMs,
    });
    // The types are not checked here, because the gateway's own tests compare its answers with the contract.
    type Answer = Operations[Id]['answer'];
    return readAnswer({ isMutation, idempotencyKey }, outcome) as Result<ApiAnswer<Answer>, ApiFailure>;
  }
}

/** The request of any operation, with the fields that `call` reads. */
interface LooseRequest extends MutationOptions {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, QueryValue>>;
  readonly body?: object;
}
