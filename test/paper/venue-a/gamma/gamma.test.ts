// Gamma on a real socket, over the catalog that the paper exchanges list: filters, pages, lookups, and the venue's formats.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ASK, BID } from '../../../../src/core/domain/market.ts';
import type { MicroShares, Ticks, UnixMillis } from '../../../../src/core/domain/numbers.ts';
import { Random } from '../../../../src/core/runtime/random.ts';
import { catalogOfDay, createCatalog } from '../../../../src/paper/catalog/catalog.ts';
import type { VenueAEventListing } from '../../../../src/paper/catalog/listings.ts';
import { dayOf } from '../../../../src/paper/catalog/schedule.ts';
import type { Score } from '../../../../src/paper/flow/game-model.ts';
import type { HttpServer } from '../../../../src/paper/http-server.ts';
import { VenueAExchange } from '../../../../src/paper/venue-a/exchange.ts';
import { startGammaServer } from '../../../../src/paper/venue-a/gamma/gamma-server.ts';
import { conditionKey } from '../../../../src/venues/venue-a/position-ids.ts';
import { NO_FAULTS } from '../../../support/no-faults.ts';
import { VirtualTimers } from '../../../support/virtual-timers.ts';

const NOW = Date.UTC(2026, 10, 21, 18) as UnixMillis;
const { sports, events } = createCatalog({ seed: 5, now: NOW }).venueA;
const exchange = new VenueAExchange({
  sports,
  events,
  timers: new VirtualTimers(NOW),
  faults: NO_FAULTS,
  random: new Random(1),
});
const conditions = events.flatMap(event => event.markets);
/** The market `quoted` has quotes on both sides and a trade; the market `closed` has ended. */
const [quoted, closed] = [events[0]!.markets[0]!, events.at(-1)!];

/** The score of one game; the other games have no score. */
const scores: Record<string, Score> = { [events[0]!.game.id]: { home: 21, away: 7 } };

type Row = Readonly<Record<string, unknown>>;
let server: HttpServer;

beforeAll(async () => {
  server = await startGammaServer({ exchange, host: '127.0.0.1', port: 0, scoreOf: id => scores[id] ?? null });
  const { desk } = exchange;
  const market = desk.markets.find(it => it.address === quoted.conditionId)!;
  const place = (side: 0 | 1, cents: number, shares: number, kind: 'rest' | 'take') =>
    desk.place(market, side, (cents * 100) as Ticks, (shares * 1_000_000) as MicroShares, kind);
  place(BID, 40, 100, 'rest');
  place(ASK, 45, 200, 'rest');
  place(BID, 45, 50, 'take');
  for (const { conditionId } of closed.markets) exchange.resolutions.resolve(exchange.markets.get(conditionId)!, 0);
});
afterAll(() => {
  server.close();
  exchange.close();
});

async function get(target: string): Promise<{ status: number; body: never }> {
  const answer = await fetch(server.url + target);
  return { status: answer.status, body: (await answer.json()) as never };
}

async function rows(target: string): Promise<Row[]> {
  const { status, body } = await get(target);
  expect(status).toBe(200);
  return body;
}

const idsOf = (list: readonly Row[]) => list.map(row => row.id);
const ids = (list: readonly VenueAEventListing[]) => list.map(event => event.id);

describe('events', () => {
  const listed = (isWanted: (event: VenueAEventListing) => boolean) => ids(events.filter(isWanted));
  const { sport, slug, game, tags } = events[0]!;
  const iso = new Date(game.startsAt).toISOString();
  const filters: [target: string, expected: string[]][] = [
    ['', listed(() => true)],
    ['closed=true', [closed.id]],
    ['closed=false', listed(event => event !== closed)],
    [`series_id=${sport.series}`, listed(event => event.sport === sport)],
    [`tag_id=${tags[0]!.id}`, listed(event => event.tags.some(tag => tag.id === tags[0]!.id))],
    [`id=${events[3]!.id}&id=${events[5]!.id}`, [events[3]!.id, events[5]!.id]],
    [`id=${events[3]!.id},${events[5]!.id}`, [events[3]!.id, events[5]!.id]],
    [`slug=${slug}`, [events[0]!.id]],
    ['slug_contains=nothing&closed=perhaps&volume_min=much', listed(() => true)],
  ];
  it.each(filters)('are those that %s means', async (target, expected) => {
    expect(idsOf(await rows(`/events?limit=500&${target}`))).toEqual(expected.slice(0, 500));
  });

  it('come twenty at a time unless more are asked for, newest first if that is asked for', async () => {
    expect(await rows('/events')).toHaveLength(20);
    const newestFirst = idsOf(await rows('/events?limit=500&order=id&ascending=false')).map(Number);
    expect(newestFirst).toEqual(newestFirst.toSorted((a, b) => b - a));
  });

  it('nest their markets, teams and tables', async () => {
    const { body } = await get(`/events/${events[0]!.id}`);
    expect((await get(`/events/slug/${slug}`)).body).toEqual(body);
    expect(body).toMatchObject({
      slug,
      gameId: events[0]!.gameId,
      seriesSlug: sport.sport,
      startTime: iso.replace('.000Z', 'Z'),
      markets: events[0]!.markets.map(market => ({ id: market.id })),
      tags: tags.map(({ id }) => ({ id })),
      sport: { id: sport.id },
      series: [{ id: sport.series }],
    });
    const teams = (body as { teams: Row[] }).teams;
    expect(teams.map(team => team.ordering)).toEqual(sport.ordering === 'away' ? ['away', 'home'] : ['home', 'away']);
  });

  it('tell the score in the order of the teams, where somebody knows it', async () => {
    const { body } = await get(`/events/${events[0]!.id}`);
    expect(body).toMatchObject({ live: true, ended: false, score: sport.ordering === 'away' ? '7-21' : '21-7' });
    expect((await get(`/events/${closed.id}`)).body).not.toHaveProperty('score');
  });

  it('are over when all of their markets are', async () => {
    const { body } = await get(`/events/${closed.id}`);
    expect(body).toMatchObject({ closed: true, closedTime: '2026-11-21T18:00:00Z', automaticallyResolved: true });
  });
});

describe('markets', () => {
  it('write arrays as text, times with a short zone, numbers as numbers and as text', async () => {
    const { body } = await get(`/markets/slug/${quoted.slug}`);
    expect((await get(`/markets/${quoted.id}`)).body).toEqual(body);
    const start = new Date(events[0]!.game.startsAt).toISOString();
    expect(body).toMatchObject({
      conditionId: quoted.conditionId,
      outcomes: `[${quoted.outcomes.map(text => `"${text}"`).join(', ')}]`,
      clobTokenIds: `["${quoted.tokens[0]}", "${quoted.tokens[1]}"]`,
      outcomePrices: '["0.425", "0.575"]',
      gameStartTime: `${start.slice(0, 10)} ${start.slice(11, 19)}+00`,
      bestBid: 0.4,
      bestAsk: 0.45,
      spread: 0.05,
      lastTradePrice: 0.45,
      volume: '50',
      volumeNum: 50,
      // The liquidity is 100 at 0.40, and 150 at a cost of 0.55 each.
      liquidity: '122.5',
      liquidityNum: 122.5,
      orderPriceMinTickSize: Number(quoted.tickSize),
      orderMinSize: 5,
      acceptingOrders: true,
      feesEnabled: true,
      feeSchedule: { rate: 0.05, exponent: 1, takerOnly: true },
      events: [{ id: events[0]!.id }],
    });
  });

  it('have no bid and an ask of 1 in an empty book', async () => {
    const { body } = await get(`/markets/${events[1]!.markets[0]!.id}`);
    expect(body).toMatchObject({ bestAsk: 1, spread: 1, outcomePrices: '["0.5", "0.5"]' });
    expect(Object.keys(body)).not.toContain('bestBid');
  });

  it('are worth 1 and 0 when they are over', async () => {
    const { body } = await get(`/markets/${closed.markets[0]!.id}`);
    expect(body).toMatchObject({
      outcomePrices: '["1", "0"]',
      closed: true,
      acceptingOrders: false,
      closedTime: '2026-11-21 18:00:00+00',
      umaResolutionStatus: 'resolved',
    });
  });

  const { conditionId, tokens, id, slug } = quoted;
  const other = events[1]!.markets[0]!.conditionId;
  it.each([
    [`condition_ids=${conditionId}&condition_ids=${other}`, [conditionId, other]],
    [`clob_token_ids=${tokens[1]}`, [conditionId]],
    [`id=${id}`, [conditionId]],
    [`slug=${slug}`, [conditionId]],
    ['closed=true', closed.markets.map(market => market.conditionId)],
  ])('are those that %s means', async (target, expected) => {
    const found = await rows(`/markets?limit=500&${target}`);
    expect(found.map(row => conditionKey(String(row.conditionId)))).toEqual(expected);
  });
});

describe('what is not there', () => {
  it.each([
    ['/events/999999999999', 404, 'id not found'],
    ['/events/slug/none', 404, 'slug not found'],
    ['/markets/999999999999', 404, 'id not found'],
    ['/markets/slug/none', 404, 'slug not found'],
    ['/events/first', 422, 'id is invalid'],
    ['/events/keyset?after_cursor=none', 422, 'after_cursor is invalid'],
    ['/markets/keyset?offset=1', 422, 'offset is not supported'],
    ['/events?offset=2001', 422, 'offset too large'],
    ['/nothing', 404, 'route not found'],
  ])('%s: %i %s', async (target, status, error) => {
    const answer = await get(target);
    expect(answer.status).toBe(status);
    expect(answer.body).toMatchObject({ error });
  });
});

describe('cursors', () => {
  it.each([
    ['events', 7, ids(events.filter(event => event !== closed))],
    ['markets', 1_000, conditions.filter(it => !closed.markets.includes(it)).map(it => it.id)],
  ] as const)('lead through all %s, a hundred at most at a time', async (name, limit, expected) => {
    const seen: unknown[] = [];
    let cursor = '';
    do {
      const { body } = await get(`/${name}/keyset?closed=false&limit=${limit}${cursor}`);
      const { [name]: page, next_cursor } = body as Readonly<Record<string, Row[]>> & { next_cursor?: string };
      expect(page!.length).toBeLessThanOrEqual(Math.min(limit, 100));
      seen.push(...idsOf(page!));
      cursor = next_cursor === undefined ? '' : `&after_cursor=${next_cursor}`;
    } while (cursor !== '' && seen.length < 10_000);
    expect(seen).toEqual(expected);
  });

  it('hold when nothing more is requested from them', async () => {
    const one = new VenueAExchange({
      sports,
      events: events.slice(0, 6),
      timers: new VirtualTimers(NOW),
      faults: NO_FAULTS,
      random: new Random(1),
    });
    const other = await startGammaServer({ exchange: one, host: '127.0.0.1', port: 0, scoreOf: () => null });
    const page = async (query: string) =>
      (await (await fetch(`${other.url}/events/keyset?closed=false&limit=2${query}`)).json()) as never;
    const { next_cursor } = await page('');
    for (const { conditionId } of events[1]!.markets) one.resolutions.resolve(one.markets.get(conditionId)!, 0);
    const { events: next } = await page(`&after_cursor=${next_cursor}`);
    expect(idsOf(next)).toEqual(ids(events.slice(2, 4)));
    other.close();
    one.close();
  });
});

describe('a game that is listed later', () => {
  it('is found until it is forgotten', async () => {
    const day = catalogOfDay(dayOf(NOW) + 9, { seed: 5 }).venueA.events;
    const added = day.find(event => event.sport.sport === 'nhl')!;
    expect(exchange.list([added])).toBe(true);
    expect((await get(`/events/slug/${added.slug}`)).body).toMatchObject({ id: added.id, closed: false });
    expect((await get(`/markets/${added.markets[0]!.id}`)).body).toMatchObject({ slug: added.markets[0]!.slug });
    for (const { conditionId } of added.markets) exchange.resolutions.resolve(exchange.markets.get(conditionId)!, 1);
    exchange.forgetEnded(NOW);
    expect((await get(`/events/slug/${added.slug}`)).status).toBe(404);
  });
});
