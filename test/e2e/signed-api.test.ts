// The signed API as a caller meets it: the identity of the caller, and every check of contract §2 with its message. Also scopes and addresses,
// revocation, tickets, limits, and the form of every refusal.

import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import type { Scope } from '../../src/core/domain/identity.ts';
import { NO_LIMITS } from '../../src/core/domain/identity.ts';
import type { UnixMillis } from '../../src/core/domain/numbers.ts';
import { START_FLAGS } from '../support/child-process.ts';
import { newKey as createNewKey } from '../support/new-key.ts';
import type { RunningGateway } from '../support/running-gateway.ts';
import { sharedGateway } from '../support/shared-gateway.ts';
import { type Answer, send, sendSigned, signedHeaders, type TestKey } from '../support/signed-requests.ts';

let gateway: RunningGateway;
beforeAll(async () => {
  gateway = await sharedGateway('synthetic');
});
afterAll(() => gateway.close());

const at = (path: string): string => gateway.httpUrl + path;

const newKey = (scopes?: readonly Scope[], addresses: readonly string[] = []): Promise<TestKey> =>
  createNewKey(gateway.keyStore, { ...(scopes === undefined ? {} : { scopes }), addresses });

function messageOf({ json }: Answer): string {
  const body = json as { error: { code: string; message: string } };
  expect(body).toEqual({ error: { code: expect.any(String), message: expect.any(String) } });
  return body.error.message;
}

describe('who is asking', () => {
  it('is shown by whoami', async () => {
    const { status, json } = await sendSigned(at('/v1/whoami'), gateway.key);
    expect(status).toBe(200);
    expect(json).toEqual({
      keyId: gateway.key.keyId,
      actorId: gateway.actorId,
      podId: 'demo',
      scopes: ['read', 'trade'],
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      venues: [
        { venue: 'venue_a', tradable: false, marketData: true },
        { venue: 'venue_b', tradable: false, marketData: true },
      ],
      limits: {
        reads: { perSecond: 1_000, burst: 2_000 },
        submissions: { perSecond: 500, burst: 1_000 },
        cancels: { perSecond: 500, burst: 1_000 },
        orders: { ...NO_LIMITS, collarWithoutBook: 'REFUSE' },
      },
      rateLimits: [
        // This request takes one token, and a token comes back each millisecond.
        { name: 'reads', limit: 2_000, windowS: 2, left: expect.closeTo(2_000, -1), resetS: expect.closeTo(0, -1) },
        { name: 'submissions', limit: 1_000, windowS: 2, left: 1_000, resetS: 0 },
        { name: 'cancels', limit: 1_000, windowS: 2, left: 1_000, resetS: 0 },
        { name: 'failed-checks', limit: 4_000, windowS: 2, left: 4_000, resetS: 0 },
        { name: 'refused-requests', limit: 500, windowS: 10, left: 500, resetS: 0 },
      ],
      venueBudgets: null,
    });
  });

  it('gets the time in three forms that agree', async () => {
    const { json } = await sendSigned(at('/v1/time'), gateway.key);
    const { unixSeconds, unixMillis, iso } = json as { unixSeconds: number; unixMillis: number; iso: string };
    expect(Math.floor(unixMillis / 1_000)).toBe(unixSeconds);
    expect(Date.parse(iso)).toBe(unixMillis);
  });

  it('gets the same headers with every answer, refusals included', async () => {
    const before = Date.now();
    const answers = [
      await sendSigned(at('/v1/whoami'), gateway.key),
      await send(at('/v1/whoami')),
      await send(at('/v1/balances')),
      await send(at('/v1/nothing')),
      await send(at('/v1/whoami'), { method: 'PUT' }),
      await send(at('/v1/openapi.json')),
    ];
    const after = Date.now();
    expect(answers.map(({ status }) => status)).toEqual([200, 401, 403, 404, 405, 200]);
    for (const { headers } of answers) {
      expect(headers['content-type']).toBe('application/json');
      expect(headers.ratelimit).toMatch(/^"[\w-]+";r=\d+;t=\d+$/);
      expect(headers['ratelimit-policy']).toMatch(/^"[\w-]+";q=\d+;w=\d+$/);
      expect(Number(headers['svc-server-time'])).toBeGreaterThanOrEqual(before);
      expect(Number(headers['svc-server-time'])).toBeLessThanOrEqual(after);
    }
    const ids = answers.map(({ headers }) => headers['svc-request-id']);
    expect(new Set(ids).size).toBe(answers.length);
    expect(ids).not.toContain(undefined);
  });
});

describe('a request that is not signed right', () => {
  const seconds = (): number => Math.floor(Date.now() / 1_000);
  const signed = (parts = {}) => signedHeaders(gateway.key, 'GET', '/v1/whoami', parts);
  const without = (name: string) => Object.fromEntries(Object.entries(signed()).filter(([key]) => key !== name));

  it.each<[string, () => Record<string, string | string[]>, RegExp]>([
    ['without a key id', () => without('SVC-Key-Id'), /^SVC-Key-Id: missing/],
    ['without a timestamp', () => without('SVC-Timestamp'), /^SVC-Timestamp: missing/],
    ['without a signature', () => without('SVC-Signature'), /^SVC-Signature: missing/],
    ['without a hash', () => without('SVC-Content-Sha256'), /^SVC-Content-Sha256: missing/],
    ['of an unknown key', () => ({ ...signed(), 'SVC-Key-Id': 'key_0' }), /^SVC-Key-Id: .*unknown/],
    ['at no time', () => signed({ timestamp: '17e8' }), /^SVC-Timestamp: must be Unix seconds/],
    ['too early', () => signed({ timestamp: String(seconds() - 40) }), /^SVC-Timestamp: .*30 s .*behind/],
    ['too late', () => signed({ timestamp: String(seconds() + 40) }), /^SVC-Timestamp: .*30 s .*ahead/],
    ['over another body', () => signed({ body: 'other' }), /^SVC-Content-Sha256: .*of the body as sent/],
    [
      'for another path',
      () => signedHeaders(gateway.key, 'GET', '/v1/time'),
      /^SVC-Signature: .*GET\\n\/v1\/whoami\\n/,
    ],
    ['for another method', () => signedHeaders(gateway.key, 'POST', '/v1/whoami'), /^SVC-Signature: .*GET\\n/],
    [
      'with a signature of no such form',
      () => ({ ...signed(), 'SVC-Signature': 'AAAA' }),
      /^SVC-Signature: must be the 64-byte/,
    ],
    [
      'with a header twice',
      () => ({ ...signed(), 'SVC-Key-Id': [gateway.key.keyId, 'key_0'] }),
      /^svc-key-id: must be given once/,
    ],
    ['with an unsigned idempotency key', () => ({ ...signed(), 'Idempotency-Key': 'mine' }), /^SVC-Signature: /],
    ['with an unsigned deadline', () => ({ ...signed(), 'SVC-Not-After-Millis': '1' }), /^SVC-Signature: /],
  ])('%s gets a 401 that says so', async (_what, headers, message) => {
    const answer = await send(at('/v1/whoami'), { headers: headers() });
    expect(answer.status).toBe(401);
    expect(messageOf(answer)).toMatch(message);
    expect(answer.headers['svc-server-time']).toMatch(/^\d{13}$/);
    expect(answer.headers.ratelimit).toMatch(/^"(failed-checks|refused-requests)";r=\d+;t=\d+$/);
  });

  it('covers the query, byte for byte', async () => {
    const headers = signedHeaders(gateway.key, 'GET', '/v1/markets?q=a%20b&venue=venue_a');
    expect((await send(at('/v1/markets?q=a%20b&venue=venue_a'), { headers })).status).toBe(200);
    expect((await send(at('/v1/markets?venue=venue_a&q=a%20b'), { headers })).status).toBe(401);
    expect((await send(at('/v1/markets?q=a+b&venue=venue_a'), { headers })).status).toBe(401);
  });

  it('takes base64url too', async () => {
    const headers = signed();
    const signature = Buffer.from(headers['SVC-Signature']!, 'base64').toString('base64url');
    expect((await send(at('/v1/whoami'), { headers: { ...headers, 'SVC-Signature': signature } })).status).toBe(200);
  });
});

describe('a key', () => {
  it('is good for its scopes only', async () => {
    const reader = await newKey(['read']);
    const trader = await newKey(['trade']);
    expect((await sendSigned(at('/v1/sports'), reader)).status).toBe(200);
    const refused = await sendSigned(at('/v1/sports'), trader);
    expect([refused.status, messageOf(refused)]).toEqual([403, 'the signing key lacks the scope read']);
    expect((await sendSigned(at('/v1/whoami'), trader)).status).toBe(200);
    const order = { method: 'POST', body: '{}', idempotencyKey: 'k', headers: { 'Content-Type': 'application/json' } };
    expect((await sendSigned(at('/v1/venue-b/orders'), reader, order)).status).toBe(403);
    // The key may trade, but recordings cannot be traded.
    expect((await sendSigned(at('/v1/venue-b/orders'), trader, order)).status).toBe(500);
  });

  it('is good from its addresses only', async () => {
    const bound = await newKey(['read'], ['127.0.0.8/29', '2001:db8::/32']);
    const from = (localAddress: string) => sendSigned(at('/v1/whoami'), bound, { localAddress });
    expect((await from('127.0.0.9')).status).toBe(200);
    const refused = await from('127.0.0.1');
    expect([refused.status, messageOf(refused)]).toEqual([403, 'the signing key may not be used from 127.0.0.1']);
  });

  it('is refused from the moment when another process has revoked it, and its stream is closed', async () => {
    const key = await newKey();
    const other = await newKey();
    const [stream, kept] = [key, other].map(
      it => new WebSocket(gateway.url, { headers: signedHeaders(it, 'GET', '/v1/orderbook') }),
    );
    await Promise.all([once(stream!, 'open'), once(kept!, 'open')]);
    const closed = once(stream!, 'close');
    execFileSync(
      process.execPath,
      [...START_FLAGS, 'src/tools/cli/crossbook.ts', 'keys', 'revoke', key.keyId, '--data-dir', gateway.dataDir],
      { stdio: 'pipe' },
    );
    const refused = await sendSigned(at('/v1/whoami'), key);
    expect(refused.status).toBe(401);
    expect(messageOf(refused)).toMatch(/revoked/);
    const [code, why] = await closed;
    expect([code, String(why)]).toEqual([1008, 'the signing key was revoked']);
    expect((await sendSigned(at('/v1/whoami'), other)).status).toBe(200);
    expect(kept!.readyState).toBe(WebSocket.OPEN);
    kept!.terminate();
  });
});

describe('an API key', () => {
  it.each([undefined, '', 'cbk_wrong'])('%j is forbidden', async key => {
    const answer = await send(at('/v1/balances'), { headers: key === undefined ? {} : { 'x-api-key': key } });
    expect([answer.status, answer.json]).toEqual([403, { message: 'Forbidden' }]);
  });

  it('opens the older family, whose errors have no code', async () => {
    const headers = { 'x-api-key': gateway.apiKey };
    const answer = await send(at('/v1/balances'), { headers });
    expect([answer.status, answer.json]).toEqual([500, { error: { message: expect.stringContaining('no account') } }]);
    const wrong = await send(at('/v1/balances?pod=demo'), { headers });
    expect([wrong.status, wrong.json]).toEqual([400, { error: { message: expect.stringContaining('"pod"') } }]);
  });

  it('opens nothing that wants a signature', async () => {
    expect((await send(at('/v1/whoami'), { headers: { 'x-api-key': gateway.apiKey } })).status).toBe(401);
  });
});

describe('a ticket', () => {
  // A signature is the same within a second. The idempotency key, which is signed too, tells two requests for a ticket apart.
  const ask = (idempotencyKey: string) =>
    sendSigned(at('/v1/orderbook/ticket'), gateway.key, { method: 'POST', idempotencyKey });
  const open = async (ticket: string, localAddress = '127.0.0.1'): Promise<number> => {
    const socket = new WebSocket(`${gateway.url}?ticket=${ticket}`, { localAddress });
    return new Promise(resolve => {
      socket.once('open', () => {
        socket.terminate();
        resolve(101);
      });
      socket.once('unexpected-response', (_request, response) => resolve(response.statusCode!));
      socket.on('error', () => {});
    });
  };

  it('opens one stream', async () => {
    const { status, json } = await ask('one');
    expect(status).toBe(201);
    const { ticket, expiresAt } = json as { ticket: string; expiresAt: string };
    expect(Date.parse(expiresAt)).toBeGreaterThan(Date.now());
    expect(await open(ticket)).toBe(101);
    expect(await open(ticket)).toBe(401);
  });

  it('opens none from elsewhere', async () => {
    const { ticket } = (await ask('two')).json as { ticket: string };
    expect(await open(ticket, '127.0.0.3')).toBe(401);
  });

  it('of a key that was revoked since opens none', async () => {
    const key = await newKey(['read']);
    const answer = await sendSigned(at('/v1/orderbook/ticket'), key, { method: 'POST', idempotencyKey: 'four' });
    const { ticket } = answer.json as { ticket: string };
    expect(gateway.keyStore.revokeSigningKey(key.keyId, Date.now() as UnixMillis).ok).toBe(true);
    expect(await open(ticket)).toBe(401);
  });

  it('is given once for one signature', async () => {
    const headers = signedHeaders(gateway.key, 'POST', '/v1/orderbook/ticket', { idempotencyKey: 'three' });
    const [first, second] = await Promise.all(
      [1, 2].map(() => send(at('/v1/orderbook/ticket'), { method: 'POST', headers })),
    );
    expect(first!.status).toBe(201);
    expect(second!.json).toEqual(first!.json);
    const replayed = [first!, second!].map(({ headers: heard }) => heard['idempotency-replayed']);
    expect(replayed.sort()).toEqual(['true', undefined]);
  });
});

describe('a stream', () => {
  const refusedWith = async (headers: Record<string, string>, query = ''): Promise<Answer> => {
    const upgrade = {
      Connection: 'Upgrade',
      Upgrade: 'websocket',
      'Sec-WebSocket-Version': '13',
      'Sec-WebSocket-Key': Buffer.alloc(16).toString('base64'),
    };
    return send(at(`/v1/orderbook${query}`), { headers: { ...upgrade, ...headers } });
  };

  it('is not opened unsigned', async () => {
    const answer = await refusedWith({});
    expect([answer.status, messageOf(answer)]).toEqual([401, expect.stringMatching(/^SVC-Key-Id: missing/)]);
    expect(answer.headers['svc-request-id']).toBeDefined();
  });

  it.each([
    ['another protocol', { Upgrade: 'h2c' }, /^Upgrade: must be websocket/],
    ['a key of another length', { 'Sec-WebSocket-Key': 'abc' }, /^Sec-WebSocket-Key: must be 16 bytes in base64/],
    ['no key', { 'Sec-WebSocket-Key': '' }, /^Sec-WebSocket-Key: must be 16 bytes in base64/],
    ['another version', { 'Sec-WebSocket-Version': '12' }, /^Sec-WebSocket-Version: must be 13/],
  ])('is not opened with %s, and the header is named', async (_what, headers, message) => {
    const answer = await refusedWith({ ...(gateway.upgradeHeaders() as Record<string, string>), ...headers });
    expect([answer.status, messageOf(answer)]).toEqual([400, expect.stringMatching(message)]);
  });

  it('is not opened with a query that it does not know', async () => {
    expect((await refusedWith(gateway.upgradeHeaders() as Record<string, string>, '?market=1')).status).toBe(400);
  });

  it('is not opened by a key that may not read', async () => {
    expect((await refusedWith(signedHeaders(await newKey(['trade']), 'GET', '/v1/orderbook'))).status).toBe(403);
  });
});

describe('a request that cannot be served', () => {
  const json = { 'Content-Type': 'application/json' };

  it.each<[string, string, string, object, number, RegExp]>([
    ['an unknown path', 'GET', '/v1/nothing', {}, 404, /\/v1\/nothing: unknown route$/],
    [
      '4039: a path with underscores',
      'POST',
      '/v1/venue_b/orders',
      {},
      404,
      /^\/v1\/venue_b\/orders: unknown route; the right one is \/v1\/venue-b\/orders$/,
    ],
    ['an unknown parameter', 'GET', '/v1/time?zone=utc', {}, 400, /"zone": unknown query parameter/],
    ['a parameter twice', 'GET', '/v1/markets?q=a&q=b', {}, 400, /q: is given twice/],
    ['a body where none is', 'GET', '/v1/time', { body: '{}' }, 400, /body: must be empty/],
    [
      'no idempotency key',
      'POST',
      '/v1/venue-b/orders',
      { body: '{}', headers: json },
      400,
      /^Idempotency-Key: required/,
    ],
    [
      'a long idempotency key',
      'POST',
      '/v1/venue-b/orders',
      { body: '{}', headers: json, idempotencyKey: 'k'.repeat(256) },
      400,
      /^Idempotency-Key: .*\(idempotencyKeyBytesMax\)$/,
    ],
    ['no content type', 'POST', '/v1/venue-b/orders', { body: '{}', idempotencyKey: 'k' }, 400, /^Content-Type: /],
    [
      'a form',
      'POST',
      '/v1/venue-b/orders',
      { body: 'a=b', idempotencyKey: 'k', headers: { 'Content-Type': 'application/x-www-form-urlencoded' } },
      400,
      /^Content-Type: /,
    ],
    [
      'no JSON',
      'POST',
      '/v1/venue-b/orders',
      { body: '{', idempotencyKey: 'k', headers: json },
      400,
      /^body: must be JSON/,
    ],
    [
      'a key twice',
      'POST',
      '/v1/venue-b/orders',
      { body: '{"a":1,"a":2}', idempotencyKey: 'k', headers: json },
      400,
      /^a: is given twice/,
    ],
    [
      'bytes that are no text',
      'POST',
      '/v1/venue-b/orders',
      { body: Uint8Array.of(0x7b, 0xff, 0x7d), idempotencyKey: 'k', headers: json },
      400,
      /^body: must be UTF-8/,
    ],
    [
      'a body that is too large',
      'POST',
      '/v1/venue-b/orders',
      { body: ' '.repeat(64 * 1024 + 1), idempotencyKey: 'k', headers: json },
      413,
      /bodyBytesMax/,
    ],
  ])('%s is refused, naming what and why', async (_what, method, path, sending, status, message) => {
    const answer = await sendSigned(at(path), gateway.key, { method, ...sending });
    expect([answer.status, messageOf(answer)]).toEqual([status, expect.stringMatching(message)]);
  });

  it.each([
    ['PUT', '/v1/whoami', 'GET'],
    ['POST', '/v1/orderbook', 'GET'],
    ['GET', '/v1/orderbook/ticket', 'POST'],
    ['PATCH', '/v1/venue-a/orders', 'GET, POST, DELETE'],
    ['HEAD', '/v1/venue-a/orders/x', 'GET, DELETE'],
    ['OPTIONS', '/v1/time', 'GET'],
  ])('%s %s lists the allowed methods', async (method, path, allow) => {
    const answer = await send(at(path), { method });
    expect(answer.status).toBe(405);
    expect(answer.headers.allow!.split(', ').sort()).toEqual(allow.split(', ').sort());
  });
});
