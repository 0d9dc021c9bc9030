// An operator's address for alarms: a real server that keeps the requests, and answers as a test says.

import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Sent {
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** An answer. Null means that the server does not answer. */
type Answer = { readonly status: number; readonly headers?: Readonly<Record<string, string>> } | null;

export class AlertServer {
  readonly sent: Sent[] = [];
  /** The answers to the next requests, in sequence. Without an entry the server answers 204. */
  readonly answers: Answer[] = [];
  readonly #server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (text: string) => {
      body += text;
    });
    request.on('end', () => {
      this.sent.push({ url: request.url ?? '', headers: request.headers, body });
      this.#answer(response);
    });
  });

  static async start(): Promise<AlertServer> {
    const alerts = new AlertServer();
    await once(alerts.#server.listen(0, '127.0.0.1'), 'listening');
    return alerts;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/hooks/token-of-mine?x=1`;
  }

  /** The bodies of the requests, as JSON. */
  get bodies(): readonly Record<string, unknown>[] {
    return this.sent.map(({ body }) => JSON.parse(body));
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  #answer(response: ServerResponse): void {
    const answer = this.answers.length === 0 ? { status: 204 } : this.answers.shift()!;
    if (answer !== null) response.writeHead(answer.status, answer.headers).end();
  }
}
