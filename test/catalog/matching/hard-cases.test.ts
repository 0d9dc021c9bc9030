// Listings that look alike but differ, and listings that look different but are the same.

import { describe, expect, it } from 'vitest';
import { buildCatalog } from '../../../src/catalog/build-catalog.ts';
import { TeamTable } from '../../../src/catalog/leagues/team-table.ts';
import { EventIds } from '../../../src/catalog/matching/event-ids.ts';
import type { UnixMillis } from '../../../src/core/domain/numbers.ts';
import type { VenueMarket } from '../../../src/venues/discovery.ts';
import { build, ids, lakersA, lakersB, marketOf, merged, NBA, routes } from './catalogs.ts';
import { atVenueA, atVenueB, type Listed, ofVenueA, seriesOfB } from './listings.ts';

describe('a game of both venues', () => {
  it('is one event, with every route to each outcome, direct ones first', () => {
    const catalog = build(lakersA(), lakersB());
    expect(catalog.events).toMatchObject([
      {
        id: 'nba-bos-lal-2026-11-20',
        name: 'Boston Celtics at Los Angeles Lakers',
        sport: 'basketball',
        competition: 'nba',
        startsAt: Date.parse(NBA.startsAt),
        participants: [
          { name: 'Boston Celtics', role: 'AWAY' },
          { name: 'Los Angeles Lakers', role: 'HOME' },
        ],
      },
    ]);
    expect(routes(marketOf(catalog, 'nba-bos-lal-2026-11-20:moneyline'))).toEqual([
      'Los Angeles Lakers: A, LAL YES, BOS NO',
      'Boston Celtics: A, BOS YES, LAL NO',
    ]);
  });

  it('has lines in terms of its home side', () => {
    const spread = (title: string, outcomes: readonly string[], line: string) =>
      ofVenueA(title, 'spreads', outcomes, line);
    const catalog = build(
      atVenueA(NBA, 'bos-lal', 'Celtics vs. Lakers', {
        markets: [
          spread('Spread: Lakers (-4.5)', ['Lakers', 'Celtics'], '-4.5'),
          spread('Spread: Celtics (-2.5)', ['Celtics', 'Lakers'], '-2.5'),
          ofVenueA('Celtics vs. Lakers: O/U 221.5', 'totals', ['Over', 'Under'], '221.5'),
          ofVenueA('Celtics vs. Lakers: O/U 224.5', 'totals', ['Over', 'Under'], '224.5'),
        ],
      }),
      seriesOfB(NBA, 'BOSLAL', 'Boston at Los Angeles L: Spread', 'SPREAD', [
        { code: 'LAL5', label: 'Los Angeles L wins by over 4.5 points', line: '4.5' },
        { code: 'BOS3', label: 'Boston wins by over 2.5 points', line: '2.5' },
      ]),
      seriesOfB(NBA, 'BOSLAL', 'Boston at Los Angeles L: Total', 'TOTAL', [
        { code: '222', label: 'Over 221.5 points scored', line: '221.5' },
        { code: '228', label: 'Over 227.5 points scored', line: '227.5' },
      ]),
    );
    const event = 'nba-bos-lal-2026-11-20';
    expect(ids(catalog)).toEqual([event]);
    expect(routes(marketOf(catalog, `${event}:spread:-4.5`))).toEqual([
      'Los Angeles Lakers -4.5: A, LAL5 YES',
      'Boston Celtics +4.5: A, LAL5 NO',
    ]);
    expect(routes(marketOf(catalog, `${event}:spread:2.5`))).toEqual([
      'Los Angeles Lakers +2.5: A, BOS3 NO',
      'Boston Celtics -2.5: A, BOS3 YES',
    ]);
    expect(routes(marketOf(catalog, `${event}:total:221.5`))).toEqual([
      'Over 221.5: A, 222 YES',
      'Under 221.5: A, 222 NO',
    ]);
    expect(routes(marketOf(catalog, `${event}:total:224.5`))).toEqual(['Over 224.5: A', 'Under 224.5: A']);
    expect(routes(marketOf(catalog, `${event}:total:227.5`))).toEqual(['Over 227.5: 228 YES', 'Under 227.5: 228 NO']);
  });

  it('has three outcomes where it may end in a draw, and no NO is one of them', () => {
    const game: Listed = { league: 'EPL', date: '2026-11-21', startsAt: '2026-11-21T15:00:00Z' };
    const one = (label: string) => ({ ...ofVenueA(`Will ${label} win?`, 'moneyline', ['Yes', 'No']), label });
    const catalog = build(
      atVenueA(game, 'ars-che', 'Arsenal FC vs. Chelsea FC', {
        markets: [one('Arsenal FC'), one('Draw (Arsenal FC vs. Chelsea FC)'), one('Chelsea FC')],
      }),
      atVenueB(game, 'ARSCFC', 'Arsenal vs Chelsea', { ARS: 'Arsenal', CFC: 'Chelsea', TIE: 'Tie' }),
    );
    expect(routes(marketOf(catalog, 'epl-ars-che-2026-11-21:three-way'))).toEqual([
      'Arsenal: A, ARS YES',
      'Draw: A, TIE YES',
      'Chelsea: A, CFC YES',
    ]);
  });

  it('is played on neutral ground, and a venue calls another side at home than its order does: outcomes stay with their teams', () => {
    const celtics = atVenueA(NBA, 'bos-lal', 'Celtics vs. Lakers', { home: 'Celtics' });
    const catalog = build(celtics, lakersB());
    expect(routes(marketOf(catalog, 'nba-bos-lal-2026-11-20:moneyline'))).toEqual([
      'Boston Celtics: A, BOS YES, LAL NO',
      'Los Angeles Lakers: A, LAL YES, BOS NO',
    ]);
    expect(catalog.events[0]!.matching.evidence).toContain('the venues disagree on who is at home, on neutral ground');
  });

  it('is one of nations, of whom none is at home: each venue may name another one first', () => {
    const game: Listed = { league: 'WC', date: '2026-07-06', startsAt: '2026-07-06T19:00:00Z' };
    const a = atVenueA(game, 'prt-esp', 'Portugal vs. Spain');
    const b = atVenueB(game, 'ESPPOR', 'Spain vs Portugal', { ESP: 'Spain', POR: 'Portugal' });
    expect(merged(build(a, b))).toEqual(['fifa-world-cup-por-esp-2026-07-06']);
  });
});

describe('what is not one', () => {
  it('is a game of the same teams three days later', () => {
    const later: Listed = { league: 'NBA', date: '2026-11-23', startsAt: '2026-11-24T03:00:00Z' };
    expect(merged(build(lakersA(), lakersB(later)))).toEqual([]);
    expect(merged(build(lakersA(), lakersA(later), lakersB(), lakersB(later)))).toEqual([
      'nba-bos-lal-2026-11-20',
      'nba-bos-lal-2026-11-23',
    ]);
  });

  it('is the other one of two games at both homes, each with half of a squad', () => {
    const turned = atVenueB(NBA, 'LALBOS', 'Los Angeles L vs Boston', { BOS: 'Boston', LAL: 'Los Angeles L' });
    expect(merged(build(lakersA(), turned))).toEqual([]);
    expect(merged(build(lakersA(), turned, lakersB()))).toEqual(['nba-bos-lal-2026-11-20']);
    // The slug decides the order, even if the title has another order.
    expect(merged(build(atVenueA(NBA, 'bos-lal', 'Lakers vs. Celtics'), turned))).toEqual([]);
    expect(merged(build(atVenueA(NBA, 'bos-lal', 'Celtics vs. Lakers', { home: 'Lakers' }), turned))).toEqual([]);
  });

  it('is the other club of a city', () => {
    const clippers = atVenueB(NBA, 'BOSLAC', 'Boston at Los Angeles C', { BOS: 'Boston', LAC: 'Los Angeles C' });
    expect(merged(build(lakersA(), clippers))).toEqual([]);
  });

  it('is a city that has two clubs and does not say which', () => {
    const which = atVenueB(NBA, 'BOSLA', 'Boston at Los Angeles', { BOS: 'Boston', LA: 'Los Angeles' });
    expect(merged(build(lakersA(), which))).toEqual([]);
  });

  it('is the women’s game of the same names', () => {
    const men: Listed = { ...NBA, date: '2026-07-01', startsAt: '2026-07-01T23:00:00Z' };
    const catalog = build(
      atVenueA(men, 'phx-min', 'Suns vs. Timberwolves'),
      atVenueB({ ...men, league: 'WNBA' }, 'PHXMIN', 'Phoenix vs Minnesota', { PHX: 'Phoenix', MIN: 'Minnesota' }),
    );
    expect(ids(catalog)).toEqual(['nba-phx-min-2026-07-01', 'wnba-phx-min-2026-07-01']);
  });

  it('is a half for the whole game, and a line that can come out even', () => {
    const catalog = build(
      atVenueA(NBA, 'bos-lal', 'Celtics vs. Lakers', {
        markets: [
          ofVenueA('1H Spread: Lakers (-4.5)', 'first_half_spreads', ['Lakers', 'Celtics'], '4.5'),
          ofVenueA('Spread: Lakers (-4)', 'spreads', ['Lakers', 'Celtics'], '-4'),
        ],
      }),
      seriesOfB(NBA, 'BOSLAL', 'Boston at Los Angeles L: Spread', 'SPREAD', [
        { code: 'LAL5', label: 'Los Angeles L wins by over 4.5 points', line: '4.5' },
        { code: 'LAL4', label: 'Los Angeles L wins by over 4 points', line: '4' },
      ]),
    );
    for (const { outcomes } of catalog.markets) {
      expect(outcomes.every(({ listings }) => new Set(listings.map(({ route }) => route.venue)).size === 1)).toBe(true);
    }
    expect(marketOf(catalog, 'nba-bos-lal-2026-11-20:first-half-spread:-4.5').line).toBe('-4.5');
  });

  it('is an ambiguous game that venue A has twice', () => {
    const near = (minute: string): Listed => ({ ...NBA, startsAt: `2026-11-21T03:${minute}:00Z` });
    const twin = (game: Listed, gameId: string) => atVenueA(game, 'bos-lal', 'Celtics vs. Lakers', { gameId });
    const startsAt = Date.parse(NBA.startsAt) as UnixMillis;
    const b = { ...lakersB(), startsAt };
    expect(merged(build(twin(near('00'), '1'), twin(near('40'), '2'), b))).toEqual([]);
    // A start three hours apart distinguishes the game once the other game has a start, too.
    const later = twin({ ...NBA, startsAt: '2026-11-21T06:00:00Z' }, '2');
    const { events } = build(twin(near('00'), '1'), later, b);
    expect(events.map(({ matching }) => matching.keys)).toContainEqual(['venue_a/nba/1', 'venue_b/nba/26NOV20BOSLAL']);
    expect(merged(build(twin(near('00'), '1'), { ...later, startsAt: null }, b))).toEqual([]);
  });

  it('is one number that two games have', () => {
    const days = [NBA, { ...NBA, date: '2026-11-23', startsAt: '2026-11-24T03:00:00Z' }];
    const catalog = build(...days.map(day => ({ ...lakersA(day), gameId: '7' })), lakersB());
    expect(merged(catalog)).toEqual([]);
    expect(routes(marketOf(catalog, 'nba-bos-lal-2026-11-20:moneyline'))[0]).toBe(
      'Los Angeles Lakers: LAL YES, BOS NO',
    );
  });

  it('is a title that its own ticker contradicts, or its own slug', () => {
    const wrong = atVenueB(NBA, 'BOSLAL', 'Boston at Golden State', { BOS: 'Boston', LAL: 'Los Angeles L' });
    expect(merged(build(lakersA(), wrong))).toEqual([]);
    const heat = atVenueB(NBA, 'MIALAL', 'Miami at Los Angeles L', { MIA: 'Miami', LAL: 'Los Angeles L' });
    expect(merged(build(atVenueA(NBA, 'mia-lal', 'Heat vs. Lakers'), heat))).toHaveLength(1);
    expect(merged(build(atVenueA(NBA, 'bos-lal', 'Heat vs. Lakers'), heat, lakersB()))).toEqual([]);
  });

  it.each(['26NOV00BOSLAL', '26NOV99BOSLAL', '26NOW20BOSLAL', '26NOV202560BOSLAL', 'NOV20BOSLAL'])(
    'is a ticker of no day or hour: %s',
    name => {
      const whole = lakersB();
      const eventId = `${whole.seriesId}-${name}`;
      const markets = whole.markets.map(it => ({ ...it, marketId: `${eventId}-${it.marketId.split('-').at(-1)}` }));
      const catalog = build(lakersA(), { ...whole, eventId, markets });
      expect(ids(catalog)).toEqual(['nba-bos-lal-2026-11-20']);
      expect(merged(catalog)).toEqual([]);
    },
  );

  it('is a match without names of players, or with two for one', () => {
    const match: Listed = { league: 'ATP', date: '2026-11-20', startsAt: '2026-11-20T12:00:00Z' };
    const b = atVenueB(match, 'SINFRI', 'Sinner vs Fritz', { SIN: 'Jannik Sinner', FRI: 'Taylor Fritz' });
    const title = 'ATP Finals: Jannik Sinner vs Taylor Fritz';
    const moneyline = (...names: readonly string[]) => ofVenueA(title, 'moneyline', names);
    const of = (...markets: readonly VenueMarket[]) => atVenueA(match, 'sinner-fritz', title, { markets });
    const right = moneyline('Jannik Sinner', 'Taylor Fritz');
    expect(merged(build(of(right), b))).toHaveLength(1);
    expect(merged(build(of(right, moneyline('Jannik Sinner', 'Carlos Alcaraz')), b))).toEqual([]);
    expect(merged(build(of(right), { ...b, title: 'The final of Turin' }))).toEqual([]);
    expect(merged(build({ ...of(), title: 'The final of Turin' }, b))).toEqual([]);
  });

  it('is a title with a team of no table, also beside known codes', () => {
    const boston = { BOS: 'Boston', LAL: 'Los Angeles L' };
    expect(merged(build(lakersA(), atVenueB(NBA, 'BOSLAL', 'Game of the night', boston)))).toHaveLength(1);
    expect(merged(build(lakersA(), atVenueB(NBA, 'BOSLAL', 'Boston at Los Angeles Galaxy', boston)))).toEqual([]);
    expect(merged(build(atVenueA(NBA, 'bos-lal', 'Game of the night'), lakersB()))).toHaveLength(1);
    expect(merged(build(atVenueA(NBA, 'bos-lal', 'Celtics vs. Galaxy'), lakersB()))).toEqual([]);
  });

  it('is a player’s brother', () => {
    const match: Listed = { league: 'ATP', date: '2026-11-20', startsAt: '2026-11-20T12:00:00Z' };
    const younger = atVenueA(match, 'cerundo-fritz', 'ATP Finals: Juan Manuel Cerundolo vs Taylor Fritz', {
      gameId: '1',
    });
    const elder = atVenueB(match, 'CERFRI', 'Cerundolo vs Fritz', { CER: 'Francisco Cerundolo', FRI: 'Taylor Fritz' });
    expect(merged(build(younger, elder))).toEqual([]);
    const same = atVenueA(match, 'cerundo-fritz', 'ATP Finals: Francisco Cerúndolo vs Taylor Fritz', { gameId: '2' });
    expect(merged(build(younger, same, elder))).toEqual(['atp-francisco-cerundolo-taylor-fritz-2026-11-20']);
  });

  it('is a player whose name is in letters that are not compared', () => {
    const match: Listed = { league: 'ATP', date: '2026-11-20', startsAt: '2026-11-20T12:00:00Z' };
    const a = (who: string) => atVenueA(match, 'x-y', `ATP Finals: ${who} vs Taylor Fritz`);
    const b = (who: string) => atVenueB(match, 'XXXFRI', `${who} vs Fritz`, { XXX: who, FRI: 'Taylor Fritz' });
    expect(merged(build(a('Иван Петров'), b('王蔷')))).toEqual([]);
    expect(merged(build(a('Иван Smith'), b('王蔷 Smith')))).toEqual([]);
    const winner = (who: string) => `Will ${who} be the 2026 Men’s Wimbledon winner?`;
    const futures = atVenueA(match, 'x-y', 'Wimbledon', {
      markets: [ofVenueA(winner('Иван Петров'), '', ['Yes', 'No'])],
    });
    const sameEvent = seriesOfB({ league: 'ATP', date: '2026-11-20' }, '', 'Wimbledon', '', [
      { code: 'X', label: '王蔷', line: null },
    ]);
    const named = sameEvent.markets.map(it => ({ ...it, marketId: 'KXATP-26WIM-X' }));
    const catalog = build({ ...futures, subTitle: '2026-mens-wimbledon-winner' }, { ...sameEvent, markets: named });
    expect(ids(catalog)).toEqual([]);
    expect(catalog.markets).toHaveLength(2);
  });

  it('is two players who are both known by their surname only', () => {
    const match: Listed = { league: 'ATP', date: '2026-11-20', startsAt: '2026-11-20T12:00:00Z' };
    const a = atVenueA(match, 'zverev-cerundo', 'ATP Finals: Alexander Zverev vs Francisco Cerundolo');
    const b = (names: Readonly<Record<string, string>>) => atVenueB(match, 'ZVECER', 'Zverev vs Cerundolo', names);
    const known = new EventIds();
    expect(merged(buildCatalog([a, b({})], known))).toEqual([]);
    expect(merged(buildCatalog([a, b({ ZVE: 'Alexander Zverev' })], known))).toHaveLength(1);
    // A merged event stays merged when the venue has closed the market that had the whole name.
    expect(merged(buildCatalog([a, b({})], known))).toHaveLength(1);
  });

  it('is the one of two brothers whom a surname may mean', () => {
    const match: Listed = { league: 'ATP', date: '2026-11-20', startsAt: '2026-11-20T12:00:00Z' };
    const a = (who: string, whom: string) => atVenueA(match, 'x-y', `ATP Finals: ${who} vs ${whom}`);
    const b = atVenueB(match, 'CERZVE', 'Cerundolo vs Zverev', { ZVE: 'Alexander Zverev' });
    const mischa = atVenueB(match, 'CERZVE', 'Cerundolo vs Zverev', {});
    expect(merged(build(a('Juan Manuel Cerundolo', 'Alexander Zverev'), b))).toHaveLength(1);
    const both = [a('Juan Manuel Cerundolo', 'Alexander Zverev'), a('Francisco Cerundolo', 'Mischa Zverev')];
    expect(merged(build({ ...both[0]!, gameId: '1' }, { ...both[1]!, gameId: '2' }, mischa))).toEqual([]);
  });
});

describe('two games of a day', () => {
  const first: Listed = { league: 'MLB', date: '2026-08-09', startsAt: '2026-08-09T17:10:00Z' };
  const second: Listed = { ...first, startsAt: '2026-08-09T23:10:00Z' };
  const title = 'Houston Astros vs. San Diego Padres';
  const a = (game: Listed, gameId: string) => atVenueA(game, 'hou-sd', title, { gameId });
  const b = (clock: string) =>
    atVenueB(first, `${clock}HOUSD`, 'Houston vs San Diego', { HOU: 'Houston', SD: 'San Diego' });

  it('differ by their start', () => {
    const catalog = build(a(second, '2'), a(first, '1'), b('1910'), b('1310'));
    expect(catalog.events.map(({ id, startsAt, matching }) => [id, startsAt, matching.keys])).toEqual([
      ['mlb-hou-sd-2026-08-09', Date.parse(first.startsAt), ['venue_a/mlb/1', 'venue_b/mlb/26AUG091310HOUSD']],
      ['mlb-hou-sd-2026-08-09-2', Date.parse(second.startsAt), ['venue_a/mlb/2', 'venue_b/mlb/26AUG091910HOUSD']],
    ]);
  });

  it('are not merged if one venue lists one of them and it is unclear which', () => {
    const between: Listed = { ...first, startsAt: '2026-08-09T20:10:00Z' };
    expect(merged(build(a(between, '1'), b('1310'), b('1910')))).toEqual([]);
    const unsaid = { ...a(first, '1'), startsAt: null };
    expect(merged(build(unsaid, b('1310'), b('1910')))).toEqual([]);
  });
});

describe('ids', () => {
  const game: Listed = { league: 'MLB', date: '2026-08-09', startsAt: '2026-08-09T23:10:00Z' };
  const a = (startsAt: string) =>
    atVenueA({ ...game, startsAt }, 'hou-sd', 'Houston Astros vs. San Diego Padres', { gameId: '77' });
  const b = atVenueB(game, '1910HOUSD', 'Houston vs San Diego', { HOU: 'Houston', SD: 'San Diego' });

  it('stay when a game is postponed, and the two listings with them', () => {
    const known = new EventIds();
    buildCatalog([a(game.startsAt), b], known);
    const again = new EventIds(known.takeUnsaved());
    const { events } = buildCatalog([a('2026-08-11T17:10:00Z'), b], again);
    expect(events.map(({ id, matching }) => [id, matching.keys.length])).toEqual([['mlb-hou-sd-2026-08-09', 2]]);
    expect(again.takeUnsaved()).toEqual([]);
  });

  it('stay with the event that had them first, and are never given again', () => {
    const known = new EventIds();
    buildCatalog([b], known);
    const { events } = buildCatalog([{ ...a('2026-08-11T17:10:00Z') }], known);
    expect(events.map(({ id }) => id)).toEqual(['mlb-hou-sd-2026-08-09-2']);
  });

  it('of two that turn out to be one lead to the first', () => {
    const known = new EventIds();
    buildCatalog([b, a('2026-08-11T17:10:00Z')], known);
    const catalog = buildCatalog([b, a(game.startsAt)], known);
    const [event] = catalog.events;
    expect(catalog.events).toHaveLength(1);
    const old = ['mlb-hou-sd-2026-08-09', 'mlb-hou-sd-2026-08-09-2'].filter(id => id !== event!.id);
    expect(known.current(old[0]!)).toBe(event!.id);
  });
});

it('an event that turns out to be two becomes two: one keeps the id, the other gets a new one', () => {
  const eventIds = new EventIds();
  const a = atVenueA(NBA, 'bos-lal', 'Celtics vs. Lakers', { gameId: '7' });
  const b = atVenueB(NBA, 'BOSLAL', 'Boston at Los Angeles L', { BOS: 'Boston', LAL: 'Los Angeles L' });
  const [before] = ids(buildCatalog([a, b], eventIds));
  // The venue had the wrong team first.
  const corrected = { ...a, title: 'Celtics vs. Clippers', subTitle: 'nba-bos-lac-2026-11-20' };
  const after = buildCatalog([corrected, b], eventIds);
  expect(after.events).toHaveLength(2);
  expect(new Set(ids(after)).size).toBe(2);
  expect(ids(after)).toContain(before);
});

it('a name that two clubs have names neither, and a third club does not get it', () => {
  const table = new TeamTable(`
    nyg | New York Giants | New York
    nyj | New York Jets | New York
    nyx | New York Others | New York, Others`);
  expect([table.named('New York'), table.named('Others')?.id, table.named('New York Jets')?.id]).toEqual([
    null,
    'nyx',
    'nyj',
  ]);
});

it('a club that is renamed is the same', () => {
  const game: Listed = { league: 'NHL', date: '2026-11-20', startsAt: '2026-11-21T02:00:00Z' };
  const before = atVenueA(game, 'bos-uta', 'Bruins vs. Utah Hockey Club');
  const after = atVenueB(game, 'BOSUTA', 'Boston at Utah', { BOS: 'Boston', UTA: 'Utah' });
  expect(merged(build(before, after))).toEqual(['nhl-bos-uta-2026-11-20']);
});
