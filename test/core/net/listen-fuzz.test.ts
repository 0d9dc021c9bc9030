// Noise and damaged requests on real sockets. The replies are whole answers to requests that were sent. Nothing is left behind, and the
// next caller is served.

import fc from 'fast-check';
import { afterAll, afterEach, expect, it } from 'vitest';
import { jsonReply, type Listener, listen, socketRoute } from '../../../src/core/net/listen.ts';
import { RawHttp } from '../../support/raw-http.ts';

const listener: Listener = await listen({
  host: '127.0.0.1',
  port: 0,
  http: [
    { method: 'get', pattern: '/now/:name', handle: request => jsonReply(200, request.target) },
    { method: 'post', pattern: '/now/:name', handle: request => jsonReply(200, request.target) },
    {
      method: 'get',
      pattern: '/later/:name',
      handle: async request => {
        await new Promise(setImmediate);
        return jsonReply(200, request.target);
      },
    },
    { method: 'get', pattern: '/bare', isBare: true, handle: () => jsonReply(200, '/bare') },
    { method: 'get', pattern: '/throws', handle: async () => expect.unreachable() },
  ],
  sockets: [
    socketRoute<null>({
      pattern: '/stream',
      messageBytesMax: 100,
      unsentBytesMax: 1_000,
      idleTimeoutS: 0,
      accept: () => ({ context: null, subprotocol: '' }),
      open: () => {},
      message: (connection, frame, isBinary) => connection.send(frame, isBinary),
      drain: () => {},
      close: () => {},
    }),
  ],
  refuse: { malformed: () => jsonReply(400, 'malformed') },
  bodyBytesMax: 200,
});
afterAll(() => listener.close());

afterEach(async () => {
  while (listener.connections > 0) await new Promise(setImmediate);
  expect(listener.requestsInFlight).toBe(0);
  const client = await RawHttp.connect(listener);
  const [answer] = await client.send('GET /now/next HTTP/1.1\r\nHost: x\r\n\r\n').hear(1);
  expect(answer?.body).toBe('"/now/next"');
  client.destroy();
});

const HOST = 'Host: x\r\n';
const valid = fc.constantFrom(
  `GET /now/a?b=c HTTP/1.1\r\n${HOST}Accept: */*\r\n\r\n`,
  `GET /later/a HTTP/1.1\r\n${HOST}\r\n`,
  `GET /bare HTTP/1.1\r\n${HOST}\r\n`,
  `GET /throws HTTP/1.1\r\n${HOST}\r\n`,
  `POST /now/b HTTP/1.1\r\n${HOST}Content-Length: 3\r\n\r\nabc`,
  `POST /now/c HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n`,
  `POST /now/d HTTP/1.1\r\n${HOST}Expect: 100-continue\r\nContent-Length: 1\r\n\r\na`,
  `HEAD /now/e HTTP/1.1\r\n${HOST}Connection: close\r\n\r\n`,
  `GET /stream HTTP/1.1\r\n${HOST}Upgrade: websocket\r\nSec-WebSocket-Key: ${'A'.repeat(22)}==\r\nSec-WebSocket-Version: 13\r\n\r\n`,
);

const byte = fc.integer({ min: 0, max: 255 }).map(code => String.fromCharCode(code));
const shard = fc.oneof(
  { weight: 3, arbitrary: byte },
  fc.constantFrom(
    '\r\n',
    '\r\n\r\n',
    '\0',
    ': ',
    'Content-Length: 9\r\n',
    'Transfer-Encoding: chunked\r\n',
    ' HTTP/1.1',
  ),
  fc.string({ maxLength: 40 }),
);
const damage = fc.tuple(fc.nat(200), fc.nat(12), shard);

/** A valid request with up to three places replaced. */
const damaged = fc.tuple(valid, fc.array(damage, { maxLength: 3 })).map(([request, damages]) =>
  damages.reduce<string>((text, [place, length, instead]) => {
    const at = place % (text.length + 1);
    return text.slice(0, at) + instead + text.slice(at + length);
  }, request),
);
const soup = fc.array(byte, { maxLength: 300 }).map(bytes => bytes.join(''));

async function talk(segments: readonly string[]): Promise<RawHttp> {
  const client = await RawHttp.connect(listener);
  for (const segment of segments) {
    client.send(segment);
    await new Promise(setImmediate);
  }
  await client.finish().end();
  return client;
}

it('noise is answered with an error or not at all', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(soup, { maxLength: 4 }), async segments => {
      const { heard } = await talk(segments);
      expect(heard === '' || /^HTTP\/1\.1 (400|431|505) /.test(heard)).toBe(true);
    }),
    { numRuns: 300 },
  );
});

it('damaged requests, alone and behind each other, are refused or served as sent', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(damaged, { minLength: 1, maxLength: 4 }),
      fc.boolean(),
      async (requests, isOneSegment) => {
        const sent = requests.join('');
        const client = await talk(isOneSegment ? [sent] : requests);
        // After an upgrade all bytes are frames.
        if (client.heard.includes(' 101 ')) return;
        for (const { status, body } of client.answers) {
          expect([200, 400, 404, 405, 413, 431, 500, 505]).toContain(status);
          if (status === 200) expect(sent).toContain(JSON.parse(body));
        }
      },
    ),
    { numRuns: 500 },
  );
});

it('valid requests, each with its own name: answers come in order, and none twice', async () => {
  const route = fc.constantFrom('/now', '/later');
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(route, fc.boolean()), { minLength: 1, maxLength: 8 }), async steps => {
      const targets = steps.map(([path], index) => `${path}/${index}`);
      const segments: string[] = [];
      for (const [index, [, startsSegment]] of steps.entries()) {
        const request = `GET ${targets[index]} HTTP/1.1\r\n${HOST}\r\n`;
        if (startsSegment || segments.length === 0) segments.push(request);
        else segments.push(segments.pop() + request);
      }
      const answered = (await talk(segments)).answers.map(({ body }) => JSON.parse(body));
      // A request that comes while an answer is pending ends the connection. The answers until then are those of the first requests.
      expect(answered).toEqual(targets.slice(0, answered.length));
    }),
    { numRuns: 200 },
  );
});
