// The REST client against a server that checks signatures as the gateway does. Covers its requests, the correction of its clock, and its
// result for every answer and for none.

import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { readAnswer } from '../../../src/tools/client/api-failure.ts';
import { CrossbookClient, type CrossbookClientOptions } from '../../../src/tools/client/crossbook-client.ts';
import { createNodeClient, nodeSigner } from '../../../src/tools/client/node-client.ts';
import { portableSigner } from '../../../src/tools/client/signer.ts';
import { type Script, SignedServer } from './signed-server.ts';

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const HOUR_MS = 3_600_000;
/**
 * The time limits of a call, by fault. Only for `silence` does the limit end the call, and it leaves a busy machine enough time to receive the
 * request.
 */
const TIMEOUT_MS = { drop: 30_000, cut: 30_000, silence: 1_000 };
const ORDER = { ticker: 'KXNBAGAME-26NOV20BOSLAL-BOS', side: 'YES', action: 'BUY', count: 10, priceCents: 53 } as const;

let server: SignedServer;
beforeAll(async () => {
  server = await SignedServer.start();
});
afterAll(() => server.close());
afterEach(() => {
  server.heard.length = 0;
  server.aheadMs = 0;
  server.claimedAheadMs = null;
  server.answer = () => ({ body: {} });
});

const KINDS = [
  ['in every runtime', (options: CrossbookClientOptions) => new CrossbookClient(options), portableSigner],
  ['on Node', createNodeClient, nodeSigner],
] as const;

describe.each(KINDS)('the client %s', (_name, make, signer) => {
  const create = (options: Partial<CrossbookClientOptions> = {}) =>
    make({ url: server.url, signer: signer(server), apiKey: 'cbk_secret', ...options });

  it('signs requests of every kind', async () => {
    const client = create();
    await client.call('getTime');
    await client.call('listVenueBOrders', { query: { status: 'OPEN', pageSize: 5 } });
    await client.call('submitVenueBOrder', { body: ORDER, notAfterMillis: 1_795_237_201_000 });
    await client.call('cancelVenueBOrder', { path: { orderId: 'a/b' } });
    await client.call('createStreamTicket');
    expect(server.lines).toEqual([
      'GET /v1/time',
      'GET /v1/venue-b/orders?status=OPEN&pageSize=5',
      'POST /v1/venue-b/orders',
      'DELETE /v1/venue-b/orders/a%2Fb',
      'POST /v1/orderbook/ticket',
    ]);
    expect(server.heard.every(request => request.isSigned)).toBe(true);
    expect(server.heard[2]).toMatchObject({ body: JSON.stringify(ORDER) });
    expect(server.heard[2]?.header('content-type')).toBe('application/json');
    expect(server.heard[2]?.header('svc-not-after-millis')).toBe('1795237201000');
  });

  it('shows the older paths its API key and no signature, and open ones neither', async () => {
    const client = create();
    await client.call('getOlderMarket', { path: { marketVenue: 'venue_a', marketId: '0x1' } });
    await client.call('getOpenapi');
    const credentials = server.heard.map(it => [it.header('x-api-key'), it.header('svc-key-id')]);
    expect(credentials).toEqual([
      ['cbk_secret', ''],
      ['', ''],
    ]);
  });

  it('hands on the answer', async () => {
    const headers = { 'Idempotency-Replayed': 'true', 'Server-Timing': 'total;dur=1' };
    server.answer = () => ({ status: 201, headers, body: { orderId: 'o-1', status: 'OPEN' } });
    const outcome = await create().call('submitVenueBOrder', { body: ORDER });
    if (!outcome.ok) throw new Error(outcome.error.message);
    const { value, status, requestId, isReplayed, header } = outcome.value;
    const expected = [{ orderId: 'o-1', status: 'OPEN' }, 201, 'request-1', true, 'total;dur=1'];
    expect([value, status, requestId, isReplayed, header('server-timing')]).toEqual(expected);
  });

  it.each([2 * HOUR_MS, -2 * HOUR_MS])('corrects its clock (%d ms) from its first 401, once for all', async aheadMs => {
    server.aheadMs = aheadMs;
    const client = create();
    const placed = await client.call('submitVenueBOrder', { body: ORDER });
    expect(placed.ok).toBe(true);
    expect(server.heard.map(request => request.isSigned)).toEqual([false, true]);
    const [first, second] = server.heard.map(it => [it.body, it.header('idempotency-key')]);
    expect(second).toEqual(first);
    expect((await client.call('getTime')).ok).toBe(true);
    expect(server.heard).toHaveLength(3);
  });

  it('signs anew once only, at any clock of the gateway', async () => {
    server.aheadMs = 2 * HOUR_MS;
    server.claimedAheadMs = -2 * HOUR_MS;
    const outcome = await create().call('getTime');
    expect(outcome).toMatchObject({ ok: false, error: { kind: 'refused', status: 401 } });
    expect(server.heard).toHaveLength(2);
  });

  it.each([
    ['the signing key is unknown', () => ({ keyId: 'stranger', seedHex: server.seedHex })],
    ['the signature is wrong', () => ({ keyId: server.keyId, seedHex: '11'.repeat(32) })],
  ])('does not try again where %s', async (_what, key) => {
    const outcome = await create({ signer: signer(key()) }).call('getTime');
    expect(outcome).toMatchObject({ ok: false, error: { kind: 'refused', status: 401, code: 'INVALID_REQUEST' } });
    expect(server.heard).toHaveLength(1);
  });

  it.each(['drop', 'cut', 'silence'] as const)('does not know what became of an order after a %s', async fault => {
    server.answer = () => ({ fault, body: { orderId: 'o-1' } });
    const call = { body: ORDER, idempotencyKey: 'mine', timeoutMs: TIMEOUT_MS[fault] };
    const error = { kind: 'unknown-outcome', status: null, orderId: null, idempotencyKey: 'mine', requestId: '' };
    const outcome = await create().call('submitVenueBOrder', call);
    expect(outcome).toEqual({ ok: false, error: { ...error, message: expect.stringMatching(/./) } });
    expect(server.heard).toHaveLength(1);
  });

  it.each(['drop', 'cut', 'silence'] as const)('knows that a read did nothing after a %s', async fault => {
    server.answer = () => ({ fault });
    const outcome = await create().call('getTime', { timeoutMs: TIMEOUT_MS[fault] });
    expect(outcome).toEqual({ ok: false, error: { kind: 'unreachable', message: expect.stringMatching(/./) } });
    expect(server.heard).toHaveLength(1);
  });

  it('knows that an order did nothing where nobody listens', async () => {
    const closed = await SignedServer.start();
    const { url } = closed;
    await closed.close();
    const outcome = await create({ url }).call('submitVenueBOrder', { body: ORDER });
    expect(outcome).toEqual({
      ok: false,
      error: { kind: 'unreachable', message: expect.stringContaining('ECONNREFUSED') },
    });
  });
});

describe('an idempotency key', () => {
  it('is made for every mutation, its own and rising', async () => {
    const client = createNodeClient({ url: server.url, signer: nodeSigner(server) });
    await client.call('submitVenueBOrder', { body: ORDER });
    await client.call('createStreamTicket');
    await client.call('createStreamTicket');
    await client.call('cancelVenueBOrders', { query: {} });
    const keys = server.heard.map(it => it.header('idempotency-key'));
    for (const key of keys) expect(key).toMatch(UUID_V7);
    expect(new Set(keys).size).toBe(keys.length);
    expect(keys.toSorted()).toEqual(keys);
  });

  it('has the time of the gateway', async () => {
    server.aheadMs = 2 * HOUR_MS;
    const client = createNodeClient({ url: server.url, signer: nodeSigner(server) });
    await client.call('getTime');
    const sentMs = Date.now();
    await client.call('createStreamTicket');
    const millis = Number.parseInt(server.heard.at(-1)!.header('idempotency-key').replaceAll('-', '').slice(0, 12), 16);
    // The clock is as exact as the round trips of this test.
    expect(Math.abs(millis - sentMs - 2 * HOUR_MS)).toBeLessThan(5_000);
  });

  it('may be given', async () => {
    const client = createNodeClient({ url: server.url, signer: nodeSigner(server) });
    await client.call('submitVenueBOrder', { body: ORDER, idempotencyKey: 'mine' });
    expect(server.heard[0]?.header('idempotency-key')).toBe('mine');
  });
});

const reconciliation = { error: { code: 'ORDER_RECONCILIATION_REQUIRED', message: 'read it back', orderId: 'o-1' } };
const html = '<html>Bad Gateway</html>';

describe('an answer', () => {
  const refused = { kind: 'refused', reason: null, requestId: 'request-1', retryAfterS: null };
  const unknown = { kind: 'unknown-outcome', requestId: 'request-1', orderId: null, idempotencyKey: 'mine' };
  const error = (code: string) => ({ error: { code, message: 'why' } });
  const table: readonly [what: string, Script, submission: object, read: object][] = [
    ...[
      [400, 'INVALID_REQUEST'],
      [400, 'INSUFFICIENT_BALANCE'],
      [403, 'INVALID_REQUEST'],
      [404, 'NOT_FOUND'],
      [409, 'ORDER_NOT_CANCELLABLE'],
      [422, 'IDEMPOTENCY_CONFLICT'],
      [500, 'INTERNAL_ERROR'],
    ].map(([status, code]): [string, Script, object, object] => {
      const failure = { ...refused, status, code, message: 'why' };
      return [`${status} ${code}`, { status: Number(status), body: error(String(code)) }, failure, failure];
    }),
    ...[429, 503].map((status): [string, Script, object, object] => {
      const failure = { ...refused, status, code: 'INTERNAL_ERROR', message: 'why', retryAfterS: 7 };
      const script = { status, headers: { 'Retry-After': '7' }, body: error('INTERNAL_ERROR') };
      return [`${status} with Retry-After`, script, failure, failure];
    }),
    ...[502, 504].map((status): [string, Script, object, object] => {
      const failure = { ...unknown, status, message: 'read it back', orderId: 'o-1' };
      return [
        `${status} of the gateway`,
        { status, body: reconciliation },
        failure,
        { ...failure, idempotencyKey: '' },
      ];
    }),
    ...(['NOT_FEASIBLE', 'OF_A_LATER_VERSION'] as const).map((given): [string, Script, object, object] => {
      const reason = given === 'NOT_FEASIBLE' ? given : null;
      const failure = { ...refused, status: 400, code: 'INVALID_REQUEST', reason, message: 'why' };
      const body = { error: { code: 'INVALID_REQUEST', reason: given, message: 'why' } };
      return [`4039: 400 of an order that is REJECTED, ${given}`, { status: 400, body }, failure, failure];
    }),
    [
      '403 of the older family',
      { status: 403, body: { message: 'Forbidden' } },
      { ...refused, status: 403, code: null, message: 'Forbidden' },
      { ...refused, status: 403, code: null, message: 'Forbidden' },
    ],
    [
      '500 of the older family',
      { status: 500, body: { error: { message: 'why' } } },
      { ...unknown, status: 500, message: 'why' },
      { ...refused, status: 500, code: null, message: 'why' },
    ],
    ...[
      [502, { message: 'upstream connect error' }, 'unknown-outcome'],
      [502, html, 'unknown-outcome'],
      [201, html, 'unknown-outcome'],
      [201, [], 'unknown-outcome'],
      [201, '', 'unknown-outcome'],
      [307, '', 'unknown-outcome'],
      [413, html, 'unreadable'],
      [404, {}, 'unreadable'],
    ].map(([status, body, kind]): [string, Script, object, object] => [
      `${status} of something else (${JSON.stringify(body)})`,
      { status: Number(status), body },
      { kind, status },
      { status },
    ]),
  ];

  it.each(table)('%s to a submission', async (_what, script, failure) => {
    server.answer = () => script;
    const client = createNodeClient({ url: server.url, signer: nodeSigner(server) });
    const outcome = await client.call('submitVenueBOrder', { body: ORDER, idempotencyKey: 'mine' });
    expect(outcome).toMatchObject({ ok: false, error: failure });
    expect(server.heard).toHaveLength(1);
  });

  it.each(table)('%s to a read', async (_what, script, _failure, failure) => {
    server.answer = () => script;
    const outcome = await createNodeClient({ url: server.url, signer: nodeSigner(server) }).call('getTime');
    expect(outcome).toMatchObject({ ok: false, error: failure });
  });

  it('of any kind is read without a throw, and is a success only as a 2xx object', () => {
    const text = fc.oneof(
      fc.json(),
      fc.string(),
      fc.constant(null),
      fc.json().map(json => `{"error":${json}}`),
    );
    fc.assert(
      fc.property(
        fc.integer({ min: 200, max: 599 }),
        text,
        fc.boolean(),
        fc.string(),
        (status, body, isMutation, any) => {
          const answer = { status, header: () => any, text: body };
          const outcome = readAnswer({ isMutation, idempotencyKey: 'mine' }, { ok: true, value: answer });
          expect(outcome.ok && status >= 300).toBe(false);
          if (!outcome.ok && isMutation && status >= 500 && outcome.error.kind === 'refused') {
            expect(outcome.error.code).not.toBe(null);
          }
        },
      ),
    );
  });
});

describe('a target', () => {
  it('is signed as it is sent, with any content', async () => {
    const client = createNodeClient({ url: server.url, signer: nodeSigner(server) });
    const portable = new CrossbookClient({ url: server.url, signer: nodeSigner(server) });
    const name = fc
      .string({ unit: 'grapheme', minLength: 1 })
      .filter(text => text.isWellFormed() && !/^\.{1,2}$/.test(text));
    await fc.assert(
      fc.asyncProperty(name, name, async (eventId, q) => {
        server.heard.length = 0;
        for (const either of [client, portable]) {
          await either.call('listEventMarkets', { path: { eventId } });
          await either.call('listMarkets', { query: { q } });
        }
        expect(server.heard.map(request => request.isSigned)).toEqual([true, true, true, true]);
        const [first, second] = server.heard.map(({ target }) => new URL(target, server.url));
        expect(decodeURIComponent(first!.pathname)).toBe(`/v1/sports/events/${eventId}/markets`);
        expect(second!.searchParams.get('q')).toBe(q);
      }),
      { numRuns: 100 },
    );
  });

  it.each(['', '.', '..'])('is never another one because of the identifier %j', async orderId => {
    const client = createNodeClient({ url: server.url, signer: nodeSigner(server) });
    await expect(client.call('cancelVenueBOrder', { path: { orderId } })).rejects.toThrow('orderId');
    expect(server.heard).toEqual([]);
  });
});

describe('a mistake of the program', () => {
  it.each([
    ['no signer', {}, 'needs a signer'],
    ['a path before the paths', { url: 'http://127.0.0.1:1/gateway' }, 'without a path'],
    ['an API key with a line break', { apiKey: 'cbk_secret\n' }, 'visible ASCII'],
  ])('%s is refused at once', async (_what, options, message) => {
    const call = async () => new CrossbookClient({ url: server.url, ...options }).call('getTime');
    await expect(call()).rejects.toThrow(message);
    await expect(call()).rejects.not.toThrow('cbk_secret');
  });
});
