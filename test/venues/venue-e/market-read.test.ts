// Venue E's markets, as recorded from the venue and in other forms that the venue may write: single, in groups, and over. Covers the values
// that are read, the refusals, and the requests that a read takes.

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/core/domain/json.ts';
import { marketSummaryView } from '../../../src/core/wire/older-views.ts';
import { limits } from '../../../src/limits.ts';
import type { MarketReading } from '../../../src/venues/market-read.ts';
import { VenueEMarketReader } from '../../../src/venues/venue-e/market-read.ts';
import { recordingPath, recordingsPresent } from '../../support/recordings.ts';
import { VirtualTimers } from '../../support/virtual-timers.ts';
import { type Said, type Saying, ScriptedVenue } from '../market-read-rig.ts';

let venue: ScriptedVenue;

type Answers = Readonly<Record<string, Said>>;

const result = (value: unknown): Said => ({ body: { errno: 0, errmsg: '', result: value } });
const NOT_SHOWN: Said = { status: 403, body: '' };
const NOTHING: Said = { body: { errno: 20_002, errmsg: 'Market not found', result: null } };
const list = (page: number): string => `/market?marketType=1&sortBy=1&limit=20&page=${page}`;
const END = result({ list: [], total: 1 });

async function reader(answers: Answers, timers = new VirtualTimers()): Promise<VenueEMarketReader> {
  venue = await ScriptedVenue.start(path => answers[path] ?? NOTHING);
  return new VenueEMarketReader(venue.http('venue_e'), timers);
}

/** Returns quotes of YES and of NO with the prices. */
const quotes = (...prices: readonly (number | null)[]) =>
  [prices.slice(0, 3), prices.slice(3)].map(([bid, ask, mid]) => ({ bid, ask, mid }));

const viewOf = (reading: MarketReading): unknown =>
  reading.type === 'market' ? marketSummaryView(reading.market) : reading;

async function read(marketId: string, answers: Answers): Promise<unknown> {
  return viewOf(await (await reader(answers)).read(marketId));
}

const captured = (file: string) => JSON.parse(readFileSync(recordingPath(`venues-c-d-e/opinion/${file}`), 'utf8'));

describe.skipIf(!recordingsPresent)('recorded (needs the recordings)', () => {
  const parent = () => captured('market_list_first_element_2026-10-08.json').response.body.result.list[0];
  const child = () => parent().childMarkets[0];
  const bookOf = (side: 'yes' | 'no') => captured(`orderbook_5342_${side}_2026-10-08.json`).response.body;
  const bookPath = () => `/token/orderbook?token_id=${child().yesTokenId}`;
  const comments = () => captured('ccxt-comments_resolved-categorical_latest-price_one-sided-book.json');
  const perplexity = () => ({
    venue: 'venue_e',
    marketId: '5342',
    title: 'Which companies will be acquired before 2027? - Perplexity AI',
    status: 'open',
    outcomes: [
      { name: 'YES', outcomeId: child().yesTokenId, bid: 0.057, ask: 0.199, mid: 0.128 },
      { name: 'NO', outcomeId: child().noTokenId, bid: 0.801, ask: 0.943, mid: 0.872 },
    ],
    // This is the date of the group, because the market's own date is 0.
    expirationDate: '2026-12-31T00:00:00.000Z',
  });

  it('a member of a group has its title and date, if the venue serves members by id', async () => {
    const view = await read('5342', {
      '/market/5342': result({ data: child() }),
      [list(1)]: result({ list: [parent()], total: 1 }),
      [bookPath()]: { body: bookOf('yes') },
    });
    expect(view).toEqual(perplexity());
  });

  it('a member of a group is found in its group if the venue serves no members by id', async () => {
    const view = await read('5342', {
      [list(1)]: result({ list: [parent()], total: 1 }),
      '/market/categorical/337': result({ data: parent() }),
      [bookPath()]: { body: bookOf('yes') },
    });
    expect(view).toEqual(perplexity());
  });

  it('the recorded book of NO is what the mirror of YES gives', async () => {
    const no = { ...child(), yesTokenId: child().noTokenId, noTokenId: child().yesTokenId, marketType: 0 };
    const view = await read('5342', {
      '/market/5342': result({ data: no }),
      [`/token/orderbook?token_id=${child().noTokenId}`]: { body: bookOf('no') },
    });
    expect(view).toMatchObject({
      outcomes: quotes(0.801, 0.943, 0.872, 0.057, 0.199, 0.128),
    });
  });

  it('a group is unknown, and names its members', async () => {
    const members = '5342, 5343, 5344, 5345, 5347, 5348, 5349, 5350, 5351';
    const unknown = { type: 'unknown', message: `337 is a group of markets: ask for one of ${members}` };
    expect(await read('337', { '/market/categorical/337': result({ data: parent() }) })).toEqual(unknown);
    expect(await read('337', { '/market/337': result({ data: parent() }) })).toEqual(unknown);
  });

  it('a resolved one is resolved, though its group is said to be only created', async () => {
    const { resolved_child_1: own, categorical_parent: group, one_sided_book_response: book } = comments();
    const tokenId = own.yesTokenId;
    const view = await read('16565', {
      [list(1)]: result({ list: [{ ...group, childMarkets: [own] }] }),
      '/market/categorical/788': result({ data: { ...group, childMarkets: [own] } }),
      [`/token/orderbook?token_id=${tokenId}`]: { body: { ...book, result: { ...book.result, tokenId } } },
    });
    expect(view).toEqual({
      venue: 'venue_e',
      marketId: '16565',
      title: 'How long will Trump and Xi shake hands when they meet? - 10–15s',
      status: 'resolved',
      outcomes: [
        { name: 'Yes', outcomeId: tokenId, bid: null, ask: 0.999, mid: null },
        { name: 'No', outcomeId: own.noTokenId, bid: 0.001, ask: null, mid: null },
      ],
      expirationDate: '2026-05-15T00:00:00.000Z',
    });
  });
});

it('no more than venueEGroupMarketsMax markets of groups are remembered: of one beyond no group is known', async () => {
  const half = limits.venueEGroupMarketsMax / 2;
  const group = (first: number, size: number) => {
    const childMarkets = Array.from({ length: size }, (_, index) => ({ marketId: first + index }));
    return result({ list: [{ ...market, marketId: 1, marketType: 1, childMarkets }] });
  };
  const answers = { [list(1)]: group(100_000, half), [list(2)]: group(100_000 + half, half + 1), [list(3)]: END };
  const reading = await reader(answers);
  const last = 100_000 + limits.venueEGroupMarketsMax;
  expect(await reading.read(String(last))).toEqual({ type: 'unknown', message: `no such market: ${last}` });
  expect(venue.requests).not.toContain('/market/categorical/1');
  await reading.read(String(last - 1));
  expect(venue.requests).toContain('/market/categorical/1');
});

const market: JsonObject = {
  ...{ marketId: 7, marketTitle: 'X?', marketType: 0, status: 2, cutoffAt: 1_800_000_000 },
  ...{ yesTokenId: '11', noTokenId: '22', yesLabel: '', noLabel: '' },
};
const BOOK = '/token/orderbook?token_id=11';
const book = (bids: readonly string[], asks: readonly string[]): Said =>
  result({
    tokenId: '11',
    bids: bids.map(price => ({ price, size: '42.896379525593005' })),
    asks: asks.map(price => ({ price, size: '60' })),
  });

describe('a market', () => {
  const reads = (change: object, said: Said = book(['0.2', '0.31'], ['0.5', '0.4'])) =>
    read('7', { '/market/7': result({ data: { ...market, ...change } }), [BOOK]: said });

  it('takes two requests, and none for its group', async () => {
    expect(await reads({})).toEqual({
      venue: 'venue_e',
      marketId: '7',
      title: 'X?',
      status: 'open',
      outcomes: [
        { name: 'Yes', outcomeId: '11', bid: 0.31, ask: 0.4, mid: 0.355 },
        { name: 'No', outcomeId: '22', bid: 0.6, ask: 0.69, mid: 0.645 },
      ],
      expirationDate: '2027-01-15T08:00:00.000Z',
    });
    expect(venue.requests).toEqual(['/market/7', BOOK]);
  });

  it.each([
    [1, 'paused'],
    [2, 'open'],
    [3, 'closed'],
    [4, 'resolved'],
    [5, 'cancelled'],
  ])('of status %d is %s', async (status, shown) => {
    expect(await reads({ status })).toMatchObject({ status: shown });
  });

  it('that was deleted is unknown', async () => {
    expect(await reads({ status: 6 })).toEqual({ type: 'unknown', message: 'no such market: 7' });
  });

  it('without a date has none, and not one of 1970', async () => {
    expect(await reads({ cutoffAt: 0 })).toMatchObject({ expirationDate: null });
  });

  it.each<[what: string, said: Said, outcomes: object[]]>([
    ['empty', book([], []), quotes(null, null, null, null, null, null)],
    ['of bids', book(['0.5'], []), quotes(0.5, null, null, null, 0.5, null)],
    ['that is not there', NOTHING, quotes(null, null, null, null, null, null)],
    ['of nulls', result({ tokenId: '11', bids: null, asks: null }), [{ bid: null }, { ask: null }]],
  ])('with a book %s has no other prices', async (_what, said, outcomes) => {
    expect(await reads({}, said)).toMatchObject({ outcomes });
  });

  it.each<[problem: string, change: object, said?: Said]>([
    ['status', { status: 9 }],
    ['status', { status: 'Activated' }],
    ['marketId', { marketId: 8 }],
    ['marketId', { marketId: '7' }],
    ['token ids', { yesTokenId: 1e76 }],
    ['token ids', { yesTokenId: '22' }],
    ['token ids', { noTokenId: '' }],
    ['order book', {}, book(['0.12345'], [])],
    ['order book', {}, book(['0.5'], ['0.4'])],
    ['order book', {}, book(['1'], [])],
    ['order book', {}, result({ tokenId: '22', bids: [], asks: [] })],
  ])('whose %s cannot be read is the venue’s fault: %j', async (problem, change, said) => {
    expect(await reads(change, said)).toEqual({ type: 'faulty', message: `venue_e: 7: its ${problem} cannot be read` });
  });

  it('that nobody knows is unknown; what cannot be an id is not asked for', async () => {
    const unknown = { type: 'unknown', message: 'no such market: 7' };
    expect(await read('7', { [list(1)]: END })).toEqual(unknown);
    expect(venue.requests).toEqual(['/market/7', '/market/categorical/7', list(1)]);
    const { requests } = venue;
    const other = new VenueEMarketReader(venue.http('venue_e'), new VirtualTimers());
    for (const id of ['0', '-1', '07', '1e3', 'x', '', '12345678901234567']) {
      expect(await other.read(id)).toMatchObject({ type: 'unknown' });
    }
    expect(requests).toHaveLength(3);
  });

  it.each<[what: string, said: Said, words: string]>([
    ['errno', { body: { errno: 11_002, errmsg: 'invalid api key' } }, 'HTTP 200, errno 11002: invalid api key'],
    ['code', { body: { code: 500, msg: 'oops', result: { data: market } } }, 'HTTP 200, errno 500: oops'],
    ['status', { status: 401, body: { errno: 0 } }, 'HTTP 401, errno 0: '],
    ['no envelope', { body: market }, 'HTTP 200, errno none: '],
    ['no JSON', { body: '<html>' }, 'HTTP 200 and nothing that can be read'],
  ])('answered by a failure (%s) is the venue’s fault, with any HTTP status', async (_what, said, words) => {
    expect(await read('7', { '/market/7': said })).toEqual({ type: 'faulty', message: `venue_e: ${words}` });
  });

  it.each<[what: string, said: Said]>([
    ['HTTP 404', { status: 404, body: '' }],
    ['HTTP 400', { status: 400, body: { errno: 1 } }],
    ['no result', { body: { errno: 0, errmsg: '' } }],
    ['no data', result({ data: null })],
    ['words', { body: { code: 9, msg: 'market does not exist' } }],
  ])('answered by %s is looked for elsewhere', async (_what, said) => {
    const answers = { '/market/7': said, '/market/categorical/7': said, [list(1)]: END };
    expect(await read('7', answers)).toEqual({ type: 'unknown', message: 'no such market: 7' });
  });

  it.each<[what: string, answers: Answers]>([
    ['its book', { '/market/7': result({ data: market }), [BOOK]: NOT_SHOWN }],
    ['the route of groups', { '/market/7': NOTHING, '/market/categorical/7': NOT_SHOWN }],
    ['the list of groups', { '/market/7': NOTHING, '/market/categorical/7': NOTHING, [list(1)]: NOT_SHOWN }],
    ['a market that is words', { '/market/7': result({ data: 'words' }) }],
  ])('is neither unknown nor without offers where %s is not shown', async (_what, answers) => {
    expect(await read('7', answers)).toMatchObject({ type: 'faulty' });
  });

  it('is read under both spellings of the envelope', async () => {
    const documented = (value: unknown): Said => ({ body: { code: 0, msg: 'success', result: value } });
    const view = await read('7', {
      '/market/7': documented({ data: market }),
      [BOOK]: documented({ tokenId: '11', bids: [], asks: [] }),
    });
    expect(view).toMatchObject({ marketId: '7' });
  });

  it('is asked for with the key, below the path of the base', async () => {
    venue = await ScriptedVenue.saying({
      '/openapi/market/7': result({ data: market }),
      [`/openapi${BOOK}`]: book([], []),
    });
    const http = venue.http('venue_e', { basePath: '/openapi', headers: { apikey: 'k' } });
    expect(await new VenueEMarketReader(http, new VirtualTimers()).read('7')).toMatchObject({ type: 'market' });
    expect(venue.headers.map(({ apikey }) => apikey)).toEqual(['k', 'k']);
  });
});

describe('a group', () => {
  const member = (marketId: number): object => {
    return { ...market, marketId, marketTitle: `M${marketId}`, marketType: undefined, cutoffAt: 0 };
  };
  const group = (marketId: number, ids: readonly number[]): object => ({
    ...{ marketId, marketTitle: `G${marketId}`, marketType: 1, status: 1, cutoffAt: 1_800_000_000 },
    childMarkets: ids.map(member),
  });
  const pages: Answers = {
    [list(1)]: result({ list: [group(1, [101, 102]), group(2, [103])] }),
    [list(2)]: result({ list: [group(3, [104])] }),
    [list(3)]: END,
    [BOOK]: book([], []),
    '/market/101': result({ data: member(101) }),
    '/market/104': result({ data: member(104) }),
    '/market/105': result({ data: member(105) }),
  };
  const listReads = (): string[] => venue.requests.filter(path => path.startsWith('/market?'));

  it('is found once for all of its markets', async () => {
    const it = await reader(pages);
    const expirationDate = '2027-01-15T08:00:00.000Z';
    expect(viewOf(await it.read('104'))).toMatchObject({ title: 'G3 - M104', expirationDate });
    expect(viewOf(await it.read('101'))).toMatchObject({ title: 'G1 - M101' });
    // The market has no date of its own, and no group with a date.
    expect(viewOf(await it.read('105'))).toMatchObject({ title: 'M105', expirationDate: null });
    expect(listReads()).toEqual([list(1), list(2), list(3)]);
  });

  it('is not waited for to the end of the list', async () => {
    const said: Saying = path => (path === list(2) ? undefined : (pages[path] ?? NOTHING));
    venue = await ScriptedVenue.start(said);
    const it = new VenueEMarketReader(venue.http('venue_e'), new VirtualTimers());
    expect(viewOf(await it.read('101'))).toMatchObject({ title: 'G1 - M101' });
  });

  it('is looked for again after a minute, not sooner; and at once if the list could not be read', async () => {
    const timers = new VirtualTimers();
    const it = await reader(pages, timers);
    await it.read('105');
    timers.advance(limits.venueEGroupsMs - 1);
    await it.read('105');
    expect(listReads()).toHaveLength(3);
    timers.advance(1);
    await it.read('105');
    expect(listReads()).toHaveLength(6);
    // Terms from the list are valid for longer, also while the list is read again.
    timers.advance(limits.venueEGroupTermsMs - 1);
    await it.read('104');
    expect(listReads()).toHaveLength(6);
    timers.advance(1);
    expect(viewOf(await it.read('104'))).toMatchObject({ title: 'G3 - M104' });
    await expect.poll(listReads).toHaveLength(9);

    const broken = { ...pages, [list(2)]: { body: { errno: 1, errmsg: 'later' } } };
    const other = await reader(broken, timers);
    for (let time = 0; time < 2; time += 1) {
      expect(await other.read('105')).toEqual({ type: 'faulty', message: 'venue_e: HTTP 200, errno 1: later' });
    }
    expect(listReads()).toHaveLength(4);
  });

  it('that is not found before the deadline is a matter of asking again', async () => {
    const timers = new VirtualTimers();
    venue = await ScriptedVenue.start(path => (path === list(1) ? undefined : (pages[path] ?? NOTHING)));
    const it = new VenueEMarketReader(venue.http('venue_e', { timers }), timers);
    const reading = it.read('101');
    await expect.poll(() => venue.requests).toEqual(['/market/101', list(1)]);
    await timers.settle(limits.marketReadMs);
    const message = 'venue_e: its groups of markets are still being read';
    expect(await reading).toEqual({ type: 'busy', message, retryAfterS: 1 });
  });

  it('of which a market was taken out meanwhile does not have it', async () => {
    const gone = { ...pages, '/market/101': NOTHING, '/market/categorical/1': result({ data: group(1, [102]) }) };
    expect(await read('101', gone)).toEqual({ type: 'unknown', message: 'no such market: 101' });
  });

  it('names fifty of its members, and says how many more there are', async () => {
    const ids = Array.from({ length: 52 }, (_, index) => 1_000 + index);
    const view = await read('1', { '/market/1': result({ data: group(1, ids) }) });
    expect(view).toMatchObject({ message: expect.stringMatching(/1049 and 2 more$/) });
  });

  it('beyond the pages that are looked through is said to be there', async () => {
    venue = await ScriptedVenue.start(path =>
      path.startsWith('/market?') ? result({ list: [group(1, [1])] }) : (pages[path] ?? NOTHING),
    );
    const it = new VenueEMarketReader(venue.http('venue_e'), new VirtualTimers());
    const message = 'venue_e: more than 100 pages of groups (venueEGroupPagesMax)';
    expect(await it.read('105')).toEqual({ type: 'faulty', message });
    expect(listReads()).toHaveLength(limits.venueEGroupPagesMax);
  });

  it.each<[what: string, said: Said]>([
    ['cannot be had', NOT_SHOWN],
    ['is none any more', result({ data: { ...market, marketId: 1 } })],
    [
      'has a member that cannot be read',
      result({ data: { ...group(1, []), childMarkets: [{ marketId: 101, status: 'odd' }] } }),
    ],
  ])('that %s says nothing of its members', async (_what, said) => {
    const gone = { [list(1)]: result({ list: [group(1, [101])] }), [list(2)]: END, '/market/categorical/1': said };
    expect(await read('101', gone)).toMatchObject({ type: 'faulty' });
  });

  it('is found among what is no group', async () => {
    const odd = result({ list: [market, { marketId: 9 }, 'words', group(1, [101])] });
    expect(await read('101', { ...pages, [list(1)]: odd, [list(2)]: END })).toMatchObject({ title: 'G1 - M101' });
  });
});
