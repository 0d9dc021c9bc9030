// Lists of the venues: pages, cursors and lengths that no venue should send.

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openCatalogStore } from '../../src/catalog/catalog-store.ts';
import { KnownEvents } from '../../src/catalog/known-events.ts';
import { VenueReader } from '../../src/catalog/venue-reader.ts';
import type { UnixMillis } from '../../src/core/domain/numbers.ts';
import { createHttpClient } from '../../src/core/net/http.ts';
import { HttpOutboundPool } from '../../src/core/net/outbound-pool.ts';
import { wallTimers } from '../../src/core/runtime/timers.ts';
import { limits } from '../../src/limits.ts';
import type { VenueDiscovery } from '../../src/venues/discovery.ts';
import { venueADiscovery } from '../../src/venues/venue-a/discovery.ts';
import { venueBDiscovery } from '../../src/venues/venue-b/discovery.ts';
import { fillsSince, ordersSince, positions, restingOrders } from '../../src/venues/venue-b/trading/account.ts';
import { createBudgetMemory, VenueBBudget } from '../../src/venues/venue-b/trading/budget.ts';
import { VenueBRest } from '../../src/venues/venue-b/trading/rest.ts';
import { removeFolder, temporaryFolder } from '../support/temporary-folder.ts';
import { VirtualTimers } from '../support/virtual-timers.ts';
import { orderRow, tradingOn } from './venue-a/trading/scripted-line.ts';
import { FILL, ORDER, scriptedRest, UNSIGNED } from './venue-b/trading/scripted-rest.ts';

// A list with more rows than a function takes arguments threw where nothing catches. A list with half a surrogate pair as its cursor did
// so, too. That ended the thread of all accounts at both venues, again after each start. For public lists it ended the catalog thread.
describe('0019: lists that end the thread', () => {
  it('many more rows than requested are read', async () => {
    const rows = 400_000;
    const rest = restAt(await venueSaying(`{"orders":[${Array(rows).fill('{}').join()}],"cursor":""}`));
    const list = await rest.readList('/portfolio/orders', 'orders', rest.deadline());
    expect(list.ok && list.value.length).toBe(rows);
  });

  it('as many new events as venues may list are kept, and read again', async () => {
    const folder = temporaryFolder();
    onTestFinished(() => removeFolder(folder));
    const ids = Array.from({ length: limits.catalogMarketsPerVenueMax }, (_, at) => [`k${at}`, `e${at}`] as const);
    const first = openCatalogStore(folder).store;
    first.write(ids, { events: [], ended: [] });
    await first.close();
    const second = openCatalogStore(folder);
    onTestFinished(() => second.store.close());
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
    const list = await rest.readList('/portfolio/orders', 'orders', rest.deadline());
    expect(list).toEqual({ ok: false, error: 'venue B lists orders with a cursor that cannot be read' });
    for (const discovery of discoveriesAt(origin))
      expect(await discovery.listed(null, 1)).toEqual({ ok: false, error: 'a cursor that cannot be read' });
  });

  /** Starts a server that gives this answer to any request. Returns its origin. */
  async function venueSaying(body: string): Promise<string> {
    const server = createServer((_request, response) => response.end(body)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  function restAt(origin: string): VenueBRest {
    const answerBytesMax = limits.upstreamRestBodyBytesMax;
    const outbound = new HttpOutboundPool({ origin, connectionsMax: 1, idleMs: 60_000, answerBytesMax });
    onTestFinished(() => outbound.close());
    const budget = new VenueBBudget(createBudgetMemory(), () => wallTimers.now());
    return new VenueBRest({ restUrl: `${origin}/v2`, signatures: UNSIGNED, outbound, budget, timers: wallTimers });
  }

  function discoveriesAt(origin: string) {
    const http = createHttpClient(limits.catalogAnswerTimeoutMs, limits.catalogAnswerBytesMax);
    onTestFinished(async () => http.close());
    const { get } = http;
    return [
      venueADiscovery({ gammaUrl: origin, get }),
      venueBDiscovery({ restUrl: origin, sign: () => ({}), get, timers: wallTimers }),
    ];
  }
});

// A page whose cursor leads to itself was requested again and again, for up to 10 000 pages. No log line said so, because each page had
// arrived. Now a repeated cursor ends the reading as a fault, in every list of both venues. The retries wait ever longer.
describe('3005: a cursor that leads to itself', () => {
  const SINCE = 0 as UnixMillis;
  /** Cursors that lead to themselves, and to earlier cursors. */
  const LOOPS = [['x'], ['x', 'y'], ['x', 'y', 'z']];

  describe.each(LOOPS)('pages %s %s %s', (...loop) => {
    const cursors = loop.filter(cursor => typeof cursor === 'string');
    const next = (cursor: string | null) => cursors[(cursors.indexOf(cursor ?? '') + 1) % cursors.length]!;

    it('of what an account of venue A has are no list', async () => {
      const cursorOf = (target: string) => new URLSearchParams(target.split('?')[1]).get('next_cursor');
      const page = (data: readonly object[]) => {
        return ({ target }: { readonly target: string }) => ({ body: { data, next_cursor: next(cursorOf(target)) } });
      };
      const { trading, line } = tradingOn({
        '/data/orders': page([orderRow()]),
        '/data/trades': page([{ id: 't', status: 'MATCHED', owner: 'other' }]),
      });
      const error = expect.stringContaining('leads to itself');
      expect(await trading.openOrders()).toEqual({ ok: false, error });
      expect(await trading.fillsSince(SINCE)).toEqual({ ok: false, error });
      expect(line.requests).toHaveLength(2 * (cursors.length + 1));
    });

    it('of what an account of venue B has are no list', async () => {
      let asked = 0;
      const rest = scriptedRest(target => {
        asked += 1;
        const cursor = next(new URLSearchParams(target.split('?')[1]).get('cursor'));
        return { orders: [ORDER], fills: [FILL], market_positions: [{ ticker: 'KXA', position_fp: '1.00' }], cursor };
      });
      const lists = [restingOrders(rest), ordersSince(rest, SINCE), fillsSince(rest, SINCE), positions(rest)];
      const error = expect.stringContaining('leads back');
      for (const list of lists) expect(await list).toEqual({ ok: false, error });
      expect(asked).toBe(lists.length * (cursors.length + 1));
    });

    it.each(['venue_a', 'venue_b'])('of lists of %s are a failure, and are requested ever less often', async venue => {
      const timers = new VirtualTimers();
      let asked = 0;
      const get = async (text: string) => {
        asked += 1;
        const { searchParams } = new URL(text);
        const cursor = next(searchParams.get('cursor') ?? searchParams.get('after_cursor'));
        return { status: 200, body: JSON.stringify({ events: [], cursor, next_cursor: cursor }) };
      };
      const failures: string[] = [];
      const reader = readerOf(
        venue === 'venue_a'
          ? venueADiscovery({ gammaUrl: 'http://venue', get })
          : venueBDiscovery({ restUrl: 'http://venue', sign: () => ({}), get, timers }),
        timers,
        failures,
      );
      void reader.run();
      // Before, a minute took 197 pages. Now it takes some readings of a few pages, which are 1, 2, 4, 8, 16 and 32 seconds apart.
      for (let passedMs = 0; passedMs < 60_000; passedMs += 50) await timers.settle(50);
      expect(asked).toBeLessThanOrEqual(6 * (cursors.length + 1));
      expect(failures.length).toBeGreaterThanOrEqual(5);
      expect(new Set(failures)).toEqual(new Set(['a page leads back to one before it']));
      reader.stop();
    });
  });

  function readerOf(discovery: VenueDiscovery, timers: VirtualTimers, failures: string[]): VenueReader {
    return new VenueReader({
      discovery,
      known: new KnownEvents(5),
      timers,
      onChange: () => {},
      onRead: () => {},
      onFailure: words => failures.push(words),
      onLeftOut: () => {},
    });
  }
});

// A cursor that is not a text ended the list. Fills beyond it were never booked, because the mark went on. An unreadable cursor is not an
// end.
describe('0267: a cursor that is no text', () => {
  const SINCE = 0 as UnixMillis;

  it.each([7, 0, true, {}, ['x']])('%j is a cursor that cannot be read', async cursor => {
    const rest = scriptedRest(() => ({ fills: [FILL], cursor }));
    expect(await fillsSince(rest, SINCE)).toMatchObject({ ok: false, error: expect.stringContaining('cursor') });
    const get = async () => ({ status: 200, body: JSON.stringify({ events: [], cursor }) });
    const parts = { restUrl: 'http://venue', sign: () => ({}), get, timers: new VirtualTimers() };
    expect(await venueBDiscovery(parts).listed(null, 1)).toMatchObject({ ok: false });
  });

  it.each([undefined, null, ''])('%j is the end', async cursor => {
    const rest = scriptedRest(() => ({ fills: [FILL], cursor }));
    expect(await fillsSince(rest, SINCE)).toMatchObject({ ok: true, value: { rows: { length: 1 } } });
  });
});
