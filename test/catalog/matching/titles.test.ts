// Titles of games: stages, sides in every order, ties and names.

import { describe, expect, it } from 'vitest';
import { build, marketOf, merged, routes } from './catalogs.ts';
import { atVenueA, atVenueB, type Listed, ofVenueA, seriesOfB } from './listings.ts';

// Found on real listings: venue B titles a playoff game `Game 4: Oklahoma City at Los Angeles L`. The stage was read as a part of the first team's
// name, so no playoff game was paired, nor were its spreads, totals and halves.
describe('3014: a stage before the teams', () => {
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
});

// Found on real listings: venue B titles a soccer game `Chelsea vs Tottenham` and its totals `Tottenham at Chelsea: Totals`. The two titles counted
// as different teams, and the game was lost: 97 of 109 games in one league. `at` names the home team second, in every sport; `vs` and codes follow
// the competition's order. If listings contradict each other on the home team, only the home team is lost.
describe('3015: home and away in every order', () => {
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
    it.each(['Chelsea at Tottenham', 'Tottenham vs Chelsea'])(
      'of one venue lose that, and not the game: “%s”',
      words => {
        const catalog = build(a, game(words), totals('Tottenham at Chelsea: Totals'));
        expect(merged(catalog)).toEqual([EVENT]);
        expect(routes(marketOf(catalog, `${EVENT}:three-way`))[0]).toBe('Chelsea: A, CFC YES');
        const [event] = build(game('Chelsea at Tottenham')).events;
        expect(event!.participants.map(({ role }) => role)).toEqual(['COMPETITOR', 'COMPETITOR']);
      },
    );

    it('of two venues cost confidence in leagues without two games a day, and the pair in others', () => {
      const turned = { ...a, subTitle: 'epl-tot-che-2026-05-19', title: 'Tottenham Hotspur FC vs. Chelsea FC' };
      const [event] = build(turned, game('Chelsea vs Tottenham')).events;
      expect(event!.matching.confidence).toBe(95);
      expect(event!.matching.evidence).toContain('the venues disagree on who is at home');
      const nba: Listed = { league: 'NBA', date: '2026-11-20', startsAt: '2026-11-21T03:00:00Z' };
      const ofB = (words: string, codes: string) =>
        atVenueB(nba, codes, words, { BOS: 'Boston', LAL: 'Los Angeles L' });
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
});

// Found on real listings: the ticker of Learner Tien ends with `-TIE`, as that of a draw does: `KXATPMATCH-26MAY10TIEBUB-TIE`. His market counted as
// a draw, which tennis does not have. The label of a market states its meaning; the end of its ticker does not.
describe('3016: a player coded tie', () => {
  const MATCH: Listed = { league: 'ATP', date: '2026-05-10', startsAt: '2026-05-10T12:00:00Z' };

  it('the player’s market is his, and no draw', () => {
    const catalog = build(
      atVenueA(MATCH, 'tien-bublik', 'Italian Open: Learner Tien vs Alexander Bublik'),
      atVenueB(MATCH, 'TIEBUB', 'Tien vs Bublik', { TIE: 'Learner Tien', BUB: 'Alexander Bublik' }),
    );
    expect(routes(marketOf(catalog, 'atp-learner-tien-alexander-bublik-2026-05-10:moneyline'))).toEqual([
      'Learner Tien: A, TIE YES, BUB NO',
      'Alexander Bublik: A, BUB YES, TIE NO',
    ]);
  });

  it('a draw is one by what its market says, and only where there are draws', () => {
    const nfl: Listed = { league: 'NFL', date: '2026-11-22', startsAt: '2026-11-22T18:00:00Z' };
    const tied = build(
      atVenueB(nfl, 'DALNYG', 'Dallas at New York G', { DAL: 'Dallas', NYG: 'New York G', TIE: 'Tie' }),
    );
    expect(tied.markets.map(({ id }) => id)).toEqual([
      'nfl-dal-nyg-2026-11-22:moneyline',
      'venue_b:KXNFLGAME-26NOV22DALNYG-TIE',
    ]);
    const epl: Listed = { league: 'EPL', date: '2026-11-21', startsAt: '2026-11-21T15:00:00Z' };
    const one = (label: string) => ({ ...ofVenueA(`Will ${label} win?`, 'moneyline', ['Yes', 'No']), label });
    for (const [code, label] of [
      ['TIE', 'Tie'],
      ['TIE', ''],
      ['DRAW', 'Draw'],
      ['X', 'Tie is the result'],
    ] as const) {
      const drawn = build(
        atVenueA(epl, 'ars-che', 'Arsenal FC vs. Chelsea FC', { markets: [one('Arsenal FC'), one('Draw')] }),
        atVenueB(epl, 'ARSCFC', 'Arsenal vs Chelsea', { ARS: 'Arsenal', [code]: label }),
      );
      expect(routes(marketOf(drawn, 'epl-ars-che-2026-11-21:three-way'))).toContain(`Draw: A, ${code} YES`);
    }
  });
});
