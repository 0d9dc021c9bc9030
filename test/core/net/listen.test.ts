// HTTP on uWebSockets.js: a faulty handler costs one answer and never the process.

import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { NO_ANSWER } from '../../../src/core/net/inbound.ts';
import { type HttpRoute, jsonReply, type Listener, listen, type Reply } from '../../../src/core/net/listen.ts';
import { RawHttp } from '../../support/raw-http.ts';
import { turnsUntil } from '../../support/turns.ts';

const failing = () => {
  throw new Error('secret detail');
};
const BIG = 'é'.repeat(8 * 1024 * 1024);
let release: (reply: Reply) => void = () => {};

const routes: readonly HttpRoute[] = [
  { method: 'get', pattern: '/echo/:name', handle: ({ query }, names) => jsonReply(200, { names, query }) },
  { method: 'post', pattern: '/echo/:other', handle: ({ body }) => jsonReply(201, Buffer.from(body).toString()) },
  { method: 'put', pattern: '/put', handle: ({ body }) => jsonReply(200, Buffer.from(body).toString()) },
  { method: 'get', pattern: '/silent', handle: () => NO_ANSWER },
  { method: 'get', pattern: '/silent/later', handle: async () => NO_ANSWER },
  { method: 'delete', pattern: '/echo/all', handle: () => jsonReply(200, 'all') },
  { method: 'get', pattern: '/throws', handle: failing },
  { method: 'get', pattern: '/rejects', handle: async () => failing() },
  { method: 'get', pattern: '/bare', isBare: true, handle: request => jsonReply(200, request) },
  { method: 'get', pattern: '/held', handle: () => new Promise(resolve => (release = resolve)) },
  { method: 'get', pattern: '/big', handle: () => ({ status: 200, contentType: 'text/plain', body: BIG }) },
  {
    method: 'get',
    pattern: '/bytes',
    handle: () => ({ status: 200, contentType: 'x/y', body: Uint8Array.of(1, 0, 255) }),
  },
  {
    method: 'get',
    pattern: '/headers',
    handle: () => ({
      ...jsonReply(200, 1),
      headers: [
        ['A', '1'],
        ['B', '2'],
      ],
    }),
  },
  { method: 'get', pattern: '/last', handle: () => ({ ...jsonReply(200, 'last'), closes: true }) },
  {
    method: 'get',
    pattern: '/asked/*',
    handle: request =>
      jsonReply(200, [request.method, request.path, request.query, request.target, request.remoteAddress]),
  },
];

let listener: Listener;
const ask = (path: string, init: RequestInit = {}): Promise<Response> =>
  fetch(`http://127.0.0.1:${listener.port}${path}`, init);

beforeAll(async () => {
  listener = await listen({ host: '127.0.0.1', port: 0, http: routes, sockets: [] });
});
afterAll(() => listener.close());

describe('an HTTP route', () => {
  it.each(['/silent', '/silent/later'])('can drop the connection instead of an answer: %s', async path => {
    await expect(ask(path)).rejects.toThrow('fetch failed');
    expect(listener.requestsInFlight).toBe(0);
  });

  it('takes bodies with PUT', async () => {
    const answer = await ask('/put', { method: 'PUT', body: 'text' });
    expect([answer.status, await answer.json()]).toEqual([200, 'text']);
  });

  it('sees its path parameters and the raw query', async () => {
    expect(await (await ask('/echo/a%20b?c=d%20e')).json()).toEqual({ names: ['a b'], query: 'c=d%20e' });
  });

  it.each(['/throws', '/rejects'])(
    'that fails (%s) is a 500 that gives nothing away, and the server lives on',
    async path => {
      const answer = await ask(path);
      expect(answer.status).toBe(500);
      expect(await answer.json()).toEqual({ error: { code: 'INTERNAL_ERROR', message: 'a fault of the server' } });
      expect((await ask('/echo/x')).status).toBe(200);
    },
  );

  it.each([
    ['/echo/nba%2Dbos', 'nba-bos'],
    ['/echo/a%2Fb%3A%C3%A9', 'a/b:é'],
    ['/echo/%', '%'],
    ['/echo/%ff', '%ff'],
    ['/echo/a+b', 'a+b'],
  ])('gets the meaning of %s', async (path, name) => {
    expect(await (await ask(path)).json()).toMatchObject({ names: [name] });
  });

  it('that does not exist is a 404', async () => {
    expect((await ask('/nowhere')).status).toBe(404);
    expect((await ask('/echo/')).status).toBe(404);
    expect((await ask('/echo/a/b')).status).toBe(404);
  });

  it('shares its path with routes of other methods', async () => {
    const answer = await ask('/echo/x', { method: 'POST', body: 'grüße' });
    expect([answer.status, await answer.json()]).toEqual([201, 'grüße']);
    expect((await ask('/echo/x')).status).toBe(200);
  });

  it.each([
    ['PUT', '/echo/x', 'GET, POST'],
    ['DELETE', '/echo/x', 'GET, POST'],
    ['PUT', '/echo/all', 'DELETE, GET, POST'],
    ['OPTIONS', '/throws', 'GET'],
    ['POST', '/bare', 'GET'],
  ])('of another method: %s %s is a 405 that allows %s', async (method, path, allow) => {
    const answer = await ask(path, { method });
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, allow]);
  });

  it('that is bare sees nothing of the request', async () => {
    const seen = await (await ask('/bare?a=b', { headers: { c: 'd' } })).json();
    expect(seen).toMatchObject({ method: 'GET', path: '/bare', target: '/bare', query: '', remoteAddress: '' });
  });

  it('may answer with bytes, and with headers of its own', async () => {
    expect(new Uint8Array(await (await ask('/bytes')).arrayBuffer())).toEqual(Uint8Array.of(1, 0, 255));
    const { headers } = await ask('/headers');
    expect([headers.get('content-type'), headers.get('a'), headers.get('b')]).toEqual(['application/json', '1', '2']);
  });

  it('may answer with more than the kernel takes at once', async () => {
    const digest = (text: string): string => createHash('sha256').update(text).digest('hex');
    expect(digest(await (await ask('/big')).text())).toBe(digest(BIG));
    expect(listener.requestsInFlight).toBe(0);
  });

  it('gets its request as it was sent', async () => {
    expect(await (await ask('/asked/x?b=2&a=1')).json()).toEqual([
      'GET',
      '/asked/x',
      'b=2&a=1',
      '/asked/x?b=2&a=1',
      '127.0.0.1',
    ]);
  });
});

const target = fc
  .array(fc.integer({ min: 0x21, max: 0x7e }), { maxLength: 60 })
  .map(codes => `/asked/x${String.fromCharCode(...codes)}`);

it('gives every target byte for byte', async () => {
  const client = await RawHttp.connect(listener);
  let asked = 0;
  await fc.assert(
    fc.asyncProperty(target, async text => {
      asked += 1;
      const answers = await client.send(`GET ${text} HTTP/1.1\r\nHost: x\r\n\r\n`).hear(asked);
      const [, path, query, whole] = JSON.parse(answers[asked - 1]!.body);
      expect(whole).toBe(text);
      expect(path).toBe(text.split('?')[0]);
      expect(query).toBe(text.includes('?') ? text.slice(text.indexOf('?') + 1) : '');
    }),
    { numRuns: 200 },
  );
  client.destroy();
});

describe('an end', () => {
  it('of one connection comes with the answer that says so', async () => {
    const client = await RawHttp.connect(listener);
    const [answer, ...more] = await client.send('GET /last HTTP/1.1\r\nHost: x\r\n\r\n').end();
    expect([answer?.body, answer?.headers.get('connection'), more]).toEqual(['"last"', 'close', []]);
  });

  it('waits for what is in flight, and every answer until then is the last of its connection', async () => {
    const draining = await listen({ host: '127.0.0.1', port: 0, http: routes, sockets: [] });
    const [held, idle] = [await RawHttp.connect(draining), await RawHttp.connect(draining)];
    held.send('GET /held HTTP/1.1\r\nHost: x\r\n\r\n');
    await turnsUntil(() => draining.requestsInFlight === 1);
    let isDrained = false;
    const drained = draining.drain().then(() => (isDrained = true));
    const late = connect(draining.port, '127.0.0.1');
    await expect(once(late, 'connect')).rejects.toThrow('ECONNREFUSED');
    const [kept] = await idle.send('GET /echo/a HTTP/1.1\r\nHost: x\r\n\r\n').end();
    expect([kept?.status, kept?.headers.get('connection')]).toEqual([200, 'close']);
    expect([draining.requestsInFlight, isDrained]).toEqual([1, false]);
    release(jsonReply(200, 'at last'));
    await drained;
    expect((await held.end()).map(answer => answer.body)).toEqual(['"at last"']);
    draining.close();
  });

  it('without a waiter drops requests in flight, once or twice', async () => {
    const closing = await listen({ host: '127.0.0.1', port: 0, http: routes, sockets: [] });
    const client = await RawHttp.connect(closing);
    client.send('GET /held HTTP/1.1\r\nHost: x\r\n\r\n');
    await turnsUntil(() => closing.requestsInFlight === 1);
    closing.close();
    closing.close();
    release(jsonReply(200, 'too late'));
    expect(await client.end()).toEqual([]);
    expect([closing.requestsInFlight, closing.connections]).toEqual([0, 0]);
  });
});

it('counts connections and closes those beyond the bound (httpConnectionsMax, here 2)', async () => {
  const small = await listen({ host: '127.0.0.1', port: 0, http: routes, sockets: [], connectionsMax: 2 });
  const admitted = [await RawHttp.connect(small), await RawHttp.connect(small)];
  const third = await RawHttp.connect(small);
  expect(await third.end()).toEqual([]);
  expect(small.connections).toBe(2);
  for (const client of admitted) client.send('GET /echo/a HTTP/1.1\r\nHost: x\r\n\r\n');
  for (const client of admitted) expect((await client.hear(1))[0]?.status).toBe(200);
  admitted[0]?.destroy();
  await turnsUntil(() => small.connections === 1);
  const fourth = await RawHttp.connect(small);
  expect((await fourth.send('GET /echo/a HTTP/1.1\r\nHost: x\r\n\r\n').hear(1))[0]?.status).toBe(200);
  small.close();
});

it('says which address is taken', async () => {
  const taken = listen({ host: '127.0.0.1', port: listener.port, http: [], sockets: [] });
  await expect(taken).rejects.toThrow(`cannot listen on 127.0.0.1:${listener.port}`);
});

// HEAD answers had the length of an empty body. RFC 9110 §8.6 forbids that: a probe or a cache takes the body for gone.
describe('0140: the length of what head leaves out', () => {
  const REPLY = jsonReply(200, { status: 'größer' });
  const LATER = { handle: () => new Promise<typeof REPLY>(resolve => setImmediate(resolve, REPLY)) };
  let listener: Listener;
  beforeAll(async () => {
    listener = await listen({
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
});

// The end waited for the rest of a request body for ten seconds and more, since any bytes prolonged the wait. Then the listener was ended
// by force, without a word to the streams. Now an incomplete request is not in flight. It is answered if its rest comes.
describe('0237: an end while a body comes', () => {
  let listener: Listener;
  let sender: RawHttp;
  beforeEach(async () => {
    listener = await listen({
      host: '127.0.0.1',
      port: 0,
      http: [{ method: 'post', pattern: '/', handle: async ({ body }) => jsonReply(201, body.length) }],
      sockets: [],
    });
    const [one, other] = [await RawHttp.connect(listener), await RawHttp.connect(listener)];
    sender = one.send('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 8\r\n\r\nhalf');
    // By then the server has read all earlier bytes.
    for (const answers of [1, 2])
      await other.send('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n\r\n.').hear(answers);
  });
  afterEach(() => listener.close());

  it('the end does not wait for the rest of the body', async () => {
    await listener.drain();
    // Both connections are still open. If the end had waited for the rest, their idleness would have ended both before the rest was given
    // up.
    expect(listener.connections).toBe(2);
    listener.close();
    expect(await sender.end()).toEqual([]);
    expect([listener.requestsInFlight, listener.connections]).toEqual([0, 0]);
  });

  it('answers it if it comes, and waits for that', async () => {
    await listener.drain();
    sender.send('rest');
    const [answer, ...more] = await sender.end();
    expect([answer?.status, answer?.body, answer?.headers.get('connection'), more]).toEqual([201, '8', 'close', []]);
    expect(listener.requestsInFlight).toBe(0);
  });
});
