// Names and codes of teams in the forms that the venues write: what means one team, what means none, and what could mean two.

import { describe, expect, it } from 'vitest';
import { COMPETITIONS } from '../../../src/catalog/leagues/competitions.ts';
import type { TeamTable } from '../../../src/catalog/leagues/team-table.ts';
import { build, marketOf, merged, routes } from '../matching/catalogs.ts';
import { atVenueA, atVenueB, ofVenueA } from '../matching/listings.ts';

function teamsOf(competition: string): TeamTable {
  const teams = COMPETITIONS.find(({ id }) => id === competition)?.teams;
  if (teams === undefined || teams === null) throw new Error(`${competition} has no teams`);
  return teams;
}

const named = (competition: string, name: string): readonly string[] =>
  teamsOf(competition)
    .allNamed(name)
    .map(team => team.name);

describe('a code', () => {
  it.each([
    ['nfl', 'LAR', 'Los Angeles Rams'],
    ['nfl', 'GB Packers', 'Green Bay Packers'],
    ['nhl', 'ANA Ducks', 'Anaheim Ducks'],
    ['nhl', 'ANA', 'Anaheim Ducks'],
    ['nba', 'PHI 76ers', 'Philadelphia 76ers'],
    ['nba', 'PHI Sixers', 'Philadelphia 76ers'],
    ['nba', 'GSW Warriors', 'Golden State Warriors'],
    ['wnba', 'LVA Aces', 'Las Vegas Aces'],
    ['mlb', 'BOS Red Sox', 'Boston Red Sox'],
    ['cfl', 'SSK Roughriders', 'Saskatchewan Roughriders'],
    ['cfb', 'UW Huskies', 'Washington'],
    ['epl', 'MCI', 'Manchester City'],
  ])('4016: is a name in %s, also before a nickname: %s', (competition, name, team) => {
    expect(named(competition, name)).toEqual([team]);
  });

  it.each([
    ['nfl', 'LAR Panthers'],
    ['nfl', 'Gb Packers'],
    ['nfl', 'Min'],
    ['nhl', 'ANA Kings'],
    ['nhl', 'XYZ Ducks'],
  ])('4016: is no name in small letters, or before the nickname of others: %s, %s', (competition, name) => {
    expect(named(competition, name)).toEqual([]);
  });

  const AMERICAN = ['nba', 'wnba', 'nfl', 'cfl', 'nhl', 'mlb'];
  it.each(AMERICAN)('4016: means its team before each of its names, and by itself: %s', competition => {
    const table = teamsOf(competition);
    for (const team of table.teams) {
      const code = team.id.toUpperCase();
      const nickname = team.name.split(' ').at(-1)!;
      expect([team.name, table.allNamed(code).includes(team)]).toEqual([team.name, true]);
      const called = table.allNamed(nickname).includes(team);
      if (called) expect(table.allNamed(`${code} ${nickname}`)).toEqual([team]);
    }
  });

  it('4016: names a side of a game of venue A, and its outcome', () => {
    const game = { league: 'NFL', date: '2026-11-22', startsAt: '2026-11-22T21:25:00Z' };
    const title = 'LAR vs. Panthers';
    const catalog = build(
      atVenueA(game, 'lar-car', title, { markets: [ofVenueA(title, 'moneyline', ['LAR', 'Panthers'])] }),
      atVenueB(game, 'LACAR', 'Los Angeles R at Carolina', { LA: 'Los Angeles R', CAR: 'Carolina' }),
    );
    expect(merged(catalog)).toEqual(['nfl-la-car-2026-11-22']);
    expect(routes(marketOf(catalog, 'nfl-la-car-2026-11-22:moneyline'))).toEqual([
      'Carolina Panthers: A, CAR YES',
      'Los Angeles Rams: A, LA YES',
    ]);
  });
});

describe('a club', () => {
  it.each([
    ['bundesliga', 'Koeln', 'Köln'],
    ['bundesliga', 'FC Bayern Muenchen', 'Bayern Munich'],
    ['bundesliga', 'Borussia Moenchengladbach', 'Borussia Mönchengladbach'],
    ['bundesliga-2', 'Greuther Fuerth', 'Greuther Fürth'],
    ['eliteserien', 'Tromsoe', 'Tromsø'],
    ['eliteserien', 'Bodoe/Glimt', 'Bodø/Glimt'],
    ['eliteserien', 'Vaalerenga', 'Vålerenga'],
    ['superliga', 'Soenderjyske', 'Sønderjyske'],
    ['superliga', 'FC Koebenhavn', 'Copenhagen'],
    ['super-lig', 'Goeztepe', 'Göztepe'],
  ])('4018: is meant by each transcription of its name: %s, %s', (competition, name, club) => {
    expect(named(competition, name)).toEqual([club]);
  });

  it.each(["'", '’', '‘', '´', '`', 'ʼ'])('4018: is meant with any sign for an apostrophe: %s', sign => {
    expect(named('bundesliga', `Borussia M${sign}gladbach`)).toEqual(['Borussia Mönchengladbach']);
    expect(named('chile', `O${sign}Higgins`)).toEqual(["O'Higgins"]);
  });

  it.each([
    ['bundesliga', '1. FC Heidenheim 1846', 'Heidenheim'],
    ['bundesliga', 'VfB Stuttgart 1893', 'Stuttgart'],
    ['bundesliga', 'FSV Mainz', 'Mainz'],
    ['bundesliga-2', '1.FC Nuernberg', 'Nürnberg'],
    ['bundesliga-2', 'Hannover', 'Hannover'],
    ['china', 'Zhejiang Prof.', 'Zhejiang'],
    ['la-liga', 'RC Celta de Vigo', 'Celta Vigo'],
    ['chile', 'U de Concepción', 'Universidad de Concepción'],
    ['peru', 'U. de Deportes', 'Universitario'],
    ['belgium', 'KV Cercle Brugge', 'Cercle Brugge'],
    ['liga-portugal', 'FC Alverca SAD', 'Alverca'],
    ['ligue-1', 'Stade Brest 29', 'Brest'],
    ['super-lig', 'Galatasaray A.Ş.', 'Galatasaray'],
  ])('4018: is meant with and without words for a club and years: %s, %s', (competition, name, club) => {
    expect(named(competition, name)).toEqual([club]);
  });

  it.each([
    ['la-liga', 'Vallecano', 'Rayo Vallecano'],
    ['la-liga', 'Santander', 'Racing Santander'],
    ['la-liga', 'La Coruna', 'Deportivo La Coruña'],
    ['eredivisie', 'Nijmegen', 'NEC Nijmegen'],
    ['eredivisie', 'Alkmaar', 'AZ Alkmaar'],
    ['liga-portugal', 'Estrela', 'Estrela Amadora'],
    ['mls', 'Whitecaps', 'Vancouver Whitecaps'],
    ['super-lig', 'Kocaeli', 'Kocaelispor'],
    ['super-lig', 'Goztepe Izmir', 'Göztepe'],
    ['liga-portugal', 'Vicente Barcelos', 'Gil Vicente'],
    ['liga-portugal', 'Casa Pia Lisbon', 'Casa Pia'],
    ['ucl', 'Fenerbahce Istanbul', 'Fenerbahçe'],
  ])('4018: is meant by its short name or its city, alone or behind the name: %s, %s', (competition, name, club) => {
    expect(named(competition, name)).toEqual([club]);
  });

  it.each([
    ['bundesliga', 'Borussia', []],
    ['eredivisie', 'Rotterdam', []],
    ['argentina', 'La Plata', []],
    ['epl', 'United', []],
    ['belgium', 'Brugge', ['Club Brugge', 'Cercle Brugge']],
    ['chile', 'Concepción', ['Deportes Concepción', 'Universidad de Concepción']],
    ['bundesliga', 'Bayern München II', []],
    ['la-liga', 'Real Sociedad B', []],
    ['bundesliga', 'TSV 1860 München', []],
    ['dfb-pokal', 'BFC Dynamo', []],
    ['eredivisie', 'Jong Ajax', []],
    ['dfb-pokal', '1860 Munich', []],
    ['la-liga-2', 'Bilbao Athletic', []],
    ['ligue-2', 'Red Star Belgrade', []],
    ['brasileirao', 'Botafogo SP', []],
    ['ucl', 'AEK Larnaca', []],
    ['ucl', 'Vikingur Reykjavik', []],
    ['copa-del-rey', 'Atletico Baleares', []],
    ['eredivisie', 'FC Alkmaar B', []],
    ['liga-portugal', 'Lisbon', []],
  ])('4018: is not meant where another one could be: %s, %s', (competition, name, clubs) => {
    expect(named(competition, name)).toEqual(clubs);
  });

  it.each(['Sparta', 'Slavia', 'Dinamo', 'Sofia', 'Union', 'Belgrade'])(
    '4018: is not meant by a part of its name in a cup with clubs that are not known: %s',
    name => {
      expect(named('ucl', name)).toEqual([]);
    },
  );

  it('4018: is found by no name of a club of another league', () => {
    const names = COMPETITIONS.filter(({ sport }) => sport.id === 'soccer').flatMap(({ teams }) =>
      (teams?.teams ?? []).map(({ name }) => name),
    );
    const taken = (competition: string) =>
      [...new Set(names)].filter(
        name => !named(competition, name).includes(name) && named(competition, name).length > 0,
      );
    expect(taken('epl')).toEqual([]);
    expect(taken('bundesliga')).toEqual([]);
    expect(taken('serie-a')).toEqual([]);
    expect(taken('eliteserien')).toEqual([]);
  });
});
