// The readers of both venues' lists against the paper exchanges, over real sockets. They find everything that can be traded, page by page, and
// between full readings they find new and ended markets.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildCatalog } from '../../src/catalog/build-catalog.ts';
import { EventIds } from '../../src/catalog/matching/event-ids.ts';
import { marketAddress } from '../../src/core/domain/market.ts';
import type { UnixMillis } from '../../src/core/domain/numbers.ts';
import { assert } from '../../src/core/domain/result.ts';
import { createHttpClient, type HttpClient } from '../../src/core/net/http.ts';
import { wallTimers } from '../../src/core/runtime/timers.ts';
import { limits } from '../../src/limits.ts';
import { createDemoAccounts, type DemoAccounts } from '../../src/paper/control/demo-accounts.ts';
import type { Paper } from '../../src/paper/paper.ts';
import type { PageAnswer, VenueDiscovery, VenueEvent } from '../../src/venues/discovery.ts';
import { venueADiscovery } from '../../src/venues/venue-a/discovery.ts';
import { POLYGON } from '../../src/venues/venue-a/exchanges.ts';
import { createVenueBSigner } from '../../src/venues/venue-b/auth.ts';
import { readVenueBEvent, venueBDiscovery } from '../../src/venues/venue-b/discovery.ts';
import { ask } from '../support/paper-traders.ts';
import { startQuietPaper } from '../support/quiet-paper.ts';
import { VirtualTimers } from '../support/virtual-timers.ts';
import { venueAEvent, venueAMarket, venueBEvent, venueBMarket } from './venue-objects.ts';

let paper: Paper;
let http: HttpClient;
let accounts: DemoAccounts;

beforeAll(async () => {
  accounts = await createDemoAccounts(POLYGON);
  paper = await startQuietPaper(accounts);
  http = createHttpClient(limits.catalogAnswerTimeoutMs, limits.catalogAnswerBytesMax);
});
afterAll(async () => {
  http.close();
  paper.close();
});

function venueA(): VenueDiscovery {
  return venueADiscovery({ gammaUrl: paper.urls.venueA.gamma, get: http.get });
}

function venueB(): VenueDiscovery {
  const { keyId, privateKeyPem } = accounts.venueB.keys[0]!;
  const { rest: restUrl } = paper.urls.venueB;
  return venueBDiscovery({
    restUrl,
    sign: createVenueBSigner(keyId, privateKeyPem),
    get: http.get,
    timers: wallTimers,
  });
}

async function everything(page: (cursor: string | null) => Promise<PageAnswer>): Promise<readonly VenueEvent[][]> {
  const pages: VenueEvent[][] = [];
  let cursor: string | null = null;
  do {
    const answer: PageAnswer = await page(cursor);
    assert(answer.ok, 'the paper exchanges answer');
    expect(answer.value.malformed).toBe(0);
    pages.push([...answer.value.events]);
    cursor = answer.value.next;
  } while (cursor !== null);
  return pages;
}

const addressesOf = (events: readonly VenueEvent[]): readonly string[] =>
  events.flatMap(({ markets }) =>
    markets.flatMap(({ outcomes, marketId }) =>
      outcomes.map(({ route }) => (route.venue === 'venue_a' ? route.tokenId : marketId)),
    ),
  );

describe.each([
  ['venue_a', venueA],
  ['venue_b', venueB],
] as const)('the list of %s', (venue, discoveryOf) => {
  it('has every market that there is, in pages of any size', async () => {
    const wanted = paper.markets.filter(market => market.venue === venue).map(marketAddress);
    for (const rows of [25, 200]) {
      const discovery = discoveryOf();
      const pages = await everything(cursor => discovery.listed(cursor, rows));
      expect(pages.every(page => page.length <= rows)).toBe(true);
      const events = pages.flat();
      const ids = events.map(({ eventId }) => eventId);
      expect(new Set(ids).size).toBe(ids.length);
      const found = new Set(addressesOf(events));
      expect(wanted.filter(address => !found.has(address))).toEqual([]);
    }
  });

  it('has the facts that a match needs', async () => {
    const discovery = discoveryOf();
    const events = (await everything(cursor => discovery.listed(cursor, 100))).flat();
    expect(
      events.filter(({ startsAt, teams, gameId, competition }) => {
        return startsAt === null || teams.length !== 2 || gameId === '' || competition === '';
      }),
    ).toEqual([]);
    const roles = events.map(({ teams }) =>
      teams
        .map(({ role }) => role)
        .toSorted()
        .join(),
    );
    expect([...new Set(roles)]).toEqual(['AWAY,HOME']);
    expect(events.flatMap(({ markets }) => markets).filter(({ phase }) => phase === 'OPEN').length).toBeGreaterThan(0);
  });

  it('fails in words when there is no venue', async () => {
    const closed = discoveryOf();
    const gone =
      venue === 'venue_a'
        ? venueADiscovery({ gammaUrl: `${paper.urls.venueA.gamma}/nowhere`, get: http.get })
        : venueBDiscovery({ restUrl: 'http://127.0.0.1:1', sign: () => ({}), get: http.get, timers: wallTimers });
    expect((await closed.listed(null, 1)).ok).toBe(true);
    expect(await gone.listed(null, 1)).toEqual({ ok: false, error: expect.stringMatching(/HTTP 404|ECONNREFUSED/) });
  });
});

it.each([
  [200, '<html>'],
  [200, '[]'],
  [200, '{}'],
  [200, '{"events":{}}'],
  [200, '{"events":[],"next_cursor":"\\ud83d","cursor":"\\ud83d"}'],
  [503, '{"events":[],"next_cursor":""}'],
])('a list is not empty by the answer %i %s', async (status, body) => {
  const get = async () => ({ status, body });
  const a = venueADiscovery({ gammaUrl: 'http://venue.test', get });
  const b = venueBDiscovery({ restUrl: 'http://venue.test', sign: () => ({}), get, timers: wallTimers });
  for (const discovery of [a, b]) {
    expect(await discovery.listed(null, 10)).toMatchObject({ ok: false });
    expect(await discovery.news(wallTimers.now(), null, 10)).toMatchObject({ ok: false });
  }
});

it('venue A’s news end where everything is known', async () => {
  const idsOf = (pages: readonly VenueEvent[][]) => new Set(pages.flat().map(({ eventId }) => eventId));
  const listed = (discovery: VenueDiscovery) => everything(cursor => discovery.listed(cursor, 25));
  const newsTo = (discovery: VenueDiscovery, rows: number) =>
    everything(cursor => discovery.news(wallTimers.now(), cursor, rows));
  const all = idsOf(await listed(venueA()));
  const routes = new Set<string>();
  const get: HttpClient['get'] = (url, ...more) => {
    routes.add(new URL(url).pathname);
    return http.get(url, ...more);
  };
  const discovery = venueADiscovery({ gammaUrl: paper.urls.venueA.gamma, get });
  const known = idsOf(await listed(discovery));
  const pages = await newsTo(discovery, 3);
  // The season goes on: the events that it has listed since then are news, and later pages are not requested.
  const [last = []] = pages.slice(-1);
  expect(last.some(({ eventId }) => known.has(eventId))).toBe(true);
  expect(
    pages
      .slice(0, -1)
      .flat()
      .some(({ eventId }) => known.has(eventId)),
  ).toBe(false);
  // A reader without a previous reading gets everything.
  const reported = idsOf(await newsTo(venueA(), 10));
  expect([...all].filter(eventId => !reported.has(eventId))).toEqual([]);
  // The venue has marked the end of its lists by leaving out the cursor.
  expect([...routes]).toEqual(['/events/keyset']);
});

// The newest event of a page that came counted as known, though the pages behind it had not come. Their events waited for the next full reading.
it('6209: venue A’s news go on where a reading of them has failed', async () => {
  const pages = [[5, 4], [3, 2], [1]];
  let failsAt = 1;
  const get: HttpClient['get'] = async text => {
    const page = Number(new URL(text).searchParams.get('after_cursor') ?? 0);
    if (page === failsAt) throw new Error('the venue is away');
    const events = pages[page]!.map(id => venueAEvent(id, [venueAMarket(id)]));
    return { status: 200, body: JSON.stringify({ events, next_cursor: page === 2 ? '' : String(page + 1) }) };
  };
  const discovery = venueADiscovery({ gammaUrl: 'http://gamma', get });
  const idsOf = (answer: PageAnswer) => (answer.ok ? answer.value.events.map(({ eventId }) => eventId) : null);
  const news = async (cursor: string | null) => discovery.news(wallTimers.now(), cursor, 2);
  expect([idsOf(await news(null)), idsOf(await news('1'))]).toEqual([['5', '4'], null]);
  failsAt = -1;
  const again = await news(null);
  expect(again).toMatchObject({ value: { next: '1' } });
  for (const cursor of ['1', '2']) await news(cursor);
  expect(await news(null)).toMatchObject({ value: { next: null } });
});

it('venue B’s news have what has changed since, also what has ended', async () => {
  const discovery = venueB();
  const since = (wallTimers.now() + 2_000) as UnixMillis;
  const quiet = (await everything(cursor => discovery.news(since, cursor, 100))).flat();
  expect(quiet).toEqual([]);
  const ticker = paper.markets.map(marketAddress).find(address => address.startsWith('KX'))!;
  const before = (wallTimers.now() - 1_000) as UnixMillis;
  const { status } = await ask(`${paper.urls.control}/venues/venue_b/markets/${ticker}/settle`, 'POST', { value: '1' });
  expect(status).toBeLessThan(300);
  const news = (await everything(cursor => discovery.news(before, cursor, 100))).flat();
  const ended = news.flatMap(({ markets }) => markets).find(({ marketId }) => marketId === ticker);
  expect(ended).toMatchObject({ phase: 'OVER' });
});

// A market without a title counted as malformed and was left out. On the day on which the venue stops sending titles, the catalog would have lost all
// of venue B.
describe('0262: a market without a title', () => {
  const NOWHERE = () => null;
  const EVENT = 'KXNBAGAME-26NOV20BOSLAL';

  function titlesOf(more: object, event: object = {}): readonly string[] {
    const listed = readVenueBEvent(
      venueBEvent(EVENT, [venueBMarket(`${EVENT}-BOS`, { ...more })], { ...event }),
      NOWHERE,
    );
    assert(listed !== 'malformed', 'the event itself is as it should be');
    return listed.event.markets.map(({ title }) => title);
  }

  it.each([undefined, null, '', ' '])('a market of the title %j is called by its event and its question', title => {
    expect(titlesOf({ title })).toEqual(['Boston at Los Angeles L: Boston']);
    expect(titlesOf({ title, yes_sub_title: '' })).toEqual(['Boston at Los Angeles L']);
  });

  it('a market with a title keeps it', () => {
    expect(titlesOf({ title: 'Will Boston win?' })).toEqual(['Will Boston win?']);
  });

  it('a market without any name that can be shown is left out', () => {
    const long = 'x'.repeat(limits.catalogTextCharactersMax);
    expect(titlesOf({ title: `${long}x` })).toEqual([]);
    expect(titlesOf({ title: undefined }, { title: long })).toEqual([]);
  });

  it('a game is the same without the titles of its markets', () => {
    const markets = ['Boston', 'Los Angeles L'].map((label, number) =>
      venueBMarket(`${EVENT}-${['BOS', 'LAL'][number]}`, {
        title: undefined,
        yes_sub_title: label,
        no_sub_title: label,
      }),
    );
    const listed = readVenueBEvent(venueBEvent(EVENT, markets), NOWHERE);
    assert(listed !== 'malformed' && listed.malformed === 0, 'all of it is read');
    const catalog = buildCatalog([listed.event], new EventIds());
    expect(catalog.markets.map(({ id }) => id)).toEqual(['nba-bos-lal-2026-11-20:moneyline']);
  });
});

// If the answer with the series came late, was too long or was refused, the catalog had nothing of venue B.
it('0264: events are read where the venue cannot list its series', async () => {
  const asked: string[] = [];
  const get = async (url: string) => {
    asked.push(new URL(url).pathname);
    if (url.includes('/series')) throw new Error('no answer in time');
    return { status: 200, body: JSON.stringify({ events: [venueBEvent('KX-A', [venueBMarket('KX-A-1')])] }) };
  };
  const discovery = venueBDiscovery({
    restUrl: 'http://venue',
    sign: () => ({}),
    get,
    timers: new VirtualTimers(),
  });
  expect(await discovery.listed(null, 200)).toMatchObject({ ok: true, value: { events: [{ eventId: 'KX-A' }] } });
  expect(asked).toEqual(['/events']);
});
