// Malformed requests that our own clients never send, byte by byte on bare sockets. Each gets a clear 4xx in JSON or a closed connection. The process
// survives, nothing stays in flight, and another caller is served at the same time.

import { randomInt } from 'node:crypto';
import { connect } from 'node:net';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { limits } from '../../src/limits.ts';
import { RawHttp } from '../support/raw-http.ts';
import type { RunningGateway } from '../support/running-gateway.ts';
import { sharedGateway } from '../support/shared-gateway.ts';
import { sendSigned, signedHeaders } from '../support/signed-requests.ts';

let gateway: RunningGateway;
beforeAll(async () => {
  gateway = await sharedGateway('synthetic');
});
afterAll(() => gateway.close());

interface Exchange {
  /** The status of each answer, in order. */
  readonly statuses: readonly number[];
  readonly text: string;
}

/**
 * Writes bytes, sends a good request behind them on another connection, waits for its answer, and ends the connection. The same loop and the same
 * single thread of the pool serve both requests, so the bytes are answered first. With `isAnswered`, the function also waits for the first part of an
 * answer to the bytes.
 */
async function exchange(
  bytes: string | Uint8Array,
  { localAddress = '127.0.0.1', isAnswered = false } = {},
): Promise<Exchange> {
  const socket = connect({ port: gateway.port, host: '127.0.0.1', localAddress });
  const closed = new Promise(resolve => socket.once('close', resolve));
  let text = '';
  socket.setEncoding('latin1');
  socket.on('data', part => {
    text += part;
  });
  // A connection reset during the write is also an answer: the connection is closed.
  socket.on('error', () => {});
  await new Promise<void>(resolve => {
    socket.once('close', resolve);
    socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes, () => resolve());
  });
  await expectUnharmed();
  // If the client ended the connection now, it would lose the answer to a request that the gateway has read.
  if (isAnswered) await expect.poll(() => text).not.toBe('');
  socket.end();
  await closed;
  const statuses = [...text.matchAll(/^HTTP\/1\.1 (\d{3}) /gm)].map(([, status]) => Number(status));
  return { statuses, text };
}

function head(
  target: string,
  headers: readonly (readonly [string, string])[],
  method = 'GET',
  version = '1.1',
): string {
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return `${method} ${target} HTTP/${version}\r\nHost: x\r\n${lines}\r\n`;
}

const signed = (method = 'GET', target = '/v1/time', parts = {}) =>
  Object.entries(signedHeaders(gateway.key, method, target, parts));

/** The statuses that uWebSockets.js answers by itself with its own page, before our code runs. docs/PROTOCOL.md names them. */
const NATIVE_PAGES = [400, 431, 505];

/** Expects that every answer is a proper refusal: JSON in the words of the API, or a page of the native parser. */
function expectRefused({ statuses, text }: Exchange, allowed: readonly number[]): void {
  for (const status of statuses) expect(allowed).toContain(status);
  if (/<h1/.test(text)) expect(NATIVE_PAGES).toContain(statuses.at(-1));
}

async function expectUnharmed(): Promise<void> {
  const answer = await sendSigned(`${gateway.httpUrl}/v1/time`, gateway.key, { localAddress: '127.0.0.77' });
  expect(answer.status).toBe(200);
  // An operation that failed is given to the pool once more, and may then be behind the good request.
  await expect.poll(() => gateway.trading.checks.tasksInFlight).toBe(0);
}

describe('a request line and head', () => {
  it.each<[string, () => string, readonly number[]]>([
    ['HTTP/1.0', () => head('/v1/time', signed(), 'GET', '1.0'), [400, 505]],
    ['a method in lower case', () => head('/v1/time', signed(), 'get'), [400, 405]],
    ['a method of nobody', () => head('/v1/time', signed(), 'BREW'), [400, 405, 501]],
    ['a space in its target', () => head('/v1/time x', signed()), [400, 401, 404, 505]],
    ['bytes above ASCII in its target', () => head('/v1/t\xefme', signed()), [400]],
    ['no Host', () => 'GET /v1/time HTTP/1.1\r\n\r\n', [400, 401]],
    ['a header without a colon', () => 'GET /v1/time HTTP/1.1\r\nHost: x\r\nnonsense\r\n\r\n', [400]],
    ['a header of 20 KB', () => head('/v1/time', [['SVC-Key-Id', 'k'.repeat(20_000)]]), [400, 431]],
    [
      'a thousand headers',
      () =>
        head(
          '/v1/time',
          Array.from({ length: 1_000 }, (_, index) => [`X-${index}`, 'y'] as const),
        ),
      [400, 431],
    ],
    [
      'bytes above ASCII in its key id',
      () =>
        head(
          '/v1/time',
          signed().map(([name, value]) => [name, name === 'SVC-Key-Id' ? '\xe9\xff' : value] as const),
        ),
      [401],
    ],
    ['a null byte', () => head('/v1/time', [['SVC-Key-Id', 'a\0b']]), [400, 401]],
    [
      'two lengths',
      () =>
        `${head('/v1/time', [
          ['Content-Length', '1'],
          ['Content-Length', '2'],
        ])}ab`,
      [400, 401],
    ],
    [
      'a length and chunks',
      () =>
        `${head('/v1/time', [
          ['Content-Length', '1'],
          ['Transfer-Encoding', 'chunked'],
        ])}0\r\n\r\n`,
      [400],
    ],
    ['a length that is none', () => head('/v1/time', [['Content-Length', 'many']]), [400]],
    ['a length below nothing', () => head('/v1/time', [['Content-Length', '-1']]), [400]],
    [
      'a length beyond the limit',
      () => head('/v1/time', [['Content-Length', String(limits.bodyBytesMax + 1)]], 'POST'),
      [405, 413],
    ],
    ['another protocol', () => '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', [400, 505]],
  ])('with %s', async (_what, request, statuses) => {
    expectRefused(await exchange(request()), statuses);
    await expectUnharmed();
  });
});

describe('a body', () => {
  const order = (body: string, parts = {}) => [
    ...signed('POST', '/v1/venue-b/orders', { body, idempotencyKey: `k${randomInt(2 ** 40)}`, ...parts }),
    ['Content-Type', 'application/json'] as [string, string],
  ];

  const answerTo = (headers: Parameters<typeof head>[1], body: string) =>
    exchange(head('/v1/venue-b/orders', headers, 'POST') + body, { isAnswered: true });

  it('in chunks is read, and counts against the limit', async () => {
    const body = '{"ticker":"X"}';
    const chunked = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;
    const headers = [...order(body), ['Transfer-Encoding', 'chunked'] as [string, string]];
    const chunks = `${chunked(body.slice(0, 5))}${chunked(body.slice(5))}0\r\n\r\n`;
    expect((await answerTo(headers, chunks)).statuses).toEqual([500]);
    const large = `${chunked('x'.repeat(40_000)).repeat(2)}0\r\n\r\n`;
    expect((await answerTo(headers, large)).statuses).toEqual([413]);
    await expectUnharmed();
  });

  it('with a coding is refused by its name, and one that is not coded is read', async () => {
    const body = '{"ticker":"X"}';
    const coded = (coding: string) => [
      ...order(body),
      ['Content-Length', String(body.length)] as [string, string],
      ['Content-Encoding', coding] as [string, string],
    ];
    const refused = await answerTo(coded('gzip'), body);
    expect([refused.statuses, refused.text]).toEqual([[400], expect.stringContaining('Content-Encoding')]);
    expect((await answerTo(coded('identity'), body)).statuses).toEqual([500]);
    await expectUnharmed();
  });

  it('that ends early is never answered as if it were whole', async () => {
    const body = '{"ticker":"X"}';
    const headers = [...order(body), ['Content-Length', String(body.length)] as [string, string]];
    const { statuses } = await exchange(head('/v1/venue-b/orders', headers, 'POST') + body.slice(0, 5));
    expect(statuses).toEqual([]);
    await expectUnharmed();
  });

  it.each([
    ['deep', `{"a":${'['.repeat(30_000)}${']'.repeat(30_000)}}`],
    ['with a prototype', '{"__proto__":{"isAdmin":true},"__proto__":1}'],
    ['with a number beyond all', `{"count":1e999999,"count":2}`],
    ['with a lone surrogate', '{"a":"\\ud800","a":"b"}'],
  ])('%s is refused', async (_what, body) => {
    const headers = [...order(body), ['Content-Length', String(body.length)] as [string, string]];
    expect((await answerTo(headers, body)).statuses).toEqual([400]);
    await expectUnharmed();
  });
});

it('two requests in one segment are answered in order, or the connection ends', async () => {
  const [first, second] = [head('/v1/time', signed()), head('/v1/whoami', signed('GET', '/v1/whoami'))];
  const { text } = await exchange(first + second);
  const bodies = [...text.matchAll(/\{.*\}/g)].map(([body]) => Object.keys(JSON.parse(body))[0]);
  expect(['', 'unixSeconds', 'unixSeconds,keyId']).toContain(bodies.join(','));
  await expectUnharmed();
});

it('connections that never finish a head hold nothing but themselves', async () => {
  const slow = Array.from({ length: 50 }, () => connect(gateway.port, '127.0.0.1').on('error', () => {}));
  for (const socket of slow) socket.write('GET /v1/time HTTP/1.1\r\nHost: x\r\nSVC-Key-');
  await expectUnharmed();
  for (const socket of slow) socket.destroy();
});

it('the server survives any bytes at all', async () => {
  const good = Buffer.from(head('/v1/time', signed()), 'latin1');
  const mutation = fc.record({ at: fc.nat(good.length - 1), bytes: fc.uint8Array({ maxLength: 6 }), cut: fc.nat(12) });
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 400 }),
    fc
      .array(mutation, { minLength: 1, maxLength: 4 })
      .map(mutations =>
        mutations.reduce<Buffer>(
          (text, { at, bytes: added, cut }) => Buffer.concat([text.subarray(0, at), added, text.subarray(at + cut)]),
          good,
        ),
      ),
  );
  // The requests come from many addresses, since the failed checks of one address would soon be refused for their number.
  let address = 0;
  await fc.assert(
    fc.asyncProperty(bytes, async input => {
      const answered = await exchange(input, { localAddress: `127.0.2.${1 + (address++ % 200)}` });
      expectRefused(answered, [200, 400, 401, 404, 405, 413, 431, 501, 505]);
    }),
    { numRuns: 300 },
  );
  await expectUnharmed();
});

// The gateway read such keys as UTF-8, so a bot that followed the documents got a 401 for every order.
describe('0240: a key beyond ascii', () => {
  const KEY = 'größer';
  let gateway: RunningGateway;
  beforeAll(async () => {
    gateway = await sharedGateway('synthetic');
  });
  afterAll(() => gateway.close());

  it.each([
    ['utf8', 200],
    ['latin1', 401],
  ] as const)('a key with the bytes %s is answered %i', async (encoding, status) => {
    const { 'Idempotency-Key': key = '', ...rest } = signedHeaders(gateway.key, 'GET', '/v1/whoami', {
      idempotencyKey: KEY,
    });
    const lines = Object.entries(rest).map(([name, value]) => `${name}: ${value}\r\n`);
    const client = await RawHttp.connect(gateway);
    client.send(`GET /v1/whoami HTTP/1.1\r\nHost: x\r\n${lines.join('')}Idempotency-Key: `);
    client.send(Buffer.from(key, encoding)).send('\r\n\r\n');
    const [answer] = await client.hear(1);
    expect(answer?.status).toBe(status);
    client.destroy();
  });
});
