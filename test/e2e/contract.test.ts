// Every documented operation on a running gateway, with valid and invalid requests. Every answer fits its schema, and the routes are
// exactly those of the document.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { SCOPES } from '../../src/core/domain/identity.ts';
import type { UnixMillis } from '../../src/core/domain/numbers.ts';
import { openKeyStore } from '../../src/core/store/key-store.ts';
import type { Operation } from '../../src/gateway/api/operation.ts';
import { OPERATIONS } from '../../src/gateway/api/operations.ts';
import { limits } from '../../src/limits.ts';
import type { ContractOperation } from '../support/contract-operations.ts';
import { answerProblems, operations } from '../support/contract-schema.ts';
import { eventually } from '../support/eventually.ts';
import { newKey } from '../support/new-key.ts';
import { RawHttp } from '../support/raw-http.ts';
import { type RunningGateway, startRunningGateway } from '../support/running-gateway.ts';
import { sharedGateway } from '../support/shared-gateway.ts';
import { type Answer, send, sendSigned, signedHeaders, type TestKey } from '../support/signed-requests.ts';

let gateway: RunningGateway;
let key: TestKey;
beforeAll(async () => {
  // One of the operations stops the pod.
  gateway = await startRunningGateway({ source: { kind: 'paper' } });
  key = await newKey(gateway.keyStore, { scopes: SCOPES });
  await eventually(() => expect(gateway.trading.isReady()).toBe(true));
});
afterAll(() => gateway.close());

const documented = operations();
/** The upgrade of a stream is left out, since no handler answers it. */
const requests = documented.filter(({ operationId }) => !operationId.startsWith('open'));

/** Returns the operation as the document describes it. */
function described(operation: Operation): ContractOperation {
  const { operationId, method, family } = operation;
  const path = operation.path.replace(/:(\w+)/g, '{$1}');
  const place = { operationId, method, path } as const;
  switch (family) {
    case 'signed':
      return { ...place, scope: operation.scope ?? 'none', bucket: operation.bucket, credentials: ['signed'] };
    case 'older':
      return { ...place, scope: 'none', bucket: 'reads', credentials: ['apiKey'] };
    default:
      return { ...place, scope: 'none', bucket: 'none', credentials: [] };
  }
}

it('the gateway serves what is documented, and nothing else', () => {
  const byId = (left: ContractOperation, right: ContractOperation) => (left.operationId < right.operationId ? -1 : 1);
  expect(OPERATIONS.map(described).sort(byId)).toEqual([...requests].sort(byId));
});

const target = (path: string): string =>
  path
    .replace('{marketVenue}/{marketId}', 'venue_d/rain-in-paris-this-month')
    .replace('{tokenId}', '71')
    .replace('{ticker}', 'KXNONE-1')
    .replace(/\{\w+\}/g, '0198c6f0-5d1e-8a3b-9c4d-2f6e7a8b9c0d');

const hasBody = ({ method, path }: Pick<ContractOperation, 'method' | 'path'>): boolean =>
  (method === 'POST' && !/\/(ticket|stop)$/.test(path)) || (method === 'DELETE' && path.endsWith('/batch'));

/** Sends a request with all parameters and credentials that its operation requires. */
function drive({ method, path, credentials }: ContractOperation, query = ''): Promise<Answer> {
  const url = gateway.httpUrl + target(path) + query;
  if (credentials.includes('apiKey')) return send(url, { method, headers: { 'x-api-key': gateway.apiKey } });
  if (credentials.length === 0) return send(url, { method });
  const sent = hasBody({ method, path }) ? { body: '{}', headers: { 'Content-Type': 'application/json' } } : {};
  return sendSigned(url, key, { method, idempotencyKey: `${method}:${path}${query}`, ...sent });
}

const problemsOf = ({ operationId }: ContractOperation, { status, headers, json }: Answer): string[] =>
  answerProblems(operationId, status, headers as Record<string, string>, json);

describe.each(requests)('$method $path', operation => {
  it('is answered as documented', async () => {
    const answer = await drive(operation);
    expect([answer.status, problemsOf(operation, answer)]).toEqual([answer.status, []]);
    // The body is empty, nobody has made the order that the path names, and nobody plays the game that it names.
    const { path } = operation;
    const isOfOne = /\{(orderId|clientOrderId|eventId|tokenId|ticker|actionId)\}/.test(path);
    const lacksVenue = operation.operationId === 'endProtection';
    const refused = lacksVenue || hasBody(operation) ? 400 : isOfOne ? 404 : null;
    expect(answer.status === refused || answer.status < 300, `status ${answer.status}`).toBe(true);
  });

  it('is refused as documented without credentials, and under an unknown parameter', async () => {
    const anonymous = await send(gateway.httpUrl + target(operation.path), { method: operation.method });
    expect(problemsOf(operation, anonymous)).toEqual([]);
    const [credential] = operation.credentials;
    expect(anonymous.status).toBe(credential === undefined ? 200 : credential === 'signed' ? 401 : 403);
    const unknown = await drive(operation, '?nonsense=1');
    expect([unknown.status, problemsOf(operation, unknown)]).toEqual([400, []]);
  });

  it('refuses a body that is too large, and a method that it has not', async () => {
    const url = gateway.httpUrl + target(operation.path);
    const large = await send(url, { method: operation.method, body: ' '.repeat(65 * 1024) });
    expect([large.status, problemsOf(operation, large)]).toEqual([413, []]);
    const wrong = await send(url, { method: 'PATCH' });
    expect([wrong.status, problemsOf(operation, wrong)]).toEqual([405, []]);
  });
});

it('the gateway refuses a stream as documented', async () => {
  const stream = documented.find(({ operationId }) => operationId === 'openStream')!;
  const plain = await send(gateway.httpUrl + stream.path);
  expect([plain.status, problemsOf(stream, plain)]).toEqual([400, []]);
  const upgrade = {
    Connection: 'Upgrade',
    Upgrade: 'websocket',
    'Sec-WebSocket-Version': '13',
    'Sec-WebSocket-Key': Buffer.alloc(16).toString('base64'),
  };
  const unsigned = await send(gateway.httpUrl + stream.path, { headers: upgrade });
  expect([unsigned.status, problemsOf(stream, unsigned)]).toEqual([401, []]);
});

// Edges of the API. The answer to a search without a word named numbers of words. HEAD on the documents was a 405. Control characters and
// marks of direction passed into queries, idempotency keys and labels. A body in chunks ends its connection, as is documented.
describe('3018: edges of the gateway', () => {
  /** The public key of the first test of RFC 8032 §7.1. */
  const RFC_8032_KEY = 'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a';

  let gateway: RunningGateway;
  beforeAll(async () => {
    gateway = await sharedGateway();
  });
  afterAll(() => gateway.close());

  const get = (target: string) =>
    send(gateway.httpUrl + target, { headers: signedHeaders(gateway.key, 'GET', target) });
  const messageOf = (json: unknown) => (json as { error: { message: string } }).error.message;

  describe('a search', () => {
    it.each([
      [
        'of no letter and no digit',
        '%F0%9F%98%80',
        'q: must hold a letter or a digit: nothing else can be searched for',
      ],
      ['of signs', '-%20%2F', 'q: must hold a letter or a digit: nothing else can be searched for'],
      ['of nothing', '', 'q: must not be empty'],
      ['of too many words', 'a+b+c+d+e+f+g+h+i', 'q: must be at most 8 words between blanks (searchWordsMax)'],
      [
        'that is too long',
        'a'.repeat(limits.searchCharactersMax + 1),
        `q: must be at most ${limits.searchCharactersMax} characters (searchCharactersMax)`,
      ],
      ['with U+0000', 'a%00b', 'q: must not hold control characters or marks of direction'],
      ['with U+202E', 'a%E2%80%AEb', 'q: must not hold control characters or marks of direction'],
      ['with half a character', 'a%ED%A0%80', 'q: must be UTF-8, percent-encoded'],
    ])('%s hears what is wrong with it', async (_, q, message) => {
      const { status, json } = await get(`/v1/markets?q=${q}`);
      expect([status, messageOf(json)]).toEqual([400, message]);
    });

    it('beside a sign finds what the word finds', async () => {
      const [plain, beside] = [await get('/v1/markets?q=win'), await get('/v1/markets?q=win+%F0%9F%98%80')];
      const marketsOf = ({ json }: Answer) => (json as { markets: unknown[] }).markets;
      expect([beside.status, marketsOf(beside)]).toEqual([200, marketsOf(plain)]);
    });
  });

  describe('HEAD', () => {
    it.each(['/v1/openapi.json', '/v1/asyncapi.json', '/metrics', '/healthz', '/readyz', '/llms.txt'])(
      '%s answers as GET does, without the body',
      async path => {
        const [got, head] = [
          await send(gateway.httpUrl + path),
          await send(gateway.httpUrl + path, { method: 'HEAD' }),
        ];
        expect([head.status, head.text, head.headers['content-type']]).toEqual([
          got.status,
          '',
          got.headers['content-type'],
        ]);
        // The counts in the body may have changed between the two requests, so only /v1/ paths are compared.
        if (path.startsWith('/v1/')) expect(head.headers['content-length']).toBe(String(Buffer.byteLength(got.text)));
      },
    );

    it('of what needs a key is 405, with the methods that it has', async () => {
      const { status, headers } = await send(`${gateway.httpUrl}/v1/time`, { method: 'HEAD' });
      expect([status, headers.allow]).toEqual([405, 'GET']);
      const posted = await send(`${gateway.httpUrl}/v1/openapi.json`, { method: 'POST' });
      expect([posted.status, posted.headers.allow]).toEqual([405, 'GET, HEAD']);
    });
  });

  describe('names that callers give', () => {
    const body = JSON.stringify({ ticker: 'KXNONE', side: 'YES', action: 'BUY', count: 1, priceCents: 50 });
    const target = '/v1/venue-b/orders';

    async function submit(idempotencyKey: string) {
      const headers = signedHeaders(gateway.key, 'POST', target, { body, idempotencyKey });
      const lines = Object.entries({ ...headers, 'Content-Type': 'application/json' }).map(
        line => `${line.join(': ')}\r\n`,
      );
      const head = `POST ${target} HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n${lines.join('')}\r\n`;
      const client = await RawHttp.connect(gateway);
      const [answer] = await client.send(Buffer.from(head + body)).hear(1);
      client.destroy();
      return answer!;
    }

    it.each(['a\u202eb', 'a\tb', 'a\u2066b', 'a\u0085b'])('an idempotency key of %j is refused', async key => {
      const { status, body: text } = await submit(key);
      expect([status, messageOf(JSON.parse(text))]).toEqual([
        400,
        'Idempotency-Key: must not hold control characters or marks of direction',
      ]);
    });

    it.each(['größer', 'a😀b', 'plain'])('an idempotency key of %j is taken', async key => {
      // The market is unknown. The gateway only finds this out after it has accepted the key.
      expect((await submit(key)).status).toBe(404);
    });

    it.each(['a\u0000b', 'a\u202eb', 'a\ud800b', 'a\nb', 'a\u2028b'])(
      'a pod, an actor, a label of %j is refused',
      name => {
        const folder = mkdtempSync(join(tmpdir(), 'replay-3018-'));
        onTestFinished(() => rmSync(folder, { recursive: true }));
        const store = openKeyStore(folder);
        onTestFinished(() => store.close());
        const createdAt = 1_790_000_000_000 as UnixMillis;
        const key = {
          podId: 'pod',
          actorId: 'actor',
          publicKeyHex: RFC_8032_KEY,
          scopes: ['read'],
          addresses: [],
        } as const;
        const labelled = (label: string) =>
          store.addSigningKey({ ...key, keyId: `key_${'a'.repeat(16)}`, label, createdAt });
        expect(store.createPod({ podId: name, createdAt }).ok).toBe(false);
        expect(store.createPod({ podId: 'pod', createdAt }).ok).toBe(true);
        expect(store.createActor({ podId: 'pod', actorId: name, createdAt }).ok).toBe(false);
        expect(store.createActor({ podId: 'pod', actorId: 'actor', createdAt }).ok).toBe(true);
        expect(labelled(name).ok).toBe(false);
        expect(labelled('größer 😀').ok).toBe(true);
      },
    );
  });

  describe('a body in chunks', () => {
    const HEAD = 'POST /v1/orderbook/ticket HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n';

    it('is answered, and the answer says that the connection ends with it', async () => {
      const client = await RawHttp.connect(gateway);
      const answers = await client.send(`${HEAD}2\r\n{}\r\n0\r\n\r\n`).end();
      expect(answers.map(({ status, headers }) => [status, headers.get('connection')])).toEqual([[401, 'close']]);
    });

    // As long as uWebSockets.js reads the bytes as a body, no byte after them can be trusted.
    it.each(['2\n{}\n0\n\n', '2\r\n{}XX0\r\n\r\n'])('of which the framing is broken ends it, too: %j', async chunks => {
      const client = await RawHttp.connect(gateway);
      const answers = await client.send(`${HEAD}${chunks}GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n`).end();
      expect(answers.filter(({ status }) => status === 200)).toEqual([]);
    });
  });
});
