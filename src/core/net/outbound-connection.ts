// One keep-alive connection: a request, its answer, the next request. Bytes that no request asked for end the connection, as does anything
// that blurs where an answer begins. The connection reports its end once, also to the request that waits. Any thread.

import type { Socket } from 'node:net';
import { limits } from '../../limits.ts';
import { type HttpAnswer, HttpAnswerParser } from './http-answer-parser.ts';
import type { OutboundRequest } from './outbound.ts';
import type { OutboundDialer } from './outbound-dialer.ts';
import { RequestWriter } from './outbound-request.ts';

interface ConnectionHandlers {
  onOpen(connection: OutboundConnection): void;
  /** Hears the complete answer to the last request. If the answer closes the connection, `onEnd` does not follow. */
  onAnswer(connection: OutboundConnection, answer: HttpAnswer): void;
  /** Hears the end of the connection, except after `drop`. */
  onEnd(connection: OutboundConnection, message: string): void;
}

export class OutboundConnection {
  readonly #socket: Socket;
  readonly #writer: RequestWriter;
  readonly #parser: HttpAnswerParser;
  readonly #handlers: ConnectionHandlers;
  readonly #openTimer: NodeJS.Timeout;
  readonly #opening = Promise.withResolvers<void>();
  /** The time at which the connection sent its latest request, by performance.now(). */
  sentAtMs = 0;
  #state: 'opening' | 'idle' | 'busy' | 'over' = 'opening';
  /** The time from which the connection must not be used, by performance.now(). */
  idleUntilMs = Number.POSITIVE_INFINITY;

  /** `beginning` is a result of `headBeginning`. */
  constructor(dialer: OutboundDialer, beginning: string, answerBytesMax: number, handlers: ConnectionHandlers) {
    this.#writer = new RequestWriter(beginning);
    this.#parser = new HttpAnswerParser(answerBytesMax);
    this.#handlers = handlers;
    this.#openTimer = setTimeout(
      () => this.#end('no connection in time (outboundConnectMs)'),
      limits.outboundConnectMs,
    );
    this.#socket = dialer.dial({ onOpen: () => this.#handleOpen(), onBytes: bytes => this.#read(bytes) });
    this.#socket.on('error', error => this.#end(messageOf(error)));
    this.#socket.on('end', () => this.#handleEnd());
    this.#socket.on('close', () => this.#end('connection closed'));
  }

  /** Resolves when the connection is open, or has failed. */
  get opening(): Promise<void> {
    return this.#opening.promise;
  }

  /** Whether the connection is idle and not known to be unusable. */
  get isIdle(): boolean {
    return this.#state === 'idle' && this.#socket.writable;
  }

  /**
   * Sends a request. Call this only while the connection is idle. Returns the reason why the request is not sent. The empty text means that
   * it is sent, and may take effect from here on.
   */
  send(request: OutboundRequest): string {
    const bytes = this.#writer.write(request);
    if (typeof bytes === 'string') return bytes;
    this.#state = 'busy';
    this.#parser.begin(request.method === 'HEAD');
    this.sentAtMs = performance.now();
    // The writer reuses this memory for the next request. The next request is never sent before the socket has taken these bytes.
    this.#socket.write(bytes);
    return '';
  }

  /** Closes the connection without calling its handlers. */
  drop(): void {
    this.#state = 'over';
    clearTimeout(this.#openTimer);
    this.#opening.resolve();
    this.#socket.destroy();
  }

  #handleOpen(): void {
    if (this.#state !== 'opening') return;
    this.#state = 'idle';
    clearTimeout(this.#openTimer);
    this.#opening.resolve();
    this.#handlers.onOpen(this);
  }

  #read(bytes: Buffer): void {
    if (this.#state === 'over') return;
    if (this.#state === 'busy') {
      const result = this.#parser.push(bytes);
      if (result?.type === 'answer') this.#handleAnswer(result);
      else if (result !== null) this.#end(`unreadable answer: ${result.message}`);
    } else this.#end('the server sent bytes without a request');
  }

  /** Handles an answer. An answer before the whole request was written counts, but later bytes on this connection would be ambiguous. */
  #handleAnswer(answer: HttpAnswer): void {
    this.#state = 'idle';
    if (!answer.isKept || this.#socket.writableLength > 0) this.drop();
    this.#handlers.onAnswer(this, answer);
  }

  #handleEnd(): void {
    const answer = this.#state === 'busy' ? this.#parser.end() : null;
    if (answer !== null) this.#handleAnswer(answer);
    else this.#end('connection closed by the server');
  }

  #end(message: string): void {
    if (this.#state === 'over') return;
    this.drop();
    this.#handlers.onEnd(this, message);
  }
}

/** Returns the message of the error. If several addresses were tried, the error has a code and no message. */
function messageOf(error: Error & { readonly code?: string }): string {
  return error.message || error.code || error.name;
}
