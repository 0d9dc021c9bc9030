// A cheap keep-alive HTTP client. Requests are prepared bytes, and one is in flight at a time. All connections of a thread read into one buffer.
// The client reads only the status and the length of an answer.

import { connect, type Socket } from 'node:net';

const READ_BYTES = 64 * 1024;
const shared = Buffer.allocUnsafe(READ_BYTES);

const HEAD_END = Buffer.from('\r\n\r\n');
const LENGTH_NAME = Buffer.from('Content-Length: ');
/** The offset of the status in `HTTP/1.1 200 OK`. */
const STATUS_AT = 9;
const DIGIT_0 = 0x30;
const NOTHING = Buffer.alloc(0);

export interface HttpHandlers {
  /** Called with a complete answer, which is borrowed. */
  onAnswer(status: number, answer: Buffer): void;
  /** Called when the connection closes, but not after `close`. */
  onClose(detail: string): void;
}

export class HttpConnection {
  readonly #socket: Socket;
  readonly #handlers: HttpHandlers;
  /** The start of an answer whose end has not arrived. */
  #rest: Buffer = NOTHING;
  #isOver = false;

  /** Resolves when the connection is open. */
  static open(port: number, handlers: HttpHandlers): Promise<HttpConnection> {
    return new Promise(resolve => {
      const connection = new HttpConnection(port, handlers, () => resolve(connection));
    });
  }

  private constructor(port: number, handlers: HttpHandlers, onOpen: () => void) {
    this.#handlers = handlers;
    this.#socket = connect({
      host: '127.0.0.1',
      port,
      noDelay: true,
      onread: {
        buffer: shared,
        callback: count => {
          this.#read(shared.subarray(0, count));
          return true;
        },
      },
    });
    this.#socket.once('connect', onOpen);
    this.#socket.once('error', error => this.#end(error.message));
    this.#socket.once('close', () => this.#end('closed'));
  }

  send(request: Buffer): void {
    this.#socket.write(request);
  }

  close(): void {
    this.#isOver = true;
    this.#socket.destroy();
  }

  #read(read: Buffer): void {
    const answer = this.#rest.length === 0 ? read : Buffer.concat([this.#rest, read]);
    const end = answerEnd(answer);
    if (end > answer.length) {
      this.#rest = Buffer.from(answer);
      return;
    }
    if (end < answer.length) throw new Error('more came than one answer');
    this.#rest = NOTHING;
    this.#handlers.onAnswer(digits(answer, STATUS_AT), answer);
  }

  #end(detail: string): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#handlers.onClose(detail);
  }
}

/** Returns the end of the answer. Returns Infinity while the head is incomplete. */
function answerEnd(answer: Buffer): number {
  const headEnd = answer.indexOf(HEAD_END);
  if (headEnd < 0) return Number.POSITIVE_INFINITY;
  const lengthAt = answer.indexOf(LENGTH_NAME);
  if (lengthAt < 0 || lengthAt > headEnd) throw new Error(`no length in ${answer.toString('latin1', 0, headEnd)}`);
  return headEnd + HEAD_END.length + digits(answer, lengthAt + LENGTH_NAME.length);
}

function digits(bytes: Buffer, start: number): number {
  let value = 0;
  for (let at = start; ; at++) {
    const digit = bytes[at]! - DIGIT_0;
    if (!(digit >= 0 && digit <= 9)) return value;
    value = value * 10 + digit;
  }
}
