// The meaning of an event's id, and how an id is searched for.

import { describe, expect, it } from 'vitest';
import { buildCatalog } from '../../../src/catalog/build-catalog.ts';
import { listMarkets } from '../../../src/catalog/catalog-lists.ts';
import { RowBuilder } from '../../../src/catalog/catalog-rows.ts';
import { EventIds } from '../../../src/catalog/matching/event-ids.ts';
import { SnapshotReader } from '../../../src/catalog/snapshot-reader.ts';
import { SnapshotWriter } from '../../../src/catalog/snapshot-writer.ts';
import { termsOf } from '../../../src/catalog/vocabulary.ts';
import { limits } from '../../../src/limits.ts';
import type { VenueEvent } from '../../../src/venues/discovery.ts';
import { ids, marketOf, routes } from './catalogs.ts';
import { atVenueA, atVenueB, type Listed, ofVenueA, seriesOfB } from './listings.ts';

// When a listing came or went, `…:spread:-4.5` became the other side's handicap, and outcomes changed places. A bot that had read the market before
// bought the opposite. An id and its meaning are created once (contract §6).
describe('0124: what an id means', () => {
  /** A game that is played in Europe. */
  const NFL: Listed = { league: 'NFL', date: '2026-11-15', startsAt: '2026-11-15T14:30:00Z' };
  const EVENT = 'nfl-ind-ne-2026-11-15';
  const TITLE = 'Indianapolis at New England';
  const b = [
    atVenueB(NFL, 'INDNE', TITLE, { IND: 'Indianapolis', NE: 'New England' }),
    seriesOfB(NFL, 'INDNE', `${TITLE}: Spread`, 'SPREAD', [
      { code: 'NE5', label: 'New England wins by over 4.5 points', line: '4.5' },
      { code: 'IND5', label: 'Indianapolis wins by over 4.5 points', line: '4.5' },
    ]),
  ];
  const a = atVenueA(NFL, 'ind-ne', 'Colts vs. Patriots', {
    home: 'Colts',
    markets: [
      ofVenueA('Colts vs. Patriots', 'moneyline', ['Colts', 'Patriots']),
      ofVenueA('Spread: Colts (-4.5)', 'spreads', ['Colts', 'Patriots'], '-4.5'),
    ],
  });

  /** Returns the routes of the market, and the event's text about the opponents. */
  function shown(listed: readonly VenueEvent[], ids: EventIds, key: string) {
    const catalog = buildCatalog(listed, ids);
    const [event] = catalog.events;
    const said = event!.participants.map(({ name, role }) => `${name} ${role}`);
    return [event!.name, ...said, ...routes(marketOf(catalog, `${event!.id}:${key}`))];
  }

  const PATRIOTS = [
    'Indianapolis Colts at New England Patriots',
    'Indianapolis Colts AWAY',
    'New England Patriots HOME',
    'New England Patriots -4.5: NE5 YES',
    'Indianapolis Colts +4.5: NE5 NO',
  ];
  const COLTS = [
    'New England Patriots at Indianapolis Colts',
    'New England Patriots AWAY',
    'Indianapolis Colts HOME',
    'Indianapolis Colts -4.5: A, IND5 YES',
    'New England Patriots +4.5: A, IND5 NO',
  ];

  it('a line stays that of the side that was first when the event was first seen', () => {
    const ofB = new EventIds();
    for (const listed of [b, [a, ...b], b]) expect(shown(listed, ofB, 'spread:-4.5')).toEqual(PATRIOTS);
    const ofBoth = new EventIds();
    expect(shown([a, ...b], ofBoth, 'spread:-4.5')).toEqual(COLTS);
    const withoutA = COLTS.map(line => line.replace('A, ', ''));
    expect(shown(b, ofBoth, 'spread:-4.5')).toEqual(withoutA);
    // The same holds after a restart.
    expect(shown(b, new EventIds(ofBoth.takeUnsaved()), 'spread:-4.5')).toEqual(withoutA);
  });

  it('players do not change places', () => {
    const ATP: Listed = { league: 'ATP', date: '2026-07-06', startsAt: '2026-07-06T11:00:00Z' };
    const atB = (names: Readonly<Record<string, string>>) => atVenueB(ATP, 'SINALC', 'Sinner vs Alcaraz: Final', names);
    const whole = atB({ SIN: 'Jannik Sinner', ALC: 'Carlos Alcaraz' });
    const atA = atVenueA(ATP, 'alcaraz-sinner', 'Wimbledon ATP: Carlos Alcaraz vs Jannik Sinner');
    const ids = new EventIds();
    const names = [[atB({ SIN: 'Sinner', ALC: 'Alcaraz' })], [whole], [atA, whole], [whole], [atA]].map(listed =>
      buildCatalog(listed, ids).markets.flatMap(({ outcomes }) => outcomes.map(({ name }) => name)),
    );
    const sinnerFirst = ['Jannik Sinner', 'Carlos Alcaraz'];
    expect(names).toEqual([['Sinner', 'Alcaraz'], sinnerFirst, sinnerFirst, sinnerFirst, sinnerFirst]);
  });

  it('an id of before that was kept means what it does when the event is next seen', () => {
    const ids = new EventIds([['venue_b/nfl/26NOV15INDNE', EVENT]]);
    for (const listed of [b, [a, ...b]])
      expect(shown(listed, ids, 'spread:-4.5')).toContain('New England Patriots HOME');
    expect(ids.takeUnsaved()).toContainEqual([`first/${EVENT}`, 'ne']);
  });
});

// Nine in ten of a season's own ids were refused with 400, although a search for an id must find its object (`proto/openapi.yaml`).
describe('0125: an id that is searched for', () => {
  const TEAMS = [
    ['buf', 'Bills', 'Buffalo'],
    ['kc', 'Chiefs', 'Kansas City'],
    ['sf', '49ers', 'San Francisco'],
    ['nyg', 'Giants', 'New York G'],
  ] as const;
  const LINES = ['1.5', '4.5', '13.5'];

  const football = TEAMS.flatMap((away, index) => {
    const home = TEAMS[(index + 1) % TEAMS.length]!;
    const game: Listed = { league: 'NFL', date: `2026-11-2${index}`, startsAt: `2026-11-2${index}T18:00:00Z` };
    const [codes, title] = [`${away[0]}-${home[0]}`, `${away[1]} vs. ${home[1]}`];
    const [codesOfB, titleOfB] = [`${away[0]}${home[0]}`.toUpperCase(), `${away[2]} at ${home[2]}`];
    const spreads = LINES.map(line => ({ code: line, label: `${home[2]} wins by over ${line} points`, line }));
    const totals = LINES.map(line => ({ code: line, label: `Over ${line} points scored`, line }));
    return [
      atVenueA(game, codes, title),
      atVenueB(game, codesOfB, titleOfB, { [away[0]]: away[2], [home[0]]: home[2] }),
      seriesOfB(game, codesOfB, `${titleOfB}: Spread`, 'SPREAD', spreads),
      seriesOfB(game, codesOfB, `${titleOfB}: First Half Spread`, '1HSPREAD', spreads),
      seriesOfB(game, codesOfB, `${titleOfB}: Total`, '1HTOTAL', totals),
    ];
  });
  const players = 'Paulo Andre Saraiva Dos Santos vs Arklon Huertas Del Pino Cordova';
  const tennis = atVenueA({ league: 'ATP', date: '2026-07-06', startsAt: '2026-07-06T11:00:00Z' }, 'x-y', players, {
    markets: [ofVenueA(players, 'moneyline', players.split(' vs ')), ofVenueA('Will it rain?', '', ['Yes', 'No'])],
  });

  const { markets } = buildCatalog([...football, tennis], new EventIds());
  const catalog = new SnapshotWriter().write(new RowBuilder().of({ events: [], markets }));
  const caller = { keyId: 'key', actorId: 'alice', podId: 'pod' };
  const path = '/v1/markets';
  const scope = { secret: Buffer.alloc(32, 7), actorId: caller.actorId, path };

  const callOf = (q: string) =>
    ({ name: 'markets', caller, path, query: new Map([['q', q]]), catalog, tradable: [] }) as const;

  function search(q: string): { readonly status: number; readonly ids: readonly string[] } {
    const { status, body } = listMarkets(scope, callOf(q), 0);
    return { status, ids: (JSON.parse(body).markets as { id: string }[]).map(({ id }) => id) };
  }

  it('every id finds its market, and first of all', () => {
    expect(markets.length).toBeGreaterThan(40);
    for (const { id } of markets) expect([id, search(id).ids[0]]).toEqual([id, id]);
  });

  it('words of which one begins another find what that one finds', () => {
    const winners = search('moneyline').ids;
    expect(winners.length).toBeGreaterThan(TEAMS.length);
    const beginnings = Array.from('moneyline', (_, at) => 'moneyline'.slice(0, at + 1)).slice(1);
    expect(search(beginnings.join('-')).ids).toEqual(winners);
    expect(search(`${beginnings.join('-')} nfl`).ids).toEqual(winners.filter(id => id.startsWith('nfl')));
    // A single character counts as a word, but not as the beginning of a word.
    expect(search(`m-${beginnings.join('-')}`).ids).toEqual([]);
  });

  it('as many words between hyphens as there is room for are looked up, and no more between blanks than before', () => {
    const words = Array.from({ length: limits.searchCharactersMax / 2 }, (_, at) => (at % 36).toString(36));
    expect(search(words.join('-'))).toEqual({ status: 200, ids: [] });
    expect(listMarkets(scope, callOf(words.slice(0, limits.searchWordsMax + 1).join(' ')), 0).status).toBe(400);
  });
});

// When two events turned out to be one, the ids of all markets that callers knew changed. After a restart the abandoned id counted as free, and the
// next game of that day got it.
describe('3250: ids of events that turned out to be one', () => {
  const GAME: Listed = { league: 'MLB', date: '2026-08-09', startsAt: '2026-08-09T23:10:00Z' };
  const [OLDER, YOUNGER] = ['mlb-hou-sd-2026-08-09', 'mlb-hou-sd-2026-08-09-2'];
  const a = (startsAt: string, gameId: string) =>
    atVenueA({ ...GAME, startsAt }, 'hou-sd', 'Houston Astros vs. San Diego Padres', { gameId });
  const b = atVenueB(GAME, '1910HOUSD', 'Houston vs San Diego', { HOU: 'Houston', SD: 'San Diego' });
  const APART = '2026-08-11T17:10:00Z';

  describe.each(['at once', 'after a restart'])('of two events that turn out to be one %s', when => {
    const restarted = (known: EventIds, entries: (readonly [string, string])[]): EventIds => {
      entries.push(...known.takeUnsaved());
      return when === 'at once' ? known : new EventIds(entries);
    };

    it('the older id stays, also if it is of venue B, and the other leads to it', () => {
      const entries: (readonly [string, string])[] = [];
      let known = new EventIds();
      buildCatalog([b], known);
      expect(ids(buildCatalog([b, a(APART, '77')], known))).toEqual([OLDER, YOUNGER]);
      known = restarted(known, entries);
      expect(ids(buildCatalog([b, a(GAME.startsAt, '77')], known))).toEqual([OLDER]);
      known = restarted(known, entries);
      expect([known.current(OLDER), known.current(YOUNGER)]).toEqual([OLDER, OLDER]);
    });

    it('the other id is never given again', () => {
      const entries: (readonly [string, string])[] = [];
      let known = new EventIds();
      buildCatalog([b], known);
      buildCatalog([b, a(APART, '77')], known);
      buildCatalog([b, a(GAME.startsAt, '77')], known);
      known = restarted(known, entries);
      const found = ids(buildCatalog([b, a(GAME.startsAt, '77'), a(APART, '78')], known));
      expect(found).toEqual([OLDER, 'mlb-hou-sd-2026-08-09-3']);
    });
  });
});

// Found by review: the search takes words without accents, but it handled only letters that consist of a base letter and an accent. `bodo` did not
// find Bodø/Glimt, nor did `tromso` find Tromsø, unless a venue writes the name in ASCII. A listing of `Bodo` was not found by `Bodø`.
describe('3252: names that are searched for in ascii', () => {
  const MATCH: Listed = { league: 'ATP', date: '2026-07-06', startsAt: '2026-07-06T11:00:00Z' };
  const NAMES = [
    'Bodø Bo',
    'Łukasz Łó',
    'Đorđe Đo',
    'Jón Þór',
    'Groß Ga',
    'Næs Ny',
    'Cœur Co',
    'Kasım Ka',
    'Tromso To',
  ];
  const listed = NAMES.map(name => atVenueA(MATCH, 'x-y', `${name} vs Another One`, { gameId: name }));
  const { markets } = buildCatalog(listed, new EventIds());
  const reader = SnapshotReader.open(new SnapshotWriter().write(new RowBuilder().of({ events: [], markets })))!;

  const QUERY = { tradable: [], now: 0, venue: null, event: null, competitions: null, executable: null, after: null };
  const found = (q: string) =>
    reader
      .find({ ...QUERY, terms: termsOf(q), rowsMax: 100 })
      .map(place => JSON.parse(`${reader.textAt(place, QUERY)}}`).outcomes[0].name);

  it.each([
    ['bodo', 'Bodø Bo'],
    ['BODØ', 'Bodø Bo'],
    ['lukasz', 'Łukasz Łó'],
    ['djorđe', null],
    ['dorde', 'Đorđe Đo'],
    ['thor', 'Jón Þór'],
    ['gross', 'Groß Ga'],
    ['naes', 'Næs Ny'],
    ['coeur', 'Cœur Co'],
    ['kasim', 'Kasım Ka'],
    ['tromsø', 'Tromso To'],
  ])('%s finds %s', (q, name) => {
    expect(found(q)).toEqual(name === null ? [] : [name]);
  });
});
