// Takes a request from its native handler to its answer: checks it, reads its body, runs the handler. Every request gets an
// answer, even if the handler throws. No exception reaches the native callback. Listening thread.
//
// uWebSockets.js' own timer, which no option reaches, ends slow senders. Idle connections, header blocks and bodies (up to
// 160 KB) have 10 s in steps of 4 s: they close after 8 to 12 s. Handlers have no time limit.

import type { Later } from '../domain/result.ts';
import { BodyBuffer } from './body-buffer.ts';
import { Exchange, type Traffic } from './exchange.ts';
import type { Acceptance, InboundRequest, Refusals, Reply } from './inbound.ts';
import { announcedBytes, CHUNKED, type CopiedRequest } from './inbound-request.ts';
import type { NativeResponse } from './native.ts';

interface ResponderParts {
  readonly refuse: Required<Refusals>;
  readonly bodyBytesMax: number;
  readonly traffic: Traffic;
}

export class Responder {
  readonly #refuse: Required<Refusals>;
  readonly #bodyBytesMax: number;
  readonly #traffic: Traffic;

  constructor({ refuse, bodyBytesMax, traffic }: ResponderParts) {
    this.#refuse = refuse;
    this.#bodyBytesMax = bodyBytesMax;
    this.#traffic = traffic;
  }

  /** Answers a request that needs no check and was not copied. */
  serveBare(response: NativeResponse, request: InboundRequest, handle: () => Later<Reply>): void {
    this.#respond(new Exchange(response, this.#traffic, request.method), request, handle);
  }

  /** Answers a request; its body is complete when `handle` runs. */
  serve(response: NativeResponse, request: CopiedRequest, handle: () => Later<Reply>): void {
    const exchange = new Exchange(response, this.#traffic, request.method);
    const announced = announcedBytes(request);
    if (typeof announced === 'string') this.#refuseMalformed(exchange, request, announced);
    else if (announced > this.#bodyBytesMax) this.#refuseBody(exchange, request);
    else if (announced === 0) this.#respond(exchange, request, handle);
    else {
      // uWebSockets.js misreads chunk extensions, trailers and bare line feeds: do not trust bytes after such a body.
      if (announced === CHUNKED) exchange.endConnection();
      this.#readBody(response, exchange, request, handle);
    }
  }

  /** Accepts a WebSocket, or answers why not. */
  serveUpgrade<Context>(
    response: NativeResponse,
    request: CopiedRequest,
    accept: () => Acceptance<Context>,
    upgrade: (acceptance: Exclude<Acceptance<Context>, { readonly refusal: Reply }>) => void,
  ): void {
    const exchange = new Exchange(response, this.#traffic, request.method);
    const problem = upgradeProblem(request);
    if (problem !== null) {
      this.#refuseMalformed(exchange, request, problem);
      return;
    }
    this.#settle(exchange, request, accept, acceptance => {
      if ('refusal' in acceptance) exchange.answer(acceptance.refusal);
      else exchange.upgrade(() => upgrade(acceptance));
    });
  }

  #readBody(response: NativeResponse, exchange: Exchange, request: CopiedRequest, handle: () => Later<Reply>): void {
    const body = new BodyBuffer(this.#bodyBytesMax);
    exchange.receive();
    response.onData((chunk, isLast) => {
      if (exchange.isSettled) return;
      if (!body.append(new Uint8Array(chunk))) this.#refuseBody(exchange, request);
      else if (isLast) {
        request.body = body.view();
        this.#respond(exchange, request, handle);
      }
    });
  }

  #refuseMalformed(exchange: Exchange, request: InboundRequest, problem: string): void {
    exchange.endConnection();
    this.#respond(exchange, request, () => this.#refuse.malformed(request, problem));
  }

  #refuseBody(exchange: Exchange, request: InboundRequest): void {
    exchange.endConnection();
    this.#respond(exchange, request, () => this.#refuse.bodyTooLarge(request));
  }

  #respond(exchange: Exchange, request: InboundRequest, produce: () => Later<Reply>): void {
    this.#settle(exchange, request, produce, reply => exchange.answer(reply));
  }

  /** Runs `produce`, then `finish`; synchronously if there is no promise. */
  #settle<T>(exchange: Exchange, request: InboundRequest, produce: () => Later<T>, finish: (value: T) => void): void {
    try {
      const value = produce();
      if (!(value instanceof Promise)) {
        finish(value);
        return;
      }
      exchange.hold();
      value.then(
        it => this.#settle(exchange, request, () => it, finish),
        error => exchange.answer(this.#failed(request, error)),
      );
    } catch (error) {
      exchange.answer(this.#failed(request, error));
    }
  }

  #failed(request: InboundRequest, error: unknown): Reply {
    try {
      return this.#refuse.failed(request, error);
    } catch {
      return PLAIN_FAULT;
    }
  }
}

const PLAIN_FAULT: Reply = {
  status: 500,
  contentType: 'application/json',
  body: '{"error":{"code":"INTERNAL_ERROR","message":"a fault of the server"}}',
};

/** Answers of a listener that defines none. */
export const PLAIN_REFUSALS: Required<Refusals> = {
  notFound: () => plain(404, ''),
  methodNotAllowed: () => plain(405, ''),
  malformed: (_request, problem) => plain(400, problem),
  bodyTooLarge: () => plain(413, ''),
  failed: () => PLAIN_FAULT,
};

function plain(status: number, body: string): Reply {
  return { status, contentType: 'text/plain', body };
}

function upgradeProblem(request: CopiedRequest): string | null {
  const announced = announcedBytes(request);
  if (typeof announced === 'string') return announced;
  if (announced !== 0) return 'body: an upgrade has none';
  return request.header('sec-websocket-version') === '13' ? null : 'Sec-WebSocket-Version: must be 13';
}
