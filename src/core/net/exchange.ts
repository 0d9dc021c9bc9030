// The answer to one request: it is sent once, and never after the caller has gone. uWebSockets.js ends the process if this rule is broken,
// so no other code touches a response. Listening thread.
//
// Slow readers: `tryEnd` leaves an answer pending when the kernel takes no more bytes. uWebSockets.js drops a connection that sends its next
// request while an answer is pending. So each connection holds at most one unsent answer. A request that is pipelined while an asynchronous
// handler runs ends the connection, so answers cannot be mixed up.

import { type Answering, type InboundRequest, NO_ANSWER, type Refusals, type Reply } from './inbound.ts';
import type { NativeResponse } from './native.ts';
import { STATUS_CODES } from './node-http.ts';

/** The requests of one listener that await their answers. */
export class Traffic {
  isDraining = false;
  #inFlight = 0;
  readonly #waiting: (() => void)[] = [];

  get inFlight(): number {
    return this.#inFlight;
  }

  begin(): void {
    this.#inFlight += 1;
  }

  finish(): void {
    this.#inFlight -= 1;
    if (this.#inFlight === 0) for (const tell of this.#waiting.splice(0)) tell();
  }

  /** Makes every answer from now on end its connection. Resolves when no request is in flight. */
  drain(): Promise<void> {
    this.isDraining = true;
    return this.#inFlight === 0 ? Promise.resolve() : new Promise(resolve => this.#waiting.push(resolve));
  }
}

const STATUS_LINES = new Map(
  Object.entries(STATUS_CODES).map(([status, reason]) => [Number(status), `${status} ${reason}`]),
);
const encoder = new TextEncoder();

export const PLAIN_FAULT: Reply = {
  status: 500,
  contentType: 'application/json',
  body: '{"error":{"code":"INTERNAL_ERROR","message":"a fault of the server"}}',
};

export class Exchange implements Answering {
  readonly #response: NativeResponse;
  readonly #traffic: Traffic;
  readonly #request: InboundRequest;
  readonly #refuse: Pick<Refusals, 'failed'>;
  /**
   * Whether the request is a HEAD. Its answer has no body (RFC 9110 §9.3.2), since the client would take a body for the next answer. The
   * stated length is the length of the GET answer (§8.6). If the answer ends the connection, the length is 0: uWebSockets.js cannot end it
   * otherwise.
   */
  readonly #isHead: boolean;
  #isHeld = false;
  #isAwaited = false;
  #isSettled = false;
  #isOver = false;
  #endsConnection = false;

  constructor(response: NativeResponse, traffic: Traffic, request: InboundRequest, refuse: Pick<Refusals, 'failed'>) {
    this.#response = response;
    this.#traffic = traffic;
    this.#request = request;
    this.#refuse = refuse;
    this.#isHead = request.method === 'HEAD';
  }

  /** Whether the request is answered or upgraded, or the caller is gone. */
  get isSettled(): boolean {
    return this.#isSettled;
  }

  /** States that the request is still incomplete, and that no handler awaits it. Call this before the native handler returns. */
  receive(): void {
    if (this.#isHeld) return;
    this.#isHeld = true;
    this.#response.onAborted(() => this.#finish());
  }

  /** States that the answer comes later. Call this before the native handler returns. */
  hold(): void {
    this.receive();
    if (this.#isAwaited) return;
    this.#isAwaited = true;
    this.#traffic.begin();
  }

  /** Makes the connection end after this answer. */
  endConnection(): void {
    this.#endsConnection = true;
  }

  answer(reply: Reply): void {
    if (this.#isSettled) return;
    if (reply === NO_ANSWER) {
      this.#drop();
      return;
    }
    const closes = reply.closes === true || this.#endsConnection || this.#traffic.isDraining;
    if (closes) {
      // This waits one turn, until the parser has finished this segment. If the segment holds another request, the parser forgets that the
      // connection must end. If the parser meets a pending answer instead, it drops the connection.
      this.hold();
      setImmediate(() => this.#respond(() => this.#writeLast(reply)));
    } else this.#respond(() => this.#write(reply));
    this.#isSettled = true;
  }

  failed(error: unknown): void {
    if (this.#isSettled) return;
    let reply = PLAIN_FAULT;
    try {
      reply = this.#refuse.failed(this.#request, error);
    } catch {}
    this.answer(reply);
  }

  /** Upgrades: `task` turns the connection into a WebSocket. Call this only within the native handler. */
  upgrade(task: () => void): void {
    if (this.#isSettled) return;
    this.#finish();
    task();
  }

  #drop(): void {
    if (!this.#isOver) this.#response.close();
    this.#finish();
  }

  #respond(task: () => void): void {
    if (this.#isOver) return;
    if (this.#isHeld) this.#response.cork(task);
    else task();
  }

  #writeLast(reply: Reply): void {
    this.#writeHead(reply);
    this.#response.end(this.#isHead ? '' : reply.body, true);
    this.#finish();
  }

  #write(reply: Reply): void {
    const { body } = reply;
    const totalBytes = typeof body === 'string' ? Buffer.byteLength(body) : body.byteLength;
    this.#writeHead(reply);
    if (this.#isHead) {
      this.#endHead(totalBytes);
      return;
    }
    const isSent = this.#response.tryEnd(body, totalBytes)[1];
    if (isSent) this.#finish();
    else this.#sendRest(typeof body === 'string' ? encoder.encode(body) : body);
  }

  /** Ends the answer to a HEAD. The length is written as a header: uWebSockets.js would wait for a body if it had the length itself. */
  #endHead(bodyBytes: number): void {
    this.#response.writeHeader('Content-Length', String(bodyBytes));
    this.#response.endWithoutBody();
    this.#finish();
  }

  #writeHead({ status, contentType, headers }: Reply): void {
    this.#response.writeStatus(STATUS_LINES.get(status) ?? String(status));
    this.#response.writeHeader('Content-Type', contentType);
    for (let index = 0; index < (headers?.length ?? 0); index++) {
      const header = headers![index]!;
      this.#response.writeHeader(header[0], header[1]);
    }
  }

  #sendRest(body: Uint8Array): void {
    this.hold();
    this.#response.onWritable(offset => {
      const [isFlowing, isSent] = this.#response.tryEnd(body.subarray(offset), body.byteLength);
      if (isSent) this.#finish();
      return isFlowing;
    });
  }

  #finish(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#isSettled = true;
    if (this.#isAwaited) this.#traffic.finish();
  }
}
