// Objects of either venue's list as events: the fields that count. A malformed object is lost alone, and no object stops the reading. All recorded
// objects are readable.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type JsonObject, objectsOf, parseJson } from '../../src/core/domain/json.ts';
import { limits } from '../../src/limits.ts';
import { readVenueAEvent, readVenueAMarket } from '../../src/venues/venue-a/discovery.ts';
import { readMilestone, readVenueBEvent, readVenueBMarket } from '../../src/venues/venue-b/discovery.ts';
import { objectsWith } from '../support/json-shapes.ts';
import { recordingPath, recordingsPresent } from '../support/recordings.ts';
import { withVersion } from './matching/recorded.ts';
import { conditionId, venueAEvent, venueAMarket, venueBEvent, venueBMarket } from './venue-objects.ts';

const NOWHERE = () => null;
const marketOfB = (value: JsonObject) => readVenueBMarket(value, 'Boston at Los Angeles L');

describe('an event of venue B', () => {
  const milestone = readMilestone({
    id: 'm-1',
    start_date: '2026-11-21T02:00:00Z',
    details: {
      home_team: { name: 'Los Angeles L', abbreviation: 'LAL' },
      away_team: { name: 'Boston' },
      league: 'nba',
    },
  });

  it('is read with its markets and its game', () => {
    const total = venueBMarket('KXNBATOTAL-26NOV20BOSLAL-221', {
      yes_sub_title: 'Over 221.5 points scored',
      no_sub_title: 'Under 221.5 points scored',
      strike_type: 'greater',
      floor_strike: 221.5,
      custom_strike: undefined,
    });
    const listed = readVenueBEvent(
      venueBEvent('KXNBAGAME-26NOV20BOSLAL', [venueBMarket('KXNBAGAME-26NOV20BOSLAL-BOS'), total]),
      () => milestone,
    );
    expect(listed).toMatchObject({
      malformed: 0,
      event: {
        venue: 'venue_b',
        eventId: 'KXNBAGAME-26NOV20BOSLAL',
        seriesId: 'KXNBAGAME',
        competition: 'Pro Basketball (M)',
        scope: 'Game',
        startsAt: Date.UTC(2026, 10, 21, 2),
        gameId: 'm-1',
        teams: [
          { name: 'Los Angeles L', abbreviation: 'LAL', role: 'HOME' },
          { name: 'Boston', abbreviation: '', role: 'AWAY' },
        ],
        markets: [
          {
            marketId: 'KXNBAGAME-26NOV20BOSLAL-BOS',
            phase: 'OPEN',
            opensAt: Date.UTC(2026, 10, 18, 16),
            closesAt: Date.UTC(2026, 11, 2, 3),
            // The venue calls both sides by the same name.
            outcomes: [
              { name: 'Boston', route: { venue: 'venue_b', ticker: 'KXNBAGAME-26NOV20BOSLAL-BOS', side: 'YES' } },
              { name: 'Not Boston', route: { side: 'NO' } },
            ],
            line: null,
          },
          {
            outcomes: [{ name: 'Over 221.5 points scored' }, { name: 'Under 221.5 points scored' }],
            kind: 'greater',
            line: '221.5',
          },
        ],
      },
    });
  });

  it.each([
    ['active', 'OPEN'],
    ['initialized', 'OPEN'],
    ['inactive', 'PAUSED'],
    ['halted for a reason of tomorrow', 'PAUSED'],
    ['closed', 'OVER'],
    ['determined', 'OVER'],
    ['finalized', 'OVER'],
  ])('has a market that is %s: %s', (status, phase) => {
    expect(marketOfB(venueBMarket('KX-A', { status }))).toMatchObject({ phase });
  });

  it('has a market with an unknown status', () => {
    const market = venueBMarket('KX-A', { status: 'initialized', open_time: undefined });
    expect(marketOfB(market)).toMatchObject({ phase: 'PAUSED' });
  });

  it('has sides without names', () => {
    const market = marketOfB(venueBMarket('KX-A', { yes_sub_title: '', no_sub_title: '' }));
    expect(market).toMatchObject({ outcomes: [{ name: 'YES' }, { name: 'NO' }] });
  });

  it.each<[string, JsonObject]>([
    ['no ticker', { ticker: undefined }],
    ['a ticker that cannot be ordered', { ticker: 'kx-a' }],
    ['a ticker that is too long', { ticker: 'K'.repeat(limits.venueBTickerBytesMax + 1) }],
    ['a title that is too long', { title: 'x'.repeat(limits.catalogTextCharactersMax + 1) }],
    ['no status', { status: 7 }],
  ])('loses a market with %s, and no other', (_what, spoilt) => {
    const markets = [venueBMarket('KX-A'), venueBMarket('KX-B', spoilt), venueBMarket('KX-C')];
    const listed = readVenueBEvent(venueBEvent('KX', markets), NOWHERE);
    expect(listed).toMatchObject({ malformed: 1, event: { markets: [{ marketId: 'KX-A' }, { marketId: 'KX-C' }] } });
  });
});

describe('an event of venue A', () => {
  it('is read with its markets, teams and game', () => {
    const spread = venueAMarket(2, { sportsMarketType: 'spreads', line: -4.5, groupItemTitle: 'Spread -4.5' });
    expect(readVenueAEvent(venueAEvent(5, [venueAMarket(1), spread]))).toMatchObject({
      malformed: 0,
      event: {
        venue: 'venue_a',
        eventId: '5',
        subTitle: 'nba-bos-lal-2026-11-20',
        competition: 'nba',
        startsAt: Date.UTC(2026, 10, 21, 2),
        gameId: '10079774',
        teams: [{ name: 'Boston Celtics', abbreviation: 'bos', alias: 'Celtics', role: 'AWAY' }],
        markets: [
          {
            marketId: conditionId(1),
            phase: 'OPEN',
            opensAt: null,
            closesAt: null,
            kind: 'moneyline',
            occursAt: Date.UTC(2026, 10, 21, 2),
            outcomes: [
              { name: 'Celtics', route: { venue: 'venue_a', tokenId: '3' } },
              { name: 'Lakers', route: { venue: 'venue_a', tokenId: '4' } },
            ],
          },
          { kind: 'spreads', line: '-4.5', label: 'Spread -4.5' },
        ],
      },
    });
  });

  it.each<[string, JsonObject]>([
    ['OPEN', {}],
    ['PAUSED', { acceptingOrders: false }],
    ['PAUSED', { active: false }],
    ['OVER', { closed: true }],
    ['OVER', { archived: true }],
  ])('has a market that is %s with %j', (phase, more) => {
    expect(readVenueAMarket(venueAMarket(1, more))).toMatchObject({ phase });
  });

  it.each<[string, JsonObject]>([
    ['it states no version', { version: undefined }],
    ['its version v3 is not known', { version: 'v3' }],
    ['its version 2 is not known', { version: 2 }],
    ['its ids are not of version v2', { version: 'v2', positionIds: ['3', '4'] }],
    ['its ids are not of version v1', { clobTokenIds: '["x", "y"]' }],
  ])('names a market that is not traded because %s', (why, more) => {
    const listed = readVenueAEvent(venueAEvent(5, [venueAMarket(1, more), venueAMarket(2)]));
    const untraded = [{ marketId: conditionId(1), title: 'Celtics vs. Lakers 1', why }];
    expect(listed).toMatchObject({ malformed: 1, event: { markets: [{ marketId: conditionId(2) }], untraded } });
    const over = readVenueAEvent(venueAEvent(5, [venueAMarket(1, { ...more, closed: true })]));
    expect(over).toHaveProperty('event');
    expect(over).not.toHaveProperty('event.untraded');
  });

  it.each<[string, JsonObject]>([
    ['has no tokens yet', { clobTokenIds: undefined }],
    ['has no tokens yet', { clobTokenIds: '[]' }],
    ['has no book', { enableOrderBook: false }],
    ['is of the other exchange, and has no tokens yet', { version: 'v2' }],
  ])('says nothing of a market that %s', (_what, more) => {
    expect(readVenueAEvent(venueAEvent(5, [venueAMarket(1, more)]))).toMatchObject({
      malformed: 0,
      event: { markets: [] },
    });
  });

  it.each<[string, JsonObject]>([
    ['no condition id', { conditionId: '12' }],
    ['no question', { question: null }],
    ['outcomes that are no list', { outcomes: '"Yes"' }],
    ['one outcome', { outcomes: '["Yes"]', clobTokenIds: '["1"]' }],
    ['a nameless outcome', { outcomes: '["Yes", ""]' }],
    ['fewer tokens than outcomes', { clobTokenIds: '["1"]' }],
    ['the same token twice', { clobTokenIds: '["1", "1"]' }],
    ['a token id that is none', { clobTokenIds: '["1", "0x2"]' }],
    ['token ids as numbers', { clobTokenIds: '[1, 2]' }],
  ])('loses a market with %s, and no other', (_what, spoilt) => {
    const markets = [venueAMarket(1), venueAMarket(2, spoilt), venueAMarket(3)];
    expect(readVenueAEvent(venueAEvent(5, markets))).toMatchObject({
      malformed: 1,
      event: { markets: [{ marketId: conditionId(1) }, { marketId: conditionId(3) }] },
    });
  });
});

describe('an object that anybody may have written', () => {
  const wholeB = venueBEvent('KX', [venueBMarket('KX-A')]);
  const wholeA = venueAEvent(5, [venueAMarket(1)]);
  /** An event in which one of its fields, or one field of its market, is replaced. */
  const spoilt = (whole: JsonObject): fc.Arbitrary<JsonObject> => {
    const market = (whole.markets as readonly JsonObject[])[0]!;
    const ofEvent = fc.record({ key: fc.constantFrom(...Object.keys(whole)), value: fc.jsonValue() });
    const ofMarket = fc.record({ key: fc.constantFrom(...Object.keys(market)), value: fc.jsonValue() });
    return fc.oneof(
      ofEvent.map(({ key, value }) => ({ ...whole, [key]: value })),
      ofMarket.map(({ key, value }) => ({ ...whole, markets: [{ ...market, [key]: value }] })),
      fc.dictionary(fc.string(), fc.jsonValue()) as fc.Arbitrary<JsonObject>,
    );
  };

  it.each([
    ['venue A', wholeA, readVenueAEvent],
    ['venue B', wholeB, (value: JsonObject) => readVenueBEvent(value, NOWHERE)],
  ])('makes no event of %s that breaks its promises', (_venue, whole, read) => {
    fc.assert(
      fc.property(spoilt(whole), value => {
        const listed = read(value);
        if (listed === 'malformed') return;
        expect(listed.event.title.length).toBeLessThanOrEqual(limits.catalogTextCharactersMax);
        for (const { marketId, title, outcomes, opensAt, closesAt } of listed.event.markets) {
          expect([marketId, title, ...outcomes.map(({ name }) => name)]).not.toContain('');
          expect(outcomes).toHaveLength(2);
          expect([opensAt, closesAt]).not.toContain(Number.NaN);
        }
      }),
      { numRuns: 500 },
    );
  });
});

/** Returns every object of the recordings that has these fields, at any depth. */
function recorded(folders: readonly string[], sign: string, ...fields: readonly string[]): JsonObject[] {
  const files = folders.flatMap(folder =>
    readdirSync(recordingPath(folder), { recursive: true }).map(name => join(recordingPath(folder), String(name))),
  );
  const values = files.flatMap(file => {
    if (file.endsWith('.json')) return [parseJson(readFileSync(file, 'utf8'))];
    return file.endsWith('.jsonl') ? readFileSync(file, 'utf8').split('\n').map(parseJson) : [];
  });
  return objectsWith(values, sign).filter(object => fields.every(field => field in object));
}

describe.skipIf(!recordingsPresent)('what was recorded (skipped where it is absent)', () => {
  const A = ['pairs', 'venue-a/gamma', 'venue-a/poly-polycopy', 'venue-a/poly-polyarb', 'venue-a/poly-trebuchet'];
  const B = ['pairs', 'venue-b/kalshi-cockpit', 'venue-b/kalshi-fortuna'];

  it('of venue A’s events and markets is all readable', () => {
    const events = recorded(A, 'markets', 'id', 'slug', 'title').map(event =>
      readVenueAEvent({ ...event, markets: objectsOf(event.markets).map(withVersion) }),
    );
    const markets = recorded(A, 'conditionId', 'question', 'outcomes').map(it => readVenueAMarket(withVersion(it)));
    expect([events.length, markets.length].map(count => count > 50)).toEqual([true, true]);
    expect(markets.filter(market => market === 'malformed')).toEqual([]);
    expect(events.filter(event => event === 'malformed' || event.malformed > 0)).toEqual([]);
  });

  it('of venue B’s events and markets is all readable', () => {
    const events = recorded(B, 'event_ticker', 'series_ticker', 'mutually_exclusive').map(value =>
      readVenueBEvent(value, NOWHERE),
    );
    const markets = recorded(B, 'yes_sub_title', 'ticker', 'status').map(marketOfB);
    expect([events.length > 80, markets.length > 500]).toEqual([true, true]);
    expect(markets.filter(market => market === 'malformed')).toEqual([]);
    expect(events.filter(event => event === 'malformed' || event.malformed > 0)).toEqual([]);
  });

  it('keeps what a match needs: lines, teams’ ids and starting times', () => {
    const markets = recorded(['pairs'], 'conditionId', 'question', 'sportsMarketType').map(it =>
      readVenueAMarket(withVersion(it)),
    );
    const read = markets.filter(market => market !== null && market !== 'malformed');
    expect(read.filter(({ kind }) => kind === 'spreads').every(({ line }) => line !== null)).toBe(true);
    expect(read.filter(({ kind }) => kind === 'moneyline').every(({ occursAt }) => occursAt !== null)).toBe(true);
    const games = recorded(['venue-b/kalshi-cockpit'], 'yes_sub_title', 'ticker', 'status', 'custom_strike').map(
      marketOfB,
    );
    expect(games.filter(market => market === 'malformed')).toEqual([]);
  });
});
