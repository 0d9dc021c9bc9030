// Matching against a known season. The test first makes games, then lists them at each venue in that venue's words. So it knows the right merges
// without any matching.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildCatalog, CatalogBuilder } from '../../../src/catalog/build-catalog.ts';
import type { Catalog } from '../../../src/catalog/catalog.ts';
import { EventIds } from '../../../src/catalog/matching/event-ids.ts';
import type { VenueEvent } from '../../../src/venues/discovery.ts';
import { atVenueA, atVenueB, type Listed } from './listings.ts';

/** Each row has the codes at venue A and at venue B, then the names at A and at B. */
const TEAMS = [
  ['bos', 'BOS', 'Celtics', 'Boston'],
  ['lal', 'LAL', 'Lakers', 'Los Angeles L'],
  ['lac', 'LAC', 'Clippers', 'Los Angeles C'],
  ['nyk', 'NYK', 'Knicks', 'New York'],
  ['bkn', 'BKN', 'Nets', 'Brooklyn'],
  ['gsw', 'GSW', 'Golden State Warriors', 'Golden State'],
  ['nop', 'NOP', 'Pelicans', 'New Orleans'],
  ['okc', 'OKC', 'Thunder', 'Oklahoma City'],
] as const;

interface TrueGame {
  readonly day: number;
  readonly away: number;
  readonly home: number;
  readonly atA: boolean;
  readonly atB: boolean;
}

const trueGames = fc
  .uniqueArray(
    fc.record({
      day: fc.integer({ min: 1, max: 9 }),
      away: fc.nat({ max: TEAMS.length - 1 }),
      home: fc.nat({ max: TEAMS.length - 1 }),
      atA: fc.boolean(),
      atB: fc.boolean(),
    }),
    { maxLength: 25, selector: ({ day, away, home }) => `${day} ${[away, home].sort().join(' ')}` },
  )
  .map(games => games.filter(({ away, home }) => away !== home));

function listings(games: readonly TrueGame[]): readonly VenueEvent[] {
  return games.flatMap(({ day, away, home, atA, atB }) => {
    const listed: Listed = { league: 'NBA', date: `2026-11-0${day}`, startsAt: `2026-11-0${day}T23:30:00Z` };
    const [one, two] = [TEAMS[away]!, TEAMS[home]!];
    const a = atVenueA(listed, `${one[0]}-${two[0]}`, `${one[2]} vs. ${two[2]}`);
    const b = atVenueB(listed, `${one[1]}${two[1]}`, `${one[3]} at ${two[3]}`, { [one[1]]: one[3], [two[1]]: two[3] });
    return [...(atA ? [a] : []), ...(atB ? [b] : [])];
  });
}

function expectedEvents(games: readonly TrueGame[]): readonly string[] {
  return games
    .filter(({ atA, atB }) => atA || atB)
    .map(({ day, away, home, atA, atB }) => {
      const venues = Number(atA) + Number(atB);
      return `nba-${TEAMS[away]![0]}-${TEAMS[home]![0]}-2026-11-0${day} of ${venues}`;
    })
    .sort();
}

const eventsOf = ({ events }: Catalog): readonly string[] =>
  events.map(({ id, matching }) => `${id} of ${matching.keys.length}`).sort();

const build = (events: readonly VenueEvent[]): Catalog => buildCatalog(events, new EventIds());

describe('a season that is known', () => {
  it('is found as it is, listed in any order', () => {
    fc.assert(
      fc.property(
        trueGames.chain(games =>
          fc.record({
            games: fc.constant(games),
            listed: shuffled(listings(games)),
            again: fc.constant(listings(games)),
          }),
        ),
        ({ games, listed }) => {
          const catalog = build(listed);
          expect(eventsOf(catalog)).toEqual(expectedEvents(games));
          expect(build([...listed].reverse())).toEqual(catalog);
        },
      ),
      { numRuns: 200 },
    );
  });

  it('is not changed by what has nothing to do with it', () => {
    fc.assert(
      fc.property(trueGames, trueGames, (games, others) => {
        const known = listings(games);
        const strange = listings(others).map(event => ({
          ...event,
          subTitle: event.subTitle.replace('nba', 'cba'),
          seriesId: event.seriesId.replace('KXNBA', 'KXCBA'),
        }));
        expect(eventsOf(build([...known, ...strange]))).toEqual(eventsOf(build(known)));
      }),
      { numRuns: 100 },
    );
  });

  it('has every market of both venues, each route once', () => {
    fc.assert(
      fc.property(trueGames, games => {
        const listed = listings(games);
        const routes = build(listed).markets.flatMap(({ outcomes }) =>
          outcomes.flatMap(({ listings: ways }) => ways.map(({ route }) => JSON.stringify(route))),
        );
        const expected = listed.flatMap(({ markets }) =>
          markets.flatMap(({ outcomes }) => outcomes.map(({ route }) => JSON.stringify(route))),
        );
        expect([...routes].sort()).toEqual([...expected].sort());
      }),
      { numRuns: 100 },
    );
  });
});

describe('a catalog that is built again and again', () => {
  const both = { atA: true, atB: true };
  const [first, second] = [
    { day: 1, away: 0, home: 1, ...both },
    { day: 2, away: 2, home: 3, ...both },
  ];

  it('is what it would be if it were built anew', () => {
    // A listing is the same object in each reading.
    const season = trueGames
      .map(listings)
      .map(listed => [...listed, ...listed.map(alsoListed)])
      .chain(listed => fc.array(fc.subarray(listed), { maxLength: 5 }));
    fc.assert(
      fc.property(season, versions => {
        const ids = new EventIds();
        const entries: (readonly [string, string])[] = [];
        const builder = new CatalogBuilder(ids);
        for (const listed of versions) {
          const anew = buildCatalog(listed, new EventIds(entries));
          expect(builder.build(listed)).toEqual(anew);
          entries.push(...ids.takeUnsaved());
        }
      }),
      { numRuns: 200 },
    );
  });

  it('has a market that two events list with the first of them', () => {
    const once = listings([first]);
    expect(build([...once.map(alsoListed), ...once]).markets).toEqual(build(once).markets);
  });

  it('has the same objects of what has not changed', () => {
    const builder = new CatalogBuilder(new EventIds());
    const [kept, gone] = [listings([first]), listings([second])];
    builder.build([...kept, ...gone]);
    // After this build it is known which listings were the same event.
    const before = builder.build([...kept, ...gone]);
    const after = builder.build([...kept, ...listings([second])]);
    expect(after.events.map(event => before.events.includes(event))).toEqual([true, false]);
    expect(after.markets.map(market => before.markets.includes(market))).toEqual([true, false]);
  });
});

it('reads any text of a venue', () => {
  const text = fc.oneof(
    fc.string(),
    fc.constantFrom('Celtics vs. Lakers', 'Boston at Los Angeles L', ': vs ', 'Draw', '-TIE', '1H'),
  );
  const codes = fc.oneof(fc.string({ maxLength: 8 }), fc.constantFrom('BOSLAL', 'bos-lal', '2520BOSLAL', ''));
  const date = fc.constantFrom('2026-11-20', '2026-02-31', '2026-00-00');
  fc.assert(
    fc.property(fc.array(fc.record({ text, codes, date, label: text, isA: fc.boolean() }), { maxLength: 12 }), all => {
      const listed = all.map(it => {
        const game: Listed = { league: 'NBA', date: it.date, startsAt: '2026-11-21T03:00:00Z' };
        return it.isA
          ? atVenueA(game, it.codes, it.text)
          : atVenueB(game, it.codes, it.text, { X: it.label, TIE: it.label });
      });
      const { markets } = build(listed);
      expect(new Set(markets.map(({ id }) => id)).size).toBe(markets.length);
    }),
    { numRuns: 500 },
  );
});

/** Returns the same markets in an event that is not a game. */
function alsoListed(event: VenueEvent): VenueEvent {
  return { ...event, eventId: `~${event.eventId}`, subTitle: '', seriesId: '' };
}

function shuffled<T>(items: readonly T[]): fc.Arbitrary<readonly T[]> {
  return fc.shuffledSubarray([...items], { minLength: items.length, maxLength: items.length });
}
