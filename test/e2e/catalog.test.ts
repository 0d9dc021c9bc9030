// The catalog through the whole gateway (contract §6, §4.10): its thread reads the paper exchanges, and the check pool answers. Every game in the
// season of the paper exchanges is one event with the listings of both venues. A caller can trade each listing as it is shown.

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { marketAddress, type Venue } from '../../src/core/domain/market.ts';
import type { UnixMillis } from '../../src/core/domain/numbers.ts';
import { assert } from '../../src/core/domain/result.ts';
import type {
  CatalogMarket,
  CatalogMarketPage,
  Competitions,
  Event,
  EventMarket,
  EventMarkets,
  EventPage,
  Listing,
} from '../../src/core/generated/api-types.ts';
import { createCatalog } from '../../src/paper/catalog/catalog.ts';
import type { Catalog as PaperCatalog, PricedBy } from '../../src/paper/catalog/listings.ts';
import { eventually } from '../support/eventually.ts';
import type { TestKey } from '../support/signed-requests.ts';
import { errorOf, OrdersRig } from './orders-rig.ts';

let rig: OrdersRig;
/** The catalog that the paper exchanges had at their start. */
let listed: PaperCatalog;
/** The key of a pod that has no account at any venue. */
let stranger: TestKey;

beforeAll(async () => {
  const before = Date.now();
  rig = await OrdersRig.start('venue-b', { readsCatalog: true });
  listed = listedSince(before);
  stranger = await rig.newKey({ podId: 'other', actorId: 'other', scopes: ['read'] });
  await eventually(() => {
    expect(rig.gateway.catalog.isWhole).toBe(true);
    expect(rig.gateway.trading.isTradable('demo', 'venue_a')).toBe(true);
  });
});
afterAll(() => rig.close());

/** Returns the catalog that the exchanges have. Games are scheduled by the quarter of an hour, and a quarter may have passed since `before`. */
function listedSince(before: number): PaperCatalog {
  const possible = [before, Date.now()].map(now => createCatalog({ seed: 1, now: now as UnixMillis, takerDelayS: 0 }));
  const tickers = new Set(rig.gateway.markets.map(marketAddress));
  const found = possible.find(({ venueB }) => venueB.events.every(({ markets }) => tickers.has(markets[0]!.ticker)));
  assert(found !== undefined, 'the exchanges have opened meanwhile');
  return found;
}

/** Returns a statement about every listing that the exchanges had at their start, from the exchanges and not from the gateway. */
function statements(): ReadonlyMap<string, string> {
  const textOf = ({ question, isComplement }: PricedBy, isContrary: boolean) =>
    `${question}${isComplement === isContrary ? '' : ' not'}`;
  const ofA = listed.venueA.events.flatMap(({ markets }) => markets);
  const ofB = listed.venueB.events.flatMap(({ markets }) => markets);
  return new Map([
    ...ofA.flatMap(({ tokens, pricedBy }) => tokens.map((id, at) => [id, textOf(pricedBy, at === 1)] as const)),
    ...ofB.flatMap(({ ticker, pricedBy }) =>
      ['YES', 'NO'].map((side, at) => [`${ticker} ${side}`, textOf(pricedBy, at === 1)] as const),
    ),
  ]);
}

function addressOf(listing: Listing): string {
  assert(listing.venue !== 'VENUE_C', 'no market returns it yet');
  return listing.venue === 'VENUE_A' ? listing.tokenId : `${listing.ticker} ${listing.side}`;
}

async function read<T>(target: string, key?: TestKey): Promise<T> {
  const answer = await rig.call('GET', target, {}, key);
  expect(answer.status).toBe(200);
  return answer.json as T;
}

async function allEvents(query = ''): Promise<readonly Event[]> {
  const events: Event[] = [];
  let next: string | null = null;
  do {
    const more: string = next === null ? query : `?pageToken=${next}`;
    const page: EventPage = await read(`/v1/sports/events${more}`);
    events.push(...page.events);
    next = page.nextPageToken;
  } while (next !== null);
  return events;
}

async function marketsOf(eventId: string): Promise<readonly EventMarket[]> {
  return (await read<EventMarkets>(`/v1/sports/events/${eventId}/markets`)).markets;
}

const venuesOf = (listings: readonly Listing[]): readonly string[] => [...new Set(listings.map(({ venue }) => venue))];

const BOTH = ['VENUE_A', 'VENUE_B'];

/** Returns a text that names a game. No two games have the same text. */
function gameText(league: string, names: readonly string[], startsAt: string): string {
  const clubs = names.map(name => name.replace(/ A?FC$/, '')).sort();
  return `${league}: ${clubs.join(' and ')}, ${startsAt}`;
}

describe('the season of the paper exchanges', () => {
  it('has every game once, each as an event of both venues', async () => {
    const events = await allEvents('?pageSize=50');
    const shown = events.map(({ competition, participants, startsAt }) =>
      gameText(
        competition,
        participants.map(({ name }) => name),
        startsAt,
      ),
    );
    const expected = listed.games.map(({ league, home, away, startsAt }) =>
      gameText(league, [home.name, away.name], new Date(startsAt).toISOString()),
    );
    expect([expected.length, expected.filter(game => shown.filter(it => it === game).length !== 1)]).toEqual([47, []]);
    expect(new Set(shown).size).toBe(shown.length);
    for (const { id, competition } of events) {
      const isThreeWay = competition === 'epl';
      // A day that the season has listed meanwhile has been read from one venue first, and from the other with its next news.
      await eventually(async () => {
        const markets = await marketsOf(id);
        const winner = markets.find(market => market.id === `${id}:${isThreeWay ? 'three-way' : 'moneyline'}`);
        expect([id, winner?.outcomes.length]).toEqual([id, isThreeWay ? 3 : 2]);
        for (const { listings } of winner!.outcomes) expect([id, venuesOf(listings)]).toEqual([id, BOTH]);
      });
    }
  });

  it('has in each outcome what states the same, and nowhere else', async () => {
    const stated = statements();
    const outcomeOf = new Map<string, string>();
    for (const { id } of await allEvents('?pageSize=100')) {
      for (const { id: marketId, outcomes } of await marketsOf(id)) {
        for (const { name, listings } of outcomes) {
          const texts = new Set(listings.map(listing => stated.get(addressOf(listing))).filter(it => it !== undefined));
          expect([marketId, name, texts.size <= 1]).toEqual([marketId, name, true]);
          for (const text of texts) {
            expect([text, outcomeOf.get(text)]).toEqual([text, undefined]);
            outcomeOf.set(text, `${marketId} ${name}`);
          }
        }
      }
    }
    const wins = [...stated.values()].filter(text => /-wins$|:draw$/.test(text));
    expect(wins.filter(text => !outcomeOf.has(text))).toEqual([]);
  });

  it('can be traded as it is shown, at either venue', async () => {
    const { events } = await read<EventPage>('/v1/sports/events?competition=nba&status=SCHEDULED&pageSize=1');
    const markets = await marketsOf(events[0]!.id);
    const moneyline = markets.find(({ id }) => id.endsWith(':moneyline'))!;
    const listings = moneyline.outcomes[0]!.listings.filter(({ executable }) => executable);
    const atA = listings.find(it => it.venue === 'VENUE_A')!;
    const atB = listings.find(it => it.venue === 'VENUE_B')!;
    const orders = [
      ['venue-a', { tokenId: atA.tokenId, side: 'BUY', type: 'LIMIT', size: '5', price: '0.01' }],
      ['venue-b', { ticker: atB.ticker, side: atB.side, action: 'BUY', count: 1, priceCents: 1 }],
    ] as const;
    for (const [venue, order] of orders) {
      const headers = { 'Content-Type': 'application/json' };
      const sending = { body: JSON.stringify(order), headers, idempotencyKey: randomUUID() };
      const answer = await rig.call('POST', `/v1/${venue}/orders`, sending);
      expect([venue, answer.status, answer.json]).toEqual([venue, 201, expect.objectContaining({ status: 'OPEN' })]);
    }
  });
});

describe('lists', () => {
  it('have the sports and their competitions', async () => {
    const { sports } = await read<{ sports: { id: string }[] }>('/v1/sports');
    expect(sports.map(({ id }) => id)).toContain('basketball');
    const { competitions } = await read<Competitions>('/v1/sports/competitions?sport=tennis');
    expect(competitions).toEqual([
      { id: 'atp', name: 'ATP', sport: 'tennis' },
      { id: 'wta', name: 'WTA', sport: 'tennis' },
      { id: 'itf', name: 'ITF', sport: 'tennis' },
    ]);
    const all = await read<Competitions>('/v1/sports/competitions');
    expect(new Set(all.competitions.map(({ sport }) => sport))).toEqual(new Set(sports.map(({ id }) => id)));
  });

  it('have events by their start, in pages, and only those that are asked for', async () => {
    const all = await allEvents('?pageSize=100');
    expect(all).toEqual(
      all.toSorted((a, b) => (a.startsAt < b.startsAt || (a.startsAt === b.startsAt && a.id < b.id) ? -1 : 1)),
    );
    expect(await allEvents('?pageSize=7')).toEqual(all);
    expect(await allEvents('?competition=epl')).toEqual(all.filter(({ competition }) => competition === 'epl'));
    expect(await allEvents('?sport=tennis')).toEqual(all.filter(({ sport }) => sport === 'tennis'));
    expect(await allEvents('?sport=tennis&competition=nba')).toEqual([]);
    expect(await allEvents('?status=LIVE')).toEqual(all.filter(({ status }) => status === 'LIVE'));
    expect(new Set(all.map(({ status }) => status))).toEqual(new Set(['SCHEDULED', 'LIVE']));
    const [from, to] = [all[5]!.startsAt, all[20]!.startsAt];
    const between = all.filter(({ startsAt }) => startsAt >= from && startsAt < to);
    expect(await allEvents(`?startsAfter=${from}&startsBefore=${to}&pageSize=3`)).toEqual(between);
  });

  it('have the markets of an event in both ways', async () => {
    const [event] = await allEvents('?competition=nfl');
    const markets = await marketsOf(event!.id);
    const page = await read<CatalogMarketPage>(`/v1/markets?eventId=${event!.id}&pageSize=100`);
    expect(page.markets).toEqual(markets.map(market => ({ ...market, eventId: event!.id })));
    expect(markets.filter(({ notes }) => notes !== undefined).length).toBeGreaterThan(0);
    const line = markets.find(({ id }) => id.includes(':spread:'))!;
    expect(line.id).toBe(`${event!.id}:spread:${line.line}`);
    const football = await read<CatalogMarketPage>('/v1/markets?sport=american-football&pageSize=100');
    expect(football.markets.every(({ eventId }) => eventId?.startsWith('nfl-'))).toBe(true);
    const other = await read<CatalogMarketPage>(`/v1/markets?eventId=${event!.id}&competition=nba`);
    expect(other).toEqual({ markets: [], nextPageToken: null });
  });

  it.each([
    ['events?sport=croquet', 400, 'sport'],
    ['events?competition=', 400, 'competition'],
    ['events?status=live', 400, 'status'],
    ['events?startsAfter=2026-11-20', 400, 'startsAfter'],
    ['events?startsBefore=2026-13-01T00:00:00Z', 400, 'startsBefore'],
    ['events?pageSize=0', 400, 'pageSize'],
    ['events?pageToken=x', 400, 'pageToken'],
    ['events?league=nba', 400, '"league"'],
    ['competitions?sport=', 400, 'sport'],
    ['competitions?sport=Tennis', 400, 'sport'],
    ['events/nba-bos-lal-1999-11-20/markets', 404, 'eventId'],
    ['events/%00/markets', 404, 'eventId'],
  ])('of %s is %i: %s', async (target, status, name) => {
    const answer = await rig.call('GET', `/v1/sports/${target}`);
    expect([answer.status, errorOf(answer).message.split(':')[0]]).toEqual([status, name]);
  });
});

const page = (query = '', key?: TestKey) => read<CatalogMarketPage>(`/v1/markets${query}`, key);

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

function marketOf(venue: Venue): string {
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
