// One keep-alive connection: a request, its answer, the next request. Unrequested bytes end it, as does anything that blurs
// where an answer begins. It reports its end once, also to the request that waits. Any thread.

import type { Socket } from 'node:net';
import { limits } from '../../limits.ts';
import { type HttpAnswer, HttpAnswerParser } from './http-answer-parser.ts';
import type { OutboundRequest } from './outbound.ts';
import type { OutboundDialer } from './outbound-dialer.ts';
import { RequestWriter } from './outbound-request.ts';

interface ConnectionHandlers {
  onOpen(connection: OutboundConnection): void;
  /** Gets the complete answer to the last request. If the answer closes the connection, `onEnd` does not follow. */
  onAnswer(connection: OutboundConnection, answer: HttpAnswer): void;
  /** Not called after `drop`. */
  onEnd(connection: OutboundConnection, message: string): void;
}

export class OutboundConnection {
  readonly #socket: Socket;
  readonly #writer: RequestWriter;
  readonly #parser: HttpAnswerParser;
  readonly #handlers: ConnectionHandlers;
  readonly #openTimer: NodeJS.Timeout;
  readonly #opening = Promise.withResolvers<void>();
  /** When it sent its latest request, by performance.now(). */
  sentAtMs = 0;
  #state: 'opening' | 'idle' | 'busy' | 'over' = 'opening';
  /** By performance.now(): do not use the connection from this time on. */
  idleUntilMs = Number.POSITIVE_INFINITY;

  /** `beginning`: by `headBeginning`. */
  constructor(dialer: OutboundDialer, beginning: string, answerBytesMax: number, handlers: ConnectionHandlers) {
    this.#writer = new RequestWriter(beginning);
    this.#parser = new HttpAnswerParser(answerBytesMax);
    this.#handlers = handlers;
    this.#openTimer = setTimeout(
      () => this.#end('no connection in time (outboundConnectMs)'),
      limits.outboundConnectMs,
    );
    this.#socket = dialer.dial({ onOpen: () => this.#opened(), onBytes: bytes => this.#read(bytes) });
    this.#socket.on('error', error => this.#end(messageOf(error)));
    this.#socket.on('end', () => this.#ended());
    this.#socket.on('close', () => this.#end('connection closed'));
  }

  /** Resolves when the connection is open, or has failed. */
  get opening(): Promise<void> {
    return this.#opening.promise;
  }

  /** Whether it is idle and not known to be unusable. */
  get isIdle(): boolean {
    return this.#state === 'idle' && this.#socket.writable;
  }

  /** Call this only while idle. Returns why the request is not sent; if that is empty, it may take effect from here on. */
  send(request: OutboundRequest): string {
    const bytes = this.#writer.write(request);
    if (typeof bytes === 'string') return bytes;
    this.#state = 'busy';
    this.#parser.begin(request.method === 'HEAD');
    this.sentAtMs = performance.now();
    // The writer reuses the memory for the next request, which is never sent before the socket has taken this one.
    this.#socket.write(bytes);
    return '';
  }

  /** Closes it without calling its handlers. */
  drop(): void {
    this.#state = 'over';
    clearTimeout(this.#openTimer);
    this.#opening.resolve();
    this.#socket.destroy();
  }

  #opened(): void {
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
      if (result?.type === 'answer') this.#answered(result);
      else if (result !== null) this.#end(`unreadable answer: ${result.message}`);
    } else this.#end('the server spoke unasked');
  }

  /** An answer before the whole request was written counts. But later bytes on this connection would be ambiguous. */
  #answered(answer: HttpAnswer): void {
    this.#state = 'idle';
    if (!answer.isKept || this.#socket.writableLength > 0) this.drop();
    this.#handlers.onAnswer(this, answer);
  }

  #ended(): void {
    const answer = this.#state === 'busy' ? this.#parser.end() : null;
    if (answer !== null) this.#answered(answer);
    else this.#end('connection closed by the server');
  }

  #end(message: string): void {
    if (this.#state === 'over') return;
    this.drop();
    this.#handlers.onEnd(this, message);
  }
}

/** If several addresses were tried, the error has a code and no message. */
function messageOf(error: Error & { readonly code?: string }): string {
  return error.message || error.code || error.name;
}
