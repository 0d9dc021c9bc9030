// A server for the pool's tests. It treats a request as a test wants, and remembers every byte and request that it saw.

import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import type {
  OutboundEvent,
  OutboundOutcome,
  OutboundPoolOptions,
  OutboundRequest,
} from '../../../src/core/net/outbound.ts';
import { HttpOutboundPool } from '../../../src/core/net/outbound-pool.ts';

export interface SeenRequest {
  /** The head of the request, with a character for each byte. */
  readonly head: string;
  readonly body: string;
  readonly socket: Socket;
  /** The number of the connection that brought the request, from 0. */
  readonly connection: number;
}

export type OnRequest = (request: SeenRequest, index: number) => void;

class ScriptedServer {
  readonly #server: Server;
  readonly requests: SeenRequest[] = [];
  readonly sockets: Socket[] = [];
  bytesSeen = 0;
  onRequest: OnRequest;
  /** The counts of the pools of this server. */
  readonly counted: Record<OutboundEvent, number> = { opened: 0, closed: 0, unreachable: 0, lost: 0, timeout: 0 };
  onConnection: (socket: Socket) => void = () => {};

  private constructor(onRequest: OnRequest) {
    this.onRequest = onRequest;
    this.#server = createServer(socket => this.#serve(socket));
  }

  static async start(onRequest: OnRequest = answerAll): Promise<ScriptedServer> {
    const server = new ScriptedServer(onRequest);
    server.#server.listen(0, '127.0.0.1');
    await once(server.#server, 'listening');
    return server;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** The number of connections that neither side has ended. */
  get openCount(): number {
    return this.sockets.filter(it => it.readable && it.writable).length;
  }

  pool(options: Partial<OutboundPoolOptions> = {}): HttpOutboundPool {
    const origin = `http://127.0.0.1:${this.port}`;
    const usual = { connectionsMax: 4, idleMs: 60_000, answerBytesMax: 4_096 };
    return new HttpOutboundPool({ origin, ...usual, ...options, count: event => (this.counted[event] += 1) });
  }

  /** The number of connections that the pools take for open. */
  get poolOpenCount(): number {
    return this.counted.opened - this.counted.closed;
  }

  /** Accepts no more connections. Open connections stay. */
  refuse(): void {
    this.#server.close();
  }

  close(): void {
    this.#server.close();
    for (const socket of this.sockets) socket.destroy();
  }

  #serve(socket: Socket): void {
    const connection = this.sockets.push(socket) - 1;
    let heard = '';
    socket.setNoDelay(true);
    socket.on('error', () => {});
    socket.on('data', (bytes: Buffer) => {
      this.bytesSeen += bytes.length;
      heard += bytes.toString('latin1');
      for (let request = firstRequest(heard); request !== null; request = firstRequest(heard)) {
        heard = heard.slice(request.head.length + request.body.length);
        const seen = { ...request, socket, connection };
        this.onRequest(seen, this.requests.push(seen) - 1);
      }
    });
    this.onConnection(socket);
  }
}

/** Returns a server and a pool that sends requests to it. Both close after the test. */
export async function servedPool(onRequest: OnRequest = answerAll, options: Partial<OutboundPoolOptions> = {}) {
  const server = await ScriptedServer.start(onRequest);
  const pool = server.pool(options);
  onTestFinished(async () => {
    server.close();
    await pool.close();
  });
  return { server, pool };
}

export const answerAll: OnRequest = ({ socket, body }) => {
  socket.write(answerText(body));
};

export function answerText(body: string): Buffer {
  return Buffer.from(`HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n${body}`, 'latin1');
}

export function post(body: string | Uint8Array): OutboundRequest {
  return { method: 'POST', target: '/orders?x=1', headers: { 'X-Key': 'k' }, body };
}

/** Returns `200 body`, or the type of any other outcome. */
export function brief(outcome: OutboundOutcome): string {
  if (outcome.type !== 'answer') return outcome.type;
  return `${outcome.status} ${outcome.body}`;
}

function firstRequest(heard: string): { readonly head: string; readonly body: string } | null {
  const headEnd = heard.indexOf('\r\n\r\n') + 4;
  if (headEnd < 4) return null;
  const head = heard.slice(0, headEnd);
  const length = Number(/\r\ncontent-length: (\d+)\r\n/i.exec(head)?.[1] ?? 0);
  return heard.length < headEnd + length ? null : { head, body: heard.slice(headEnd, headEnd + length) };
}
