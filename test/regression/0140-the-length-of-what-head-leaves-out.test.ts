// Found by review: an answer to HEAD said `Content-Length: 0` though the same GET has a body. RFC 9110 §8.6 forbids that: to a probe or a
// cache the body seems to be gone.

import { afterAll, expect, it } from 'vitest';
import { jsonReply, listen } from '../../src/net/listen.ts';
import { RawHttp } from '../support/raw-http.ts';

const REPLY = jsonReply(200, { status: 'größer' });
const LATER = { handle: () => new Promise<typeof REPLY>(resolve => setImmediate(resolve, REPLY)) };
const listener = await listen({
  host: '127.0.0.1',
  port: 0,
  sockets: [],
  http: (['get', 'head'] as const).flatMap(method => [
    { method, pattern: '/bare', isBare: true, handle: () => REPLY },
    { method, pattern: '/now', handle: () => REPLY },
    { method, pattern: '/later', ...LATER },
  ]),
  refuse: { notFound: () => jsonReply(404, 'nothing here') },
});
afterAll(() => listener.close());

const ask = (method: string, path: string): string => `${method} ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;

it.each(['/bare', '/now', '/later', '/nowhere'])(
  'HEAD %s has the length of GET, no body, and a next answer',
  async path => {
    const client = await RawHttp.connect(listener);
    const [got] = await client.send(ask('GET', path)).hear(1);
    const from = client.heard.length;
    client.send(ask('HEAD', path));
    await client.until(() => client.heard.endsWith('\r\n\r\n'));
    const head = client.heard.slice(from);
    expect([...head.matchAll(/^content-length: (\d+)\r$/gim)].map(([, length]) => length)).toEqual([
      got!.headers.get('content-length'),
    ]);
    expect(head.indexOf('\r\n\r\n')).toBe(head.length - 4);
    client.send(ask('GET', path));
    await client.until(() => client.heard.endsWith(got!.body));
    expect(client.heard.slice(from + head.length)).toMatch(/^HTTP\/1\.1 \d{3} /);
    expect([client.isClosed, listener.requestsInFlight]).toEqual([false, 0]);
    client.destroy();
  },
);
