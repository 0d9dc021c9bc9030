// Found on real listings: venue B titles a soccer game `Chelsea vs Tottenham` and its totals `Tottenham at Chelsea: Totals`. The two
// counted as different teams, and the game was lost: 97 of 109 in one league. `at` names the home team second, in every sport; `vs` and
// codes follow the competition's order. If listings contradict each other on the home team, only that is lost.

import { describe, expect, it } from 'vitest';
import { build, marketOf, merged, routes } from '../catalog/matching/catalogs.ts';
import { atVenueA, atVenueB, type Listed, ofVenueA, seriesOfB } from '../catalog/matching/listings.ts';

const EPL: Listed = { league: 'EPL', date: '2026-05-19', startsAt: '2026-05-19T19:15:00Z' };
const EVENT = 'epl-che-tot-2026-05-19';
const one = (label: string) => ({ ...ofVenueA(`Will ${label} win?`, 'moneyline', ['Yes', 'No']), label });
const title = 'Chelsea FC vs. Tottenham Hotspur FC';
const a = atVenueA(EPL, 'che-tot', title, {
  markets: [
    one('Chelsea FC'),
    one(`Draw (${title})`),
    one('Tottenham Hotspur FC'),
    ofVenueA(`${title}: O/U 2.5`, 'totals', ['Over', 'Under'], '2.5'),
  ],
});
const winners = { CFC: 'Chelsea', TOT: 'Tottenham', TIE: 'Tie' };
const game = (words: string, codes = 'CFCTOT') => atVenueB(EPL, codes, words, winners);
const totals = (words: string, codes = 'CFCTOT') =>
  seriesOfB(EPL, codes, words, 'TOTAL', [{ code: '3', label: 'Over 2.5 goals scored', line: '2.5' }]);

describe('a game of soccer', () => {
  it.each([
    ['Chelsea vs Tottenham', 'Tottenham at Chelsea: Totals'],
    ['Tottenham at Chelsea', 'Chelsea vs Tottenham: Total Goals'],
    ['Tottenham at Chelsea', 'Tottenham @ Chelsea: Totals'],
    ['Chelsea vs. Tottenham', 'Chelsea vs Tottenham: Totals'],
  ])('is one of “%s” and “%s”', (ofGame, ofTotals) => {
    const catalog = build(a, game(ofGame), totals(ofTotals));
    expect(merged(catalog)).toEqual([EVENT]);
    expect(catalog.events[0]!.matching).toMatchObject({ confidence: 98 });
    expect(catalog.events[0]!.participants).toEqual([
      { name: 'Chelsea', role: 'HOME' },
      { name: 'Tottenham Hotspur', role: 'AWAY' },
    ]);
    expect(routes(marketOf(catalog, `${EVENT}:three-way`))).toEqual([
      'Chelsea: A, CFC YES',
      'Draw: A, TIE YES',
      'Tottenham Hotspur: A, TOT YES',
    ]);
    expect(routes(marketOf(catalog, `${EVENT}:total:2.5`))).toEqual(['Over 2.5: A, 3 YES', 'Under 2.5: A, 3 NO']);
  });

  it('that venue B alone lists has its home team first, in each form', () => {
    for (const words of ['Chelsea vs Tottenham', 'Tottenham at Chelsea']) {
      for (const codes of ['CFCTOT', 'XXXYYY']) {
        const [event] = build(game(words, codes)).events;
        expect([event!.id, event!.name]).toEqual([EVENT, 'Chelsea vs Tottenham Hotspur']);
      }
    }
  });
});

describe('listings that contradict each other on who is at home', () => {
  it.each(['Chelsea at Tottenham', 'Tottenham vs Chelsea'])('of one venue lose that, and not the game: “%s”', words => {
    const catalog = build(a, game(words), totals('Tottenham at Chelsea: Totals'));
    expect(merged(catalog)).toEqual([EVENT]);
    expect(routes(marketOf(catalog, `${EVENT}:three-way`))[0]).toBe('Chelsea: A, CFC YES');
    const [event] = build(game('Chelsea at Tottenham')).events;
    expect(event!.participants.map(({ role }) => role)).toEqual(['COMPETITOR', 'COMPETITOR']);
  });

  it('of two venues cost confidence in leagues without two games a day, and the pair in others', () => {
    const turned = { ...a, subTitle: 'epl-tot-che-2026-05-19', title: 'Tottenham Hotspur FC vs. Chelsea FC' };
    const [event] = build(turned, game('Chelsea vs Tottenham')).events;
    expect(event!.matching.confidence).toBe(95);
    expect(event!.matching.evidence).toContain('the venues disagree on who is at home');
    const nba: Listed = { league: 'NBA', date: '2026-11-20', startsAt: '2026-11-21T03:00:00Z' };
    const ofB = (words: string, codes: string) => atVenueB(nba, codes, words, { BOS: 'Boston', LAL: 'Los Angeles L' });
    const celtics = atVenueA(nba, 'bos-lal', 'Celtics vs. Lakers');
    expect(merged(build(celtics, ofB('Los Angeles L at Boston', 'LALBOS')))).toEqual([]);
    const [doubtful] = build(celtics, ofB('Los Angeles L at Boston', 'BOSLAL')).events;
    expect(doubtful!.matching.evidence).toContain('one venue contradicts itself on who is at home');
  });

  it('of different teams are not one game', () => {
    expect(merged(build(a, game('Arsenal vs Tottenham')))).toEqual([]);
    expect(merged(build(a, game('Chelsea vs Tottenham'), totals('Arsenal at Chelsea: Totals')))).toEqual([]);
  });
});
