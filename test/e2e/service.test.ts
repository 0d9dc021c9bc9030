// The service as its operator sees it: the command, its line at the start, its end, and its HTTP answers.

import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import type { UnixMillis } from '../../src/core/domain/numbers.ts';
import { FEED_COUNTERS } from '../../src/core/metrics/metric-table.ts';
import { openKeyStore } from '../../src/core/store/key-store.ts';
import { OwnProcess } from '../support/child-process.ts';
import { eventually } from '../support/eventually.ts';
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
    ['/readyz', { status: 'ready', feeds: { venue_a: 'ok', venue_b: 'ok' } }],
  ])('%s', async (path, body) => {
    // A feed connects only after the start.
    await eventually(async () => {
      const answer = await fetch(gateway.httpUrl + path);
      expect([answer.status, await answer.json()]).toEqual([200, body]);
      expect(answer.headers.get('content-type')).toBe('application/json');
      const head = await fetch(gateway.httpUrl + path, { method: 'HEAD' });
      expect([head.status, await head.text()]).toEqual([200, '']);
    });
    const refused = await fetch(gateway.httpUrl + path, { method: 'POST' });
    expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });

  it('/llms.txt is the page for authors of clients', async () => {
    const answer = await fetch(`${gateway.httpUrl}/llms.txt`);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
    expect(await answer.text()).toBe(readFileSync('docs/WRITING-A-CLIENT.md', 'utf8'));
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
    expect(figures.filter(([name]) => name!.startsWith('crossbook_feed_'))).toHaveLength(
      2 * Object.keys(FEED_COUNTERS).length,
    );
    for (const [name, value] of figures) expect([name, value]).toEqual([name, expect.stringMatching(/^\d+(\.\d+)?$/)]);
    const figureOf = (name: string): number => Number(figures.find(([candidate]) => candidate === name)?.[1]);
    const deltas = session.frames.venue_b.filter(text => text.includes('"type":"orderbook_delta"')).length;
    expect(figureOf('crossbook_feed_deltas_total{venue="venue_b"}')).toBe(deltas);
    expect(figureOf('crossbook_stream_connections')).toBe(1);
    // Every family has its help and its type, and each counter is named as a counter.
    const said = (what: string) => lines.filter(line => line.startsWith(`# ${what} `)).map(line => line.split(' ')[2]!);
    const families = figures.map(([name]) =>
      name!.replace(/\{.*/, '').replace(/_seconds_(bucket|sum|count)$/, '_seconds'),
    );
    expect(new Set(said('HELP'))).toEqual(new Set(families));
    expect(said('TYPE')).toEqual(said('HELP'));
    const counters = lines.filter(line => line.endsWith(' counter')).map(line => line.split(' ')[2]!);
    expect(counters).toEqual(said('TYPE').filter(name => name.endsWith('_total')));
    expect(counters).toContain('crossbook_http_connections_refused_total');
  });

  it.each(['/nothing', '/v1/nothing', '/v1/orderbook/nothing'])('%s is unknown, and said so in JSON', async path => {
    const answer = await fetch(gateway.httpUrl + path);
    expect(answer.status).toBe(404);
    expect(answer.headers.get('content-type')).toBe('application/json');
    expect(await answer.json()).toEqual({ error: { code: 'NOT_FOUND', message: `${path}: unknown route` } });
  });

  it('opens a stream with the headers of every answer', async () => {
    const socket = new WebSocket(gateway.url, { headers: gateway.upgradeHeaders() });
    const [answer] = (await once(socket, 'upgrade')) as [IncomingMessage];
    socket.terminate();
    expect(answer.statusCode).toBe(101);
    expect(answer.headers).toMatchObject({
      'svc-server-time': expect.stringMatching(/^\d{13}$/),
      'svc-request-id': expect.stringMatching(/^\S+$/),
      ratelimit: expect.stringContaining('r='),
      'ratelimit-policy': expect.stringContaining('q='),
    });
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
    readonly child: OwnProcess;
    readonly dataDir: string;
  }

  type SettingsIn = (dataDir: string) => Readonly<Record<string, string>>;

  function run(args: readonly string[], port = 0, settingsIn: SettingsIn = () => ({})): Service {
    const dataDir = mkdtempSync(join(tmpdir(), 'crossbook-'));
    const child = new OwnProcess(['src/main.ts', ...args], {
      CROSSBOOK_PORT: String(port),
      CROSSBOOK_DATA_DIR: dataDir,
      ...settingsIn(dataDir),
    });
    closing.push(async () => {
      child.signal('SIGKILL');
      await child.ended;
      rmSync(dataDir, { recursive: true });
    });
    return { child, dataDir };
  }

  it('prints one line when it listens, and ends on SIGTERM with a goodbye to its clients', async () => {
    const { child, dataDir } = run(['--replay', ...session.files, '--speed', '50']);
    const [, url] = await child.said(/^crossbook listening on http:\/\/(\S+) /);
    const key: TestKey = JSON.parse(readFileSync(join(dataDir, 'demo/key.json'), 'utf8'));
    const upgradeHeaders = () => signedHeaders(key, 'GET', '/v1/orderbook');
    const subscriber = await Subscriber.connect({ url: `ws://${url}/v1/orderbook`, upgradeHeaders });
    await subscriber.subscribe('book', session.markets);
    await subscriber.until(() =>
      session.markets.every(market => subscriber.picture(market) === session.truthOf(market).last),
    );
    child.signal('SIGTERM');
    expect(await child.ended).toBe(0);
    await subscriber.until(() => subscriber.closedWith !== null);
    expect(subscriber.closedWith).toMatch(/^code 1001 /);
    expect(child.stdout.match(/listening/g)).toHaveLength(1);
  });

  it.each([
    [['--replay', 'no/such/file.json'], '--replay: no/such/file.json: cannot be read'],
    [['--replay', 'package.json'], '--replay: package.json: entry 1: an object with the keys name, '],
    // config.test.ts has other faults of the flags.
    [['--sped', '2'], "Unknown option '--sped'"],
  ])('%j ends with exit code 1 and says why, in one line', async (args, message) => {
    const { child } = run(args);
    expect(await child.ended).toBe(1);
    expect([child.stdout, child.stderr.split('\n').length]).toEqual(['', 2]);
    expect(child.stderr.startsWith(`crossbook: ${message}`)).toBe(true);
  });

  it('answers --help, and starts nothing', async () => {
    const { child, dataDir } = run(['--help']);
    expect(await child.ended).toBe(0);
    expect(child.stdout).toMatch(/^usage: npm start -- .*--replay.*CROSSBOOK_PORT/s);
    expect([child.stderr, readdirSync(dataDir)]).toEqual(['', []]);
  });

  it.each<[string, SettingsIn, RegExp]>([
    [
      'a socket in no folder',
      () => ({ CROSSBOOK_UNIX_SOCKET: 'no/such/x.sock' }),
      /^crossbook: cannot listen on no\/such\/x\.sock: there is no folder no\/such \(CROSSBOOK_UNIX_SOCKET\)$/gm,
    ],
    [
      'TLS without a certificate',
      dataDir => {
        const file = join(dataDir, 'no-pem');
        writeFileSync(file, 'no PEM', { mode: 0o600 });
        return { CROSSBOOK_TLS_KEY_FILE: file, CROSSBOOK_TLS_CERT_FILE: file };
      },
      /^crossbook: TLS: .* belong together \(CROSSBOOK_TLS_KEY_FILE, CROSSBOOK_TLS_CERT_FILE\)$/gm,
    ],
  ])('with %s ends with exit code 1 and names the setting, once', async (_what, settingsIn, message) => {
    const { child } = run(['--replay', ...session.files], 0, settingsIn);
    expect(await child.ended).toBe(1);
    expect(child.stderr.match(message)).toHaveLength(1);
    expect(child.stderr).not.toContain('start failed');
  });

  const nowhere = { restUrl: 'http://127.0.0.1:1', streamUrl: 'ws://127.0.0.1:1' };

  /** Returns the settings of a gateway at venues that do not answer, with these pods at venue B. The key store knows the pod `desk`. */
  function venuesIn(dataDir: string, podIds: readonly string[]): Readonly<Record<string, string>> {
    const [keyFile, podsFile] = [join(dataDir, 'key.pem'), join(dataDir, 'pods.json')];
    const keyStore = openKeyStore(join(dataDir, 'keys'));
    keyStore.createPod({ podId: 'desk', createdAt: 1 as UnixMillis });
    closing.push(() => keyStore.close());
    const { privateKey } = generateKeyPairSync('ed25519');
    const privateKeyPem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    writeFileSync(keyFile, privateKeyPem, { mode: 0o600 });
    const pods = podIds.map(podId => ({ podId, venueB: { ...nowhere, keyId: `of-${podId}`, privateKeyPem } }));
    writeFileSync(podsFile, JSON.stringify({ pods }), { mode: 0o600 });
    return {
      CROSSBOOK_VENUE_A_REST_URL: nowhere.restUrl,
      CROSSBOOK_VENUE_A_STREAM_URL: nowhere.streamUrl,
      CROSSBOOK_VENUE_A_GAMMA_URL: nowhere.restUrl,
      CROSSBOOK_VENUE_B_REST_URL: nowhere.restUrl,
      CROSSBOOK_VENUE_B_STREAM_URL: nowhere.streamUrl,
      CROSSBOOK_VENUE_B_KEY_ID: 'key',
      CROSSBOOK_VENUE_B_KEY_FILE: keyFile,
      CROSSBOOK_PODS_FILE: podsFile,
    };
  }

  it('warns of what may be a slip of the pen, and of what crosses the network in the clear', async () => {
    const { child } = run([], 0, dataDir => ({
      ...venuesIn(dataDir, ['desk', 'dsek']),
      // This address does not name this machine, and no other machine has it.
      CROSSBOOK_VENUE_A_REST_URL: 'http://0.0.0.0:1',
      CROSSBOOK_PODS: 'pods.json',
      CROSSBOOK_HOST: '0.0.0.0',
    }));
    await child.said(/^crossbook listening/);
    child.signal('SIGTERM');
    expect(await child.ended).toBe(0);
    const lines = child.stderr.split('\n').flatMap(line => (line.includes('"warn"') ? [JSON.parse(line)] : []));
    const warnings = lines.filter(({ event }) => /unencrypted|unknown|no keys/.test(event));
    expect(warnings).toMatchObject([
      { event: 'unknown setting', name: 'CROSSBOOK_PODS' },
      { event: 'answers cross the network unencrypted: no TLS' },
      { event: expect.stringContaining('no keys'), podId: 'dsek' },
      { event: 'venue crosses the network unencrypted', origin: 'http://0.0.0.0:1' },
    ]);
  });

  it('does not start with a faulty pods file, and names the place of the fault', async () => {
    const { child } = run([], 0, dataDir => venuesIn(dataDir, ['desk', 'Desk']));
    expect(await child.ended).toBe(1);
    expect(child.stdout).toBe('');
    expect(child.stderr).toMatch(/^crossbook: \S+pods\.json: pods\[1\]\.podId: must match .*\n$/);
  });

  it('names the setting where its data directory cannot be made', async () => {
    const child = new OwnProcess(['src/main.ts'], { CROSSBOOK_PORT: '0', CROSSBOOK_DATA_DIR: 'package.json' });
    expect(await child.ended).toBe(1);
    expect(child.stderr).toMatch(/^crossbook: CROSSBOOK_DATA_DIR: must be a folder, .*EEXIST.*\n$/);
  });

  it('does not share its port, not even with another gateway', async () => {
    const gateway = await startRunningGateway({ source: { kind: 'recorded', files: session.files } });
    closing.push(() => gateway.close());
    const { child } = run(['--replay', ...session.files], gateway.port);
    expect(await child.ended).toBe(1);
    expect(child.stderr).toMatch(
      new RegExp(
        `^crossbook: cannot listen on 127.0.0.1:${gateway.port}: .* \\(CROSSBOOK_PORT, CROSSBOOK_HOST\\)$`,
        'm',
      ),
    );
    expect(child.stderr).not.toContain('Native stack trace');
  });
});
