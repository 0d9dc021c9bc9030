// Takes a request from its native handler to its answer: checks it, reads its body, runs the handler. Every request gets an
// answer, even if the handler throws. No exception reaches the native callback. Listening thread.
//
// uWebSockets.js ends slow senders by its own timer, which no option changes. The timer allows 10 s for an idle connection, a header block
// or a body (up to 160 KB). It runs in steps of 4 s, so connections close after 8 to 12 s. Handlers have no time limit.

import { BodyBuffer } from './body-buffer.ts';
import { Exchange, PLAIN_FAULT, type Traffic } from './exchange.ts';
import type { Acceptance, Handle, InboundRequest, Refusals, Reply } from './inbound.ts';
import { announcedBytes, CHUNKED, type CopiedRequest } from './inbound-request.ts';
import type { NativeResponse } from './native.ts';

const NO_PARAMETERS: readonly string[] = [];

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
  serveBare(response: NativeResponse, request: InboundRequest, handle: Handle): void {
    this.#respond(this.#exchange(response, request), request, NO_PARAMETERS, handle);
  }

  /** Answers a request; its body is complete when `handle` runs. */
  serve(response: NativeResponse, request: CopiedRequest, parameters: readonly string[], handle: Handle): void {
    const exchange = this.#exchange(response, request);
    const announced = announcedBytes(request);
    if (typeof announced === 'string') this.#refuseMalformed(exchange, request, announced);
    else if (announced > this.#bodyBytesMax) this.#refuseBody(exchange, request);
    else if (announced === 0) this.#respond(exchange, request, parameters, handle);
    else {
      // uWebSockets.js misreads chunk extensions, trailers and bare line feeds: do not trust bytes after such a body.
      if (announced === CHUNKED) exchange.endConnection();
      this.#readBody(response, exchange, request, parameters, handle);
    }
  }

  /** Accepts a WebSocket, or answers with the reason why not. */
  serveUpgrade<Context>(
    response: NativeResponse,
    request: CopiedRequest,
    accept: () => Acceptance<Context>,
    upgrade: (acceptance: Exclude<Acceptance<Context>, { readonly refusal: Reply }>) => void,
  ): void {
    const exchange = this.#exchange(response, request);
    const problem = upgradeProblem(request);
    if (problem !== null) {
      this.#refuseMalformed(exchange, request, problem);
      return;
    }
    try {
      const acceptance = accept();
      if ('refusal' in acceptance) exchange.answer(acceptance.refusal);
      else exchange.upgrade(() => upgrade(acceptance));
    } catch (error) {
      exchange.failed(error);
    }
  }

  #exchange(response: NativeResponse, request: InboundRequest): Exchange {
    return new Exchange(response, this.#traffic, request, this.#refuse);
  }

  #readBody(
    response: NativeResponse,
    exchange: Exchange,
    request: CopiedRequest,
    parameters: readonly string[],
    handle: Handle,
  ): void {
    let body: BodyBuffer | null = null;
    exchange.receive();
    response.onData((chunk, isLast) => {
      if (exchange.isSettled) return;
      if (body === null && isLast && chunk.byteLength <= this.#bodyBytesMax) {
        // The usual body arrives in one chunk.
        request.body = new Uint8Array(chunk.slice(0));
        this.#respond(exchange, request, parameters, handle);
        return;
      }
      body ??= new BodyBuffer(this.#bodyBytesMax);
      if (!body.append(new Uint8Array(chunk))) this.#refuseBody(exchange, request);
      else if (isLast) {
        request.body = body.view();
        this.#respond(exchange, request, parameters, handle);
      }
    });
  }

  #refuseMalformed(exchange: Exchange, request: InboundRequest, problem: string): void {
    exchange.endConnection();
    this.#respond(exchange, request, NO_PARAMETERS, () => this.#refuse.malformed(request, problem));
  }

  #refuseBody(exchange: Exchange, request: InboundRequest): void {
    exchange.endConnection();
    this.#respond(exchange, request, NO_PARAMETERS, () => this.#refuse.bodyTooLarge(request));
  }

  /** Sends the answer of `handle`, synchronously if the answer is there at once. */
  #respond(exchange: Exchange, request: InboundRequest, parameters: readonly string[], handle: Handle): void {
    try {
      const reply = handle(request, parameters, exchange);
      if (reply instanceof Promise) reply.then(it => exchange.answer(it)).catch(error => exchange.failed(error));
      else if (reply !== undefined) exchange.answer(reply);
    } catch (error) {
      exchange.failed(error);
    }
    if (!exchange.isSettled) exchange.hold();
  }
}

/** The answers of a listener that defines no refusals of its own. */
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
