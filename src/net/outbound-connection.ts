// One keep-alive connection: a request, its answer, the next request. What comes unasked ends it, as does whatever makes it
// unclear where an answer begins. It says once how it ended, and who was waiting hears of it. Any thread.

import type { Socket } from 'node:net';
import { limits } from '../limits.ts';
import { type HttpAnswer, HttpAnswerParser } from './http-answer-parser.ts';
import type { OutboundDialer } from './outbound-dialer.ts';
import type { WireRequest } from './outbound-request.ts';

export interface ConnectionHandlers {
  onOpen(connection: OutboundConnection): void;
  /** The whole answer to the last request. If it does not keep the connection, that is over, and `onEnd` does not follow. */
  onAnswer(connection: OutboundConnection, answer: HttpAnswer): void;
  /** Not after `drop`. */
  onEnd(connection: OutboundConnection, message: string): void;
}

export class OutboundConnection {
  readonly #socket: Socket;
  readonly #parser: HttpAnswerParser;
  readonly #handlers: ConnectionHandlers;
  readonly #openTimer: NodeJS.Timeout;
  readonly #opening = Promise.withResolvers<void>();
  #state: 'opening' | 'idle' | 'busy' | 'over' = 'opening';
  /** Of performance.now(): not to be used from then on. */
  idleUntilMs = Number.POSITIVE_INFINITY;

  constructor(dialer: OutboundDialer, answerBytesMax: number, handlers: ConnectionHandlers) {
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

  /** Resolves when it is open, or never will be. */
  get opening(): Promise<void> {
    return this.#opening.promise;
  }

  /** Nothing is known that speaks against sending a request. */
  get isIdle(): boolean {
    return this.#state === 'idle' && this.#socket.writable;
  }

  /** It must be idle. From here on the request may have had its effect. */
  send({ data, encoding, isHead }: WireRequest): void {
    this.#state = 'busy';
    this.#parser.begin(isHead);
    if (typeof data === 'string') this.#socket.write(data, encoding);
    else this.#socket.write(data);
  }

  /** Ends it without a word to its handlers. */
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

  /** An answer before the whole request has left is one; but what follows on this connection would be anyone's guess. */
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

/** With several addresses tried, the error that tells of them has a code only. */
function messageOf(error: Error & { readonly code?: string }): string {
  return error.message || error.code || error.name;
}
