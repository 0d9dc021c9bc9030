// The server of these tests: plain HTTP and WebSocket on real sockets. It checks signatures as the gateway does, with its own clock, and
// answers, breaks off or stays silent as a test sets it.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { precheck } from '../../../src/core/auth/check.ts';
import { verifySignature } from '../../../src/core/auth/ed25519.ts';
import { createKeyPair } from '../../../src/core/auth/key-pair.ts';
import { Keyring } from '../../../src/core/auth/keyring.ts';
import { NO_LIMITS } from '../../../src/core/domain/identity.ts';
import type { UnixMillis } from '../../../src/core/domain/numbers.ts';

/** A request as it arrived. */
interface Heard {
  readonly method: string;
  readonly target: string;
  readonly body: string;
  header(name: string): string;
  /** Whether the signature of the request was good. A request with a wrong signature has been answered with 401. */
  readonly isSigned: boolean;
}

export interface Script {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** The body: a text is sent as it is, any other value as JSON. */
  readonly body?: unknown;
  /** `drop` ends the connection after the request came, `cut` ends it in the middle of the answer, and `silence` gives no answer. */
  readonly fault?: 'drop' | 'cut' | 'silence';
}

export class SignedServer {
  /** The milliseconds that the server's clock is ahead of ours. */
  aheadMs = 0;
  /** The milliseconds that the server's claimed time is ahead of the time by which it checks. Null means that both are the same. */
  claimedAheadMs: number | null = null;
  answer: (request: Heard) => Script = () => ({ body: {} });
  /** Whether the server accepts every signature. */
  takesAnyKey = false;
  /** The tickets that open a stream, once each. */
  readonly tickets = new Set<string>();
  onStream: (socket: WebSocket) => void = () => {};
  /** The origin of the gateway that opens streams in this server's place. */
  streamOwner: string | null = null;
  readonly heard: Heard[] = [];
  readonly keyId = 'key-1';
  readonly seedHex: string;
  readonly #keyring: Keyring;
  readonly #server: Server;
  readonly #streams = new WebSocketServer({ noServer: true });

  private constructor(seedHex: string, publicKeyHex: string) {
    this.seedHex = seedHex;
    const owner = { actorId: 'actor', podId: 'pod', label: '', createdAt: 0 as UnixMillis, revokedAt: null };
    const key = { ...owner, keyId: this.keyId, publicKeyHex, scopes: ['read', 'trade'] as const, addresses: [] };
    this.#keyring = new Keyring({
      pods: [],
      actors: [{ ...owner, limits: NO_LIMITS }],
      signingKeys: [key],
      apiKeys: [],
    });
    this.#server = createServer((request, response) => this.#serve(request, response));
    this.#server.on('upgrade', (request, socket, head) => this.#upgrade(request, socket, head));
  }

  /** Starts the server on a free port, or on a Unix domain socket. */
  static async start(socketPath?: string): Promise<SignedServer> {
    const { seedHex, publicKeyHex } = await createKeyPair();
    const server = new SignedServer(seedHex, publicKeyHex);
    await new Promise<void>(resolve => server.#server.listen(socketPath ?? { host: '127.0.0.1', port: 0 }, resolve));
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get streamUrl(): string {
    return `${this.url.replace('http', 'ws')}/v1/orderbook`;
  }

  /** The received requests, each as `METHOD target`. */
  get lines(): readonly string[] {
    return this.heard.map(({ method, target }) => `${method} ${target}`);
  }

  async close(): Promise<void> {
    for (const stream of this.#streams.clients) stream.terminate();
    this.#server.closeAllConnections();
    await new Promise(resolve => this.#server.close(resolve));
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { heard, refusal } = this.#look(request, Buffer.concat(chunks));
    const { status = 200, headers = {}, body = {}, fault } = refusal ?? this.answer(heard);
    if (fault === 'silence') return;
    if (fault === 'drop') {
      request.socket.destroy();
      return;
    }
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    response.writeHead(status, {
      'Content-Type': 'application/json',
      'SVC-Request-Id': `request-${this.heard.length}`,
      'SVC-Server-Time': String(Date.now() + (this.claimedAheadMs ?? this.aheadMs)),
      ...(fault === 'cut' ? { 'Content-Length': text.length + 1 } : {}),
      ...headers,
    });
    if (fault === 'cut') response.write(text, () => request.socket.destroy());
    else response.end(text);
  }

  #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const ticket = new URL(request.url ?? '', 'http://gateway').searchParams.get('ticket') ?? '';
    const { heard } = this.#look(request, Buffer.alloc(0));
    if (this.streamOwner !== null) {
      const owner = `SVC-Pod-Owner: ${this.streamOwner}`;
      socket.end(`HTTP/1.1 421 Misdirected Request\r\n${owner}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
    } else if (this.tickets.delete(ticket) || heard.isSigned) {
      this.#streams.handleUpgrade(request, socket, head, stream => this.onStream(stream));
    } else socket.end('HTTP/1.1 401 Unauthorized\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
  }

  #look(request: IncomingMessage, body: Buffer): { readonly heard: Heard; readonly refusal: Script | null } {
    const header = (name: string): string => request.headersDistinct[name]?.join(', ') ?? '';
    const [method, target] = [request.method ?? '', request.url ?? ''];
    const problem =
      header('svc-key-id') === '' || this.takesAnyKey ? null : this.#problemOf(method, target, body, header);
    const isSigned = header('svc-key-id') !== '' && problem === null;
    const heard = { method, target, body: body.toString(), header, isSigned };
    this.heard.push(heard);
    if (problem === null) return { heard, refusal: null };
    return { heard, refusal: { status: 401, body: { error: { code: 'INVALID_REQUEST', message: problem } } } };
  }

  #problemOf(method: string, target: string, body: Buffer, header: Heard['header']): string | null {
    const headers = {
      keyId: header('svc-key-id'),
      timestamp: header('svc-timestamp'),
      signature: header('svc-signature'),
      contentSha256: header('svc-content-sha256'),
      idempotencyKey: header('idempotency-key'),
      notAfter: header('svc-not-after-millis'),
    };
    const nowMs = (Date.now() + this.aheadMs) as UnixMillis;
    const checked = precheck({ method, target, body, ...headers }, this.#keyring.signingKey(headers.keyId), nowMs);
    if (!checked.ok) return JSON.stringify(checked.error);
    return verifySignature(checked.value.check) ? null : 'the signature is wrong';
  }
}
