// Found on real listings. Some names were in no table (`New York K`, 18 of 174 games of MLS, 203 of 268 of college basketball). A tournament had no
// rule (`KXMENWORLDCUP-26-AR`), and no list showed the gaps. Now tables are complete, names have forms, and a command prints the gaps.

import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openCatalogStore } from '../../src/catalog/catalog-store.ts';
import { teamTable } from '../../src/catalog/leagues/team-table.ts';
import { catalogCommand } from '../../src/tools/cli/catalog.ts';
import { CommandRig } from '../tools/cli/command-rig.ts';
import { build, marketOf, merged, routes } from './matching/catalogs.ts';
import { atVenueA, atVenueB, type Listed, ofVenueA, seriesOfB } from './matching/listings.ts';

/** Each row has both venues' names of one team. */
const NAMES: readonly (readonly [table: string, readonly string[]])[] = [
  ['nba', ['New York K', 'New York', 'Knicks', 'NY Knicks', 'New York Knicks']],
  ['nba', ['Los Angeles L', 'LA L', 'Lakers', 'LA Lakers']],
  ['nba', ['Los Angeles C', 'LA Clippers', 'Clippers']],
  ['wnba', ['Los Angeles', 'LA Sparks', 'Sparks']],
  ['nhl', ['New York R', 'NY Rangers', 'Rangers']],
  ['nhl', ['New York I', 'Islanders']],
  ['nfl', ['New York J', 'NY Jets', 'Jets']],
  ['mlb', ['Chicago WS', 'Chicago W', 'White Sox', 'Chicago White Sox']],
  ['mlb', ['Los Angeles D', 'LA Dodgers', 'Dodgers']],
  ['mls', ['New York City', 'New York City FC', 'NYCFC']],
  ['mls', ['New York RB', 'New York Red Bulls', 'Red Bull New York']],
  ['mls', ['Los Angeles F', 'Los Angeles FC', 'LAFC']],
  ['mls', ['Los Angeles G', 'LA Galaxy']],
  ['mls', ['St. Louis', 'Saint Louis City SC', 'St. Louis City']],
  ['mls', ['San Diego', 'San Diego FC']],
  ['mls', ['Montreal', 'CF Montréal']],
  ['mls', ['Salt Lake', 'Real Salt Lake']],
  ['epl', ['Manchester Utd', 'Manchester United FC', 'Man United']],
  ['epl', ['Wolves', 'Wolverhampton', 'Wolverhampton Wanderers FC']],
  ['la-liga', ['Bilbao', 'Athletic Club', 'Athletic']],
  ['la-liga', ['Atletico', 'Club Atlético de Madrid']],
  ['bundesliga', ['Bayern Munich', 'FC Bayern München']],
  ['bundesliga', ['Cologne', '1. FC Köln']],
  ['serie-a', ['Inter', 'FC Internazionale Milano']],
  ['ligue-1', ['PSG', 'Paris Saint-Germain FC']],
  ['europe', ['Sporting CP', 'Sporting Lisbon']],
  ['colleges', ['Michigan St.', 'Michigan State', 'Michigan State Spartans', 'Michigan St Spartans']],
  ['colleges', ['N. Dakota St.', 'North Dakota State Bison']],
  ['colleges', ['N. Iowa', 'Northern Iowa Panthers']],
  ['colleges', ['St. John’s', 'St. Johns', "Saint John's Red Storm"]],
  ['colleges', ['Saint Mary’s', "St. Mary's", "Saint Mary's (CA) Gaels"]],
  ['colleges', ['Miami (FL)', 'Miami Florida', 'Miami Hurricanes']],
  ['colleges', ['Miami (OH)', 'Miami Ohio', 'Miami (OH) RedHawks']],
  ['colleges', ['UConn', 'Connecticut Huskies']],
  ['colleges', ['Texas A&M-CC', 'Texas A&M-Corpus Christi Islanders']],
  ['colleges', ['SE Louisiana', 'Southeastern Louisiana Lions']],
  ['colleges', ['SE Missouri St.', 'Southeast Missouri State Redhawks']],
  ['colleges', ['Cal St. Northridge', 'CSUN Matadors', 'CSU Northridge']],
  ['colleges', ['Boston Univ.', 'Boston U', 'Boston University Terriers']],
  ['colleges', ['Florida Int’l', 'FIU Panthers', 'Florida International']],
  ['colleges', ['UT Martin', 'Tennessee-Martin Skyhawks']],
  ['colleges', ['Loyola Chicago', 'Loyola-Chicago Ramblers']],
  ['colleges', ['Hawai’i', "Hawai'i Rainbow Warriors", 'Hawaii']],
  ['colleges', ['The Citadel', 'Citadel Bulldogs']],
  ['colleges', ['App State', 'Appalachian St. Mountaineers']],
  ['colleges', ['Ole Miss', 'Mississippi Rebels']],
];

describe('3017: the tables of teams', () => {
  it.each(NAMES)('%# have one team for every form of its name', (name, names) => {
    const table = teamTable(name);
    const teams = names.map(name => [name, table.named(name)?.id]);
    expect(teams).toEqual(names.map(name => [name, table.named(names.at(-1)!)!.id]));
  });

  it('tell schools apart whose names begin or end alike', () => {
    const schools =
      'Washington, Washington State, George Washington, Eastern Washington, Boston College, Boston University, Carolina, ' +
      'North Carolina, South Carolina, North Carolina Central, Michigan, Central Michigan, Indiana, Indiana State, Southern, ' +
      'Southern Miss, Texas, North Texas, Texas State, Texas Southern, Southern Illinois, Illinois State, Georgia, Georgia State';
    const known = schools.split(', ').map(name => teamTable('colleges').named(name)?.id ?? null);
    expect(known.filter(id => id === null)).toHaveLength(1);
    expect(new Set(known).size).toBe(known.length);
    expect(['Miami', 'Loyola'].map(name => teamTable('colleges').allNamed(name).length)).toEqual([2, 2]);
  });
});

describe('3017: a city of two teams', () => {
  const game: Listed = { league: 'NBA', date: '2026-11-20', startsAt: '2026-11-21T03:00:00Z' };
  const lakers = atVenueA(game, 'bos-lal', 'Celtics vs. Lakers');

  it('is the one that the codes say', () => {
    const ofB = (code: string) =>
      atVenueB(game, `BOS${code}`, 'Boston at Los Angeles', { BOS: 'Boston', [code]: 'Los Angeles' });
    const catalog = build(lakers, ofB('LAL'));
    expect(routes(marketOf(catalog, 'nba-bos-lal-2026-11-20:moneyline'))[0]).toBe(
      'Los Angeles Lakers: A, LAL YES, BOS NO',
    );
    expect(merged(build(lakers, ofB('LAC')))).toEqual([]);
    expect(merged(build(lakers, ofB('XXX')))).toEqual([]);
  });
});

it('3017: codes that are hints decide between teams, and name none', () => {
  const game: Listed = { league: 'NCAAMB', date: '2026-02-07', startsAt: '2026-02-07T23:00:00Z' };
  const ofA = atVenueA(game, 'xmiaoh-duke', 'Miami (OH) RedHawks vs. Duke Blue Devils');
  const ofB = (codes: string, title: string) => atVenueB(game, codes, title, {});
  expect(merged(build(ofA, ofB('MOHDUKE', 'Miami at Duke')))).toHaveLength(1);
  expect(merged(build(ofA, ofB('MIADUKE', 'Miami at Duke')))).toEqual([]);
  expect(merged(build(ofA, ofB('XXXDUKE', 'Miami at Duke')))).toEqual([]);
  expect(merged(build(ofA, ofB('MIADUKE', 'Miami (OH) at Duke')))).toHaveLength(1);
  expect(merged(build(ofA, ofB('MOHDUKE', 'Game of the night')))).toEqual([]);
});

describe('3017: the winner of the World Cup', () => {
  const market = (series: string, end: string, label: string) => {
    const event = seriesOfB({ league: 'WC', date: '2026-07-19' }, '', 'Men’s World Cup winner', '', [
      { code: 'X', label, line: null },
    ]);
    const route = { venue: 'venue_b', ticker: `${series}-${end}` } as const;
    const outcomes = (['YES', 'NO'] as const).map(side => ({ name: side, route: { ...route, side } }));
    const markets = event.markets.map(it => ({ ...it, marketId: `${series}-${end}`, outcomes }));
    return { ...event, eventId: `${series}-26`, seriesId: series, markets };
  };
  const asked = atVenueA(
    { league: 'WC', date: '2026-07-19', startsAt: '2026-07-19T19:00:00Z' },
    'x',
    'World Cup Winner',
    {
      markets: [ofVenueA('Will Argentina win the 2026 FIFA World Cup?', '', ['Yes', 'No'])],
    },
  );
  const futures = { ...asked, subTitle: 'world-cup-winner' };

  it('is asked by a series of its own, beside the other one that asks the same', () => {
    const winner = market('KXMENWORLDCUP', '26-AR', 'Argentina');
    const id = 'fifa-world-cup-2026-winner:arg';
    expect(routes(marketOf(build(futures, winner), id))).toEqual(['Yes: A, AR YES', 'No: A, AR NO']);
    const stage = market('KXWCSTAGEOFELIM', '26ARG-FW', 'Argentina');
    expect(routes(marketOf(build(futures, winner, stage), id))).toEqual([
      'Yes: A, AR YES, FW YES',
      'No: A, AR NO, FW NO',
    ]);
  });

  it('is no team if name and code contradict', () => {
    const { markets } = build(futures, market('KXMENWORLDCUP', '26-BR', 'Argentina'));
    expect(markets.every(it => it.outcomes.every(({ listings }) => listings.length === 1))).toBe(true);
  });
});

describe('3017: crossbook catalog unread', () => {
  const game: Listed = { league: 'NBA', date: '2026-11-20', startsAt: '2026-11-21T03:00:00Z' };
  const listed = [
    atVenueA(game, 'bos-lal', 'Celtics vs. Lakers'),
    atVenueB(game, 'BOSLAL', 'Boston at Los Angeles L', {}),
    atVenueB(game, 'BOSGUA', 'Boston at Guangzhou', {}),
    atVenueB({ ...game, date: '2026-11-21' }, 'BOSLAL', 'Boston at Golden State', {}),
    { ...atVenueA(game, 'x-y', 'One vs. Another', { gameId: '3' }), subTitle: 'xyz-one-two-2026-11-20' },
  ];

  it('prints which listings of a day are no games that are known, and why', async () => {
    const rig = new CommandRig();
    const { store } = openCatalogStore(join(rig.dataDir, 'catalog'));
    store.write([], { events: listed, ended: [] });
    await store.close();
    const { code, out } = await rig.run(catalogCommand, 'unread', '--date', '2026-11-20');
    expect(code).toBe(0);
    expect(out).toBe(`2026-11-20  its competition is not known
  venue_a ${listed[4]!.eventId} xyz-one-two-2026-11-20: One vs. Another
2026-11-20  no team is called Guangzhou
  venue_b KXNBAGAME-26NOV20BOSGUA : Boston at Guangzhou
2 games could not be read; of those that were read:
  nba: 1 at both venues, 0 at venue_a only, 0 at venue_b only
`);
    const all = await rig.run(catalogCommand, 'unread');
    expect(all.out).toContain('2026-11-21  titles and codes contradict');
    const wrong = await rig.run(catalogCommand, 'unread', '--date', '2026-02-30');
    expect([wrong.code, wrong.err]).toEqual([
      2,
      'crossbook: --date: must be a day such as 2026-11-20, is 2026-02-30\n',
    ]);
    rig.remove();
  });
});
