// The contract of transports, over TCP and a Unix domain socket: the bytes on the wire, and the report of a failed exchange. Above all, whether the
// request may have arrived.

import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { limits } from '../../../src/limits.ts';
import { nodeTransport } from '../../../src/tools/client/node-client.ts';
import { fetchTransport, type Transport, type WireRequest } from '../../../src/tools/client/request-sender.ts';
import { SignedServer } from './signed-server.ts';

const TRANSPORTS: readonly [string, { readonly isUnix: boolean }, (url: string, socketPath: string) => Transport][] = [
  ['fetch', { isUnix: false }, url => fetchTransport(url)],
  ['node:http', { isUnix: false }, url => nodeTransport({ url })],
  ['node:http on a Unix domain socket', { isUnix: true }, (url, socketPath) => nodeTransport({ url, socketPath })],
];

const NOTHING = new Uint8Array(0);
const get: WireRequest = { owner: null, method: 'GET', target: '/a', headers: {}, body: NOTHING, timeoutMs: 5_000 };
const post: WireRequest = { ...get, method: 'POST', body: new TextEncoder().encode('{"ü":1}') };

describe.each(TRANSPORTS)('%s', (_name, { isUnix }, make) => {
  let folder: string;
  let server: SignedServer;
  let send: Transport;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'crossbook-transport-'));
    const socketPath = join(folder, 'gateway.sock');
    server = await SignedServer.start(isUnix ? socketPath : undefined);
    send = make(isUnix ? 'http://gateway' : server.url, socketPath);
  });

  afterEach(async () => {
    await server.close();
    rmSync(folder, { recursive: true });
  });

  it('sends target, headers and body as they are, and hands on the answer', async () => {
    server.answer = () => ({ status: 418, headers: { 'X-Tea': 'green' }, body: '{"ä":"ö"}' });
    const target = '/a%20b/%E2%82%AC?q=o%27brien&empty=&a=1,2&plus=%2B';
    const outcome = await send({ ...post, target, headers: { 'X-One': '1' } });
    expect(outcome).toMatchObject({ ok: true, value: { status: 418, text: '{"ä":"ö"}' } });
    expect(outcome.ok && [outcome.value.header('x-tea'), outcome.value.header('x-none')]).toEqual(['green', '']);
    expect(server.lines).toEqual([`POST ${target}`]);
    expect(server.heard[0]).toMatchObject({ body: '{"ü":1}' });
    expect(server.heard[0]?.header('x-one')).toBe('1');
    expect(server.heard[0]?.header('content-length')).toBe('8');
  });

  it.each(['GET', 'POST', 'DELETE'])('sends a %s without a body', async method => {
    await send({ ...get, method });
    expect(server.heard).toMatchObject([{ method, body: '' }]);
    expect(server.heard[0]?.header('transfer-encoding')).toBe('');
  });

  it('has many requests under way at once', async () => {
    server.answer = ({ target }) => ({ body: { target } });
    const targets = Array.from({ length: 100 }, (_, index) => `/${index}`);
    const outcomes = await Promise.all(targets.map(target => send({ ...get, target })));
    expect(outcomes.map(it => it.ok && it.value.text)).toEqual(targets.map(target => JSON.stringify({ target })));
  });

  it.each(['drop', 'cut'] as const)('tells of a connection that breaks off (%s): it may have arrived', async fault => {
    server.answer = () => ({ fault });
    expect(await send(post)).toEqual({ ok: false, error: { isUnsent: false, message: expect.stringMatching(/./) } });
    expect(server.heard).toHaveLength(1);
  });

  it('tells of an answer that does not come in time', async () => {
    server.answer = () => ({ fault: 'silence' });
    const error = { isUnsent: false, message: 'no answer within 1000 ms' };
    expect(await send({ ...post, timeoutMs: 1_000 })).toEqual({ ok: false, error });
  });

  it('reads no answer without end', async () => {
    server.answer = () => ({ body: ' '.repeat(limits.clientAnswerBytesMax + 1) });
    expect(await send(get)).toMatchObject({ ok: true, value: { text: null } });
  });

  it('sends to another gateway if it has to', async () => {
    const owner = await SignedServer.start();
    expect(await send({ ...post, owner: owner.url })).toMatchObject({ ok: true });
    await owner.close();
    expect([owner.lines, server.lines]).toEqual([['POST /a'], []]);
  });

  it('does not follow a redirect', async () => {
    server.answer = () => ({ status: 307, headers: { Location: '/elsewhere' } });
    await send(post);
    expect(server.lines).toEqual(['POST /a']);
  });

  it('knows that nothing arrived where nobody listens', async () => {
    await server.close();
    const message = expect.stringMatching(/ECONNREFUSED|ENOENT/);
    expect(await send(post)).toEqual({ ok: false, error: { isUnsent: true, message } });
    server = await SignedServer.start();
  });

  it('has a new connection after one that the server closed', async () => {
    server.answer = () => ({ headers: { Connection: 'close' } });
    for (let round = 0; round < 3; round++) expect(await send(get)).toMatchObject({ ok: true });
  });
});

describe('node:http', () => {
  it('knows that nothing arrived while the TLS handshake is not over', async () => {
    const mute = createServer(() => {}).listen(0, '127.0.0.1');
    await new Promise(resolve => mute.once('listening', resolve));
    const { port } = mute.address() as { port: number };
    const send = nodeTransport({ url: `https://127.0.0.1:${port}` });
    const outcome = await send({ ...post, timeoutMs: 100 });
    expect(outcome).toEqual({ ok: false, error: { isUnsent: true, message: 'no answer within 100 ms' } });
    mute.close();
  });
});
