// A server that passes each request on to another server, and changes each JSON object of its answers.

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { isObject, type JsonObject } from '../../src/core/domain/json.ts';

/** Returns the address of the new server. The server closes when the test ends. */
export async function changed(url: string, change: (value: JsonObject) => JsonObject): Promise<string> {
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
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${port}${new URL(url).pathname.replace(/\/$/, '')}`;
}
