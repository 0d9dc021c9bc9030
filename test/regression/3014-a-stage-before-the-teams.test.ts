// Found on real listings: venue B titles a playoff game `Game 4: Oklahoma City at Los Angeles L`. The stage was read as a part of the first
// team's name, so no playoff game paired, nor its spreads, totals and halves.

import { describe, expect, it } from 'vitest';
import { build, marketOf, merged, routes } from '../catalog/matching/catalogs.ts';
import { atVenueA, atVenueB, type Listed, ofVenueA, seriesOfB } from '../catalog/matching/listings.ts';

const GAME: Listed = { league: 'NBA', date: '2026-05-11', startsAt: '2026-05-12T02:30:00Z' };
const EVENT = 'nba-okc-lal-2026-05-11';
const a = atVenueA(GAME, 'okc-lal', 'Thunder vs. Lakers', {
  markets: [
    ofVenueA('Thunder vs. Lakers', 'moneyline', ['Thunder', 'Lakers']),
    ofVenueA('Spread: Lakers (-4.5)', 'spreads', ['Lakers', 'Thunder'], '-4.5'),
    ofVenueA('Thunder vs. Lakers: O/U 221.5', 'totals', ['Over', 'Under'], '221.5'),
    ofVenueA('Thunder vs. Lakers: 1H O/U 110.5', 'first_half_totals', ['Over', 'Under'], '110.5'),
  ],
});
const winners = { OKC: 'Oklahoma City', LAL: 'Los Angeles L' };
const titled = (title: string) => atVenueB(GAME, 'OKCLAL', title, winners);

const STAGES = [
  'Game 4: ',
  'Game 7 (If Necessary): ',
  'Play-In: ',
  'West Play-In: ',
  'Round 1 Game 2: ',
  'Quarterfinal: ',
  'Western Conference Semifinals: Game 4: ',
  'Finals - Game 3: ',
  'NBA Finals, Game 3: ',
  'NBA Cup Final – ',
  'Game 4 - ',
  'Game 4 ',
  '(Game 4) ',
];

describe('a game of a stage is that game', () => {
  it.each(STAGES)('“%s…”', stage => {
    for (const form of ['at', 'vs', 'vs.', '@']) {
      expect(merged(build(a, titled(`${stage}Oklahoma City ${form} Los Angeles L`)))).toEqual([EVENT]);
    }
    expect(
      merged(build({ ...a, title: `${stage}Thunder vs. Lakers` }, titled('Oklahoma City at Los Angeles L'))),
    ).toEqual([EVENT]);
  });

  it.each([' (Game 4)', ': Game 4', ' - Game 4', ' Game 4', ' Winner?', ': Winner?'])('“…%s”', end => {
    expect(merged(build(a, titled(`Oklahoma City at Los Angeles L${end}`)))).toEqual([EVENT]);
  });

  it('with its spreads, totals and halves', () => {
    const part = (word: string, asked: string, code: string, label: string, line: string) =>
      seriesOfB(GAME, 'OKCLAL', `Game 4: Oklahoma City at Los Angeles L: ${asked}`, word, [{ code, label, line }]);
    const catalog = build(
      a,
      titled('Game 4: Oklahoma City at Los Angeles L'),
      part('SPREAD', 'Spread', 'LAL5', 'Los Angeles L wins by over 4.5 points', '4.5'),
      part('TOTAL', 'Total Points', '222', 'Over 221.5 points scored', '221.5'),
      part('1HTOTAL', 'First Half Total', '111', 'Over 110.5 points scored', '110.5'),
    );
    expect(merged(catalog)).toEqual([EVENT]);
    expect(routes(marketOf(catalog, `${EVENT}:moneyline`))[0]).toBe('Los Angeles Lakers: A, LAL YES, OKC NO');
    expect(routes(marketOf(catalog, `${EVENT}:spread:-4.5`))[0]).toBe('Los Angeles Lakers -4.5: A, LAL5 YES');
    expect(routes(marketOf(catalog, `${EVENT}:total:221.5`))[0]).toBe('Over 221.5: A, 222 YES');
    expect(routes(marketOf(catalog, `${EVENT}:first-half-total:110.5`))[0]).toBe('Over 110.5: A, 111 YES');
  });

  it('in hockey and in tennis, with surnames', () => {
    const hockey: Listed = { league: 'NHL', date: '2026-05-10', startsAt: '2026-05-11T01:30:00Z' };
    const vegas = atVenueB(hockey, 'VGKANA', 'Game 4: Vegas at Anaheim', { VGK: 'Vegas', ANA: 'Anaheim' });
    const ofA = atVenueA(hockey, 'las-ana', 'Golden Knights vs. Ducks');
    expect(merged(build(ofA, vegas))).toEqual(['nhl-vgk-ana-2026-05-10']);
    const tennis: Listed = { league: 'ATP', date: '2026-05-10', startsAt: '2026-05-10T12:00:00Z' };
    const match = atVenueA(tennis, 'sinner-fritz', 'Italian Open: Jannik Sinner vs Taylor Fritz');
    const names = { SIN: 'Jannik Sinner', FRI: 'Taylor Fritz' };
    for (const title of [
      'Quarterfinal: Sinner vs Fritz',
      'Rome at 9 - Sinner vs Fritz',
      'Sinner vs Fritz: Round Of 16',
    ]) {
      expect(merged(build(match, atVenueB(tennis, 'SINFRI', title, names)))).toHaveLength(1);
    }
  });
});

it('a text that is no team’s name is not cut until it is one', () => {
  const game: Listed = { league: 'NCAAMB', date: '2026-01-24', startsAt: '2026-01-25T00:00:00Z' };
  const ofA = atVenueA(game, 'wash-duke', 'Washington Huskies vs. Duke Blue Devils');
  for (const name of ['George Washington', 'Eastern Washington', 'Washington Adventist', 'Stage Washington']) {
    expect(merged(build(ofA, atVenueB(game, 'XXXDUKE', `${name} at Duke`, {})))).toEqual([]);
  }
  expect(merged(build(ofA, atVenueB(game, 'XXXDUKE', 'Stage: Washington at Duke', {})))).toHaveLength(1);
});
