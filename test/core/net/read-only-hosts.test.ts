// Requests that may leave for hosts that are only read: over real sockets, and as a table.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Worker } from 'node:worker_threads';
import { afterEach, describe, expect, it } from 'vitest';
import { gateOf, isLoopback, restrictTo, streamRefusal } from '../../../src/core/net/read-only-hosts.ts';
import { connectWebSocket } from '../../../src/core/net/websocket.ts';
import { brief, post, servedPool } from './outbound-rig.ts';

afterEach(() => restrictTo(null));

const VENUE = 'https://venue.example/trade-api/v2';
const GETS = [
  { url: VENUE, roots: ['markets', 'events'] },
  { url: 'http://127.0.0.1:9', roots: null },
];
const STREAMS = ['wss://stream.venue.example/ws/market', 'ws://127.0.0.1:8/ws/market'];

describe('a request', () => {
  it.each<[method: 'GET' | 'POST' | 'DELETE' | 'PUT' | 'HEAD', origin: string, target: string, mayLeave: boolean]>([
    ['GET', 'https://venue.example', '/trade-api/v2/markets/KXNBAGAME-26NOV20BOSLAL-BOS', true],
    ['GET', 'https://venue.example', '/trade-api/v2/markets?tickers=a,b', true],
    ['GET', 'https://venue.example', '/trade-api/v2/events', true],
    ['GET', 'https://venue.example:443', '/trade-api/v2/events', true],
    ['POST', 'https://venue.example', '/trade-api/v2/markets', false],
    ['PUT', 'https://venue.example', '/trade-api/v2/markets', false],
    ['DELETE', 'https://venue.example', '/trade-api/v2/events', false],
    ['HEAD', 'https://venue.example', '/trade-api/v2/events', false],
    ['GET', 'https://venue.example', '/trade-api/v2/portfolio/balance', false],
    ['GET', 'https://venue.example', '/trade-api/v2/marketsandmore', false],
    ['GET', 'https://venue.example', '/trade-api/v2', false],
    ['GET', 'https://venue.example', '/markets', false],
    ['GET', 'https://venue.example', '/trade-api/v2/markets/../portfolio/orders', false],
    ['GET', 'https://venue.example', '/trade-api/v2/markets/%2e%2e/portfolio/orders', false],
    ['GET', 'https://venue.example', '/trade-api/v2/markets//x', false],
    ['GET', 'https://venue.example', '/trade-api/v2/markets/.', false],
    ['GET', 'https://venue.example', '/trade-api/v2/markets\\..\\portfolio', false],
    ['GET', 'http://venue.example', '/trade-api/v2/markets', false],
    ['GET', 'https://other.example', '/trade-api/v2/markets', false],
    ['POST', 'https://relayer.example', '/submit', false],
    ['GET', 'http://127.0.0.1:9', '/anything', true],
    ['POST', 'http://127.0.0.1:9', '/anything', false],
    ['GET', 'http://127.0.0.1:8', '/ws/user', false],
    ['POST', 'http://127.0.0.1:7', '/order', true],
    ['POST', 'http://[::1]:7', '/order', true],
  ])('%s %s%s leaves: %s', (method, origin, target, mayLeave) => {
    restrictTo({ gets: GETS, streams: STREAMS });
    expect((gateOf(origin)?.({ method, target }) ?? null) === null).toBe(mayLeave);
  });

  it.each<[method: 'GET' | 'POST', origin: string, target: string, mayLeave: boolean]>([
    ['POST', 'https://hooks.example', '/services/secret?a=1', true],
    ['POST', 'https://hooks.example', '/services/secret', true],
    ['POST', 'https://hooks.example', '/services/other', false],
    ['POST', 'https://hooks.example', '/services/secret?a=2', false],
    ['POST', 'https://hooks.example:8443', '/services/secret?a=1', false],
    ['GET', 'https://hooks.example', '/services/secret?a=1', false],
    ['POST', 'https://venue.example', '/trade-api/v2/markets', false],
  ])('%s %s%s leaves as an alarm: %s', (method, origin, target, mayLeave) => {
    restrictTo({ gets: GETS, streams: STREAMS, alarms: 'https://hooks.example/services/secret?a=1' });
    expect((gateOf(origin)?.({ method, target }) ?? null) === null).toBe(mayLeave);
  });

  it('is no alarm at a host that is only read', () => {
    const alarms = `${VENUE}/markets`;
    restrictTo({ gets: GETS, streams: [], alarms });
    expect(gateOf(alarms)!({ method: 'POST', target: '/trade-api/v2/markets' })).toMatch(/only read/);
    const stream = 'https://stream.venue.example/ws/market';
    restrictTo({ gets: GETS, streams: STREAMS, alarms: stream });
    expect(gateOf(stream)!({ method: 'POST', target: '/ws/market' })).toMatch(/only read/);
  });

  it('is refused by the pool before a byte is written, and no connection is opened', async () => {
    const server = (await servedPool()).server;
    restrictTo({ gets: [{ url: `http://127.0.0.1:${server.port}`, roots: ['markets'] }], streams: [] });
    const pool = server.pool();
    await pool.warmUp(2);
    expect(await pool.request(post('{}'), 1_000)).toMatchObject({ type: 'not-sent' });
    expect(server.bytesSeen).toBe(0);
    expect(server.sockets).toHaveLength(0);
    const get = { method: 'GET', target: '/markets', headers: {}, body: '' } as const;
    expect(brief(await pool.request(get, 1_000))).toBe('200 ');
    await pool.close();
  });

  it('is free to leave while nothing is restricted', () => {
    expect(gateOf('https://venue.example')).toBeNull();
  });

  it('is judged alike in a thread that starts later', async () => {
    restrictTo({ gets: GETS, streams: STREAMS });
    const url = new URL('../../../src/core/net/read-only-hosts.ts', import.meta.url).href;
    const source = `import { parentPort } from 'node:worker_threads';
      const { gateOf } = await import(${JSON.stringify(url)});
      parentPort.postMessage(gateOf('https://venue.example')({ method: 'POST', target: '/trade-api/v2/markets' }));`;
    const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(source)}`));
    const said = await new Promise<unknown>((resolve, reject) => {
      worker.once('message', resolve);
      worker.once('error', reject);
    });
    expect(said).toBe('POST venue.example: with CROSSBOOK_SOURCE=live-paper real venues are only read');
  });
});

describe('a stream', () => {
  it.each<[url: string, mayOpen: boolean]>([
    ['wss://stream.venue.example/ws/market', true],
    ['wss://stream.venue.example/ws/user', false],
    ['wss://venue.example/trade-api/ws/v2', false],
    ['wss://other.example/ws/market', false],
    ['ws://127.0.0.1:8/ws/market', true],
    ['ws://127.0.0.1:8/ws/user', false],
    ['ws://127.0.0.1:9/ws/user', false],
    ['ws://127.0.0.1:7/ws/user', true],
  ])('%s opens: %s', (url, mayOpen) => {
    restrictTo({ gets: GETS, streams: STREAMS });
    expect(streamRefusal(url) === null).toBe(mayOpen);
  });

  it('is refused without a connection', async () => {
    let connections = 0;
    const server = createServer().on('connection', () => {
      connections += 1;
    });
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    restrictTo({ gets: [{ url: `http://${host}`, roots: null }], streams: [] });
    const closed = Promise.withResolvers<string>();
    const handlers = { onOpen: () => {}, onFrame: () => {}, onPing: () => {}, onClose: closed.resolve };
    const socket = connectWebSocket(
      { url: `ws://${host}/ws/user`, headers: {}, handshakeTimeoutMs: 5_000, frameBytesMax: 1_000 },
      handlers,
    );
    socket.send('subscribe');
    expect(await closed.promise).toContain('real venues are only read');
    expect(connections).toBe(0);
    server.close();
  });
});

it('a name that begins like loopback is not loopback', () => {
  const hosts = [
    '127.0.0.1',
    '127.8.9.1',
    'localhost',
    '::1',
    '127.0.0.1.evil.example',
    '127.example',
    '0.0.0.0',
    '::',
  ];
  expect(hosts.filter(isLoopback)).toEqual(['127.0.0.1', '127.8.9.1', 'localhost', '::1']);
});
