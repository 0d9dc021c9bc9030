// GETs of lists and facts, from real servers.

import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { createHttpClient } from '../../../src/core/net/http.ts';

const BODY_BYTES_MAX = 1_000;
const HEADERS = { 'user-agent': 'test' };

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

async function serverOf(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  closers.push(
    () => server.closeAllConnections(),
    () => server.close(),
  );
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function clientOf(timeoutMs = 5_000) {
  const client = createHttpClient(timeoutMs, BODY_BYTES_MAX);
  closers.push(() => client.close());
  return client;
}

it('gives status and text, from several origins over kept connections', async () => {
  const sockets = new Set<unknown>();
  const echo: RequestListener = (request, response) => {
    sockets.add(request.socket);
    response.writeHead(404).end(`\ufeff${request.method} ${request.url} ${request.headers['user-agent']} é`);
  };
  const origins = [await serverOf(echo), await serverOf(echo)];
  const { get } = clientOf();
  for (const origin of [...origins, ...origins]) {
    const answer = await get(`${origin}/a b?c=é#d`, HEADERS);
    expect(answer).toEqual({ status: 404, body: 'GET /a%20b?c=%C3%A9 test é' });
  }
  expect(sockets.size).toBe(2);
});

it('follows no redirect', async () => {
  const origin = await serverOf((_request, response) => response.writeHead(302, { location: '/other' }).end());
  expect(await clientOf().get(`${origin}/`, HEADERS)).toEqual({ status: 302, body: '' });
});

it('refuses a body over the bound', async () => {
  const origin = await serverOf((request, response) => {
    if (request.url === '/announced') response.end('x'.repeat(BODY_BYTES_MAX + 1));
    else for (let piece = 0; piece <= BODY_BYTES_MAX; piece++) response.write('x');
  });
  const { get } = clientOf();
  for (const path of ['/announced', '/in-pieces']) {
    await expect(get(origin + path, HEADERS)).rejects.toThrow(`a body of more than ${BODY_BYTES_MAX} bytes`);
  }
});

it('fails where nobody listens, and when the answer does not end in time', async () => {
  await expect(clientOf().get('http://127.0.0.1:1/', HEADERS)).rejects.toThrow('ECONNREFUSED');
  const origin = await serverOf((_request, response) => response.write('{'));
  await expect(clientOf(50).get(`${origin}/`, HEADERS)).rejects.toThrow('no answer within 50 ms');
});

it('fails what is in flight when it is closed, and what follows', async () => {
  const arrived = Promise.withResolvers<void>();
  const origin = await serverOf(() => arrived.resolve());
  const client = clientOf();
  const answer = client.get(`${origin}/`, HEADERS);
  await arrived.promise;
  client.close();
  await expect(answer).rejects.toThrow('the pool is closed');
  await expect(client.get('http://127.0.0.1:1/', HEADERS)).rejects.toThrow('the HTTP client is closed');
});
