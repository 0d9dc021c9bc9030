// GET /v1/markets through the whole gateway. The catalog thread reads the paper exchanges, and the check pool answers. A caller can order
// what it finds as it is shown (contract §6, §4.10).

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type MarketKey, marketAddress } from '../../src/core/domain/market.ts';
import { assert } from '../../src/core/domain/result.ts';
import type { CatalogMarket, CatalogMarketPage, Listing } from '../../src/core/generated/api-types.ts';
import { eventually } from '../support/eventually.ts';
import type { TestKey } from '../support/signed-requests.ts';
import { errorOf, OrdersRig } from './orders-rig.ts';

let rig: OrdersRig;
/** The key of a pod without an account. */
let stranger: TestKey;

beforeAll(async () => {
  rig = await OrdersRig.start('venue-b', { readsCatalog: true });
  stranger = await rig.newKey({ podId: 'other', actorId: 'other', scopes: ['read'] });
  await eventually(() => {
    expect(rig.gateway.catalog.isWhole).toBe(true);
    expect(rig.gateway.trading.isTradable('demo', 'venue_a')).toBe(true);
  });
});
afterAll(() => rig.close());

async function page(query = '', key?: TestKey): Promise<CatalogMarketPage> {
  const answer = await rig.call('GET', `/v1/markets${query}`, {}, key);
  expect(answer.status).toBe(200);
  return answer.json as CatalogMarketPage;
}

async function everything(query = '', key?: TestKey): Promise<readonly CatalogMarket[]> {
  const markets: CatalogMarket[] = [];
  let next: string | null = null;
  do {
    const more: string = next === null ? query : `?pageToken=${next}`;
    const { markets: found, nextPageToken } = await page(more, key);
    markets.push(...found);
    next = nextPageToken;
  } while (next !== null);
  return markets;
}

const listingsOf = ({ outcomes }: CatalogMarket): readonly Listing[] => outcomes.flatMap(({ listings }) => listings);

function marketOf(venue: MarketKey['venue']): string {
  const market = rig.gateway.markets.find(it => it.venue === venue);
  assert(market !== undefined, 'both exchanges have markets');
  return marketAddress(market);
}

describe('GET /v1/markets', () => {
  it('has every market of both venues once, in pages, in the order of ids', async () => {
    const all = await everything('?pageSize=100');
    const ids = all.map(({ id }) => id);
    expect(ids).toEqual([...new Set(ids)].toSorted());
    const addresses = all
      .flatMap(listingsOf)
      .map(it => (it.venue === 'VENUE_A' ? it.tokenId : it.venue === 'VENUE_B' ? it.ticker : ''));
    const found = new Set(addresses);
    expect(rig.gateway.markets.map(marketAddress).filter(address => !found.has(address))).toEqual([]);
    expect((await page('?pageSize=1')).markets).toEqual(all.slice(0, 1));
    expect((await page()).markets).toHaveLength(20);
  });

  it('finds what can be ordered, as it is shown', async () => {
    const ticker = marketOf('venue_b');
    const { markets, nextPageToken } = await page(`?q=${ticker}`);
    expect([markets.length, nextPageToken]).toEqual([1, null]);
    expect(markets.flatMap(listingsOf)).toContainEqual({ venue: 'VENUE_B', ticker, side: 'YES', executable: true });
    const order = await rig.submit({ ticker, side: 'YES', action: 'BUY', count: 1, priceCents: 1 });
    expect(order.status).toBe(201);
  });

  it('finds a market of venue A by a token and its words', async () => {
    const tokenId = marketOf('venue_a');
    const { markets } = await page(`?q=${tokenId}`);
    expect(markets).toHaveLength(1);
    const [market] = markets as [CatalogMarket];
    expect(listingsOf(market)).toContainEqual({ venue: 'VENUE_A', tokenId, executable: true });
    expect((await page(`?q=${market.id.toUpperCase()}`)).markets).toEqual(markets);
    const [word = ''] = market.title.split(' ');
    const byWord = await everything(`?q=${encodeURIComponent(word.toUpperCase())}&venue=venue_a`);
    expect(byWord.map(({ id }) => id)).toContain(market.id);
    expect((await page('?q=nothing-is-called-so')).markets).toEqual([]);
  });

  it.each(['VENUE_A', 'VENUE_B'])('of %s has its markets only', async venue => {
    const markets = await everything(`?venue=${venue.toLowerCase()}&pageSize=100`);
    expect(markets.length).toBeGreaterThan(20);
    expect(markets.filter(market => !listingsOf(market).some(it => it.venue === venue))).toEqual([]);
  });

  it('says what is executable for whom: nothing for a pod without accounts', async () => {
    const [open, shut] = [await everything('?executable=true'), await everything('?executable=false')];
    expect(open.every(market => listingsOf(market).some(({ executable }) => executable))).toBe(true);
    expect(shut.some(market => listingsOf(market).some(({ executable }) => executable))).toBe(false);
    const all = await everything();
    expect(open.length + shut.length).toBe(all.length);
    expect((await page('?executable=true', stranger)).markets).toEqual([]);
    expect((await everything('?executable=false&pageSize=100', stranger)).length).toBe(all.length);
  });

  it('gives a page token that is its caller’s, and holds on to its filters', async () => {
    const { nextPageToken } = await page('?venue=venue_b&pageSize=2');
    assert(nextPageToken !== null, 'there are more than two');
    const refusals: [query: string, key?: TestKey][] = [
      [`?pageToken=${nextPageToken}`, stranger],
      [`?pageToken=${nextPageToken}&venue=venue_a`],
      [`?pageToken=A${nextPageToken.slice(1)}B`],
    ];
    for (const [query, key] of refusals) {
      const answer = await rig.call('GET', `/v1/markets${query}`, {}, key);
      expect([answer.status, errorOf(answer).message]).toEqual([400, expect.stringMatching(/^(pageToken|venue): /)]);
    }
    expect((await page(`?pageToken=${nextPageToken}&venue=venue_b&pageSize=50`)).markets).toHaveLength(2);
  });

  it.each([
    ['?venue=venue_c', 400, 'venue'],
    ['?executable=yes', 400, 'executable'],
    ['?q=', 400, 'q'],
    ['?q=%3F%21', 400, 'q'],
    [`?q=${'x'.repeat(129)}`, 400, 'q'],
    ['?q=a+b+c+d+e+f+g+h+i', 400, 'q'],
    ['?sport=croquet', 400, 'sport'],
    ['?competition=NBA', 400, 'competition'],
    ['?eventId=nba-bos-lal-1999-11-20', 404, 'eventId'],
    ['?eventId=', 400, 'eventId'],
    ['?pageSize=0', 400, 'pageSize'],
    ['?pageSize=101', 400, 'pageSize'],
    ['?pageToken=x', 400, 'pageToken'],
    ['?status=open', 400, '"status"'],
    ['?q=a&q=b', 400, 'q'],
  ])('of %s is %i: %s', async (query, status, name) => {
    const answer = await rig.call('GET', `/v1/markets${query}`);
    expect([answer.status, errorOf(answer).message.split(':')[0]]).toEqual([status, name]);
  });

  it('stays what it is when the catalog thread dies, and is whole again after', async () => {
    const before = await everything('?pageSize=100');
    const { memory } = rig.gateway.catalog.snapshot!;
    await rig.gateway.catalog.kill();
    expect(await everything('?pageSize=100')).toEqual(before);
    await eventually(() => expect(rig.gateway.catalog.snapshot!.memory).not.toBe(memory));
    expect(await everything('?pageSize=100')).toEqual(before);
  });
});
