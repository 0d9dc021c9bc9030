// The service as an operator meets it: the command, its one line, its end, and what its HTTP side answers.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { FEED_COUNTER_NAMES } from '../../src/runtime/counters.ts';
import { type RunningGateway, startRunningGateway } from '../support/running-gateway.ts';
import { signedHeaders, type TestKey } from '../support/signed-requests.ts';
import { type InventedSession, inventSession } from './invented-session.ts';
import { Subscriber } from './subscriber.ts';

let session: InventedSession;
const closing: (() => void | Promise<void>)[] = [];

beforeAll(async () => {
  session = await inventSession(5, 2_000);
});
afterAll(() => session.remove());
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

describe('HTTP', () => {
  let gateway: RunningGateway;
  beforeAll(async () => {
    gateway = await startRunningGateway({ source: { kind: 'recorded', files: session.files } });
  });
  afterAll(() => gateway.close());

  it.each([
    ['/healthz', { status: 'ok' }],
    ['/readyz', { status: 'ready' }],
  ])('%s', async (path, body) => {
    const answer = await fetch(gateway.httpUrl + path);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('application/json');
    expect(await answer.json()).toEqual(body);
  });

  it('/metrics has every counter of both venues', async () => {
    const subscriber = await Subscriber.connect(gateway);
    closing.push(() => subscriber.close());
    await subscriber.subscribe('book', session.markets);
    await gateway.finished;
    await subscriber.until(() =>
      session.markets.every(market => subscriber.picture(market) === session.truthOf(market).last),
    );
    const answer = await fetch(`${gateway.httpUrl}/metrics`);
    expect(answer.headers.get('content-type')).toMatch(/^text\/plain/);
    const lines = (await answer.text()).split('\n');
    const figures = lines.filter(line => line !== '' && !line.startsWith('#')).map(line => line.split(' '));
    expect(figures.filter(([name]) => name!.startsWith('crossbook_feed_'))).toHaveLength(2 * FEED_COUNTER_NAMES.length);
    for (const [name, value] of figures) expect([name, value]).toEqual([name, expect.stringMatching(/^\d+(\.\d+)?$/)]);
    const figureOf = (name: string): number => Number(figures.find(([candidate]) => candidate === name)?.[1]);
    const deltas = session.frames.venue_b.filter(text => text.includes('"type":"orderbook_delta"')).length;
    expect(figureOf('crossbook_feed_deltas_total{venue="venue_b"}')).toBe(deltas);
    expect(figureOf('crossbook_stream_connections')).toBe(1);
  });

  it.each(['/', '/v1/nothing', '/v1/orderbook/nothing'])('%s is unknown, and said so in JSON', async path => {
    const answer = await fetch(gateway.httpUrl + path);
    expect(answer.status).toBe(404);
    expect(answer.headers.get('content-type')).toBe('application/json');
    expect(await answer.json()).toEqual({ error: { code: 'NOT_FOUND', message: `${path}: unknown route` } });
  });

  it('refuses a subprotocol that it does not speak, naming those that it does', async () => {
    const upgrade = request(`${gateway.httpUrl}/v1/orderbook`, {
      headers: {
        Connection: 'Upgrade',
        Upgrade: 'websocket',
        'Sec-WebSocket-Version': '13',
        'Sec-WebSocket-Key': Buffer.alloc(16).toString('base64'),
        'Sec-WebSocket-Protocol': 'crossbook.v2.json',
        ...gateway.upgradeHeaders(),
      },
    });
    upgrade.end();
    const [answer] = await once(upgrade, 'response');
    let body = '';
    for await (const part of answer) body += part;
    expect(answer.statusCode).toBe(400);
    expect(JSON.parse(body)).toEqual({
      error: { code: 'INVALID_REQUEST', message: expect.stringContaining('crossbook.v1.json, crossbook.v1.proto') },
    });
  });
});

describe('the command', () => {
  interface Service {
    readonly child: ChildProcess;
    readonly dataDir: string;
    readonly stdout: () => string;
    readonly stderr: () => string;
    /** Exit code. */
    readonly ended: Promise<number | null>;
  }

  function run(args: readonly string[], port = 0): Service {
    const dataDir = mkdtempSync(join(tmpdir(), 'crossbook-'));
    const child = spawn(process.execPath, ['src/main.ts', ...args], {
      cwd: resolve(import.meta.dirname, '../..'),
      env: { PATH: process.env.PATH, CROSSBOOK_PORT: String(port), CROSSBOOK_DATA_DIR: dataDir },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    closing.push(() => {
      child.kill('SIGKILL');
      rmSync(dataDir, { recursive: true });
    });
    const texts = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const) {
      child[name]!.on('data', (data: Buffer) => {
        texts[name] += data.toString();
      });
    }
    const ended = once(child, 'close').then(([code]) => code as number | null);
    return { child, dataDir, stdout: () => texts.stdout, stderr: () => texts.stderr, ended };
  }

  it('prints one line when it listens, and ends on SIGTERM with a goodbye to its clients', async () => {
    const { child, dataDir, stdout, ended } = run(['--replay', ...session.files, '--verbatim', '--speed', '50']);
    await once(child.stdout!, 'data');
    const [, url] = /^crossbook listening on http:\/\/(\S+) /.exec(stdout())!;
    const key: TestKey = JSON.parse(readFileSync(join(dataDir, 'demo/key.json'), 'utf8'));
    const upgradeHeaders = () => signedHeaders(key, 'GET', '/v1/orderbook');
    const subscriber = await Subscriber.connect({ url: `ws://${url}/v1/orderbook`, upgradeHeaders });
    await subscriber.subscribe('book', session.markets);
    await subscriber.until(() =>
      session.markets.every(market => subscriber.picture(market) === session.truthOf(market).last),
    );
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
    await subscriber.until(() => subscriber.closedWith !== null);
    expect(subscriber.closedWith).toMatch(/^code 1001 /);
    expect(stdout().match(/listening/g)).toHaveLength(1);
  });

  it.each([
    [['--replay', 'no/such/file.json'], 'no/such/file.json: cannot be read'],
    [['--replay', 'package.json'], 'package.json: expected venue frames'],
    [['--speed', '0'], '--speed: must be a number above 0'],
    [['--sped', '2'], "'--sped'"],
  ])('%j ends with exit code 1 and says why', async (args, message) => {
    const { stdout, stderr, ended } = run(args);
    expect(await ended).toBe(1);
    expect(stdout()).toBe('');
    expect(stderr()).toContain('crossbook: ');
    expect(stderr()).toContain(message);
  });

  it('does not share its port, not even with another gateway', async () => {
    const gateway = await startRunningGateway({ source: { kind: 'recorded', files: session.files } });
    closing.push(() => gateway.close());
    const { stderr, ended } = run(['--replay', ...session.files, '--verbatim'], gateway.port);
    expect(await ended).toBe(1);
    expect(stderr()).toContain(`crossbook: cannot listen on 127.0.0.1:${gateway.port}`);
    expect(stderr()).not.toContain('Native stack trace');
  });
});
