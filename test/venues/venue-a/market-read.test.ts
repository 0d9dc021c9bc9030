// Venue A's markets, as recorded from the venue and in other forms that the venue may write. Covers the values that are read, the refusals,
// and the requests that a read takes.

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { marketSummaryView } from '../../../src/core/wire/older-views.ts';
import type { MarketReading } from '../../../src/venues/market-read.ts';
import { VenueAMarketReader } from '../../../src/venues/venue-a/market-read.ts';
import { recordingPath, recordingsPresent } from '../../support/recordings.ts';
import { type Said, ScriptedVenue } from '../market-read-rig.ts';

let venue: ScriptedVenue;

const ID = `0x${'ab'.repeat(32)}`;

async function read(conditionId: string, answers: Readonly<Record<string, Said>>): Promise<unknown> {
  venue = await ScriptedVenue.saying(answers);
  return viewOf(await new VenueAMarketReader(venue.http('venue_a')).read(conditionId));
}

const viewOf = (reading: MarketReading): unknown =>
  reading.type === 'market' ? marketSummaryView(reading.market) : reading;
const captured = (file: string) => JSON.parse(readFileSync(recordingPath(`venue-a/${file}`), 'utf8'));
const NAUTILUS = 'poly-nautilus/crates/adapters/polymarket/test_data';
const ADAPTER = 'poly-nautilus/tests/integration_tests/adapters/polymarket/resources';

describe.skipIf(!recordingsPresent)('recorded (needs the recordings)', () => {
  it('a resolved market takes one request: it has no books any more', async () => {
    const body = captured(`${NAUTILUS}/clob_market_closed_binary_accepting_false.json`);
    const id: string = body.condition_id;
    const nothing = { bid: null, ask: null, mid: null };
    expect(await read(id, { [`/markets/${id}`]: { body } })).toEqual({
      venue: 'venue_a',
      marketId: id,
      title: 'Katana FDV above $1B one day after launch?',
      status: 'resolved',
      outcomes: [
        { name: 'Yes', outcomeId: body.tokens[0].token_id, ...nothing },
        { name: 'No', outcomeId: body.tokens[1].token_id, ...nothing },
      ],
      expirationDate: '2028-01-01T00:00:00.000Z',
    });
    expect(body.tokens[0].token_id).toMatch(/^\d{78}$/);
    expect(venue.requests).toHaveLength(1);
  });

  it('every one of a hundred markets is read, closed with a winner or without, archived, or open', async () => {
    const { data } = captured(`${ADAPTER}/http_responses/markets.json`);
    const shown: Record<string, number> = {};
    venue = await ScriptedVenue.start(path => {
      const body = data.find((market: { condition_id: string }) => path === `/markets/${market.condition_id}`);
      return body === undefined ? { status: 404, body: { error: 'No orderbook exists' } } : { body };
    });
    const reader = new VenueAMarketReader(venue.http('venue_a'));
    for (const { condition_id } of data) {
      const reading = await reader.read(condition_id);
      const what = reading.type === 'market' ? reading.market.status : reading.type;
      shown[what] = (shown[what] ?? 0) + 1;
    }
    expect(shown).toEqual({ closed: 74, resolved: 24, open: 1, unknown: 1 });
  });

  it('a recorded book is read best last', async () => {
    const book = captured('poly-polyarb/tests/fixtures/clob_book_binary.json');
    const tokens = [token(book.asset_id, 'Yes'), token('22', 'No')];
    expect(
      await read(ID, {
        [`/markets/${ID}`]: { body: { ...market, tokens } },
        [`/book?token_id=${book.asset_id}`]: { body: book },
        [bookPath('22')]: bookOf('22', [], []),
      }),
    ).toMatchObject({ outcomes: [{ bid: 0.063, ask: 0.068, mid: 0.0655 }, {}] });
  });
});

const token = (token_id: string, outcome: string, winner = false) => ({ token_id, outcome, price: 0.5, winner });
const market = {
  condition_id: ID,
  question: 'X?',
  ...{ active: true, closed: false, archived: false, accepting_orders: true, is_50_50_outcome: false },
  end_date_iso: '2026-11-21T06:00:00Z',
  tokens: [token('11', 'Celtics'), token('22', 'Lakers')],
};
const bookPath = (tokenId: string): string => `/book?token_id=${tokenId}`;
const bookOf = (asset_id: string, bids: readonly string[], asks: readonly string[]): Said => ({
  body: {
    ...{ market: ID, asset_id, timestamp: '1786845510819', hash: 'a'.repeat(40) },
    bids: bids.map(price => ({ price, size: '5' })),
    asks: asks.map(price => ({ price, size: '5' })),
  },
});
const BOOKS = {
  [bookPath('11')]: bookOf('11', ['0.01', '0.53'], ['0.99', '0.54']),
  [bookPath('22')]: bookOf('22', ['0.46', '0.01'], ['0.47']),
};

describe('a market', () => {
  const reads = (change: object, books: Readonly<Record<string, Said>> = BOOKS) =>
    read(ID, { [`/markets/${ID}`]: { body: { ...market, ...change } }, ...books });

  it('has the best prices of both books', async () => {
    expect(await reads({})).toEqual({
      venue: 'venue_a',
      marketId: ID,
      title: 'X?',
      status: 'open',
      outcomes: [
        { name: 'Celtics', outcomeId: '11', bid: 0.53, ask: 0.54, mid: 0.535 },
        { name: 'Lakers', outcomeId: '22', bid: 0.46, ask: 0.47, mid: 0.465 },
      ],
      expirationDate: '2026-11-21T06:00:00.000Z',
    });
    expect(venue.requests.toSorted()).toEqual([bookPath('11'), bookPath('22'), `/markets/${ID}`]);
  });

  const won = { tokens: [token('11', 'Yes', true), token('22', 'No')] };
  it.each([
    [{ accepting_orders: false }, 'paused'],
    [{ active: false }, 'paused'],
    [{ archived: true }, 'closed'],
    [{ closed: true }, 'closed'],
    [{ closed: true, ...won }, 'resolved'],
    [{ closed: true, is_50_50_outcome: true }, 'resolved'],
  ])('that is %j is %s', async (change, status) => {
    expect(await reads(change)).toMatchObject({ status });
  });

  it('without a date has none', async () => {
    for (const end_date_iso of [null, '', 'soon', 1_800_000_000]) {
      expect(await reads({ end_date_iso })).toMatchObject({ expirationDate: null });
    }
  });

  it.each([
    ['empty', bookOf('22', [], [])],
    ['not there', { status: 404, body: { error: 'No orderbook exists for the requested token id' } }],
  ])('whose book is %s has no prices there', async (_what, said) => {
    const outcomes = [{ bid: 0.53 }, { bid: null, ask: null, mid: null }];
    expect(await reads({}, { ...BOOKS, [bookPath('22')]: said })).toMatchObject({ outcomes });
  });

  it.each<[problem: string, change: object]>([
    [`${ID}: its condition_id`, { condition_id: `0x${'cd'.repeat(32)}` }],
    [`${ID}: its condition_id`, { condition_id: 7 }],
    [`${ID}: its tokens`, { tokens: [token('11', 'Yes')] }],
    [`${ID}: its tokens`, { tokens: [token('11', 'Yes'), token('11', 'No')] }],
    [`${ID}: its tokens`, { tokens: [token('11', ''), token('22', 'No')] }],
    [`${ID}: its tokens`, { tokens: [{ ...token('11', 'Yes'), token_id: 1e76 }, token('22', 'No')] }],
  ])('of which %s cannot be read is the venue’s fault', async (problem, change) => {
    expect(await reads(change)).toEqual({ type: 'faulty', message: `venue_a: ${problem} cannot be read` });
  });

  it.each<[what: string, said: Said]>([
    ['of another token', bookOf('11', ['0.1'], [])],
    ['that is crossed', bookOf('22', ['0.5'], ['0.4'])],
    ['of prices that are none', bookOf('22', ['1.5'], [])],
    ['that is none', { body: [] }],
  ])('with a book %s is the venue’s fault', async (_what, said) => {
    const answer = await reads({}, { ...BOOKS, [bookPath('22')]: said });
    expect(answer).toEqual({ type: 'faulty', message: 'venue_a: 22: its book cannot be read' });
  });

  it('whose book the venue does not show now is unavailable, and not without offers', async () => {
    const refused = { ...BOOKS, [bookPath('22')]: { status: 403, body: { error: 'not now' } } };
    expect(await reads({}, refused)).toEqual({ type: 'faulty', message: 'venue_a: HTTP 403: not now' });
    expect(await reads({}, { ...BOOKS, [bookPath('22')]: { status: 503, body: '' } })).not.toHaveProperty('outcomes');
  });

  it.each([
    [404, 'no', { type: 'unknown', message: `no such market: ${ID}` }],
    [400, 'no', { type: 'unknown', message: `no such market: ${ID}` }],
    [403, 'Restricted in your region', { type: 'faulty', message: 'venue_a: HTTP 403: Restricted in your region' }],
  ])('that the venue answers with %d "%s" is unknown, or says why', async (status, error, reading) => {
    expect(await read(ID, { [`/markets/${ID}`]: { status, body: { error } } })).toEqual(reading);
  });

  it('that cannot have that id is not asked for', async () => {
    for (const id of ['0x1', ID.toUpperCase(), `${ID}0`, 'x', ID.slice(2)]) {
      expect(await read(id, {})).toMatchObject({ type: 'unknown' });
      expect(venue.requests).toEqual([]);
    }
  });
});
