// A server whose answers are those of another, with each of their JSON objects changed.

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isObject, type JsonObject } from '../../src/core/domain/json.ts';

export interface ChangedServer {
  /** As that of the other. */
  readonly url: string;
  readonly close: () => void;
}

export async function changedServer(url: string, change: (value: JsonObject) => JsonObject): Promise<ChangedServer> {
  const server = createServer(async (request, response) => {
    // Signed requests keep their headers.
    const { host: _, connection: __, ...headers } = request.headers as Record<string, string>;
    const answer = await fetch(new URL(url).origin + request.url, { headers });
    const body: unknown = JSON.parse(await answer.text(), (_key, value) => (isObject(value) ? change(value) : value));
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}${new URL(url).pathname.replace(/\/$/, '')}`,
    close: () => void server.close(),
  };
}
