// Games of venue C in the catalog: a game is shown only if nothing contradicts it, and never as tradable.

import { describe, expect, it } from 'vitest';
import { buildCatalog, CatalogBuilder } from '../../../src/catalog/build-catalog.ts';
import type { Catalog } from '../../../src/catalog/catalog.ts';
import { RowBuilder } from '../../../src/catalog/catalog-rows.ts';
import { EventIds } from '../../../src/catalog/matching/event-ids.ts';
import { SnapshotReader } from '../../../src/catalog/snapshot-reader.ts';
import { SnapshotWriter } from '../../../src/catalog/snapshot-writer.ts';
import { termsOf } from '../../../src/catalog/vocabulary.ts';
import type { VenueEvent } from '../../../src/venues/discovery.ts';
import { openapiSchemas } from '../../support/contract-schema.ts';
import { atVenueA, atVenueB, atVenueC, type Listed, ofVenueA } from './listings.ts';

const NBA: Listed = { league: 'NBA', date: '2026-11-20', startsAt: '2026-11-21T03:00:00Z' };
const TITLE = 'Boston Celtics at Los Angeles Lakers';
const WINNERS = { 'Boston Celtics': 'c-bos', 'Los Angeles Lakers': 'c-lal' };
const MONEYLINE = 'nba-bos-lal-2026-11-20:moneyline';
const a = atVenueA(NBA, 'bos-lal', 'Celtics vs. Lakers');
const b = atVenueB(NBA, 'BOSLAL', 'Boston at Los Angeles L', { BOS: 'Boston', LAL: 'Los Angeles L' });
const c = atVenueC(NBA, TITLE, WINNERS);

const build = (...events: readonly VenueEvent[]): Catalog => buildCatalog(events, new EventIds());

/** Returns the strikes of every market, such as `Boston Celtics c-bos`. */
function strikes({ markets }: Catalog): readonly string[] {
  return markets.flatMap(({ outcomes }) =>
    outcomes.flatMap(({ name, listings }) =>
      listings.flatMap(({ route }) => (route.venue === 'venue_c' ? [`${name} ${route.strikeId}`] : [])),
    ),
  );
}

const BOTH = ['Los Angeles Lakers c-lal', 'Boston Celtics c-bos'];

describe('a game of venue C', () => {
  it.each([
    ['of both venues', [a, b]],
    ['of venue A', [a]],
  ])('is shown with the game %s, after what is traded directly', (_, others) => {
    const catalog = build(...others, c);
    expect(strikes(catalog)).toEqual(BOTH);
    const venues = catalog.markets[0]!.outcomes[0]!.listings.map(({ route }) => route.venue);
    expect(venues).toEqual(others.length === 2 ? ['venue_a', 'venue_b', 'venue_c', 'venue_b'] : ['venue_a', 'venue_c']);
    expect(catalog.events[0]!.matching.evidence.at(-1)).toBe(
      `venue_c/${c.eventId} has the same opponents, day and start: shown, never traded`,
    );
  });

  it.each([
    ['the other way round', atVenueC(NBA, 'Los Angeles Lakers vs Boston Celtics', WINNERS)],
    ['an hour apart', atVenueC({ ...NBA, startsAt: '2026-11-21T04:00:00Z' }, TITLE, WINNERS)],
  ])('is the same %s', (_, twin) => {
    expect(strikes(build(a, b, twin))).toEqual(BOTH);
  });

  it('changes nothing else: no event, market, id or note is there because of it', () => {
    const plain = build(a);
    const attached = build(a, c);
    expect(attached.events.map(({ matching: _, ...event }) => event)).toEqual(
      plain.events.map(({ matching: _, ...event }) => event),
    );
    expect(attached.markets.map(({ id, notes }) => ({ id, notes }))).toEqual(
      plain.markets.map(({ id, notes }) => ({ id, notes })),
    );
    expect(build(c)).toEqual({ events: [], markets: [] });
  });

  it.each([
    ['on another day', { ...NBA, startsAt: '2026-11-22T03:00:00Z' }, TITLE],
    ['at another time of that day', { ...NBA, startsAt: '2026-11-21T01:00:00Z' }, TITLE],
    ['of another club', NBA, 'Boston Celtics at Los Angeles Clippers'],
    ['of a club that two are called', NBA, 'Boston Celtics at Los Angeles'],
    ['of another league', { ...NBA, league: 'WNBA' }, TITLE],
    ['of one club', NBA, 'Boston Celtics at Boston Celtics'],
    ['of nobody', NBA, 'NBA champion'],
  ] as const)('%s is left out', (_, game, title) => {
    expect(strikes(build(a, b, atVenueC(game, title, WINNERS)))).toEqual([]);
  });

  it('of a tournament that is only called alike is left out', () => {
    expect(strikes(build(a, atVenueC(NBA, TITLE, WINNERS, { competition: 'NBA Summer League' })))).toEqual([]);
  });

  it('is left out if no other venue has a start time', () => {
    expect(strikes(build(b, c))).toEqual([]);
  });

  it('that is listed twice is left out', () => {
    expect(strikes(build(a, b, c, atVenueC(NBA, TITLE, { 'Boston Celtics': 'd-bos' })))).toEqual([]);
  });

  it.each([
    ['half of it', { title: '1st half moneyline' }],
    ['half of it, by its label', { label: '1st half' }],
    ['a spread', { kind: 'spread', line: '-4.5' }],
    ['a line', { line: '-1.5' }],
    ['somebody else', { outcomes: [{ name: 'Miami Heat', route: { venue: 'venue_c', strikeId: 'x' } as const }] }],
    [
      'one side or a draw',
      { outcomes: [c.markets[0]!.outcomes[0]!, { name: 'Draw', route: { venue: 'venue_c', strikeId: 'x' } as const }] },
    ],
    ['one side twice', { outcomes: [c.markets[0]!.outcomes[0]!, c.markets[0]!.outcomes[0]!] }],
  ])('has no route for a question about %s', (_, change) => {
    const markets = [{ ...c.markets[0]!, ...change }];
    expect(strikes(build(a, b, { ...c, markets }))).toEqual([]);
  });

  it('asked twice who wins has no route', () => {
    const [market] = c.markets;
    expect(strikes(build(a, { ...c, markets: [market!, { ...market!, marketId: 'x' }] }))).toEqual([]);
  });

  it('has no route if no other venue has a winner market', () => {
    const total = ofVenueA('Celtics vs. Lakers: O/U 221.5', 'totals', ['Over', 'Under'], '221.5');
    expect(strikes(build({ ...a, markets: [total] }, c))).toEqual([]);
  });

  it('is matched with the one of two games on a day which starts at its time', () => {
    const day = (startsAt: string): Listed => ({ league: 'MLB', date: '2026-08-09', startsAt });
    const names = 'Astros vs. Padres';
    const early = atVenueA(day('2026-08-09T17:10:00Z'), 'hou-sd', names, { gameId: '1' });
    const late = atVenueA(day('2026-08-09T23:10:00Z'), 'hou-sd', names, { gameId: '2' });
    const title = 'Houston Astros at San Diego Padres';
    const winners = { 'San Diego Padres': 'c-sd' };
    const found = build(early, late, atVenueC(day('2026-08-09T23:10:00Z'), title, winners));
    const market = found.markets.find(({ outcomes }) =>
      outcomes.some(({ listings }) => listings.some(({ route }) => route.venue === 'venue_c')),
    );
    expect(market?.id).toBe('mlb-hou-sd-2026-08-09-2:moneyline');
    // A start in between could belong to either game, and so could any start if the start of the other game is unknown.
    expect(
      strikes(build(early, { ...late, startsAt: null }, atVenueC(day('2026-08-09T17:10:00Z'), title, winners))),
    ).toEqual([]);
    const soon = atVenueA(day('2026-08-09T19:10:00Z'), 'hou-sd', names, { gameId: '2' });
    expect(strikes(build(early, soon, atVenueC(day('2026-08-09T18:10:00Z'), title, winners)))).toEqual([]);
  });

  it('comes and goes with the next catalog, and the event keeps its id', () => {
    const builder = new CatalogBuilder(new EventIds());
    const [plain, attached, again, gone] = [
      [a, b],
      [a, b, c],
      [a, b, c],
      [a, b],
    ].map(events => builder.build(events));
    expect([plain, attached, again, gone].map(it => strikes(it!).length)).toEqual([0, 2, 2, 0]);
    expect(again!.markets[0]).toBe(attached!.markets[0]);
    expect(gone!.markets).toEqual(plain!.markets);
    expect(attached!.events[0]!.id).toBe(plain!.events[0]!.id);
  });
});

describe('a listing of venue C', () => {
  const query = { venue: null, event: null, competitions: null, executable: null, after: null, rowsMax: 10 };
  const standing = { tradable: ['venue_a', 'venue_b'] as const, now: 0 };
  const reader = SnapshotReader.open(new SnapshotWriter().write(new RowBuilder().of(build(a, b, c))))!;

  it('is shown as the contract has it, never executable, and those beside it are as they were', () => {
    const [place] = reader.find({ ...query, ...standing, terms: termsOf('c-lal') });
    expect(reader.idAt(place!)).toBe(MONEYLINE);
    const shown = JSON.parse(`${reader.textAt(place!, standing)}}`);
    const [home] = shown.outcomes;
    expect(home.listings.flatMap((it: object) => openapiSchemas.problems('#/components/schemas/Listing', it))).toEqual(
      [],
    );
    expect(home.listings.map((it: { venue: string; executable: boolean }) => [it.venue, it.executable])).toEqual([
      ['VENUE_A', true],
      ['VENUE_B', true],
      ['VENUE_C', false],
      ['VENUE_B', true],
    ]);
    expect(home.listings[2]).toEqual({ venue: 'VENUE_C', strikeId: 'c-lal', executable: false });
  });

  it('makes no market executable', () => {
    const nowhere = { tradable: [], now: 0 };
    expect(reader.find({ ...query, ...nowhere, terms: [], executable: true })).toEqual([]);
  });
});
