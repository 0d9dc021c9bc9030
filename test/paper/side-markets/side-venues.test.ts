// The paper venues D and E on their sockets. Their answers have exactly the fields that were recorded at the real venues. Also every kind of market,
// the rate limits, and faults on demand.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isObject, type JsonObject, objectsOf, textOf } from '../../../src/core/domain/json.ts';
import { FaultPlan } from '../../../src/paper/faults/fault-plan.ts';
import type { FaultVenue } from '../../../src/paper/faults/faults.ts';
import type { HttpServer } from '../../../src/paper/http-server.ts';
import { startVenueDServer } from '../../../src/paper/side-markets/venue-d.ts';
import { startVenueEServer } from '../../../src/paper/side-markets/venue-e.ts';
import { recordedObjects, strangers } from '../../support/json-shapes.ts';
import { ask } from '../../support/paper-traders.ts';
import { recordingsPresent } from '../../support/recordings.ts';
import { VirtualTimers } from '../../support/virtual-timers.ts';

const timers = new VirtualTimers();
const faults = new FaultPlan({ seed: 1, timers });
let venueD: HttpServer | null = null;
let venueE: HttpServer | null = null;
beforeAll(async () => {
  const options = { timers, faults, seed: 1, host: '127.0.0.1', port: 0 };
  venueD = await startVenueDServer(options);
  venueE = await startVenueEServer(options);
});
afterAll(() => {
  venueD?.close();
  venueE?.close();
});

/** Sends a request after enough virtual time for the venue's rate limit. */
async function get(
  server: HttpServer | null,
  path: string,
): Promise<{ readonly status: number; readonly body: JsonObject }> {
  timers.advance(300);
  const { status, body } = await ask(server!.url + path);
  return { status, body: isObject(body) ? body : {} };
}
const ofD = (path: string) => get(venueD, path);
const ofE = async (path: string): Promise<JsonObject> => {
  const { result } = (await get(venueE, path)).body;
  return isObject(result) ? result : {};
};
const dataOfE = async (path: string): Promise<JsonObject> => (await ofE(path)).data as JsonObject;

describe('venue D', () => {
  it.skipIf(!recordingsPresent)('writes what the venue was recorded to write (needs the recordings)', async () => {
    const { data } = (await ofD('/markets/active?limit=25')).body;
    const files = [
      'venues-c-d-e/limitless/markets_active_items_2026-06-21.git.json',
      'venues-c-d-e/limitless/group_item_fed-rate-cut_first3children_2026-10-08.json',
    ];
    const theirs = recordedObjects(files, 'slug');
    const ours = objectsOf(data);
    expect(strangers([...ours, ...ours.flatMap(it => objectsOf(it.markets))], theirs)).toEqual([]);
    const book = await ofD('/markets/rain-in-paris-this-month/orderbook');
    const recorded = ['venues-c-d-e/limitless/orderbook_btc-up-or-down-daily_2026-10-08.json'];
    expect(strangers([book.body], recordedObjects(recorded, 'bids'))).toEqual([]);
    expect(strangers(objectsOf(book.body.bids), recordedObjects(recorded, 'side'))).toEqual([]);
  });

  it('shows the prices of its book in the market: NO is the mirror, and an empty side is 0.999 or 0.001', async () => {
    const { body: market } = await ofD('/markets/rain-in-paris-this-month');
    const { buy, sell } = market.tradePrices as { buy: { market: number[] }; sell: { market: number[] } };
    const [ask, askOfNo] = buy.market.map(price => Math.round(price * 1_000));
    const [bid, bidOfNo] = sell.market.map(price => Math.round(price * 1_000));
    expect([ask! + bidOfNo!, bid! + askOfNo!]).toEqual([1_000, 1_000]);
    const { tradePrices } = (await ofD('/markets/nobody-quotes-this')).body;
    expect(tradePrices).toMatchObject({ buy: { market: [0.999, 0.999] }, sell: { market: [0.001, 0.001] } });
    expect((await ofD('/markets/nobody-quotes-this/orderbook')).body).toMatchObject({
      bids: [],
      asks: [],
      midpoint: 0.5,
    });
  });

  it('has a pool, in percent and without a book', async () => {
    const { body } = await ofD('/markets/eth-above-4000-pool');
    const [yes, no] = body.prices as [number, number];
    expect([yes > 1, no > 1, Math.round((yes + no) * 100)]).toEqual([true, true, 10_000]);
    expect((await ofD('/markets/eth-above-4000-pool/orderbook')).status).toBe(400);
  });

  it('has a group with members that are found by their own slugs', async () => {
    const { body } = await ofD('/markets/rate-cut-by');
    expect(body).not.toHaveProperty('tokens');
    for (const member of objectsOf(body.markets)) {
      expect((await ofD(`/markets/${textOf(member.slug)}`)).body).toMatchObject({
        tokens: member.tokens,
        marketType: 'group',
      });
    }
  });

  it('finds what is active by the words of its title', async () => {
    const slugsOf = async (path: string) => objectsOf((await ofD(path)).body.markets).map(({ slug }) => slug);
    expect(await slugsOf('/markets/search?query=rain%20PARIS')).toEqual(['rain-in-paris-this-month']);
    expect(await slugsOf('/markets/search?query=rate%20cut')).toEqual(['rate-cut-by']);
    expect(await slugsOf('/markets/search?query=settled')).toEqual([]);
    expect((await ofD('/markets/search?query=rain&limit=51')).status).toBe(400);
  });

  it('knows the day on which a market is over', async () => {
    expect((await ofD('/markets/btc-up-or-down-daily')).body.expired).toBe(false);
    expect((await ofD('/markets/yesterdays-question')).body).toMatchObject({ expired: true, status: 'FUNDED' });
  });

  it('lists what is not over, page by page, and refuses pages that are too long', async () => {
    const first = (await ofD('/markets/active?limit=5&page=1')).body;
    const second = (await ofD('/markets/active?limit=5&page=2')).body;
    expect([objectsOf(first.data).length, objectsOf(second.data).length]).toEqual([5, 3]);
    expect((await ofD('/markets/active?limit=26')).status).toBe(400);
  });

  it('says what it does not know', async () => {
    expect(await ofD('/markets/nothing')).toMatchObject({
      status: 404,
      body: { message: 'Market or group not found' },
    });
    expect(await ofD('/markets/nothing/orderbook')).toMatchObject({ status: 404 });
    expect(await ofD('/elsewhere')).toMatchObject({ status: 404 });
  });
});

describe('venue E', () => {
  it.skipIf(!recordingsPresent)('writes what the venue was recorded to write (needs the recordings)', async () => {
    const files = ['venues-c-d-e/opinion/market_list_first_element_2026-10-08.json'];
    const markets = await ofE('/market?marketType=2&limit=20');
    const ours = objectsOf(markets.list);
    const theirs = recordedObjects(files, 'marketId');
    expect(strangers([...ours, ...ours.flatMap(it => objectsOf(it.childMarkets))], theirs)).toEqual([]);
    const { yesTokenId } = await dataOfE('/market/101');
    const books = ['venues-c-d-e/opinion/orderbook_5342_yes_2026-10-08.json'];
    expect(strangers([await ofE(`/token/orderbook?token_id=${yesTokenId}`)], recordedObjects(books, 'bids'))).toEqual(
      [],
    );
  });

  it('has a book for each token, one the mirror of the other', async () => {
    const { yesTokenId, noTokenId } = await dataOfE('/market/101');
    timers.advance(0);
    const pricesOf = (levels: unknown) => objectsOf(levels).map(({ price }) => Math.round(Number(price) * 1_000));
    // The reads follow each other without a pause, in which the prices would move.
    const [yes, no] = await Promise.all(
      [yesTokenId, noTokenId].map(
        async id => (await ask<JsonObject>(`${venueE!.url}/token/orderbook?token_id=${id}`)).body.result as JsonObject,
      ),
    );
    expect(pricesOf(no!.bids)).toEqual(pricesOf(yes!.asks).map(price => 1_000 - price));
    expect(pricesOf(no!.asks)).toEqual(pricesOf(yes!.bids).map(price => 1_000 - price));
  });

  it('has members of a group in the group alone, without a date', async () => {
    const group = await dataOfE('/market/categorical/37');
    expect(objectsOf(group.childMarkets).map(({ cutoffAt, marketType }) => [cutoffAt, marketType])).toEqual(
      Array.from({ length: 3 }, () => [0, undefined]),
    );
    expect(await get(venueE, '/market/210')).toEqual({
      status: 200,
      body: { errno: 10_404, errmsg: 'market not found', result: null },
    });
    expect(objectsOf((await ofE('/market?marketType=1')).list)).toHaveLength(1);
  });

  it('says which outcome has won', async () => {
    const { resultTokenId, noTokenId, status } = await dataOfE('/market/105');
    expect([status, resultTokenId]).toEqual([4, noTokenId]);
  });
});

describe.each<[FaultVenue, () => HttpServer | null, string]>([
  ['venue_d', () => venueD, '/markets/rain-in-paris-this-month'],
  ['venue_e', () => venueE, '/market/101'],
])('%s', (venue, server, path) => {
  it('refuses what comes too fast', async () => {
    timers.advance(10_000);
    const statuses: number[] = [];
    for (let time = 0; time < 16; time += 1) statuses.push((await ask(server()!.url + path)).status);
    expect(statuses).toEqual(
      Array.from({ length: 16 }, (_, index) => (index < (venue === 'venue_d' ? 2 : 15) ? 200 : 429)),
    );
    timers.advance(300);
    expect((await ask(server()!.url + path)).status).toBe(200);
  });

  it('has faults as the exchanges have', async () => {
    const rule = { venue, key: null, operation: 'GET /market*', probability: 1, countMax: 1, lastsMs: null };
    faults.add({ ...rule, fault: { kind: 'status', status: 503, isApplied: false } });
    expect((await get(server(), path)).status).toBe(503);
    faults.add({ ...rule, fault: { kind: 'lost', isApplied: false } });
    await expect(get(server(), path)).rejects.toThrow();
    faults.add({ ...rule, fault: { kind: 'rate-limited' } });
    const limited = await fetch(server()!.url + path);
    expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '1']);
    expect((await get(server(), path)).status).toBe(200);
  });
});
