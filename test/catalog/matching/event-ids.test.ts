// The id of an event, for two games on a day, a draw, a half, or a number that comes late.

import { describe, expect, it } from 'vitest';
import { buildCatalog } from '../../../src/catalog/build-catalog.ts';
import { EventIds } from '../../../src/catalog/matching/event-ids.ts';
import type { UnixMillis } from '../../../src/core/domain/numbers.ts';
import type { VenueEvent, VenueMarket } from '../../../src/venues/discovery.ts';
import { atVenueA, atVenueB, type Listed, ofVenueA, seriesOfB } from './listings.ts';

// There were two games of the same teams on one day, but a venue listed only one of them, or had removed the other. Its game was merged with the
// other venue's other game, for good. A position in one game would have been closed in the other.
describe('0060: two games of a day of which one is gone', () => {
  const MLB: Listed = { league: 'MLB', date: '2026-08-09', startsAt: '2026-08-09T17:10:00Z' };
  const FOUR_HOURS_LATER = '2026-08-09T21:10:00Z';
  const [FIRST_A, SECOND_A] = ['venue_a/mlb/1', 'venue_a/mlb/2'];
  const [FIRST_B, SECOND_B] = ['venue_b/mlb/26AUG091310HOUSD', 'venue_b/mlb/26AUG091710HOUSD'];

  const atA = (gameId: string, startsAt: string | null): VenueEvent => {
    const event = atVenueA(MLB, 'hou-sd', 'Houston Astros vs. San Diego Padres', { gameId });
    return { ...event, startsAt: startsAt === null ? null : (Date.parse(startsAt) as VenueEvent['startsAt']) };
  };
  const atB = (clock: string): VenueEvent =>
    atVenueB(MLB, `${clock}HOUSD`, 'Houston vs San Diego', { HOU: 'Houston', SD: 'San Diego' });
  const keys = (listed: readonly VenueEvent[], ids: EventIds) =>
    buildCatalog(listed, ids).events.map(({ matching }) => matching.keys);

  const [firstA, secondA] = [atA('1', MLB.startsAt), atA('2', FOUR_HOURS_LATER)];
  const [firstB, secondB] = [atB('1310'), atB('1710')];

  it('the first at one venue and the second at the other are two, from the first look on', () => {
    expect(keys([firstA, secondB], new EventIds())).toEqual([[FIRST_A], [SECOND_B]]);
    // Without the start of the game, nobody can say which game it is.
    expect(keys([atA('1', null), secondB], new EventIds()).map(it => it.length)).toEqual([1, 1]);
  });

  it('the first stays alone when its twin is gone before it', () => {
    const ids = new EventIds();
    expect(keys([firstA, firstB, secondB], ids)).toEqual([[FIRST_A, FIRST_B], [SECOND_B]]);
    expect(keys([firstA, secondB], ids)).toEqual([[FIRST_A], [SECOND_B]]);
    const again = new EventIds(ids.takeUnsaved());
    expect(keys([firstA, secondA, firstB, secondB], again)).toEqual([
      [FIRST_A, FIRST_B],
      [SECOND_A, SECOND_B],
    ]);
  });

  it('where the start says less, a listing that has had a twin gets no other one', () => {
    const NBA: Listed = { league: 'NBA', date: '2026-11-20', startsAt: '2026-11-21T00:30:00Z' };
    const lakers = (gameId: string, startsAt: string) =>
      atVenueA({ ...NBA, startsAt }, 'bos-lal', 'Celtics vs. Lakers', { gameId });
    const [a, another] = [lakers('1', NBA.startsAt), lakers('2', '2026-11-21T03:30:00Z')];
    const b = atVenueB(NBA, 'BOSLAL', 'Boston at Los Angeles L', { BOS: 'Boston', LAL: 'Los Angeles L' });
    const ids = new EventIds();
    keys([a, b], ids);
    const [first, second] = [['venue_a/nba/1', 'venue_b/nba/26NOV20BOSLAL'], ['venue_a/nba/2']];
    expect(keys([a, another, b], ids)).toEqual([first, second]);
    expect(keys([another, b], ids)).toEqual([['venue_b/nba/26NOV20BOSLAL'], second]);
    // A listing that gets a new name has no id of its own, since it is the same game.
    expect(keys([lakers('3', NBA.startsAt), b], ids)).toEqual([['venue_a/nba/3', 'venue_b/nba/26NOV20BOSLAL']]);
  });
});

// With the outcomes in reverse order, a buyer of Yes would have got No. The check existed only for questions of games.
describe('0105: an outright whose no comes first', () => {
  const TITLE = 'Will Spain win the 2026 FIFA World Cup?';
  const ofB = seriesOfB({ league: 'EPL', date: '2026-07-19' }, '', 'World Cup', 'GAME', []);

  function marketsOf(outcomes: readonly [string, string]) {
    const a = ofVenueA(TITLE, '', outcomes);
    const base = { ...ofB, subTitle: '', seriesId: '', competition: '' };
    const listedA: VenueEvent = { ...base, venue: 'venue_a', eventId: '1', title: 'World Cup', markets: [a] };
    const [side, ticker] = ['YES', 'KXWCSTAGEOFELIM-26ESP-FW'] as const;
    const b: VenueMarket = {
      ...a,
      marketId: ticker,
      title: 'Spain',
      outcomes: [
        { name: 'Spain', route: { venue: 'venue_b', ticker, side } },
        { name: 'Not Spain', route: { venue: 'venue_b', ticker, side: 'NO' } },
      ],
    };
    const listedB: VenueEvent = { ...base, eventId: 'KXWCSTAGEOFELIM-26ESP', title: 'Spain', markets: [b] };
    const { markets } = buildCatalog([listedA, listedB], new EventIds());
    return { a, markets };
  }

  it('an outright is matched by the names of its outcomes', () => {
    const { a, markets } = marketsOf(['Yes', 'No']);
    expect(markets).toHaveLength(1);
    expect(markets[0]!.outcomes[0]).toMatchObject({
      name: 'Yes',
      listings: [{ route: a.outcomes[0]!.route }, { route: { side: 'YES' } }],
    });
  });

  it.each([
    ['No', 'Yes'],
    ['Over', 'Under'],
  ] as const)('an outright with outcomes %s and %s is a market of its own', (first, second) => {
    const { a, markets } = marketsOf([first, second]);
    const own = markets.find(({ outcomes }) =>
      outcomes.some(({ listings }) => listings[0]?.route === a.outcomes[0]!.route),
    );
    expect(own?.outcomes.map(({ name, listings }) => [name, listings.length])).toEqual([
      [first, 1],
      [second, 1],
    ]);
  });
});

// The label of a double chance ("Draw or Chelsea FC") was read as a draw too, though it pays in two of three cases. As a moneyline it would have been
// listed beside the other venue's draw.
describe('0107: a draw or something else', () => {
  const GAME: Listed = { league: 'EPL', date: '2026-11-21', startsAt: '2026-11-21T15:00:00Z' };

  it.each([
    ['Draw (Arsenal FC vs. Chelsea FC)', 2],
    ['Draw', 2],
    ['Draw or Chelsea FC', 1],
    ['Draw/Chelsea FC', 1],
  ])('%s: %i routes to the draw', (label, routes) => {
    const one = (its: string) => ({ ...ofVenueA(`Will ${its} win?`, 'moneyline', ['Yes', 'No']), label: its });
    const markets = [one('Arsenal FC'), one(label), one('Chelsea FC')];
    const { markets: listed } = buildCatalog(
      [
        atVenueA(GAME, 'ars-che', 'Arsenal FC vs. Chelsea FC', { markets }),
        atVenueB(GAME, 'ARSCFC', 'Arsenal vs Chelsea', { ARS: 'Arsenal', CFC: 'Chelsea', TIE: 'Tie' }),
      ],
      new EventIds(),
    );
    const winner = listed.find(({ id }) => id === 'epl-ars-che-2026-11-21:three-way');
    expect(winner?.outcomes.map(({ name, listings }) => [name, listings.length])).toEqual([
      ['Arsenal', 2],
      ['Draw', routes],
      ['Chelsea', 2],
    ]);
  });
});

// Found in code that no test ran: the half in venue B's label of a spread or a total was read and ignored. So a listing of any half was matched with
// the question of its series. A wrong match is worse than a missing match (contract §6).
describe('0112: a half in the words of a game', () => {
  const NBA: Listed = { league: 'NBA', date: '2026-11-20', startsAt: '2026-11-21T03:00:00Z' };
  const a = atVenueA(NBA, 'bos-lal', 'Celtics vs. Lakers', {
    markets: [
      ofVenueA('Spread: Lakers (-4.5)', 'spreads', ['Lakers', 'Celtics'], '-4.5'),
      ofVenueA('1H Spread: Lakers (-4.5)', 'first_half_spreads', ['Lakers', 'Celtics'], '-4.5'),
      ofVenueA('Celtics vs. Lakers: O/U 111.5', 'totals', ['Over', 'Under'], '111.5'),
      ofVenueA('Celtics vs. Lakers: 1H O/U 111.5', 'first_half_totals', ['Over', 'Under'], '111.5'),
    ],
  });

  function matched(word: string, label: string, line: string): readonly string[] {
    const b = seriesOfB(NBA, 'BOSLAL', 'Boston at Los Angeles L', word, [{ code: 'X', label, line }]);
    const { markets } = buildCatalog([a, b], new EventIds());
    const isOfB = ({ route }: { readonly route: { readonly venue: string } }) => route.venue === 'venue_b';
    return markets.filter(it => it.line !== null && it.outcomes[0]!.listings.some(isOfB)).map(({ id }) => id);
  }

  const EVENT = 'nba-bos-lal-2026-11-20';

  it.each([
    ['SPREAD', 'Los Angeles L wins by over 4.5 points', '4.5', [`${EVENT}:spread:-4.5`]],
    ['SPREAD', 'Los Angeles L wins the game by over 4.5 points', '4.5', [`${EVENT}:spread:-4.5`]],
    ['SPREAD', 'Los Angeles L wins the 1st half by over 4.5 points', '4.5', []],
    ['1HSPREAD', 'Los Angeles L wins by over 4.5 points', '4.5', [`${EVENT}:first-half-spread:-4.5`]],
    ['1HSPREAD', 'Los Angeles L wins the first half by over 4.5 points', '4.5', [`${EVENT}:first-half-spread:-4.5`]],
    ['1HSPREAD', 'Los Angeles L wins the game by over 4.5 points', '4.5', []],
    ['TOTAL', 'Over 111.5 points scored', '111.5', [`${EVENT}:total:111.5`]],
    ['TOTAL', 'Over 111.5 points scored in the 1st half', '111.5', []],
    ['1HTOTAL', 'Over 111.5 points scored in the first half', '111.5', [`${EVENT}:first-half-total:111.5`]],
    ['1HTOTAL', 'Over 111.5 points scored', '111.5', [`${EVENT}:first-half-total:111.5`]],
  ])('%s: %s', (word, label, line, ids) => {
    expect(matched(word, label, line)).toEqual(ids);
  });
});

// Two venues that listed one game each were merged for good, though each listing named another home team. A wrong match is worse than a missing match
// (contract §6).
describe('0123: two games at both homes on a day', () => {
  const GAME: Listed = { league: 'NHL', date: '2026-09-21', startsAt: '2026-09-22T01:00:00Z' };
  const NAMES = { EDM: 'Edmonton', CGY: 'Calgary' };
  const startsAt = Date.parse(GAME.startsAt) as UnixMillis;
  const inCalgaryA = atVenueA(GAME, 'edm-cgy', 'Oilers vs. Flames');
  const inEdmontonA = atVenueA(GAME, 'cgy-edm', 'Flames vs. Oilers');
  const inCalgaryB = { ...atVenueB(GAME, 'EDMCGY', 'Edmonton at Calgary', NAMES), startsAt };
  const inEdmontonB = { ...atVenueB(GAME, 'CGYEDM', 'Calgary at Edmonton', NAMES), startsAt };

  const keys = (listed: readonly VenueEvent[], ids: EventIds) =>
    buildCatalog(listed, ids)
      .events.map(({ matching }) => matching.keys.join(' + '))
      .sort();

  const [A_IN_CALGARY, A_IN_EDMONTON] = ['venue_a/nhl/edm-cgy-2026-09-21', 'venue_a/nhl/cgy-edm-2026-09-21'];
  const [B_IN_CALGARY, B_IN_EDMONTON] = ['venue_b/nhl/26SEP21EDMCGY', 'venue_b/nhl/26SEP21CGYEDM'];

  it('a game in Calgary is not merged with one in Edmonton', () => {
    expect(keys([inCalgaryA, inEdmontonB], new EventIds())).toEqual([A_IN_CALGARY, B_IN_EDMONTON]);
    const all = [inCalgaryA, inEdmontonA, inCalgaryB, inEdmontonB];
    expect(keys(all, new EventIds())).toEqual([
      `${A_IN_EDMONTON} + ${B_IN_EDMONTON}`,
      `${A_IN_CALGARY} + ${B_IN_CALGARY}`,
    ]);
  });

  it('two games that were stored as one become two', () => {
    const wrong = [A_IN_CALGARY, B_IN_EDMONTON].map(key => [key, 'nhl-edm-cgy-2026-09-21'] as const);
    const ids = new EventIds(wrong);
    expect(keys([inCalgaryA, inEdmontonB], ids)).toEqual([A_IN_CALGARY, B_IN_EDMONTON]);
    const { events } = buildCatalog([inCalgaryA, inEdmontonB], ids);
    expect(new Set(events.map(({ id }) => id)).size).toBe(2);
  });
});

// An event that got its number later lost its id (`…-2`). A part that was listed without a number (recorded: `fifwc-fra-mar-2026-07-09-more-markets`)
// became another game, and nobody could say which of the two was venue B's.
describe('0126: a game that gets its number late', () => {
  const NBA: Listed = { league: 'NBA', date: '2026-11-20', startsAt: '2026-11-21T03:00:00Z' };
  const EVENT = 'nba-bos-lal-2026-11-20';
  const main = atVenueA(NBA, 'bos-lal', 'Celtics vs. Lakers');
  const total = ofVenueA('Celtics vs. Lakers: O/U 221.5', 'totals', ['Over', 'Under'], '221.5');
  const more = {
    ...atVenueA(NBA, 'bos-lal', 'Celtics vs. Lakers - More Markets', { markets: [total] }),
    subTitle: `${EVENT}-more-markets`,
  };
  const b = atVenueB(NBA, 'BOSLAL', 'Boston at Los Angeles L', { BOS: 'Boston', LAL: 'Los Angeles L' });
  const numbered = (event: VenueEvent, gameId = '7'): VenueEvent => ({ ...event, gameId });

  const events = (listed: readonly VenueEvent[], ids: EventIds) =>
    buildCatalog(listed, ids).events.map(({ id, matching }) => [id, ...matching.keys]);

  it('the game keeps its id, alone and with a twin', () => {
    for (const twin of [[], [b]]) {
      const ids = new EventIds();
      const before = events([main, ...twin], ids);
      expect(before.map(([id]) => id)).toEqual([EVENT]);
      expect(events([numbered(main), ...twin], ids).map(([id]) => id)).toEqual([EVENT]);
      const again = new EventIds(ids.takeUnsaved());
      expect(events([numbered(main), ...twin], again).map(([id]) => id)).toEqual([EVENT]);
      expect(again.takeUnsaved()).toEqual([]);
    }
  });

  it('the game has the part without a number', () => {
    const catalog = buildCatalog([numbered(main), more, b], new EventIds());
    expect(catalog.events.map(({ matching }) => matching.keys)).toEqual([
      ['venue_a/nba/7', 'venue_b/nba/26NOV20BOSLAL'],
    ]);
    expect(catalog.markets.map(({ id }) => id)).toEqual([`${EVENT}:moneyline`, `${EVENT}:total:221.5`]);
    const ids = new EventIds();
    // The cases begin with either part, and with the number first on either part.
    for (const listed of [[more], [main, more], [numbered(main), more], [numbered(main), numbered(more)]]) {
      expect(events(listed, ids).map(([id]) => id)).toEqual([EVENT]);
    }
  });

  it('the game is not merged with another game of the day', () => {
    const [one, another] = [numbered(main, '1'), numbered(atVenueA(NBA, 'bos-lal', 'Celtics vs. Lakers'), '2')];
    expect(events([one, another, more], new EventIds())).toHaveLength(3);
    const second = { ...main, subTitle: `${EVENT}-game-2` };
    const ids = new EventIds();
    expect(events([main], ids)).toEqual([[EVENT, 'venue_a/nba/bos-lal-2026-11-20']]);
    expect(events([numbered(second), main], ids).map(([id]) => id)).toEqual([EVENT, `${EVENT}-2`]);
    // The event that still has the name keeps the id.
    expect(events([one, another, more], ids).find(([id]) => id === EVENT)).toEqual([
      EVENT,
      'venue_a/nba/bos-lal-2026-11-20',
    ]);
  });
});
