// `crossbook call` and its key files, against a server that checks signatures.

import { chmodSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { callCommand } from '../../../src/tools/cli/call.ts';
import { SignedServer } from '../client/signed-server.ts';
import { API_KEY, CallRig } from './call-rig.ts';

let rig: CallRig;
let server: SignedServer;

beforeEach(async () => {
  rig = await CallRig.start();
  server = rig.server;
});
afterEach(() => rig.end());

const call = (...args: string[]) => rig.run(callCommand, ...args, '--url', server.url);

describe('crossbook call', () => {
  it('signs with the demo key and prints the answer', async () => {
    server.answer = ({ isSigned }) => ({ body: { isSigned } });
    const said = await call('get', '/v1/markets?q=a b&venue=venue_a');
    expect(said).toEqual({ code: 0, out: '{\n  "isSigned": true\n}\n', err: '' });
    expect(server.lines).toEqual(['GET /v1/markets?q=a%20b&venue=venue_a']);
  });

  it('asks the gateway of this machine that has its settings, if none is named', async () => {
    rig.env = { CROSSBOOK_PORT: new URL(server.url).port };
    expect(await rig.run(callCommand, 'GET', '/v1/time')).toMatchObject({ code: 0 });
    expect(server.lines).toEqual(['GET /v1/time']);
  });

  it('sends exactly the given body and headers', async () => {
    const text = '{ "ticker" :\n"T" }\n';
    writeFileSync(rig.file('order.json'), text);
    const options = ['--idempotency-key', 'mine', '--not-after-ms', '1795237201000'];
    await call('POST', '/v1/venue-b/orders', '--body', `@${rig.file('order.json')}`, ...options);
    await call('POST', '/v1/venue-b/orders', '--body', '{"a":1}');
    expect(server.heard.map(({ body }) => body)).toEqual([text, '{"a":1}']);
    const [given, made] = server.heard;
    expect([given?.header('idempotency-key'), given?.header('svc-not-after-millis')]).toEqual([
      'mine',
      '1795237201000',
    ]);
    expect(made?.header('idempotency-key')).toMatch(/^[0-9a-f-]{36}$/);
    expect(server.heard.every(({ isSigned }) => isSigned)).toBe(true);
  });

  it.each(['/v1/orders?status=open', '/v1/balances', '/v1/markets/venue_a/0x1'])(
    'shows the API key to the older path %s, and no signature',
    async path => {
      expect(await call('GET', path)).toMatchObject({ code: 0 });
      expect(server.heard[0]?.header('x-api-key')).toBe(API_KEY);
      expect(server.heard[0]?.header('svc-key-id')).toBe('');
    },
  );

  it.each(['/v1/openapi.json', '/healthz'])('needs no key for %s', async path => {
    rmSync(dirname(rig.keyFile), { recursive: true });
    server.answer = () => ({ body: 'fine' });
    expect(await call('GET', path)).toEqual({ code: 0, out: 'fine\n', err: '' });
  });

  it('goes over a Unix domain socket', async () => {
    const local = await SignedServer.start(rig.file('gateway.sock'));
    const said = await rig.run(callCommand, 'GET', '/healthz', '--unix', rig.file('gateway.sock'));
    expect(said).toEqual({ code: 0, out: '{}\n', err: '' });
    expect(local.lines).toEqual(['GET /healthz']);
    await local.close();
  });

  it('prints a refusal too, and ends with 1', async () => {
    const body = { error: { code: 'NOT_FOUND', message: 'no such order' } };
    server.answer = () => ({ status: 404, body });
    const { code, out } = await call('DELETE', '/v1/venue-b/orders/x');
    expect([code, JSON.parse(out)]).toEqual([1, body]);
  });

  it('corrects its clock', async () => {
    server.aheadMs = -3_600_000;
    expect(await call('GET', '/v1/time')).toMatchObject({ code: 0 });
    expect(server.heard.map(({ isSigned }) => isSigned)).toEqual([false, true]);
  });

  it('tells more with --verbose, but no secret', async () => {
    server.answer = () => ({ status: 201, headers: { 'Idempotency-Replayed': 'true' }, body: {} });
    const { err } = await call('POST', '/v1/venue-b/orders', '--idempotency-key', 'mine', '--verbose');
    expect(err).toBe('HTTP 201  request request-1  idempotency key mine  replayed\n');
  });

  it('says what to check if no gateway answers', async () => {
    const asked = await rig.run(callCommand, 'POST', '/v1/venue-b/orders', '--unix', '/nowhere.sock');
    expect(asked).toMatchObject({
      code: 1,
      err: expect.stringMatching(/ENOENT.*; nothing was sent\. Does the gateway run/),
    });
    expect(asked.err).not.toContain('--idempotency-key');
  });

  it('says how to go on where the outcome is unknown, and only there', async () => {
    server.answer = () => ({ fault: 'drop' });
    const order = await call('POST', '/v1/venue-b/orders', '--idempotency-key', 'mine');
    expect(order).toMatchObject({ code: 1, err: expect.stringContaining('--idempotency-key mine') });
    const read = await call('GET', '/v1/time');
    expect(read).toMatchObject({ code: 1, err: expect.stringMatching(/^crossbook: [^;]+\n$/) });
  });

  it.each([
    [['GET'], 'PATH: is required'],
    [['G T', '/v1/time'], 'METHOD: must be'],
    [['GET', 'v1/time'], 'PATH: must start with /'],
    [['GET', '/v1/time', '--bdoy', '{}'], "Unknown option '--bdoy'\n"],
    [['GET', '/v1/time', '--api-key', 'x'], '--api-key: /v1/time is asked for with a signing key'],
    [['GET', '/v1/balances', '--key', 'x'], '--key: /v1/balances is asked for with an API key'],
    [['POST', '/v1/x', '--idempotency-key', 'a\nb'], '--idempotency-key: must be'],
    [['POST', '/v1/x', '--not-after-ms', 'soon'], '--not-after-ms: must be Unix milliseconds'],
    [['POST', '/v1/x', '--body', '@/nowhere/order.json'], '--body: ENOENT'],
    [['GET', '/v1/time', '--unix', 'x'], '--unix: must not be given together with --url'],
  ])('names the mistake in %j', async (args, message) => {
    expect(await call(...args)).toEqual({ code: 2, out: '', err: expect.stringContaining(message) });
    expect(server.heard).toEqual([]);
  });

  it.each(['not a url', 'ftp://x', 'http://127.0.0.1:1/v1'])('does not take %j for a gateway', async url => {
    const said = await rig.run(callCommand, 'GET', '/healthz', '--url', url);
    expect(said).toMatchObject({ code: 2, err: expect.stringContaining('--url: must be') });
  });
});

describe('a key file', () => {
  it.each(['640', '604', '620'])('that others may use (mode %s) is refused', async mode => {
    for (const path of [rig.keyFile, rig.apiKeyFile]) chmodSync(path, Number.parseInt(mode, 8));
    const errors = [await call('GET', '/v1/time'), await call('GET', '/v1/balances')].map(({ err }) => err);
    const words = `is open to others than its owner (mode ${mode}); chmod 600 it\n`;
    expect(errors).toEqual([
      `crossbook: --key: ${rig.keyFile} ${words}`,
      `crossbook: --api-key: ${rig.apiKeyFile} ${words}`,
    ]);
    expect(server.heard).toEqual([]);
  });

  it('that is missing is named', async () => {
    const [path, dataDir] = [rig.file('none.json'), rig.file('nowhere')];
    const given = await call('GET', '/v1/time', '--key', path);
    expect(given).toMatchObject({ code: 2, err: expect.stringContaining(`there is no ${path}`) });
    const usual = await call('GET', '/v1/time', '--data-dir', dataDir);
    expect(usual).toMatchObject({ code: 2, err: expect.stringContaining(`there is no ${dataDir}/demo/key.json`) });
  });

  const seed = 'ab'.repeat(31);
  it.each([
    ['nothing', ''],
    ['a list', '[]'],
    ['no seed', '{"keyId":"k"}'],
    ['half a seed', `{"keyId":"k","seedHex":"${seed}"}`],
    ['no key id', `{"keyId":"","seedHex":"${seed}ab"}`],
    ['far too much', 'x'.repeat(5_000)],
  ])('that holds %s is refused, and not quoted', async (_what, text) => {
    writeFileSync(rig.keyFile, text);
    const { code, err } = await call('GET', '/v1/time');
    expect([code, err]).toEqual([2, expect.stringMatching(/key\.json (must hold|is longer)/)]);
    expect(err).not.toContain(seed);
  });
});
