// Routes of the paper exchanges that clients call.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ASK, BID } from '../../src/core/domain/market.ts';
import type { MicroShares, Ticks, UnixMillis } from '../../src/core/domain/numbers.ts';
import { Random } from '../../src/core/runtime/random.ts';
import { createCatalog } from '../../src/paper/catalog/catalog.ts';
import type { HttpServer } from '../../src/paper/http-server.ts';
import { startDataServer } from '../../src/paper/venue-a/data-api/data-server.ts';
import { VenueAExchange } from '../../src/paper/venue-a/exchange.ts';
import { startGammaServer } from '../../src/paper/venue-a/gamma/gamma-server.ts';
import { NO_FAULTS } from '../support/no-faults.ts';
import { VirtualTimers } from '../support/virtual-timers.ts';
import { VenueBRig } from './venue-b/venue-b-rig.ts';

// Routes that clients of the venues call were missing from the paper exchanges. They are the health of Gamma and of the Data API, one
// series, the tags of an event, open interest and volume. Also venue B's combos and requests for quotes, which the docs said are answered.
describe('3018: routes that clients call', () => {
  type Row = Readonly<Record<string, unknown>>;

  async function get(url: string): Promise<{ status: number; text: string; json: never }> {
    const answer = await fetch(url);
    const text = await answer.text();
    return {
      status: answer.status,
      text,
      json: (text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : null) as never,
    };
  }

  describe('venue A', () => {
    const NOW = Date.UTC(2026, 10, 21, 18) as UnixMillis;
    const { sports, events } = createCatalog({ seed: 5, now: NOW }).venueA;
    const parts = { sports, events, timers: new VirtualTimers(NOW), faults: NO_FAULTS, random: new Random(1) };
    const exchange = new VenueAExchange(parts);
    const event = events[0]!;
    const [traded] = event.markets;
    let gamma: HttpServer;
    let data: HttpServer;

    beforeAll(async () => {
      gamma = await startGammaServer({ exchange, host: '127.0.0.1', port: 0 });
      data = await startDataServer({ exchange, host: '127.0.0.1', port: 0 });
      const market = exchange.desk.markets.find(it => it.address === traded!.conditionId)!;
      const place = (side: 0 | 1, cents: number, shares: number, kind: 'rest' | 'take') =>
        exchange.desk.place(market, side, (cents * 100) as Ticks, (shares * 1_000_000) as MicroShares, kind);
      place(ASK, 45, 200, 'rest');
      place(BID, 45, 50, 'take');
    });
    afterAll(() => {
      gamma.close();
      data.close();
      exchange.close();
    });

    it('says that it is well', async () => {
      expect(await get(`${gamma.url}/status`)).toMatchObject({ status: 200, text: 'OK' });
      expect(await get(`${data.url}/`)).toMatchObject({ status: 200, json: { data: 'OK' } });
    });

    it('shows one series, with its events', async () => {
      const { series } = event.sport;
      const [listed] = (await get(`${gamma.url}/series?id=${series}`)).json as Row[];
      const { status, json } = await get(`${gamma.url}/series/${series}`);
      expect([status, json]).toEqual([200, { ...listed, events: expect.any(Array) }]);
      const own = events.filter(it => it.sport.series === series).map(({ id }) => id);
      expect((json as { events: Row[] }).events.map(({ id }) => id)).toEqual(own);
      expect(await get(`${gamma.url}/series/999999999`)).toMatchObject({
        status: 404,
        json: { error: 'id not found' },
      });
      expect((await get(`${gamma.url}/series/nba`)).status).toBe(422);
    });

    it.each(['events', 'markets'])('shows the tags of one of its %s', async what => {
      const id = what === 'events' ? event.id : traded!.id;
      const { status, json } = await get(`${gamma.url}/${what}/${id}/tags`);
      expect([status, json]).toMatchObject([
        200,
        event.tags.map(tag => ({ id: tag.id, label: tag.label, slug: tag.slug })),
      ]);
      expect((await get(`${gamma.url}/${what}/1/tags`)).status).toBe(404);
      expect((await get(`${gamma.url}/${what}/x/tags`)).status).toBe(422);
    });

    it('tells what is held in markets: a dollar for each pair', async () => {
      const [first, second] = event.markets.map(({ conditionId }) => conditionId);
      const oi = async (query: string) => (await get(`${data.url}/oi${query}`)).json;
      expect(await oi(`?market=${first}`)).toEqual([{ market: first, value: 50 }]);
      expect(await oi(`?market=${first},${second},0x00`)).toEqual([
        { market: first, value: 50 },
        { market: second, value: 0 },
      ]);
      expect(await oi('')).toEqual([{ market: 'GLOBAL', value: 50 }]);
      expect((await get(`${gamma.url}/events/${event.id}`)).json).toMatchObject({ openInterest: 50 });
    });

    it('tells what an event has traded', async () => {
      const { json } = await get(`${data.url}/live-volume?id=${event.id}`);
      const markets = event.markets.map(({ conditionId }, index) => ({
        market: conditionId,
        value: index === 0 ? 50 : 0,
      }));
      expect(json).toEqual([{ total: 50, markets }]);
      expect((await get(`${data.url}/live-volume?id=1`)).json).toEqual([{ total: 0, markets: [] }]);
      expect(await get(`${data.url}/live-volume`)).toMatchObject({
        status: 400,
        json: { error: expect.stringContaining("'id'") },
      });
      expect((await get(`${data.url}/live-volume?id=x`)).status).toBe(400);
    });
  });

  describe('venue B', () => {
    let rig: VenueBRig;
    beforeAll(async () => {
      rig = await VenueBRig.start();
    });
    afterAll(() => rig.close());

    it('lists no combos', async () => {
      const path = '/multivariate_event_collections';
      const { restUrl } = rig.server;
      expect(await get(restUrl + path)).toMatchObject({
        status: 200,
        json: { cursor: '', multivariate_contracts: [] },
      });
      expect((await get(`${restUrl}${path}?status=open&limit=5`)).status).toBe(200);
      expect((await get(`${restUrl}${path}?limit=x`)).status).toBe(400);
      expect(await get(`${restUrl}${path}/KXMVE`)).toMatchObject({
        status: 404,
        json: { error: { code: 'not_found' } },
      });
    });
  });
});
