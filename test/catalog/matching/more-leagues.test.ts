// Smaller leagues of clubs, cricket, and winners of races and of golf. Titles, tickers and slugs are in the forms that both venues use.

import { describe, expect, it } from 'vitest';
import type { UnixMillis } from '../../../src/core/domain/numbers.ts';
import type { VenueEvent } from '../../../src/venues/discovery.ts';
import { build, ids, marketOf, merged, routes } from './catalogs.ts';
import { atVenueA, atVenueB, type Listed, ofVenueA, seriesOfB } from './listings.ts';

const at = (event: VenueEvent, startsAt: string): VenueEvent => ({
  ...event,
  startsAt: Date.parse(startsAt) as UnixMillis,
});

/** Returns a soccer game at venue A: three markets with the outcomes yes and no. */
function soccerA(game: Listed, codes: string, one: string, another: string): VenueEvent {
  const yesNo = (label: string) => ({ ...ofVenueA(`Will ${label} win?`, 'moneyline', ['Yes', 'No']), label });
  const markets = [yesNo(one), yesNo(`Draw (${one} vs. ${another})`), yesNo(another)];
  return atVenueA(game, codes, `${one} vs. ${another}`, { markets });
}

describe('a league of clubs', () => {
  const game: Listed = { league: 'LIGAPORTUGAL', date: '2026-08-22', startsAt: '2026-08-22T19:30:00Z' };

  it.each([
    ['LIGAPORTUGAL', 'FC Porto', 'Sport Lisboa e Benfica', 'Porto', 'Benfica', 'liga-portugal-por-ben-2026-08-22'],
    ['LIGAPORTUGAL', 'CD Nacional', 'FC Alverca', 'Nacional', 'Alverca', 'liga-portugal-nac-alv-2026-08-22'],
  ])('of %s has %s and %s', (league, oneA, anotherA, oneB, anotherB, id) => {
    const a = soccerA({ ...game, league }, 'x-y', oneA, anotherA);
    const b = atVenueB({ ...game, league }, 'XXXYYY', `${oneB} vs ${anotherB}`, {
      XXX: oneB,
      TIE: 'Tie',
      YYY: anotherB,
    });
    const catalog = build(a, b);
    expect(merged(catalog)).toEqual([id]);
    expect(routes(marketOf(catalog, `${id}:three-way`)).map(it => it.replace(/^.*: /, ''))).toEqual([
      'A, XXX YES',
      'A, TIE YES',
      'A, YYY YES',
    ]);
  });

  it('far from New York may be listed for another day there: then both must state the same start', () => {
    const listed: Listed = { league: 'JLEAGUE', date: '2026-08-23', startsAt: '2026-08-23T03:00:00Z' };
    const a = soccerA(listed, 'ver-kas', 'Tōkyō Verdy', 'Kashima Antlers');
    const b = atVenueB({ ...listed, date: '2026-08-22' }, 'VERKAS', 'Tokyo V vs Kashima', {
      VER: 'Tokyo V',
      KAS: 'Kashima',
    });
    expect(merged(build(a, at(b, listed.startsAt)))).toEqual(['j-league-ver-kas-2026-08-23']);
    expect(merged(build(a, b))).toEqual([]);
    expect(merged(build(a, at(b, '2026-08-23T05:00:00Z')))).toEqual([]);
  });

  it('of Europe may not', () => {
    const a = soccerA(game, 'por-ben', 'FC Porto', 'SL Benfica');
    const b = atVenueB({ ...game, date: '2026-08-21' }, 'PORBEN', 'Porto vs Benfica', { POR: 'Porto', BEN: 'Benfica' });
    expect(merged(build(a, at(b, game.startsAt)))).toEqual([]);
  });

  it('has a second team of a club in it, which is another team', () => {
    const segunda: Listed = { league: 'LALIGA2', date: '2026-08-22', startsAt: '2026-08-22T19:30:00Z' };
    const a = {
      ...soccerA(segunda, 'cad-rso', 'Cádiz CF', 'Real Sociedad de Fútbol II'),
      subTitle: 'es2-cad-rso-2026-08-22',
    };
    const b = (name: string) => atVenueB(segunda, 'CADRSO', `Cadiz vs ${name}`, { CAD: 'Cadiz', RSO: name });
    expect(merged(build(a, b('Real Sociedad B')))).toHaveLength(1);
    expect(merged(build(a, b('Real Sociedad')))).toEqual([]);
  });
});

describe('a cup', () => {
  it('has winners of 90 minutes, which venue B may say', () => {
    const game: Listed = { league: 'DFBPOKAL', date: '2026-08-22', startsAt: '2026-08-22T18:45:00Z' };
    const a = soccerA(game, 'dre-bvb', 'Dynamo Dresden', 'BV Borussia 09 Dortmund');
    const b = atVenueB(game, 'DREBVB', 'Dresden vs Dortmund', {
      DRE: 'Reg Time: Dresden',
      TIE: 'Reg Time: Tie',
      BVB: 'Reg Time: Dortmund',
    });
    expect(routes(marketOf(build(a, b), 'dfb-pokal-dre-bvb-2026-08-22:three-way'))).toEqual([
      'Dynamo Dresden: A, DRE YES',
      'Draw: A, TIE YES',
      'Borussia Dortmund: A, BVB YES',
    ]);
  });

  it('of a continent has names of two countries’ clubs, which are nobody’s there', () => {
    const game: Listed = { league: 'CONMEBOLLIB', date: '2026-08-19', startsAt: '2026-08-19T22:00:00Z' };
    const a = soccerA(game, 'riv-nac', 'CA River Plate', 'Club Nacional de Football');
    const b = (name: string) =>
      at(atVenueB(game, 'RIVNAC', `River Plate vs ${name}`, { RIV: 'River Plate', NAC: name }), game.startsAt);
    expect(merged(build(a, b('Nacional Montevideo')))).toEqual(['libertadores-river-nacional-uy-2026-08-19']);
    expect(merged(build(a, b('Nacional')))).toEqual([]);
    expect(merged(build(a, b('Atletico Nacional')))).toEqual([]);
  });
});

describe('cricket', () => {
  const game: Listed = { league: 'IPL', date: '2026-04-18', startsAt: '2026-04-18T14:00:00Z' };
  const title = 'Indian Premier League: Royal Challengers Bangalore vs Delhi Capitals';
  const a = atVenueA(game, 'roy-del', title);
  const b = atVenueB(game, 'DCRCB', 'Royal Challengers Bengaluru vs Delhi Capitals', {
    DC: 'Delhi Capitals',
    RCB: 'Royal Challengers Bengaluru',
  });

  it('is one match by either name of a club', () => {
    const catalog = build(a, b);
    expect(merged(catalog)).toEqual(['ipl-rcb-dc-2026-04-18']);
    expect(routes(marketOf(catalog, 'ipl-rcb-dc-2026-04-18:moneyline'))[0]).toBe(
      'Royal Challengers Bengaluru: A, RCB YES',
    );
  });

  it('that venue A lists in both orders is matched with neither', () => {
    expect(merged(build(a, atVenueA(game, 'del-roy', title, { gameId: '2' }), b))).toEqual([]);
  });

  it('of nations, men’s and women’s alike at venue A, matches nothing', () => {
    const t20: Listed = { ...game, league: 'T20' };
    const nations = { ...atVenueA(t20, 'ind-pak', 'India vs Pakistan'), subTitle: 'crint-ind-pak-2026-04-18' };
    const ofB = atVenueB(t20, '1000INDPAK', 'India vs. Pakistan', { IND: 'India', PAK: 'Pakistan' });
    expect(merged(build(nations, ofB))).toEqual([]);
  });
});

describe('a game of the college playoffs', () => {
  it('has a slug of its own at venue A', () => {
    const game: Listed = { league: 'NCAAF', date: '2026-01-09', startsAt: '2026-01-10T00:30:00Z' };
    const a = { ...atVenueA(game, 'ore-ind', 'Oregon vs. Indiana'), subTitle: 'cfp-ore-ind-2026-01-09' };
    const b = atVenueB(game, 'OREIND', 'Oregon vs Indiana', { ORE: 'Oregon', IND: 'Indiana' });
    expect(merged(build(a, b))).toHaveLength(1);
  });
});

/** Returns venue B's markets of one event, each with the text that its ticker ends with. */
function futuresB(
  eventId: string,
  title: string,
  labels: Readonly<Record<string, string>>,
  asked: string,
  day: string,
): VenueEvent {
  const game = { league: '', date: '2026-01-01' };
  const parts = Object.entries(labels).map(([code, label]) => ({ code, label, line: null }));
  const event = seriesOfB(game, '', title, '', parts);
  const markets = event.markets.map((market, at) => {
    const ticker = `${eventId}-${parts[at]!.code}`;
    const outcomes = (['YES', 'NO'] as const).map(side => ({
      name: side,
      route: { venue: 'venue_b', ticker, side } as const,
    }));
    const occursAt = Date.parse(day) as UnixMillis;
    return { ...market, marketId: ticker, outcomes, occursAt, title: asked.replace('X', market.label) };
  });
  return { ...event, eventId, seriesId: eventId.slice(0, eventId.indexOf('-')), markets };
}

function futuresA(slug: string, title: string, asked: readonly string[], day: string): VenueEvent {
  const markets = asked.map(it => ({ ...ofVenueA(it, '', ['Yes', 'No']), occursAt: Date.parse(day) as UnixMillis }));
  const game: Listed = { league: 'F1', date: '2026-01-01', startsAt: day };
  return { ...atVenueA(game, '', title, { markets }), subTitle: slug };
}

/** Returns the events that have a listing of each venue. */
const paired = (...events: readonly VenueEvent[]): readonly string[] =>
  build(...events)
    .events.filter(({ matching }) => matching.evidence.length > 0)
    .map(({ id }) => id);

describe('Formula 1', () => {
  const RACE_DAY = '2026-09-13T13:00:00Z';
  const raceA = (title = 'Spanish Grand Prix: Driver Winner', day = RACE_DAY) =>
    futuresA(
      'f1-spanish-grand-prix-winner-2026-09-13',
      title,
      ['Will Kimi Antonelli win the Spanish Grand Prix?'],
      day,
    );
  const raceB = (title = 'Spanish Grand Prix Winner', day = '2026-09-13T17:00:00Z') =>
    futuresB('KXF1RACE-SPAGP26', title, { ANT: 'Andrea Kimi Antonelli' }, 'Will X win?', day);

  it('has a champion by either form of the name', () => {
    const a = futuresA(
      '2026-f1-drivers-champion',
      'F1',
      ['Will Kimi Antonelli be the 2026 F1 Drivers’ Champion?'],
      RACE_DAY,
    );
    const b = futuresB(
      'KXF1-26',
      'F1 Drivers Champion',
      { KA: 'Andrea Kimi Antonelli', GR: 'George Russell' },
      'Will X win?',
      RACE_DAY,
    );
    const catalog = build(a, b);
    expect(ids(catalog)).toEqual(['f1-2026-drivers-champion']);
    expect(routes(marketOf(catalog, 'f1-2026-drivers-champion:antonelli'))).toEqual(['Yes: A, KA YES', 'No: A, KA NO']);
    const team = futuresA('x', 'F1', ['Will Ferrari be the 2026 F1 Constructors’ Champion?'], RACE_DAY);
    expect(
      paired(team, futuresB('KXF1CONSTRUCTORS-26', 'F1', { FER: 'Ferrari' }, 'Will X win?', RACE_DAY)),
    ).toHaveLength(1);
    expect(paired(team, futuresB('KXF1CONSTRUCTORS-27', 'F1', { FER: 'Ferrari' }, 'Will X win?', RACE_DAY))).toEqual(
      [],
    );
  });

  it('has winners of a race', () => {
    expect(paired(raceA(), raceB())).toEqual(['f1-spanish-grand-prix-2026-09-winner']);
  });

  it.each([
    ['the sprint of one', raceA('Spanish Grand Prix: Sprint Winner'), raceB()],
    ['the podium of one', raceA(), raceB('Spanish Grand Prix Podium')],
    ['the other race of the country', raceA(), raceB(undefined, '2026-06-14T17:00:00Z')],
    ['the race of another series', raceA('MotoGP Spanish Grand Prix: Winner'), raceB()],
  ])('has no winner of a race in %s', (_, a, b) => {
    expect(paired(a, b)).toEqual([]);
  });
});

describe('golf', () => {
  const DAY = '2026-05-17T22:00:00Z';
  const a = (asked: string) => futuresA('2026-pga-championship-winner', 'PGA Championship Winner', [asked], DAY);
  const b = (eventId: string, asked: string) =>
    futuresB(eventId, 'PGA Championship Winner', { SSCH: 'Scottie Scheffler' }, asked, DAY);

  it('has winners of tournaments', () => {
    const asked = 'Will Scottie Scheffler win the 2026 PGA Championship?';
    expect(paired(a(asked), b('KXPGATOUR-PGC26', 'Will X win the PGA Championship?'))).toEqual([
      'pga-championship-2026-winner',
    ]);
    const masters = 'Will Scottie Scheffler win the 2026 Masters tournament?';
    expect(paired(a(masters), b('KXPGATOUR-MAST26', 'Will X win the Masters?'))).toEqual(['masters-2026-winner']);
  });

  it.each([
    ['another year', b('KXPGATOUR-PGC27', 'Will X win the PGA Championship?')],
    ['another tournament', b('KXPGATOUR-BMC26', 'Will X win the BMW Championship?')],
    ['another question', b('KXPGATOP5-PGC26', 'Will X win the PGA Championship?')],
    ['a round', b('KXPGATOUR-PGC26R2', 'Will X win the PGA Championship?')],
  ])('has no winner of %s', (_, other) => {
    expect(paired(a('Will Scottie Scheffler win the 2026 PGA Championship?'), other)).toEqual([]);
  });
});
