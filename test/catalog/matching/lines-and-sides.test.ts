// Lines of a game and of its first half, sides in reverse order, and markets that contradict themselves. Each could lead to the wrong
// outcome.

import { describe, expect, it } from 'vitest';
import type { VenueEvent, VenueMarket } from '../../../src/venues/discovery.ts';
import { build, ids, marketOf, NBA, routes } from './catalogs.ts';
import { atVenueA, atVenueB, type Listed, ofVenueA, seriesOfB } from './listings.ts';

describe('a game of both venues', () => {
  it('has lines of its first half, which are not those of the game', () => {
    const titled = 'Boston at Los Angeles L';
    const lakers = { code: 'LAL5', label: 'Los Angeles L wins by over 4.5 points', line: '4.5' };
    const over = { code: '112', label: 'Over 111.5 points scored', line: '111.5' };
    const catalog = build(
      atVenueA(NBA, 'bos-lal', 'Celtics vs. Lakers', {
        markets: [
          ofVenueA('1H Spread: Lakers (-4.5)', 'first_half_spreads', ['Lakers', 'Celtics'], '-4.5'),
          ofVenueA('Celtics vs. Lakers: 1H O/U 111.5', 'first_half_totals', ['Over', 'Under'], '111.5'),
        ],
      }),
      seriesOfB(NBA, 'BOSLAL', titled, '1HSPREAD', [
        lakers,
        { ...lakers, code: 'BOS5', label: lakers.label.replace('Los Angeles L', 'Boston') },
      ]),
      seriesOfB(NBA, 'BOSLAL', titled, '1HTOTAL', [over]),
      seriesOfB(NBA, 'BOSLAL', titled, 'SPREAD', [{ ...lakers, code: 'WHOLE' }]),
      seriesOfB(NBA, 'BOSLAL', titled, 'TOTAL', [{ ...over, code: 'WHOLE' }]),
    );
    const event = 'nba-bos-lal-2026-11-20';
    expect(routes(marketOf(catalog, `${event}:first-half-spread:-4.5`))).toEqual([
      'Los Angeles Lakers -4.5: A, LAL5 YES',
      'Boston Celtics +4.5: A, LAL5 NO',
    ]);
    expect(routes(marketOf(catalog, `${event}:first-half-spread:4.5`))).toEqual([
      'Los Angeles Lakers +4.5: BOS5 NO',
      'Boston Celtics -4.5: BOS5 YES',
    ]);
    expect(routes(marketOf(catalog, `${event}:first-half-total:111.5`))).toEqual([
      'Over 111.5: A, 112 YES',
      'Under 111.5: A, 112 NO',
    ]);
    expect(routes(marketOf(catalog, `${event}:spread:-4.5`))[0]).toBe('Los Angeles Lakers -4.5: WHOLE YES');
    expect(routes(marketOf(catalog, `${event}:total:111.5`))[0]).toBe('Over 111.5: WHOLE YES');
  });
});

describe('a game whose sides the other venue has the other way round', () => {
  const titled = 'Los Angeles L vs Boston';
  /** The game is on neutral ground; otherwise it would be another game. */
  const home = 'Lakers';
  const total = { code: '222', label: 'Over 221.5 points scored', line: '221.5' };
  const spread = { code: 'LAL5', label: 'Los Angeles L wins by over 4.5 points', line: '4.5' };

  it('has its teams’ lines turned, and over stays over', () => {
    const catalog = build(
      atVenueA(NBA, 'lal-bos', 'Celtics vs. Lakers', {
        home,
        markets: [
          ofVenueA('Spread: Lakers (-4.5)', 'spreads', ['Lakers', 'Celtics'], '-4.5'),
          ofVenueA('Celtics vs. Lakers: O/U 221.5', 'totals', ['Over', 'Under'], '221.5'),
        ],
      }),
      seriesOfB(NBA, 'LALBOS', titled, 'SPREAD', [spread]),
      seriesOfB(NBA, 'LALBOS', titled, 'TOTAL', [total]),
    );
    const event = 'nba-bos-lal-2026-11-20';
    expect(ids(catalog)).toEqual([event]);
    expect(routes(marketOf(catalog, `${event}:spread:-4.5`))).toEqual([
      'Los Angeles Lakers -4.5: A, LAL5 YES',
      'Boston Celtics +4.5: A, LAL5 NO',
    ]);
    expect(routes(marketOf(catalog, `${event}:total:221.5`))).toEqual([
      'Over 221.5: A, 222 YES',
      'Under 221.5: A, 222 NO',
    ]);
  });

  it('has its draw where it was', () => {
    const game: Listed = { league: 'WC', date: '2026-07-06', startsAt: '2026-07-06T19:00:00Z' };
    const one = (label: string) => ({ ...ofVenueA(`Will ${label} win?`, 'moneyline', ['Yes', 'No']), label });
    const catalog = build(
      atVenueA(game, 'prt-esp', 'Portugal vs. Spain', {
        markets: [one('Portugal'), one('Draw (Portugal vs. Spain)'), one('Spain')],
      }),
      atVenueB(game, 'ESPPOR', 'Spain vs Portugal', { ESP: 'Spain', TIE: 'Tie', POR: 'Portugal' }),
    );
    expect(routes(marketOf(catalog, 'fifa-world-cup-por-esp-2026-07-06:three-way'))).toEqual([
      'Portugal: A, POR YES',
      'Draw: A, TIE YES',
      'Spain: A, ESP YES',
    ]);
  });
});

describe('a market that contradicts itself or its game', () => {
  const EPL: Listed = { league: 'EPL', date: '2026-11-21', startsAt: '2026-11-21T15:00:00Z' };
  const nba = (it: VenueMarket) => atVenueA(NBA, 'bos-lal', 'Celtics vs. Lakers', { markets: [it] });
  const epl = (it: VenueMarket) => atVenueA(EPL, 'ars-che', 'Arsenal FC vs. Chelsea FC', { markets: [it] });
  const atB = (word: string, label: string, line: string | null) =>
    seriesOfB(NBA, 'BOSLAL', 'Boston at Los Angeles L', word, [{ code: 'X', label, line }]);
  const lakers = ['Lakers', 'Celtics'];
  const overUnder = ['Over', 'Under'];

  it.each<[string, VenueEvent]>([
    ['a spread of another line', nba(ofVenueA('Spread: Lakers (-4.5)', 'spreads', lakers, '-3.5'))],
    ['a spread without a line', nba(ofVenueA('Spread: Lakers (-4.5)', 'spreads', lakers))],
    [
      'a spread whose other side comes first',
      nba(ofVenueA('Spread: Lakers (-4.5)', 'spreads', lakers.toReversed(), '-4.5')),
    ],
    ['a spread of another club', nba(ofVenueA('Spread: Heat (-4.5)', 'spreads', ['Heat', 'Celtics'], '-4.5'))],
    ['a spread without outcomes of its game', nba(ofVenueA('Spread: Lakers (-4.5)', 'spreads', ['Yes', 'No'], '-4.5'))],
    [
      'a spread of a half that says it is of the game',
      nba(ofVenueA('1H Spread: Lakers (-4.5)', 'spreads', lakers, '-4.5')),
    ],
    [
      'a spread of a game that says it is of a half',
      nba(ofVenueA('Spread: Lakers (-4.5)', 'first_half_spreads', lakers, '-4.5')),
    ],
    ['a spread in other words', nba(ofVenueA('Lakers by five', 'spreads', lakers, '-4.5'))],
    [
      'a total whose under comes first',
      nba(ofVenueA('Celtics vs. Lakers: O/U 221.5', 'totals', overUnder.toReversed(), '221.5')),
    ],
    ['a total of another line', nba(ofVenueA('Celtics vs. Lakers: O/U 221.5', 'totals', overUnder, '220.5'))],
    [
      'a total of a half that says it is of the game',
      nba(ofVenueA('Celtics vs. Lakers: 1H O/U 111.5', 'totals', overUnder, '111.5')),
    ],
    ['a total in other words', nba(ofVenueA('Celtics vs. Lakers: points', 'totals', overUnder, '221.5'))],
    [
      'a winner of two where there may be a draw',
      epl(ofVenueA('Arsenal FC vs. Chelsea FC', 'moneyline', ['Arsenal FC', 'Chelsea FC'])),
    ],
    [
      'a winner by yes and no where there is none',
      nba({ ...ofVenueA('Will the Lakers win?', 'moneyline', ['Yes', 'No']), label: 'Lakers' }),
    ],
    [
      'a winner who does not play',
      epl({ ...ofVenueA('Will Fulham win?', 'moneyline', ['Yes', 'No']), label: 'Fulham FC' }),
    ],
    ['venue B’s spread of another line', atB('SPREAD', 'Los Angeles L wins by over 4.5 points', '5.5')],
    ['venue B’s spread in other words', atB('SPREAD', 'Los Angeles L by five', '4.5')],
    ['venue B’s total of another line', atB('TOTAL', 'Over 221.5 points scored', '222.5')],
    ['venue B’s total in other words', atB('TOTAL', 'At least 222 points', '221.5')],
    ['venue B’s advance of another club', atB('ADVANCE', 'Miami advances', null)],
  ])('%s stands for itself', (_what, event) => {
    const { events, markets } = build(event);
    expect(events).toHaveLength(1);
    expect(markets.map(({ id }) => id)).toEqual([`${event.venue}:${event.markets[0]!.marketId}`]);
  });
});
