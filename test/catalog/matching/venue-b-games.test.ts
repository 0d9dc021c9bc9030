// How venue B's listings of games are read.

import { describe, expect, it } from 'vitest';
import { venueBGames } from '../../../src/catalog/matching/venue-b-games.ts';
import type { JsonObject } from '../../../src/core/domain/json.ts';
import type { VenueEvent } from '../../../src/venues/discovery.ts';
import { readVenueAEvent } from '../../../src/venues/venue-a/discovery.ts';
import { readVenueBEvent } from '../../../src/venues/venue-b/discovery.ts';
import { venueAEvent, venueAMarket, venueBEvent, venueBMarket } from '../venue-objects.ts';
import { build, ids, lakersA, marketOf, merged, NBA, routes } from './catalogs.ts';
import { atVenueA, atVenueB, type Listed, seriesOfB } from './listings.ts';

const RULES_OF_A =
  'This market will resolve to "France" if France is the team that officially advances from this match to the next round of the FIFA World Cup, or is crowned winner of the competition if this match is the final.';
const rulesOfB = (stage: string): string =>
  `If France advance past England in the France vs England soccer match in the ${stage} of the FIFA World Cup, then the market resolves to Yes.`;

function atA(description: string | undefined): VenueEvent {
  const market: JsonObject = {
    question: 'France vs. England: Team to Advance',
    outcomes: '["France", "England"]',
    sportsMarketType: 'soccer_team_to_advance',
    description,
  };
  const event = {
    slug: 'fifwc-fra-eng-2026-07-18-more-markets',
    title: 'France vs. England - More Markets',
    teams: [],
  };
  const read = readVenueAEvent(venueAEvent(5, [venueAMarket(1, market)], event));
  if (read === 'malformed') throw new Error(read);
  return read.event;
}

function atB(rules: string | undefined): VenueEvent {
  const ticker = 'KXWCADVANCE-26JUL18FRAENG';
  const market = venueBMarket(`${ticker}-FRA`, { yes_sub_title: 'France advances', rules_primary: rules });
  const event = { series_ticker: 'KXWCADVANCE', title: 'France vs England: To Advance', sub_title: '' };
  const read = readVenueBEvent(venueBEvent(ticker, [market], event), () => null);
  if (read === 'malformed') throw new Error(read);
  return read.event;
}

const advances = (a: VenueEvent, b: VenueEvent): readonly string[] =>
  build(a, b)
    .markets.filter(({ outcomes }) => new Set(outcomes[0]!.listings.map(({ route }) => route.venue)).size === 2)
    .map(({ id }) => id);

describe('who advances', () => {
  it.each(['Round Of 16', 'Round of 32', 'Quarterfinal', 'Quarter-Final', 'Semifinals', 'Final'])(
    '4008: is one market where both rules confirm it: %s',
    stage => {
      expect(advances(atA(RULES_OF_A), atB(rulesOfB(stage)))).toEqual(['fifa-world-cup-fra-eng-2026-07-18:advance']);
    },
  );

  it.each([
    ['a match for third place', RULES_OF_A, rulesOfB('Third Place Match')],
    ['a third place final', RULES_OF_A, rulesOfB('Third Place Final')],
    ['a bronze final', RULES_OF_A, rulesOfB('Bronze Final')],
    ['an unknown stage', RULES_OF_A, rulesOfB('Play-Off')],
    [
      'a winner of the match',
      RULES_OF_A,
      'If France wins the France vs England soccer match, then it resolves to Yes.',
    ],
    ['no rule at venue B', RULES_OF_A, undefined],
    ['no rule at venue A', undefined, rulesOfB('Final')],
    ['another rule at venue A', 'This market will resolve to the team that wins third place.', rulesOfB('Final')],
  ])('4008: is not one market with %s', (_what, rulesOfA, rules) => {
    expect(advances(atA(rulesOfA), atB(rules))).toEqual([]);
  });
});

describe('winners of soccer', () => {
  const final = { league: 'FACUP', date: '2027-05-15', startsAt: '2027-05-15T15:00:00Z' };
  const sides = { ARS: 'Arsenal', CHE: 'Chelsea' };
  const idsOf = (event: VenueEvent) => build(event).markets.map(({ id }) => id);

  it('4008: are not of 90 minutes where no market of the draw is beside them', () => {
    expect(idsOf(atVenueB(final, 'ARSCHE', 'Arsenal vs Chelsea', sides))).toEqual([
      'venue_b:KXFACUPGAME-27MAY15ARSCHE-ARS',
      'venue_b:KXFACUPGAME-27MAY15ARSCHE-CHE',
    ]);
    expect(idsOf(atVenueB(final, 'ARSCHE', 'Arsenal vs Chelsea', { ...sides, TIE: 'Tie' }))).toEqual([
      'fa-cup-ars-che-2027-05-15:three-way',
    ]);
  });
});

describe('a doubleheader', () => {
  const day: Listed = { league: 'MLB', date: '2026-04-26', startsAt: '2026-04-26T17:40:00Z' };
  const atA = atVenueA(day, 'col-nym', 'Colorado Rockies vs. New York Mets', { gameId: '1' });
  const winner = (codes: string) =>
    atVenueB(day, codes, 'Colorado vs New York M', { COL: 'Colorado', NYM: 'New York M' });
  const spread = (codes: string, game: number) =>
    seriesOfB(day, codes, `Colorado vs New York M: Game ${game} Spread`, 'SPREAD', [
      { code: 'NYM2', label: 'New York M wins by over 1.5 runs', line: '1.5' },
    ]);

  it('4015: is one game where only some of its listings have its mark', () => {
    const catalog = build(atA, winner('1340COLNYM'), spread('1340COLNYMG1', 1));
    expect(merged(catalog)).toEqual(['mlb-col-nym-2026-04-26']);
    expect(ids(catalog)).toHaveLength(1);
    expect(routes(marketOf(catalog, 'mlb-col-nym-2026-04-26:spread:-1.5'))).toEqual([
      'New York Mets -1.5: NYM2 YES',
      'Colorado Rockies +1.5: NYM2 NO',
    ]);
  });

  it('4015: is two games by its clocks, each with its mark or without', () => {
    const catalog = build(
      atA,
      winner('1340COLNYM'),
      spread('1340COLNYMG1', 1),
      winner('1840COLNYM'),
      spread('1840COLNYMG2', 2),
    );
    expect(ids(catalog)).toEqual(['mlb-col-nym-2026-04-26', 'mlb-col-nym-2026-04-26-2']);
    expect(merged(catalog)).toEqual(['mlb-col-nym-2026-04-26']);
  });

  it('4015: is not one game where two marks have one clock', () => {
    const catalog = build(winner('1340COLNYMG1'), winner('1340COLNYMG2'));
    expect(ids(catalog)).toEqual(['mlb-col-nym-2026-04-26', 'mlb-col-nym-2026-04-26-2']);
  });

  it('4015: has no mark in esports, where a squad may be called so', () => {
    const match = { league: 'CS2', date: '2026-04-26', startsAt: '2026-04-26T17:40:00Z' };
    const games = venueBGames().of([atVenueB(match, '1340VPG2', 'Virtus.pro vs G2', { VP: 'Virtus.pro', G2: 'G2' })]);
    expect(games.map(({ key }) => key)).toEqual(['venue_b/cs2/26APR261340VPG2']);
  });
});

describe('a part of a game', () => {
  const titled = 'Boston at Los Angeles L';
  const lineOf = (word: string, label: string, line: string) =>
    build(seriesOfB(NBA, 'BOSLAL', titled, word, [{ code: 'X', label, line }])).markets.map(({ id }) => id);

  it.each([
    'wins the 1H by over 3.5 points',
    'wins 1H by over 3.5 points',
    'wins the 1st half by over 3.5 points',
    'wins the first half by over 3.5 points',
    'wins 1st half by more than 3.5 points',
    'wins by over 3.5 points in the 1st Half',
    'wins by over 3.5 1H points',
    'wins by over 3.5 points',
  ])('4017: is the first half in each form of the word: %s', words => {
    expect(lineOf('1HSPREAD', `Los Angeles L ${words}`, '3.5')).toEqual([
      'nba-bos-lal-2026-11-20:first-half-spread:-3.5',
    ]);
  });

  it.each(['Over 110.5 1H points scored', 'Over 110.5 points scored in the first half', 'Over 110.5 points scored'])(
    '4017: is the first half of a total: %s',
    label => {
      expect(lineOf('1HTOTAL', label, '110.5')).toEqual(['nba-bos-lal-2026-11-20:first-half-total:110.5']);
    },
  );

  it.each([
    ['1HSPREAD', 'Los Angeles L wins the 2H by over 3.5 points'],
    ['1HSPREAD', 'Los Angeles L wins 1Q by over 3.5 points'],
    ['1HSPREAD', 'Los Angeles L wins the game by over 3.5 points'],
    ['SPREAD', 'Los Angeles L wins the 1H by over 3.5 points'],
    ['SPREAD', 'Los Angeles L wins by over 3.5 points in the 1st half'],
    ['SPREAD', 'Los Angeles L wins 4Q by over 3.5 points'],
    ['SPREAD', 'Los Angeles L wins by over 3.5 points in overtime'],
    ['TOTAL', 'Over 3.5 1H points scored'],
    ['TOTAL', 'Over 3.5 points scored in the 2nd quarter'],
    ['1HTOTAL', 'Over 3.5 2H points scored'],
  ])('4017: is never another than its series says: %s, %s', (word, label) => {
    expect(lineOf(word, label, '3.5')).toEqual([`venue_b:KXNBA${word}-26NOV20BOSLAL-X`]);
  });

  it('4017: is the whole game in regulation time, where a draw ends it', () => {
    const epl = { league: 'EPL', date: '2026-11-21' };
    const over = { code: '3', label: 'Over 2.5 goals scored in regulation time', line: '2.5' };
    const listed = seriesOfB(epl, 'ARSCHE', 'Arsenal vs Chelsea: Regulation Time Totals', 'TOTAL', [over]);
    expect(build(listed).markets.map(({ id }) => id)).toEqual(['epl-ars-che-2026-11-21:total:2.5']);
    expect(lineOf('TOTAL', 'Over 210.5 points scored in regulation time', '210.5')).toEqual([
      'venue_b:KXNBATOTAL-26NOV20BOSLAL-X',
    ]);
  });

  it('4017: is the same market as at venue A, in each form of its words there', () => {
    for (const part of ['1H', '1st Half', 'First Half']) {
      const markets = [
        { ...lakersA().markets[0]!, kind: 'first_half_spreads', title: `${part} Spread: Lakers (-3.5)`, line: '-3.5' },
      ].map(it => ({ ...it, outcomes: [...it.outcomes].reverse() }));
      const catalog = build(
        { ...lakersA(), markets },
        seriesOfB(NBA, 'BOSLAL', titled, '1HSPREAD', [
          { code: 'LAL4', label: 'Los Angeles L wins the 1H by over 3.5 points', line: '3.5' },
        ]),
      );
      expect(routes(marketOf(catalog, 'nba-bos-lal-2026-11-20:first-half-spread:-3.5'))).toEqual([
        'Los Angeles Lakers -3.5: A, LAL4 YES',
        'Boston Celtics +3.5: A, LAL4 NO',
      ]);
    }
  });
});

describe('a listing that is not read', () => {
  const why = (league: string, word: string) =>
    venueBGames()
      .unread([seriesOfB({ league, date: '2026-11-20' }, 'BOSLAL', 'Boston at Los Angeles L', word, [])])
      .map(it => it.why);

  it.each([
    ['NBA', 'TEAMTOTAL', 'total of one team'],
    ['MLB', 'F5TOTAL', 'total of the first innings'],
    ['MLB', 'F5SPREAD', 'spread of the first innings'],
    ['WNBA', '2HSPREAD', 'spread of the second half'],
    ['NFL', '1QTOTAL', 'total of a quarter'],
    ['NHL', '1PTOTAL', 'total of a period'],
    ['BRASILEIRO', 'TEAMTOTAL', 'total of one team'],
    ['NBA', '1HTEAMTOTAL', 'total of one team'],
  ])('4020: says that questions of its kind are not read: %s %s', (league, word, words) => {
    expect(why(league, word)).toEqual([`questions of its kind are not read: ${words}`]);
  });

  it.each([
    ['NPB', 'TOTAL'],
    ['BRASILEIROC', 'TOTAL'],
    ['NBAGLEAGUE', 'GAME'],
  ])('4020: says that its competition is not known: %s %s', (league, word) => {
    expect(why(league, word)).toEqual(['its competition is not known']);
  });
});
