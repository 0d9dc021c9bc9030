// Edges of the API. The answer to a search without a word named numbers of words. HEAD on the documents was a 405. Control characters and
// marks of direction passed into queries, idempotency keys and labels. A body in chunks ends its connection, as is documented.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { UnixMillis } from '../../src/domain/numbers.ts';
import { limits } from '../../src/limits.ts';
import { openKeyStore } from '../../src/store/key-store.ts';
import { RawHttp } from '../support/raw-http.ts';
import { type RunningGateway, startRunningGateway } from '../support/running-gateway.ts';
import { send, signedHeaders } from '../support/signed-requests.ts';

/** The key of its first test, RFC 8032 §7.1. */
const RFC_8032_KEY = 'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a';

let gateway: RunningGateway;
beforeAll(async () => {
  gateway = await startRunningGateway({ source: { kind: 'paper' } });
});
afterAll(() => gateway.close());

const get = (target: string) => send(gateway.httpUrl + target, { headers: signedHeaders(gateway.key, 'GET', target) });
const messageOf = (json: unknown) => (json as { error: { message: string } }).error.message;

describe('a search', () => {
  it.each([
    ['of no letter and no digit', '%F0%9F%98%80', 'q: must hold a letter or a digit: nothing else can be searched for'],
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
    expect([beside.status, beside.json]).toEqual([200, plain.json]);
  });
});

describe('HEAD', () => {
  it.each(['/v1/openapi.json', '/v1/asyncapi.json', '/metrics', '/healthz', '/readyz', '/llms.txt'])(
    '%s answers as GET does, without the body',
    async path => {
      const [got, head] = [await send(gateway.httpUrl + path), await send(gateway.httpUrl + path, { method: 'HEAD' })];
      expect([head.status, head.text, head.headers['content-type']]).toEqual([
        got.status,
        '',
        got.headers['content-type'],
      ]);
      // What is counted in it may have grown meanwhile.
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
    // The market is unknown, which is found out behind the key.
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

  // As long as uWebSockets.js takes it for a body, nothing behind it can be trusted.
  it.each(['2\n{}\n0\n\n', '2\r\n{}XX0\r\n\r\n'])('of which the framing is broken ends it, too: %j', async chunks => {
    const client = await RawHttp.connect(gateway);
    const answers = await client.send(`${HEAD}${chunks}GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n`).end();
    expect(answers.filter(({ status }) => status === 200)).toEqual([]);
  });
});
