// Competitions without a complete list of sides: esports, fights, players. Titles, tickers and slugs are in the forms that both venues use.

import { describe, expect, it } from 'vitest';
import { buildCatalog, CatalogBuilder } from '../../../src/catalog/build-catalog.ts';
import { EventIds } from '../../../src/catalog/matching/event-ids.ts';
import type { UnixMillis } from '../../../src/core/domain/numbers.ts';
import type { VenueEvent } from '../../../src/venues/discovery.ts';
import { build, ids, marketOf, merged, routes } from './catalogs.ts';
import { atVenueA, atVenueB, type Listed, ofVenueA } from './listings.ts';

/** The game starts at 14:00 in New York. */
const LOL: Listed = { league: 'LOL', date: '2026-06-10', startsAt: '2026-06-10T18:00:00Z' };

function lolA(one: string, another: string, game: Listed = LOL, gameId = ''): VenueEvent {
  const title = `LoL: ${one} vs ${another} (BO5) - LPL Playoffs`;
  const markets = [
    ofVenueA(title, 'moneyline', [one, another]),
    ofVenueA(`LoL: ${one} vs ${another} - Game 1 Winner`, 'child_moneyline', [one, another]),
  ];
  return atVenueA(game, 'wb-tes', title, { markets, gameId });
}

function lolB(one: string, another: string, clock = '1400', game: Listed = LOL): VenueEvent {
  return atVenueB(game, `${clock}TESWB`, `${one} vs. ${another}`, { WB: one, TES: another });
}

describe('a match of esports', () => {
  it('is one event, with the match of each venue and not its maps', () => {
    const a = lolA('Weibo Gaming', 'Top Esports');
    const catalog = build(a, lolB('Weibo Gaming', 'Top Esports'));
    const id = 'lol-weibo-gaming-top-esports-2026-06-10';
    expect(merged(catalog)).toEqual([id]);
    // A series of two maps may be drawn, so the other side's NO is not a route.
    expect(routes(marketOf(catalog, `${id}:moneyline`))).toEqual([
      'Weibo Gaming: A, WB YES',
      'Top Esports: A, TES YES',
    ]);
    expect(catalog.markets.map(market => market.id)).toContain(`venue_a:${a.markets[1]!.marketId}`);
    expect(catalog.events[0]).toMatchObject({ sport: 'esports', competition: 'lol' });
  });

  it.each([
    ['in another order', lolB('Top Esports', 'Weibo Gaming')],
    ['by a known other name', lolB('Weibo', 'TES')],
    ['a quarter of an hour apart', lolB('Weibo Gaming', 'Top Esports', '1415')],
  ])('is one %s', (_, b) => {
    expect(merged(build(lolA('Weibo Gaming', 'Top Esports'), b))).toHaveLength(1);
  });

  it('is one though the venues list it for different days', () => {
    // 20:00 in New York is the next day in UTC.
    const late: Listed = { ...LOL, startsAt: '2026-06-11T00:00:00Z' };
    const a = lolA('Weibo Gaming', 'Top Esports', { ...late, date: '2026-06-11' });
    const catalog = build(a, lolB('Weibo Gaming', 'Top Esports', '2000'));
    expect(merged(catalog)).toHaveLength(1);
    expect(catalog.events[0]!.matching.evidence[0]).toBe(
      'both list it in lol on 2026-06-11, or 2026-06-10 by the other clock',
    );
    expect(merged(build({ ...a, startsAt: null }, lolB('Weibo Gaming', 'Top Esports', '2000')))).toEqual([]);
  });

  it.each([
    ['of the second squad of one side', lolB('Weibo Gaming Academy', 'Top Esports')],
    ['of the women of both', lolB('Weibo Gaming fe', 'Top Esports fe')],
    ['an hour later', lolB('Weibo Gaming', 'Top Esports', '1500')],
    ['at a time that is not stated', lolB('Weibo Gaming', 'Top Esports', '')],
    [
      'of another game',
      atVenueB({ ...LOL, league: 'DOTA2' }, '1400TESWB', 'Weibo Gaming vs. Top Esports', {
        WB: 'Weibo Gaming',
        TES: 'Top Esports',
      }),
    ],
    ['whose title names others', { ...lolB('Weibo Gaming', 'Top Esports'), title: 'T1 vs. Gen.G' }],
    [
      'of one side that has a market',
      atVenueB(LOL, '1400TESWB', 'Weibo Gaming vs. Top Esports', { WB: 'Weibo Gaming' }),
    ],
  ])('is not the match %s', (_, b) => {
    expect(merged(build(lolA('Weibo Gaming', 'Top Esports'), b))).toEqual([]);
  });

  it('is the one of two that starts then', () => {
    const noon: Listed = { ...LOL, startsAt: '2026-06-10T16:00:00Z' };
    const both = [lolA('T1', 'Gen.G', LOL, '1'), lolA('T1', 'Gen.G', noon, '2')];
    const catalog = build(...both, lolB('T1', 'Gen.G', '1400'));
    expect(catalog.events.find(({ matching }) => matching.keys.length === 2)?.matching.keys[0]).toBe('venue_a/lol/1');
  });

  it('stays one when a venue moves it to another hour', () => {
    const known = new EventIds();
    const a = lolA('T1', 'Gen.G', LOL, '1');
    expect(merged(buildCatalog([a, lolB('T1', 'Gen.G')], known))).toHaveLength(1);
    const moved = { ...a, startsAt: (a.startsAt! + 5 * 3_600_000) as UnixMillis };
    expect(merged(buildCatalog([moved, lolB('T1', 'Gen.G')], known))).toHaveLength(1);
  });
});

describe('a fight', () => {
  const UFC: Listed = { league: 'UFC', date: '2026-07-18', startsAt: '2026-07-19T02:00:00Z' };
  const title = 'UFC 330: Dricus Du Plessis vs. Kamaru Usman (Middleweight, Main Card)';
  const a = atVenueA(UFC, 'dri1-kam2', title, {
    markets: [ofVenueA(title, 'moneyline', ['Dricus Du Plessis', 'Kamaru Usman'])],
  });
  const fight = (one: string, another: string, titled: string) =>
    atVenueB(UFC, 'DUUSM', titled, { DU: one, USM: another });

  it('has titles with surnames, and markets with whole names', () => {
    const catalog = build(a, fight('Dricus Du Plessis', 'Kamaru Usman', 'Du Plessis vs Usman'));
    const [id] = merged(catalog);
    expect(id).toBe('ufc-dricus-du-plessis-kamaru-usman-2026-07-18');
    // A draw belongs to neither side, so no NO is a route.
    expect(routes(marketOf(catalog, `${id}:moneyline`))[0]).toBe('Dricus Du Plessis: A, DU YES');
  });

  it.each([
    ['a namesake', fight('Dricus Du Plessis', 'Mohammed Usman', 'Du Plessis vs Usman')],
    ['surnames only', fight('Du Plessis', 'Usman', 'Du Plessis vs Usman')],
    ['a title of others', fight('Dricus Du Plessis', 'Kamaru Usman', 'Holloway vs McGregor')],
  ])('is not the one with %s', (_, b) => {
    expect(merged(build(a, b))).toEqual([]);
  });
});

describe('a player', () => {
  const DAY: Listed = { league: 'ATPCHALLENGER', date: '2026-04-18', startsAt: '2026-04-18T05:00:00Z' };
  const start = Date.parse(DAY.startsAt) as UnixMillis;
  const listedA = (one: string, another: string, startsAt = DAY.startsAt) =>
    atVenueA({ ...DAY, startsAt }, 'x-y', `Busan: ${one} vs ${another}`);
  const listedB = (one: string, another: string, at: UnixMillis | null = start) => ({
    ...atVenueB(DAY, 'XXXYYY', `${one} vs ${another}`, { XXX: one, YYY: another }),
    startsAt: at,
  });

  it('of a challenger tour is listed by venue A under the tour itself', () => {
    expect(merged(build(listedA('Alex Bolt', 'Yunchaokete Bu'), listedB('Alex Bolt', 'Yunchaokete Bu')))).toEqual([
      'atp-alex-bolt-yunchaokete-bu-2026-04-18',
    ]);
  });

  it('in two series of a name is in two games', () => {
    const game: Listed = { ...DAY, league: 'ATP' };
    const other = atVenueB(game, 'XXXYYY', 'Jannik Sinner vs Taylor Fritz', {
      XXX: 'Jannik Sinner',
      YYY: 'Taylor Fritz',
    });
    expect(ids(build(other, listedB('Alex Bolt', 'Yunchaokete Bu')))).toHaveLength(2);
  });

  it.each([
    ['with one of two surnames', 'Daniel Merida Aguilar', 'Daniel Merida'],
    ['with the surname first', 'Yifan Xu', 'Xu Yifan'],
    ['with an initial', 'Felix Auger-Aliassime', 'F. Auger-Aliassime'],
    ['with a second given name', 'Juan Manuel Cerundolo', 'Juan Cerundolo'],
  ])('%s is the same, against the same opponent at the same time', (_, long, short) => {
    for (const [one, another] of [
      [long, short],
      [short, long],
    ] as const) {
      const catalog = build(listedA(one, 'Alex Bolt'), listedB('Alex Bolt', another));
      expect(merged(catalog)).toHaveLength(1);
      expect(catalog.events[0]!.matching.confidence).toBe(94);
    }
  });

  it.each([
    ['against another opponent', listedB('Rei Sakamoto', 'Daniel Merida')],
    ['at another time', listedB('Alex Bolt', 'Daniel Merida', (start + 3 * 3_600_000) as UnixMillis)],
    ['at a time that is not stated', listedB('Alex Bolt', 'Daniel Merida', null)],
    ['whose other names are others', listedB('Alex Bolt', 'Miguel Merida')],
    ['who shares an initial only', listedB('Alex Bolt', 'D. M. Agassi')],
    [
      'against one known by the surname',
      { ...listedB('Alex Bolt', 'Daniel Merida'), markets: [], title: 'Bolt vs Daniel Merida' },
    ],
  ])('with a form of the name %s is another', (_, b) => {
    expect(merged(build(listedA('Daniel Merida Aguilar', 'Alex Bolt'), b))).toEqual([]);
  });

  it('with a form of the name is no match if two players could be meant', () => {
    const b = listedB('Alex Bolt', 'Daniel Merida');
    const twice = {
      ...b,
      eventId: `${b.eventId}2`,
      markets: b.markets.map(it => ({ ...it, marketId: `${it.marketId}2` })),
    };
    expect(merged(build(listedA('Daniel Merida Aguilar', 'Alex Bolt'), b, twice))).toEqual([]);
  });

  it('with a form of the name stays the same when a venue moves the match, and in the same objects', () => {
    const known = new EventIds();
    const builder = new CatalogBuilder(known);
    const [a, b] = [listedA('Daniel Merida Aguilar', 'Alex Bolt'), listedB('Alex Bolt', 'Daniel Merida')];
    builder.build([a, b]);
    const [before, again] = [builder.build([a, b]), builder.build([a, b])];
    expect(merged(again)).toHaveLength(1);
    expect(again.events[0]).toBe(before.events[0]);
    const moved = { ...a, startsAt: (start + 5 * 3_600_000) as UnixMillis };
    expect(merged(builder.build([moved, b]))).toHaveLength(1);
    expect(merged(buildCatalog([moved, b], new EventIds()))).toEqual([]);
  });
});
