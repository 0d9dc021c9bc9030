// A server on an open network. Every malformed, ambiguous or greedy request gets a clear 4xx or a closed socket, and the next caller is
// served.

import fc from 'fast-check';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type HttpRoute,
  jsonReply,
  type Listener,
  listen,
  type Refusals,
  type Reply,
} from '../../../src/core/net/listen.ts';
import { limits } from '../../../src/limits.ts';
import { type Answer, RawHttp } from '../../support/raw-http.ts';

/** The names of the requests whose handlers have run. */
let handled: string[] = [];
const BIG = 'x'.repeat(256 * 1024);

const name = (request: { readonly target: string; readonly body: Uint8Array }): Reply => {
  handled.push(request.target);
  return jsonReply(200, [request.target, Buffer.from(request.body).toString('latin1')]);
};
const routes: readonly HttpRoute[] = [
  { method: 'get', pattern: '/now/*', handle: name },
  { method: 'post', pattern: '/now/*', handle: name },
  { method: 'delete', pattern: '/now/*', handle: name },
  {
    method: 'get',
    pattern: '/later/*',
    handle: async request => {
      await new Promise(setImmediate);
      return name(request);
    },
  },
  { method: 'post', pattern: '/soon/*', handle: async request => name(request) },
  { method: 'get', pattern: '/never', handle: () => new Promise(() => {}) },
  { method: 'get', pattern: '/bare', isBare: true, handle: () => jsonReply(200, 'bare') },
  { method: 'get', pattern: '/big', handle: request => ({ ...name(request), body: BIG }) },
];

const refuse: Refusals = {
  notFound: request => jsonReply(404, `${request.path} not found`),
  methodNotAllowed: (request, allow) => jsonReply(405, `${request.method} is not ${allow}`),
  malformed: (_request, problem) => jsonReply(400, problem),
  bodyTooLarge: () => jsonReply(413, 'too large'),
  failed: () => jsonReply(500, 'failed'),
};

const BODY_BYTES_MAX = 1_000;
const options = { host: '127.0.0.1', port: 0, http: routes, sockets: [], refuse, bodyBytesMax: BODY_BYTES_MAX };
const listener: Listener = await listen(options);
afterAll(() => listener.close());
beforeEach(() => {
  handled = [];
});

const HOST = 'Host: x\r\n';
const get = (target: string, headers = ''): string => `GET ${target} HTTP/1.1\r\n${HOST}${headers}\r\n`;
const post = (target: string, headers: string, body: string): string =>
  `POST ${target} HTTP/1.1\r\n${HOST}${headers}\r\n${body}`;

/** Sends each segment in its own turn of the event loop. Resolves with the answers once the connection has ended. */
async function talk(...segments: readonly string[]): Promise<readonly Answer[]> {
  const client = await RawHttp.connect(listener);
  for (const segment of segments) {
    client.send(segment);
    await new Promise(setImmediate);
  }
  return client.end();
}

async function expectServing(): Promise<void> {
  const client = await RawHttp.connect(listener);
  const [answer] = await client.send(get('/now/next')).hear(1);
  expect(answer?.status).toBe(200);
  client.destroy();
}

describe('a request that has two readings or none', () => {
  it.each([
    ['bytes above 0x7E in the target', get('/now/\xe9'), 'request target: must be printable ASCII'],
    ['bytes above 0x7E in the query', get('/now/?\xff'), 'request target: must be printable ASCII'],
    ['two lengths', post('/now/a', 'Content-Length: 3\r\nContent-Length: 5\r\n', 'abcde'), 'Content-Length: must be'],
    [
      'one length twice',
      post('/now/a', 'Content-Length: 3\r\nContent-Length: 3\r\n', 'abc'),
      'Content-Length: must be',
    ],
    ['an empty length', post('/now/a', 'Content-Length:\r\n', 'abc'), 'Content-Length: must be'],
    ['a coding that is not chunked', post('/now/a', 'Transfer-Encoding: gzip\r\n', ''), 'Transfer-Encoding: must be'],
    ['two codings', post('/now/a', 'Transfer-Encoding: gzip, chunked\r\n', ''), 'Transfer-Encoding: must be'],
    ['an empty coding', post('/now/a', 'Transfer-Encoding:\r\n', 'abc'), 'Transfer-Encoding: must be'],
    ['two hosts', get('/now/a', 'Host: y\r\n'), 'Host: must be given once'],
  ])('(%s) is a 400 that names the part and ends the connection', async (_, request, problem) => {
    const [answer, ...more] = await talk(request);
    expect(answer?.status).toBe(400);
    expect(answer?.headers.get('connection')).toBe('close');
    expect(JSON.parse(answer!.body)).toContain(problem);
    expect([more, handled]).toEqual([[], []]);
  });

  it.each([
    ['two lengths', get('/bare', 'Content-Length: 3\r\nContent-Length: 0\r\n'), 400],
    ['an empty length', get('/bare', 'Content-Length:\r\n'), 400],
    ['a coding that is not chunked', get('/bare', 'Transfer-Encoding: gzip\r\n'), 400],
    ['two hosts', get('/bare', 'Host: y\r\n'), 400],
    ['chunks', `${get('/bare', 'Transfer-Encoding: chunked\r\n')}0\r\n\r\n`, 200],
  ])('(%s) ends the connection at a bare route, too', async (_, request, status) => {
    const [answer, ...more] = await talk(request);
    expect([answer?.status, answer?.headers.get('connection'), more]).toEqual([status, 'close', []]);
    // The server answers no request behind this request.
    await talk(request + get('/now/a'));
    await talk(request, get('/now/a'));
    expect(handled).toEqual([]);
  });

  it.each([
    ['HTTP/1.0', `GET /now/a HTTP/1.0\r\n${HOST}\r\n`, 505],
    ['HTTP/2 by prior knowledge', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 505],
    ['TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 505],
    ['an absolute target', get('http://x/now/a'), 505],
    ['no target', `GET  HTTP/1.1\r\n${HOST}\r\n`, 505],
    ['a space in the target', get('/now/a b'), 505],
    ['a null byte in the target', get('/now/\0'), 505],
    ['an asterisk', `OPTIONS * HTTP/1.1\r\n${HOST}\r\n`, 505],
    ['a tunnel', `CONNECT x:443 HTTP/1.1\r\n${HOST}\r\n`, 505],
    ['a segment that ends inside the version', 'GET /now/a HTTP/1.1', 505],
    ['bare line feeds', 'GET /now/a HTTP/1.1\nHost: x\n\n', 505],
    ['no Host', 'GET /now/a HTTP/1.1\r\nAccept: */*\r\n\r\n', 400],
    ['length and coding', post('/now/a', 'Content-Length: 3\r\nTransfer-Encoding: chunked\r\n', '0\r\n\r\n'), 400],
    ['a header block that is too large', get('/now/a', `A: ${'a'.repeat(limits.headerBytesMax)}\r\n`), 431],
    ['a target that is too long', get(`/now/${'a'.repeat(limits.headerBytesMax)}`), 431],
    ['10 000 headers', get('/now/a', 'A: 1\r\n'.repeat(10_000)), 431],
  ])('(%s) is refused by uWebSockets.js itself, and the connection ends', async (_, request, status) => {
    const answers = await talk(request);
    expect(answers.map(answer => answer.status)).toEqual([status]);
    expect(handled).toEqual([]);
  });

  it.each([
    ['that is negative', '-3'],
    ['with a sign', '+3'],
    ['in hexadecimal', '0x3'],
    ['that is a list', '3, 3'],
    ['beyond 64 bits', '18446744073709551619'],
  ])('(a length %s) is refused, and its handler never runs', async (_, length) => {
    const answers = await talk(post('/now/a', `Content-Length: ${length}\r\n`, 'abc'));
    expect(answers.map(answer => answer.status).filter(status => status !== 400)).toEqual([]);
    expect([handled, listener.requestsInFlight]).toEqual([[], 0]);
  });

  it.each([
    ['a null byte in a header', get('/now/a', 'A: \0\r\n')],
    ['a line feed in a header', get('/now/a', 'A: b\nC: d\r\n')],
    ['a carriage return in a header', get('/now/a', 'A: b\rC: d\r\n')],
    ['a folded header', get('/now/a', 'A: b\r\n c\r\n')],
    ['a space before the colon', get('/now/a', 'A : b\r\n')],
    ['a header without a colon', get('/now/a', 'A\r\n')],
    ['a header name that is no token', get('/now/a', 'A\xe9: b\r\n')],
    ['half a target', 'GET /now/a'],
    ['half a header', 'GET /now/a HTTP/1.1\r\nHo'],
  ])('(%s) waits for the timer without being heard', async (_, request) => {
    const client = await RawHttp.connect(listener);
    client.send(request);
    await expectServing();
    expect([client.heard, handled, listener.requestsInFlight]).toEqual(['', ['/now/next'], 0]);
    // The header block bounds the memory for such a request.
    client.send('a'.repeat(limits.headerBytesMax));
    expect((await client.end()).map(answer => answer.status)).toEqual([431]);
  });

  it('takes a header block up to the bound, in one segment or in many', async () => {
    const request = get('/now/a', `A: ${'a'.repeat(limits.headerBytesMax - 200)}\r\n`);
    const client = await RawHttp.connect(listener);
    await client.send(request).hear(1);
    for (let from = 0; from < request.length; from += 1_000) {
      client.send(request.slice(from, from + 1_000));
      await new Promise(setImmediate);
    }
    expect((await client.hear(2)).map(answer => answer.status)).toEqual([200, 200]);
    client.destroy();
  });
});

describe('a method', () => {
  it.each(['get', 'BREW', 'FO(O', 'OPTIONS', 'TRACE'])('that a path does not have (%s) is a 405', async method => {
    const client = await RawHttp.connect(listener);
    const [answer] = await client.send(`${method} /now/a HTTP/1.1\r\n${HOST}\r\n`).hear(1);
    expect(answer?.status).toBe(405);
    expect(answer?.headers.get('allow')).toBe('DELETE, GET, POST');
    client.destroy();
  });

  it('HEAD is a 405 without a body, so that the next answer is found', async () => {
    const client = await RawHttp.connect(listener);
    client.send(`HEAD /now/a HTTP/1.1\r\n${HOST}\r\n`);
    await client.until(() => client.heard.endsWith('\r\n\r\n'));
    expect(client.heard).toMatch(/^HTTP\/1\.1 405 /);
    const headBytes = client.heard.length;
    client.send(get('/now/b'));
    await client.until(() => client.heard.endsWith('["/now/b",""]'));
    expect(client.heard.slice(headBytes)).toMatch(/^HTTP\/1\.1 200 /);
    client.destroy();
  });
});

describe('a body', () => {
  const body = fc.uint8Array({ maxLength: BODY_BYTES_MAX }).map(bytes => Buffer.from(bytes).toString('latin1'));
  const cuts = fc.array(fc.nat(2 * BODY_BYTES_MAX), { maxLength: 6 });

  it('arrives whole, cut anywhere, by each method', async () => {
    const method = fc.constantFrom('GET', 'POST', 'DELETE');
    const client = await RawHttp.connect(listener);
    let asked = 0;
    await fc.assert(
      fc.asyncProperty(body, cuts, method, async (text, at, verb) => {
        asked += 1;
        const request = `${verb} /now/a HTTP/1.1\r\n${HOST}Content-Length: ${text.length}\r\n\r\n${text}`;
        for (const segment of cut(request, at)) {
          client.send(segment);
          await new Promise(setImmediate);
        }
        const answers = await client.hear(asked);
        expect(JSON.parse(latin1ToText(answers[asked - 1]!.body))).toEqual(['/now/a', text]);
      }),
      { numRuns: 100 },
    );
    client.destroy();
  });

  it('in chunks arrives whole too, and ends its connection', async () => {
    const chunks = fc.array(fc.uint8Array({ minLength: 1, maxLength: 90 }), { maxLength: 10 });
    await fc.assert(
      fc.asyncProperty(chunks, cuts, fc.constantFrom('now', 'soon'), async (parts, at, route) => {
        const texts = parts.map(bytes => Buffer.from(bytes).toString('latin1'));
        const coded = [...texts, ''].map(text => `${text.length.toString(16)}\r\n${text}\r\n`).join('');
        const answers = await talk(...cut(post(`/${route}/a`, 'Transfer-Encoding: chunked\r\n', coded), at));
        expect(answers.map(answer => JSON.parse(latin1ToText(answer.body)))).toEqual([[`/${route}/a`, texts.join('')]]);
        expect(answers[0]?.headers.get('connection')).toBe('close');
      }),
      { numRuns: 50 },
    );
  });

  it('of the largest size is taken, one byte more is refused before it is sent', async () => {
    const most = 'a'.repeat(BODY_BYTES_MAX);
    const client = await RawHttp.connect(listener);
    const [taken] = await client.send(post('/now/a', `Content-Length: ${BODY_BYTES_MAX}\r\n`, most)).hear(1);
    expect(JSON.parse(taken!.body)[1]).toBe(most);
    client.send(post('/now/a', `Content-Length: ${BODY_BYTES_MAX + 1}\r\n`, ''));
    const [, refused] = await client.end();
    expect([refused?.status, refused?.headers.get('connection')]).toEqual([413, 'close']);
    expect(handled).toEqual(['/now/a']);
  });

  it.each([
    ['a chunk larger than that', `${(BODY_BYTES_MAX + 1).toString(16)}\r\n${'a'.repeat(BODY_BYTES_MAX + 1)}\r\n`],
    ['chunks that add up to more', '64\r\n'.concat('a'.repeat(100), '\r\n').repeat(11)],
    ['a chunk extension, which is misread as a length', `3;a=b\r\nabc\r\n0\r\n\r\n${'a'.repeat(BODY_BYTES_MAX)}`],
  ])('in chunks is counted as it comes: %s is a 413', async (_, coded) => {
    const answers = await talk(post('/now/a', 'Transfer-Encoding: chunked\r\n', coded));
    expect([answers.map(answer => answer.status), handled]).toEqual([[413], []]);
  });

  it('whose chunks are nonsense is refused, and its handler never runs', async () => {
    await talk(post('/now/a', 'Transfer-Encoding: chunked\r\n', 'zz\r\nabc\r\n'));
    expect([handled, listener.requestsInFlight]).toEqual([[], 0]);
  });

  it('that was not requested is skipped, and is no request', async () => {
    const client = await RawHttp.connect(listener);
    client.send(post('/nowhere', 'Content-Length: 6\r\n', get('/now/a').slice(0, 6)) + get('/now/b'));
    client.send(`GET /bare HTTP/1.1\r\n${HOST}Content-Length: 3\r\n\r\nabc${get('/now/c')}`);
    expect((await client.hear(4)).map(answer => answer.status)).toEqual([404, 200, 200, 200]);
    expect(handled).toEqual(['/now/b', '/now/c']);
    client.destroy();
  });

  it('that never comes is forgotten with its caller', async () => {
    const client = await RawHttp.connect(listener);
    client.send(post('/now/a', 'Content-Length: 900\r\n', 'abc'));
    // By then the server has read all earlier bytes.
    await expectServing();
    client.destroy();
    await expectServing();
    expect([handled, listener.requestsInFlight]).toEqual([['/now/next', '/now/next'], 0]);
  });
});

describe('requests of one segment', () => {
  it('are answered in order by handlers that answer at once', async () => {
    const client = await RawHttp.connect(listener);
    const targets = Array.from({ length: 50 }, (_, index) => `/now/${index}`);
    const answers = await client.send(targets.map(target => get(target)).join('')).hear(targets.length);
    expect(answers.map(answer => JSON.parse(answer.body)[0])).toEqual(targets);
    client.destroy();
  });

  it.each(['/later/1', '/never'])(
    'end the connection if %s is still being answered: nothing is mixed up',
    async first => {
      expect(await talk(get(first) + get('/now/2'))).toEqual([]);
      expect(await talk(get(first), get('/now/2'))).toEqual([]);
      expect(handled).not.toContain('/now/2');
      expect(listener.requestsInFlight).toBe(0);
    },
  );

  it('are not served behind one that ends the connection', async () => {
    const malformed = post('/now/1', 'Content-Length: 3\r\nContent-Length: 5\r\n', 'abc');
    await talk(malformed + get('/now/2'));
    await talk(post('/now/1', 'Transfer-Encoding: chunked\r\n', `0\r\n\r\n${get('/now/2')}`));
    await talk(malformed, get('/now/2'));
    expect(handled).not.toContain('/now/2');
  });
});

describe('a caller that', () => {
  it('says it is done before it is answered gets nothing', async () => {
    const client = await RawHttp.connect(listener);
    expect(await client.send(get('/never')).finish().end()).toEqual([]);
    expect(listener.requestsInFlight).toBe(0);
  });

  it('asks and does not read is closed rather than stored', async () => {
    const client = await RawHttp.connect(listener);
    client.pause();
    for (let asked = 0; !client.isClosed; asked++) {
      // Ten thousand answers would have 2.5 GB. The kernel's buffers hold some tens of answers.
      expect(asked).toBeLessThan(10_000);
      client.send(get('/big'));
      await new Promise(setImmediate);
    }
    expect(handled.length).toBeLessThan(1_000);
    await expectServing();
  });
});

/**
 * Returns the pieces of a request, cut at those places that are inside the request and behind its first line. The first line must not be
 * cut.
 */
function cut(text: string, places: readonly number[]): readonly string[] {
  const inside = places.filter(place => place > text.indexOf('\n') && place < text.length);
  const ends = [...inside, text.length].sort((a, b) => a - b);
  return ends.map((end, index) => text.slice(index === 0 ? 0 : ends[index - 1], end)).filter(piece => piece !== '');
}

/** Returns UTF-8 text from a text in which each character is a byte. */
function latin1ToText(heard: string): string {
  return Buffer.from(heard, 'latin1').toString();
}
