// Venue D's markets, as recorded from the venue and in other forms that the venue may write. Covers the values that are read, the refusals,
// and the requests that a read takes.

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { marketSummaryView } from '../../../src/core/wire/older-views.ts';
import { limits } from '../../../src/limits.ts';
import type { MarketReading } from '../../../src/venues/market-read.ts';
import { VenueDMarketReader } from '../../../src/venues/venue-d/market-read.ts';
import { recordingPath, recordingsPresent } from '../../support/recordings.ts';
import { type Said, ScriptedVenue } from '../market-read-rig.ts';

let venue: ScriptedVenue;

async function read(slug: string, answers: Readonly<Record<string, Said>>): Promise<MarketReading> {
  venue = await ScriptedVenue.saying(answers);
  return new VenueDMarketReader(venue.http('venue_d')).read(slug);
}

/** Returns quotes of YES and of NO with the prices. */
const quotes = (...prices: readonly (number | null)[]) =>
  [prices.slice(0, 3), prices.slice(3)].map(([bid, ask, mid]) => ({ bid, ask, mid }));

const viewOf = (reading: MarketReading): unknown =>
  reading.type === 'market' ? marketSummaryView(reading.market) : reading;

interface Captured {
  readonly slug: string;
  readonly tokens: { readonly yes: string; readonly no: string };
}
const captured = (file: string) => JSON.parse(readFileSync(recordingPath(`venues-c-d-e/limitless/${file}`), 'utf8'));
const book = (tokenId: string, bids: readonly number[], asks: readonly number[]): Said => ({
  body: { tokenId, bids: bids.map(price => ({ price, size: 1e6 })), asks: asks.map(price => ({ price, size: 1e6 })) },
});

describe.skipIf(!recordingsPresent)('recorded (needs the recordings)', () => {
  const singles = (): Captured[] => captured('markets_active_items_2026-06-21.git.json');
  const group = () => captured('group_item_fed-rate-cut_first3children_2026-10-08.json').response.body_data_0;
  const single = (slug: string): Captured => singles().find(it => it.slug === slug)!;
  const child = (slug: string): Captured => group().markets.find((it: Captured) => it.slug === slug)!;

  it('a market with both sides takes one request', async () => {
    const market = single('btc-up-or-down-5-min-1782064530057');
    const reading = await read(market.slug, { [`/markets/${market.slug}`]: { body: market } });
    expect(viewOf(reading)).toEqual({
      venue: 'venue_d',
      marketId: 'btc-up-or-down-5-min-1782064530057',
      title: expect.stringContaining('BTC Up or Down'),
      status: 'open',
      outcomes: [
        { name: 'Yes', outcomeId: market.tokens.yes, bid: 0.54, ask: 0.97, mid: 0.755 },
        { name: 'No', outcomeId: market.tokens.no, bid: 0.03, ask: 0.46, mid: 0.245 },
      ],
      // The date comes from the milliseconds, and not from the day that the venue shows.
      expirationDate: '2026-06-21T18:30:00.000Z',
    });
    // The token has all of its digits.
    expect(market.tokens.yes).toMatch(/^\d{75,78}$/);
    expect(venue.requests).toEqual([`/markets/${market.slug}`]);
  });

  it('a member of a group is a market with a slug of its own', async () => {
    const market = child('october-meeting-1779881657552');
    expect(viewOf(await read(market.slug, { [`/markets/${market.slug}`]: { body: market } }))).toMatchObject({
      title: 'October Meeting',
      status: 'open',
      outcomes: quotes(0.002, 0.015, 0.0085, 0.985, 0.998, 0.9915),
      expirationDate: '2026-10-08T23:00:00.000Z',
    });
  });

  it('a resolved one is resolved, also while it is still quoted, and its empty side is null', async () => {
    const market = child('june-meeting-1779881657536');
    expect(viewOf(await read(market.slug, { [`/markets/${market.slug}`]: { body: market } }))).toMatchObject({
      status: 'resolved',
      outcomes: quotes(null, 0.7, null, 0.3, null, null),
    });
  });

  it('a group is unknown, and names its members', async () => {
    const { slug } = group();
    expect(await read(slug, { [`/markets/${slug}`]: { body: group() } })).toEqual({
      type: 'unknown',
      message:
        'fed-rate-cut-by-1779881657530 is a group of markets: ask for one of october-meeting-1779881657552, ' +
        'december-meeting-1779881657556, june-meeting-1779881657536',
    });
  });

  it('an empty book is empty, not 0.999 and 0.001', async () => {
    const { slug, tokens } = single('sol-up-or-down-5-min-1782065705541');
    const reading = await read(slug, {
      [`/markets/${slug}`]: { body: single(slug) },
      [`/markets/${slug}/orderbook`]: book(tokens.yes, [], []),
    });
    const nothing = { bid: null, ask: null, mid: null };
    expect(viewOf(reading)).toMatchObject({ status: 'open', outcomes: [nothing, nothing] });
    expect(venue.requests).toEqual([`/markets/${slug}`, `/markets/${slug}/orderbook`]);
  });

  it('the recorded order book gives YES, and NO by its mirror', async () => {
    const { body } = captured('orderbook_btc-up-or-down-daily_2026-10-08.json').response;
    const market = { ...single('sol-up-or-down-5-min-1782065705541'), tokens: { yes: body.tokenId, no: '7' } };
    const reading = await read(market.slug, {
      [`/markets/${market.slug}`]: { body: market },
      [`/markets/${market.slug}/orderbook`]: { body },
    });
    expect(viewOf(reading)).toMatchObject({
      outcomes: quotes(0.713, 0.757, 0.735, 0.243, 0.287, 0.265),
    });
  });

  it('numbers that come as text are read the same', async () => {
    const { body } = captured('market_detail_ccxt-comment_2026-04-09.json');
    const prices = { market: ['0.161', '0.86'] };
    const market = { ...body, tradePrices: { buy: prices, sell: { market: ['0.14', '0.839'] } } };
    expect(viewOf(await read(body.slug, { [`/markets/${body.slug}`]: { body: market } }))).toMatchObject({
      outcomes: quotes(0.14, 0.161, 0.1505, 0.839, 0.86, 0.8495),
      expirationDate: '2027-01-01T04:59:00.000Z',
    });
  });
});

describe('a market', () => {
  const quoted = { buy: { market: [0.6, 0.5] }, sell: { market: [0.5, 0.4] } };
  const market = {
    ...{ slug: 'x', title: 'X?', status: 'FUNDED', expired: false, expirationTimestamp: 1_800_000_000_000 },
    ...{ tokens: { yes: '11', no: '22' }, tradeType: 'clob', tradePrices: quoted },
  };
  const reads = async (change: object, more: Readonly<Record<string, Said>> = {}) =>
    viewOf(await read('x', { '/markets/x': { body: { ...market, ...change } }, ...more }));

  it.each([
    ['FUNDED', false, 'open'],
    ['FUNDED', true, 'closed'],
    ['FUNDED_FLAGGED', false, 'open'],
    ['LOCKED', false, 'paused'],
    ['LOCKED', true, 'closed'],
    ['RESOLVED', false, 'resolved'],
    ['RESOLVED', true, 'resolved'],
  ])('that is %s (expired: %s) is %s', async (status, expired, shown) => {
    expect(await reads({ status, expired })).toMatchObject({ status: shown });
  });

  it.each([
    [42.8, 57.2, 0.428, 0.572],
    [0.428, 0.572, 0.428, 0.572],
    [0.5, 99.5, 0.005, 0.995],
    [0, 1, 0, 1],
    ['42.80000001', '57.2', 0.428, 0.572],
    [1e-9, 1, 0, 1],
  ])('of a pool, priced %j and %j, has middles %j and %j and no quotes', async (first, second, yes, no) => {
    expect(await reads({ tradeType: 'amm', prices: [first, second], tradePrices: undefined })).toMatchObject({
      outcomes: quotes(null, null, yes, null, null, no),
    });
  });

  it('names its outcomes as the venue does', async () => {
    const named = (...names: readonly string[]) => ({ outcomes: names.map(name => ({ name })) });
    expect(await reads({ outcomeTokens: ['Up', 'Down'] })).toMatchObject(named('Up', 'Down'));
    expect(await reads({ outcomeTokens: ['Up'] })).toMatchObject(named('Up', 'No'));
  });

  it('without a date has none', async () => {
    for (const expirationTimestamp of [0, undefined, null, 'soon'])
      expect(await reads({ expirationTimestamp })).toMatchObject({ expirationDate: null });
  });

  it('that may have a real quote at 0.999 is believed its order book', async () => {
    const tradePrices = { buy: { market: [0.999, 0.999] }, sell: { market: [0.001, 0.001] } };
    const orderbook = { '/markets/x/orderbook': book('11', [0.001, 0.0005], [0.9991, 0.999]) };
    expect(await reads({ tradePrices }, orderbook)).toMatchObject({
      outcomes: quotes(0.001, 0.999, 0.5, 0.001, 0.999, 0.5),
    });
  });

  it('levels without size do not count, and the order of levels does not matter', async () => {
    const level = (price: number, size: unknown) => ({ price, size });
    const body = {
      tokenId: '11',
      bids: [level(0.2, 5), level(0.3, '1000000'), level(0.4, 0), level(0.45, '0.0')],
      asks: [level(0.9, 1), level(0.8, 1)],
    };
    const tradePrices = { buy: { market: [0.999, 0.7] }, sell: { market: [0.3, 0.001] } };
    expect(await reads({ tradePrices }, { '/markets/x/orderbook': { body } })).toMatchObject({
      outcomes: [{ bid: 0.3, ask: 0.8, mid: 0.55 }, {}],
    });
  });

  it('whose order book the venue does not show now is unavailable, and not without offers', async () => {
    const tradePrices = { buy: { market: [0.999, 0.999] }, sell: { market: [0.001, 0.001] } };
    const refused = { '/markets/x/orderbook': { status: 403, body: { message: 'not now' } } };
    expect(await reads({ tradePrices }, refused)).toEqual({ type: 'faulty', message: 'venue_d: HTTP 403: not now' });
    const down = { '/markets/x/orderbook': { status: 503, body: '' } };
    expect(await reads({ tradePrices }, down)).not.toHaveProperty('outcomes');
  });

  it.each([400, 404])('whose order book is %d has the sides that the market tells of', async status => {
    const tradePrices = { buy: { market: [0.6, 0.999] }, sell: { market: [0.001, 0.4] } };
    const none = { '/markets/x/orderbook': { status, body: { message: 'no book' } } };
    expect(await reads({ tradePrices }, none)).toMatchObject({
      outcomes: quotes(null, 0.6, null, 0.4, null, null),
    });
  });

  it.each<[problem: string, change: object]>([
    ['status "MELTED"', { status: 'MELTED' }],
    ['status ""', { status: 7 }],
    ['tokens', { tokens: { yes: 1e77, no: '22' } }],
    ['tokens', { tokens: { yes: '11', no: '11' } }],
    ['tokens', { tokens: null }],
    ['tradePrices', { tradePrices: { buy: { market: [0.6] }, sell: { market: [0.5, 0.4] } } }],
    ['tradePrices', { tradePrices: { buy: { market: [42.8, 57.2] }, sell: { market: [42, 57] } } }],
    ['tradePrices', { tradePrices: { buy: { market: [0.4, 0.6] }, sell: { market: [0.5, 0.5] } } }],
    ['tradePrices', { tradePrices: { buy: { market: [0.60001, 0.5] }, sell: quoted.sell } }],
    ['tradePrices', { tradePrices: { buy: { market: [-0.6, 0.5] }, sell: quoted.sell } }],
    ['prices', { tradeType: 'amm', prices: [4_280, 5_720] }],
    ['prices', { tradeType: 'amm', prices: [0.4] }],
    ['slug', { slug: null }],
  ])('whose %s cannot be read is the venue’s fault: %j', async (problem, change) => {
    expect(await reads(change)).toEqual({ type: 'faulty', message: `venue_d: x: its ${problem} cannot be read` });
  });

  it.each([
    ['of another token', book('22', [0.1], [0.2])],
    ['that is crossed', book('11', [0.3], [0.2])],
    ['of prices that are none', book('11', [1.3], [])],
    ['that is none', { body: [] }],
  ])('whose order book is one %s is the venue’s fault', async (_what, said) => {
    const answer = await reads({ tradePrices: undefined }, { '/markets/x/orderbook': said });
    expect(answer).toEqual({ type: 'faulty', message: 'venue_d: x: its orderbook cannot be read' });
  });

  it('with a title that never ends has the beginning of it', async () => {
    const title = 'x'.repeat(limits.marketTextCharactersMax);
    expect(await reads({ title: 'x'.repeat(5_000) })).toMatchObject({ title });
  });

  it('of a group whose name is no slug is not named', async () => {
    const group = { slug: 'x', markets: [{ slug: 'a b' }, { slug: 'y' }, { slug: 'z'.repeat(5_000) }, {}] };
    const message = 'x is a group of markets: ask for one of y';
    expect(await reads({ ...group, tokens: undefined })).toEqual({ type: 'unknown', message });
  });

  it('found by something else than its slug is unknown', async () => {
    expect(await reads({ slug: 'y' })).toEqual({ type: 'unknown', message: 'no such market: x' });
  });

  it('that the venue does not know is unknown; what cannot be a slug is not asked for', async () => {
    expect(await read('nothing', {})).toEqual({ type: 'unknown', message: 'no such market: nothing' });
    for (const slug of ['a/b', '', 'a?b', 'ü', 'a'.repeat(201), 'active'])
      expect(await new VenueDMarketReader(venue.http('venue_d')).read(slug)).toMatchObject({ type: 'unknown' });
    expect(venue.requests).toEqual(['/markets/nothing']);
  });

  it.each([
    [{ status: 403, body: { message: 'not from here' } }, 'HTTP 403: not from here'],
    [{ status: 422, body: { message: [{ message: 'one' }, 'two'] } }, 'HTTP 422: one; two'],
    [{ status: 301, body: '' }, 'HTTP 301'],
    [{ body: '<html>' }, 'x: its body cannot be read'],
  ])('answered by %j is the venue’s fault', async (said, words) => {
    expect(await read('x', { '/markets/x': said })).toEqual({ type: 'faulty', message: `venue_d: ${words}` });
  });
});
