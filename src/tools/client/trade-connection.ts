// The client of /v1/trade: many orders and cancels in flight on one connection, none of them signed. Every outcome is a value, the same
// as of the REST client. It reconnects by itself. What was sent on a lost connection has an unknown outcome; what was not sent had no
// effect. node-trade.ts adds authentication. Portable.
//
//   const trade = createNodeTrade({ url: 'ws://127.0.0.1:8080/v1/trade', signer });
//   trade.start();
//   const placed = await trade.submit('venue_b', { ticker, side: 'YES', action: 'BUY', count: 1, priceCents: 40 });

import { ChurningMap } from '../../core/domain/churn.ts';
import { wordsOf } from '../../core/domain/error-words.ts';
import { isObject, type JsonObject, textOf } from '../../core/domain/json.ts';
import type { Venue } from '../../core/domain/market.ts';
import { fail, ok, type Result } from '../../core/domain/result.ts';
import type { Operations, QueueAhead } from '../../core/generated/api-types.ts';
import { KeptConnection, type KeptConnectionOptions, portableTimers } from '../../core/net/kept-connection.ts';
import type { Connect } from '../../core/net/websocket.ts';
import { type TradeCodec, tradeJsonCodec } from '../../core/wire/trade-messages.ts';
import { limits } from '../../limits.ts';
import { type ApiAnswer, type ApiFailure, readAnswer } from './api-failure.ts';
import { Emitter } from './emitter.ts';
import type { WireAnswer } from './request-sender.ts';
import { UuidV7Source } from './uuid-v7.ts';

export interface TradeConnectionOptions {
  readonly url: string;
  readonly connect: Connect;
  /** The form of the messages. The default is JSON. */
  readonly codec?: TradeCodec;
  /** Returns the headers of the upgrade. Called for every attempt. If it rejects, the attempt fails. */
  readonly headers: KeptConnectionOptions['headers'];
  readonly timers?: { after(delayMs: number, task: () => void): () => void };
  /** Returns a number in [0, 1), for the jitter of reconnections. */
  readonly random?: () => number;
}

export interface TradeConnectionEvents {
  /** The client has connected or disconnected, with the reason. */
  connection: [isUp: boolean, detail: string];
  /** The gateway has not confirmed `cancelOnDisconnect`: open orders may outlive the connection. */
  unarmed: [detail: string];
  /** A message that is no answer to a request. */
  unreadable: [detail: string];
}

export interface SubmitOptions {
  /** The idempotency key. The default is a new UUIDv7. Repeat an order of unknown outcome with the same key. */
  readonly idempotencyKey?: string;
  /** The deadline in Unix milliseconds. After it the gateway must not send the order to the venue. */
  readonly notAfter?: number;
  /** Is called with the order's id once the order is recorded, before its answer. */
  readonly accepted?: (orderId: string) => void;
}

interface VenueOperations {
  readonly venue_a: {
    readonly submit: 'submitVenueAOrder';
    readonly batch: 'submitVenueABatch';
    readonly replace: 'replaceVenueAOrder';
    readonly cancel: 'cancelVenueAOrder';
    readonly all: 'cancelVenueAOrders';
  };
  readonly venue_b: {
    readonly submit: 'submitVenueBOrder';
    readonly batch: 'submitVenueBBatch';
    readonly replace: 'replaceVenueBOrder';
    readonly cancel: 'cancelVenueBOrder';
    readonly all: 'cancelVenueBOrders';
  };
}
type Body<V extends Venue, Kind extends 'submit' | 'batch' | 'replace'> = Operations[VenueOperations[V][Kind]]['body'];
type Outcome<V extends Venue, Kind extends 'submit' | 'batch' | 'replace' | 'cancel' | 'all'> = Result<
  ApiAnswer<Operations[VenueOperations[V][Kind]]['answer']>,
  ApiFailure
>;

type Rates = Pick<Operations['getWhoami']['answer'], 'rateLimits' | 'venueBudgets'>;

interface OrderQueue {
  readonly orderId: string;
  readonly queueAhead: QueueAhead | null;
}

interface Pending {
  readonly idempotencyKey: string;
  readonly accepted: (orderId: string) => void;
  readonly resolve: (outcome: Result<ApiAnswer<JsonObject>, ApiFailure>) => void;
}

export class TradeConnection extends Emitter<TradeConnectionEvents> {
  readonly #connection: KeptConnection;
  readonly #codec: TradeCodec;
  /** The requests that have no result yet, by id. */
  readonly #pending = new ChurningMap<string, Pending>();
  readonly #ids = new UuidV7Source(() => Date.now());
  #count = 0;
  #cancelsOnDisconnect = false;

  constructor(options: TradeConnectionOptions) {
    super();
    const { url, connect, codec = tradeJsonCodec, headers, timers = portableTimers, random = Math.random } = options;
    this.#codec = codec;
    this.#connection = new KeptConnection(
      {
        url,
        headers,
        subprotocols: [codec.subprotocol],
        keepAlive: codec.encodeRequest({ op: 'ping', id: 'keep-alive' }),
        connect,
        timers,
        random,
        backoffMaxMs: limits.streamBackoffMaxMs,
      },
      {
        onUp: () => this.#up(),
        onFrame: frame => this.#read(frame),
        onDown: detail => this.#down(detail),
        onSilence: () => {},
      },
    );
  }

  get isUp(): boolean {
    return this.#connection.isUp;
  }

  /** Connects, and reconnects until `close` is called. */
  start(): void {
    this.#connection.start();
  }

  submit<V extends Venue>(
    venue: V,
    order: Body<V, 'submit'>,
    options: SubmitOptions = {},
  ): Promise<Outcome<V, 'submit'>> {
    const { idempotencyKey = this.#ids.next(), notAfter, accepted } = options;
    const request = { op: 'submit', venue, idempotencyKey, notAfter, ack: accepted !== undefined, order };
    return this.#request(request, idempotencyKey, accepted) as Promise<Outcome<V, 'submit'>>;
  }

  /** Submits up to 15 orders, each with its idempotency key. The answer has a result for each order. `notAfter` applies to all orders. */
  submitBatch<V extends Venue>(
    venue: V,
    { orders }: Body<V, 'batch'>,
    { notAfter }: Pick<SubmitOptions, 'notAfter'> = {},
  ): Promise<Outcome<V, 'batch'>> {
    return this.#request({ op: 'batch', venue, notAfter, orders }) as Promise<Outcome<V, 'batch'>>;
  }

  /** `orderId` is the id of the order to be replaced. */
  replace<V extends Venue>(
    venue: V,
    orderId: string,
    order: Body<V, 'replace'>,
    options: SubmitOptions = {},
  ): Promise<Outcome<V, 'replace'>> {
    const { idempotencyKey = this.#ids.next(), notAfter, accepted } = options;
    const request = { op: 'replace', venue, orderId, idempotencyKey, notAfter, ack: accepted !== undefined, order };
    return this.#request(request, idempotencyKey, accepted) as Promise<Outcome<V, 'replace'>>;
  }

  /** Cancels an order by its id, or by the idempotency key of its submission. The submission may still be in flight. */
  cancel<V extends Venue>(
    venue: V,
    order: string | { readonly idempotencyKey: string },
  ): Promise<Outcome<V, 'cancel'>> {
    return this.#request({ op: 'cancel', venue, ...named(order) }) as Promise<Outcome<V, 'cancel'>>;
  }

  /** Cancels all orders of the market, or all orders at the venue without `market`. `market` is a token id or a ticker. */
  cancelAll<V extends Venue>(venue: V, market?: string): Promise<Outcome<V, 'all'>> {
    return this.#request({ op: 'cancel-all', venue, market }) as Promise<Outcome<V, 'all'>>;
  }

  /** The queue ahead of a working order, which is named as for `cancel`. Null for an order that is not working. */
  queue(
    venue: Venue,
    order: string | { readonly idempotencyKey: string },
  ): Promise<Result<ApiAnswer<OrderQueue>, ApiFailure>> {
    const request = { op: 'queue', venue, ...named(order) };
    return this.#request(request) as unknown as Promise<Result<ApiAnswer<OrderQueue>, ApiFailure>>;
  }

  /** What is left of each rate of the gateway, and of the venues. */
  limits(): Promise<Result<ApiAnswer<Rates>, ApiFailure>> {
    return this.#request({ op: 'limits' }) as unknown as Promise<Result<ApiAnswer<Rates>, ApiFailure>>;
  }

  /** Sets whether the gateway cancels this key's open orders when the connection is lost. Is renewed at each reconnection. */
  cancelOnDisconnect(enabled: boolean): void {
    this.#cancelsOnDisconnect = enabled;
    if (this.isUp) void this.#switch(enabled);
  }

  /** Closes the connection. Requests without a result then have an unknown outcome. */
  close(): void {
    this.#connection.close();
    this.#handleLoss('closed');
  }

  #request(
    request: object,
    idempotencyKey = '',
    accepted: (orderId: string) => void = () => {},
  ): Promise<Result<ApiAnswer<JsonObject>, ApiFailure>> {
    if (!this.isUp) return Promise.resolve(fail({ kind: 'unreachable', message: 'not connected: nothing was sent' }));
    this.#count += 1;
    const id = String(this.#count);
    const frame = this.#encoded({ ...request, id });
    if (!frame.ok) {
      const refused = ok(errorAnswer({ code: 'INVALID_REQUEST', message: frame.error }));
      return Promise.resolve(readAnswer({ isMutation: true, idempotencyKey }, refused));
    }
    return new Promise(resolve => {
      this.#pending.set(id, { idempotencyKey, accepted, resolve });
      this.#connection.send(frame.value);
    });
  }

  /** Encodes a request. A value that the form cannot hold is a value that the gateway would refuse. */
  #encoded(request: JsonObject): Result<string | Uint8Array, string> {
    try {
      return ok(this.#codec.encodeRequest(request));
    } catch (error) {
      return fail(wordsOf(error));
    }
  }

  async #switch(enabled: boolean): Promise<void> {
    const outcome = await this.#request({ op: 'cancel-on-disconnect', enabled });
    if (enabled && !outcome.ok) this.emit('unarmed', outcome.error.message);
  }

  #up(): void {
    // This comes first, because it must be renewed within the grace period.
    if (this.#cancelsOnDisconnect) void this.#switch(true);
    this.emit('connection', true, '');
  }

  #down(detail: string): void {
    this.#handleLoss(detail);
    this.emit('connection', false, detail);
  }

  #handleLoss(message: string): void {
    const lost = [...this.#pending.values()];
    this.#pending.clear();
    for (const { idempotencyKey, resolve } of lost) {
      resolve(readAnswer({ isMutation: true, idempotencyKey }, fail({ isUnsent: false, message })));
    }
  }

  #read(frame: Uint8Array): void {
    const message = this.#decoded(frame);
    if (message === null || message.type === 'pong') return;
    const pending = this.#pending.get(textOf(message.id));
    if (pending === undefined) this.emit('unreadable', JSON.stringify(message));
    else if (message.type === 'accepted') pending.accepted(textOf(message.orderId));
    else {
      this.#pending.delete(textOf(message.id));
      const asked = { isMutation: true, idempotencyKey: pending.idempotencyKey };
      pending.resolve(readAnswer(asked, ok(message.type === 'result' ? resultAnswer(message) : errorAnswer(message))));
    }
  }

  /** Returns null if the frame is unreadable, which was reported. */
  #decoded(frame: Uint8Array): JsonObject | null {
    try {
      return this.#codec.decodeMessage(frame);
    } catch (error) {
      this.emit('unreadable', wordsOf(error));
      return null;
    }
  }
}

function named(order: string | { readonly idempotencyKey: string }): object {
  return typeof order === 'string' ? { orderId: order } : order;
}

/** The result as REST would have sent it. */
function resultAnswer({
  type,
  id,
  status,
  order,
  replayed,
  recorded,
  retryAfterS,
  timing,
  venueBudget,
  ...rest
}: JsonObject): WireAnswer {
  const headers = new Map([
    ['idempotency-replayed', replayed === true ? 'true' : ''],
    ['svc-recorded', recorded === false ? 'false' : ''],
    ['retry-after', retryAfterS === undefined ? '' : String(retryAfterS)],
    [
      'server-timing',
      isObject(timing)
        ? Object.entries(timing)
            .map(([stage, ms]) => `${stage};dur=${ms}`)
            .join(', ')
        : '',
    ],
    ['svc-venue-budget', isObject(venueBudget) ? budgetHeader(venueBudget) : ''],
  ]);
  return { status: Number(status), header: name => headers.get(name) ?? '', text: JSON.stringify(order ?? rest) };
}

function budgetHeader({ venue, ...kinds }: JsonObject): string {
  const parts = Object.entries(kinds).flatMap(([kind, requests]) =>
    isObject(requests) ? [`${kind}=${requests.left}`, `${kind}-ps=${requests.perSecond}`] : [],
  );
  return [textOf(venue), ...parts].join(';');
}

/** The answer for an error message, after which the gateway has done nothing. */
function errorAnswer({ code, message }: JsonObject): WireAnswer {
  const isTooMany = code === 'TOO_MANY_IN_FLIGHT';
  const error = { code: 'INVALID_REQUEST', message };
  return {
    status: isTooMany ? 429 : 400,
    header: name => (name === 'retry-after' && isTooMany ? '1' : ''),
    text: JSON.stringify({ error }),
  };
}
