// A flood of requests under the owner's key id, which the owner does not notice. Also threads that check signatures and die under load, while every
// request is answered. The tests count and do not measure time.

import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { limits, rateProfiles } from '../../src/limits.ts';
import { countOf, flood } from '../support/flood.ts';
import { type RunningGateway, startRunningGateway } from '../support/running-gateway.ts';
import { send, sendSigned, signedHeaders } from '../support/signed-requests.ts';

let gateway: RunningGateway;
beforeAll(async () => {
  // No token comes back while the tests last.
  const rateProfile = { ...rateProfiles.bench, failedChecks: { perS: 0.001, burstMax: 100 } };
  gateway = await startRunningGateway({ source: { kind: 'synthetic', seed: 1 }, rateProfile });
});
afterAll(() => gateway.close());

const TARGET = '/v1/whoami';

const load = (
  headersOf: () => Record<string, string>,
  count: number,
  localAddress: string,
  concurrency = 32,
  target = TARGET,
) => flood({ port: gateway.port, headersOf, count, localAddress, concurrency, target });

const owned = () => signedHeaders(gateway.key, 'GET', TARGET);
const forged = () => ({ ...owned(), 'SVC-Signature': Buffer.alloc(64, 7).toString('base64') });

describe('a flood under a forged key id', () => {
  it('is limited where it comes from, and the owner is served every time', async () => {
    const [owner, flood] = await Promise.all([load(owned, 400, '127.0.0.1', 8), load(forged, 2_000, '127.0.0.2')]);
    expect(countOf(owner, 200)).toBe(400);
    expect(countOf(flood, 401) + countOf(flood, 429)).toBe(2_000);
    expect(countOf(flood, 429)).toBeGreaterThan(1_500);
  });

  it('from many addresses leaves the owner its part of the pool', async () => {
    const addresses = Array.from({ length: 20 }, (_, index) => `127.0.1.${index + 1}`);
    const [owner, ...floods] = await Promise.all([
      load(owned, 400, '127.0.0.1', 8),
      ...addresses.map(address => load(forged, 150, address, 8)),
    ]);
    expect(countOf(owner, 200)).toBe(400);
    for (const flood of floods) expect(countOf(flood, 401) + countOf(flood, 429) + countOf(flood, 503)).toBe(150);
  });

  it('refuses that key at that address for a time, and no other key', async () => {
    await load(forged, 200, '127.0.0.5');
    const refused = await sendSigned(gateway.httpUrl + TARGET, gateway.key, { localAddress: '127.0.0.5' });
    expect(refused.status).toBe(429);
    expect(refused.headers['retry-after']).toMatch(/^[1-9]\d*$/);
    expect(refused.headers.ratelimit).toMatch(/^"failed-checks";r=0/);
    const read = { headers: { 'x-api-key': gateway.apiKey }, localAddress: '127.0.0.5' };
    expect((await send(`${gateway.httpUrl}/v1/balances`, read)).status).not.toBe(429);
  });

  it('of guessed API keys is limited too', async () => {
    const guess = { headers: { 'x-api-key': 'cbk_guess' }, localAddress: '127.0.0.6' };
    const statuses: number[] = [];
    for (let count = 0; count < 110; count++)
      statuses.push((await send(`${gateway.httpUrl}/v1/balances`, guess)).status);
    expect(countOf(statuses, 403)).toBeGreaterThanOrEqual(100);
    expect(countOf(statuses, 429)).toBeGreaterThan(0);
  });
});

it('a flood of forged upgrades gets a bounded number of checks, and callers with a proven key still open their streams', async () => {
  const target = '/v1/orderbook';
  const upgrade = () => ({
    ...signedHeaders(gateway.key, 'GET', target),
    'SVC-Signature': Buffer.alloc(64, 7).toString('base64'),
    Connection: 'Upgrade',
    Upgrade: 'websocket',
    'Sec-WebSocket-Version': '13',
    'Sec-WebSocket-Key': Buffer.alloc(16).toString('base64'),
  });
  await sendSigned(gateway.httpUrl + TARGET, gateway.key);
  // Each address stays below its own limit of 100 failed checks; together they are 4 000.
  const addresses = Array.from({ length: 45 }, (_, index) => `127.0.4.${index + 1}`);
  const startedAtMs = performance.now();
  const floods = await Promise.all(addresses.map(address => load(upgrade, 90, address, 4, target)));
  const elapsedS = (performance.now() - startedAtMs) / 1_000;
  const statuses = floods.flat();
  expect(countOf(statuses, 401) + countOf(statuses, 503)).toBe(statuses.length);
  // The bound counts the initial burst, and the tokens that came back in the time that the flood took.
  const checkedMax = limits.unprovenUpgradesBurstMax + limits.unprovenUpgradesPerS * elapsedS + 1;
  expect(countOf(statuses, 401)).toBeGreaterThanOrEqual(limits.unprovenUpgradesBurstMax);
  expect(countOf(statuses, 401)).toBeLessThanOrEqual(checkedMax);
  const stream = new WebSocket(gateway.url, { headers: gateway.upgradeHeaders() });
  await once(stream, 'open');
  stream.terminate();
});

describe('threads that die', () => {
  it('leave no request unanswered, and are replaced', async () => {
    let kills = 0;
    const killing = (async () => {
      for (; kills < 5; kills++) await gateway.trading.checks.killOne();
    })();
    const statuses = await load(owned, 3_000, '127.0.0.1');
    await killing;
    expect(countOf(statuses, 200) + countOf(statuses, 503)).toBe(3_000);
    expect(countOf(statuses, 200)).toBeGreaterThan(2_000);
    expect((await sendSigned(gateway.httpUrl + TARGET, gateway.key)).status).toBe(200);
    expect(gateway.trading.checks.tasksInFlight).toBe(0);
  });
});
