// A venue's list with more rows than a function takes arguments, or with half a surrogate pair as cursor, threw where nothing catches. That
// ended the thread of all accounts at both venues, again after each start; for public lists, the catalog thread.

import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { openCatalogStore } from '../../src/catalog/catalog-store.ts';
import { limits } from '../../src/limits.ts';
import { createHttpClient } from '../../src/net/http.ts';
import { HttpOutboundPool } from '../../src/net/outbound-pool.ts';
import { wallTimers } from '../../src/runtime/timers.ts';
import { venueADiscovery } from '../../src/venues/venue-a/discovery.ts';
import { venueBDiscovery } from '../../src/venues/venue-b/discovery.ts';
import { createBudgetMemory, VenueBBudget } from '../../src/venues/venue-b/trading/budget.ts';
import { VenueBRest } from '../../src/venues/venue-b/trading/rest.ts';
import { UNSIGNED } from '../venues/venue-b/trading/scripted-rest.ts';

const closes: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closes.splice(0).reverse()) await close();
});

it('many more rows than requested are read', async () => {
  const rows = 400_000;
  const rest = restAt(await venueSaying(`{"orders":[${Array(rows).fill('{}').join()}],"cursor":""}`));
  const list = await rest.readList('/portfolio/orders', 'orders', rest.soon());
  expect(list.ok && list.value.length).toBe(rows);
});

it('as many new events as venues may list are kept, and read again', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'crossbook-many-events-'));
  closes.push(async () => rmSync(folder, { recursive: true }));
  const ids = Array.from({ length: limits.catalogMarketsPerVenueMax }, (_, at) => [`k${at}`, `e${at}`] as const);
  const first = openCatalogStore(folder).store;
  first.write(ids, { events: [], ended: [] });
  await first.close();
  const second = openCatalogStore(folder);
  closes.push(() => second.store.close());
  expect(second.known.ids).toHaveLength(ids.length);
});

it.each([
  ['half a character', '\ud800'],
  ['endless', 'c'.repeat(limits.venueCursorCharactersMax + 1)],
])('a list with a cursor that is %s cannot be read', async (_case, cursor) => {
  const origin = await venueSaying(
    JSON.stringify({ orders: [{}], events: [], series: [], cursor, next_cursor: cursor }),
  );
  const rest = restAt(origin);
  const list = await rest.readList('/portfolio/orders', 'orders', rest.soon());
  expect(list).toEqual({ ok: false, error: 'venue B lists orders with a cursor that cannot be read' });
  for (const discovery of discoveriesAt(origin))
    expect(await discovery.listed(null, 1)).toEqual({ ok: false, error: 'a cursor that cannot be read' });
});

/** Answers any request; its origin. */
async function venueSaying(body: string): Promise<string> {
  const server = createServer((_request, response) => response.end(body)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  closes.push(async () => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function restAt(origin: string): VenueBRest {
  const answerBytesMax = limits.upstreamRestBodyBytesMax;
  const outbound = new HttpOutboundPool({ origin, connectionsMax: 1, idleMs: 60_000, answerBytesMax });
  closes.push(() => outbound.close());
  const budget = new VenueBBudget(createBudgetMemory(), () => wallTimers.now());
  return new VenueBRest({ restUrl: `${origin}/v2`, signatures: UNSIGNED, outbound, budget, timers: wallTimers });
}

function discoveriesAt(origin: string) {
  const http = createHttpClient(limits.catalogAnswerTimeoutMs, limits.catalogAnswerBytesMax);
  closes.push(async () => http.close());
  const { get } = http;
  return [
    venueADiscovery({ gammaUrl: origin, get }),
    venueBDiscovery({ restUrl: origin, sign: () => ({}), get, timers: wallTimers }),
  ];
}
