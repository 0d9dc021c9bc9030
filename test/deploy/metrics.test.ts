// All that alerts and dashboard select is at /metrics of a gateway in use. That gateway is a process with orders at both venues, limits and
// a stream. It publishes its books for a NATS that nobody runs.

import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { limits } from '../../src/limits.ts';
import { Subscriber } from '../e2e/subscriber.ts';
import { OwnProcess } from '../support/child-process.ts';
import { eventually } from '../support/eventually.ts';
import { ask, someTicker, someToken } from '../support/paper-traders.ts';
import { type Answer, send, sendSigned, signedHeaders, type TestKey } from '../support/signed-requests.ts';
import { removeFolder, temporaryFolder } from '../support/temporary-folder.ts';
import { expressionsIn, readDashboard } from './dashboard.ts';
import { readAlerts } from './promtool.ts';

const folder = temporaryFolder();
const gateway = new OwnProcess(['src/main.ts'], {
  CROSSBOOK_PORT: '0',
  CROSSBOOK_METRICS_PORT: '0',
  CROSSBOOK_DATA_DIR: folder,
  CROSSBOOK_RECORD_DIR: join(folder, 'recording'),
  CROSSBOOK_POOL_THREADS: '1',
  CROSSBOOK_BOOKS: 'publish',
  CROSSBOOK_NATS: 'nats://127.0.0.1:1',
});
let url = '';
let metricsUrl = '';
let key: TestKey;
let ticker = '';

interface Series {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

async function seriesNow(): Promise<readonly Series[]> {
  const { text } = await send(`${metricsUrl}/metrics`);
  return Array.from(text.matchAll(/^(\w+)(?:\{(.*)\})? (\S+)$/gm), ([, name, labels = '', value]) => ({
    name: name!,
    labels: Object.fromEntries(Array.from(labels.matchAll(/(\w+)="([^"]*)"/g), ([, label, of]) => [label, of])),
    value: Number(value),
  }));
}

async function figure(name: string, labels: Readonly<Record<string, string>> = {}): Promise<number | undefined> {
  const wanted = Object.entries(labels);
  const found = (await seriesNow()).find(
    it => it.name === name && wanted.every(([label, of]) => it.labels[label] === of),
  );
  return found?.value;
}

async function order(venue: 'venue-a' | 'venue-b', body: object): Promise<string> {
  const sending = { method: 'POST', body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } };
  const submit = () => sendSigned(`${url}/v1/${venue}/orders`, key, { ...sending, idempotencyKey: randomUUID() });
  const answer = await eventually(async (): Promise<Answer> => {
    const made = await submit();
    expect(made.status, made.text).toBeLessThan(300);
    return made;
  });
  return (answer.json as { readonly orderId: string }).orderId;
}

beforeAll(async () => {
  const [, host = '', control = ''] = await gateway.said(
    /^crossbook listening on http:\/\/(\S+) .* control (http:\S+)\)\n/,
  );
  url = `http://${host}`;
  await eventually(() => expect(gateway.stderr).toContain('metrics are served'));
  const [, port] = /"metrics are served".*"port":(\d+)/.exec(gateway.stderr)!;
  metricsUrl = `http://127.0.0.1:${port}`;
  key = JSON.parse(readFileSync(join(folder, 'demo/key.json'), 'utf8'));
  const { urls } = (await ask<{ readonly urls: Readonly<Record<string, string>> }>(control)).body;
  ticker = await someTicker(urls['venue_b rest']!);
  const limit = ['src/tools/cli/crossbook.ts', 'limits', 'set', '--data-dir', folder, '--actor', 'demo'];
  const set = new OwnProcess([...limit, '--notional-max', '500', '--open-orders-max', '20', '--position-max', '1000']);
  expect([await set.ended, set.stderr]).toEqual([0, '']);
  const atA = {
    tokenId: await someToken(urls['venue_a gamma']!),
    side: 'BUY',
    type: 'LIMIT',
    size: '20',
    price: '0.02',
  };
  const atB = { ticker, side: 'YES', action: 'BUY', count: 2, priceCents: 1 };
  await order('venue-a', atA);
  const orderId = await order('venue-b', atB);
  await sendSigned(`${url}/v1/venue-b/orders/${orderId}`, key, { method: 'DELETE' });
  await sendSigned(`${url}/v1/venue-a/orders`, key, { method: 'DELETE' });
  await order('venue-b', atB);
});
afterAll(async () => {
  gateway.signal('SIGTERM');
  await gateway.ended;
  removeFolder(folder);
});

/** Labels that Prometheus adds. */
const ADDED = ['instance', 'job'];

interface Selector {
  readonly name: string;
  readonly matchers: readonly { readonly label: string; readonly values: readonly string[] }[];
}

function selectorsIn(expr: string): readonly Selector[] {
  return Array.from(expr.matchAll(/\b((?:crossbook|process)_\w+)(?:\{([^}]*)\})?/g), ([, name, matchers = '']) => ({
    name: name!,
    matchers: Array.from(matchers.matchAll(/(\w+)=(~?)"([^"]*)"/g), ([, label, isPattern, text]) => ({
      label: label!,
      values: isPattern === '' ? [text!] : text!.split('|'),
    })).filter(({ label }) => !ADDED.includes(label)),
  }));
}

/** The missing parts of the selector: each value that no series has, and the name if there is no series at all. */
function missingOf({ name, matchers }: Selector, series: readonly Series[]): readonly string[] {
  const named = series.filter(it => it.name === name);
  if (named.length === 0) return [name];
  return matchers.flatMap(({ label, values }) =>
    values.filter(value => !named.some(it => it.labels[label] === value)).map(value => `${name}{${label}="${value}"}`),
  );
}

describe('a series is there', () => {
  it.each([
    ['deploy/alerts.yml', () => readAlerts().map(({ expr }) => expr)],
    ['deploy/dashboard.json', () => expressionsIn(readDashboard())],
  ])('for everything that %s selects', async (_file, expressions) => {
    const selectors = expressions().flatMap(selectorsIn);
    expect(selectors.length).toBeGreaterThan(expressions().length / 2);
    await eventually(async () => {
      const series = await seriesNow();
      expect(selectors.flatMap(it => missingOf(it, series))).toEqual([]);
    });
  });

  it('a missing series would be noticed', async () => {
    const [nothing, noVenue] = selectorsIn('crossbook_nothing + crossbook_books{venue="venue_x",state=~"LIVE|STALE"}');
    const series = await seriesNow();
    expect(missingOf(nothing!, series)).toEqual(['crossbook_nothing']);
    expect(missingOf(noVenue!, series)).toEqual(['crossbook_books{venue="venue_x"}']);
  });
});

describe('what operators are shown', () => {
  it('the release, and readiness', async () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
    expect(await figure('crossbook_build_info', { version, node: process.version })).toBe(1);
    await eventually(async () => expect(await figure('crossbook_ready')).toBe(1));
  });

  it.each(['venue_a', 'venue_b'])('that no word of %s is unknown', async venue => {
    expect(await figure('crossbook_unknown_words_total', { venue })).toBe(0);
  });

  it('the process', async () => {
    const startedAtS = (await figure('process_start_time_seconds'))!;
    expect(startedAtS).toBeGreaterThan(Date.now() / 1_000 - 3_600);
    expect(startedAtS).toBeLessThan(Date.now() / 1_000);
    for (const name of ['cpu_seconds_total', 'resident_memory_bytes', 'open_fds']) {
      expect([name, (await figure(`process_${name}`))! > 0]).toEqual([name, true]);
    }
  });

  it.each(['main', 'engine'])('the lag of the loop of %s', async loop => {
    await eventually(async () =>
      expect(await figure('crossbook_event_loop_lag_seconds_count', { loop })).toBeGreaterThan(1),
    );
  });

  it.each([
    ['venue_a', 'submit'],
    ['venue_a', 'cancel'],
    ['venue_b', 'submit'],
    ['venue_b', 'cancel'],
    ['venue_b', 'read'],
  ])('the time of %s for a request of kind %s', async (upstream, request) => {
    const labels = { upstream, request };
    await eventually(async () =>
      expect(await figure('crossbook_upstream_request_seconds_count', labels)).toBeGreaterThan(0),
    );
  });

  it('of each actor its open orders and its limits', async () => {
    const actor = 'demo/demo';
    await eventually(async () => expect(await figure('crossbook_actor_open_orders', { actor })).toBe(1));
    for (const [limit, value] of [
      ['notional', 500],
      ['open_orders', 20],
      ['position', 1_000],
    ] as const) {
      expect([limit, await figure('crossbook_actor_limit', { actor, limit })]).toEqual([limit, value]);
    }
  });

  it('books by state', async () => {
    const upgradeHeaders = () => signedHeaders(key, 'GET', '/v1/orderbook');
    const subscriber = await Subscriber.connect({ url: `${url.replace('http', 'ws')}/v1/orderbook`, upgradeHeaders });
    await subscriber.subscribe('book', [{ venue: 'venue_b', ticker }]);
    await eventually(async () =>
      expect(await figure('crossbook_books', { venue: 'venue_b', state: 'LIVE' })).toBeGreaterThan(0),
    );
    await subscriber.close();
  });

  it('that everything is on disk, once nothing happens', async () => {
    await eventually(async () => {
      expect(await figure('crossbook_journal_lag_records')).toBe(0);
      expect(await figure('crossbook_history_lag_records')).toBe(0);
    });
  });
});

describe('the metrics address', () => {
  it('serves the three paths alone, and takes /metrics from the address of the API', async () => {
    expect(await send(`${metricsUrl}/healthz`)).toMatchObject({ status: 200, json: { status: 'ok' } });
    expect(await send(`${metricsUrl}/readyz`)).toMatchObject({ status: 200, json: { status: 'ready' } });
    expect((await send(`${metricsUrl}/v1/openapi.json`)).status).toBe(404);
    expect((await send(`${url}/metrics`)).status).toBe(404);
    expect((await send(`${url}/readyz`)).status).toBe(200);
  });

  it('is one that another process has: the start fails, and names the setting', async () => {
    const taken = metricsUrl.split(':').at(-1)!;
    const other = temporaryFolder();
    const second = new OwnProcess(['src/main.ts'], {
      CROSSBOOK_PORT: '0',
      CROSSBOOK_METRICS_PORT: taken,
      CROSSBOOK_DATA_DIR: other,
      CROSSBOOK_POOL_THREADS: '1',
    });
    // Null where the machine is too busy for an orderly end.
    expect(await second.ended).not.toBe(0);
    expect(second.stderr).toContain(`cannot listen on 127.0.0.1:${taken}`);
    expect(second.stderr).toContain('(CROSSBOOK_METRICS_PORT, CROSSBOOK_METRICS_HOST)');
    removeFolder(other);
  });

  it('closes connections beyond metricsConnectionsMax as they come', async () => {
    const port = Number(new URL(metricsUrl).port);
    const sockets = Array.from({ length: limits.metricsConnectionsMax }, () => connect(port, '127.0.0.1'));
    await Promise.all(sockets.map(socket => once(socket, 'connect')));
    // The system completes a connection before the gateway has counted it.
    await eventually(() => expect(send(`${metricsUrl}/healthz`)).rejects.toThrow());
    for (const socket of sockets) socket.destroy();
    await eventually(async () => expect((await send(`${metricsUrl}/healthz`)).status).toBe(200));
  });
});
