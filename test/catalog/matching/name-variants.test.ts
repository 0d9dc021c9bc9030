// Names that look alike, tested against known schedules: in any form of a name, no two different players or squads are taken for the same. Venue A
// has whole names. Venue B has any form, except a form that is another side's whole name.

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { buildCatalog } from '../../../src/catalog/build-catalog.ts';
import { EventIds } from '../../../src/catalog/matching/event-ids.ts';
import type { UnixMillis } from '../../../src/core/domain/numbers.ts';
import type { VenueEvent } from '../../../src/venues/discovery.ts';
import { atVenueA, atVenueB, type Listed } from './listings.ts';

/** A match of the schedule, and its listings. */
interface Match {
  readonly day: number;
  readonly slot: number;
  readonly sides: readonly [string, string];
  readonly atA: boolean;
  readonly atB: boolean;
  readonly isTurned: boolean;
  /** Whether venue B states the start. */
  readonly isTimed: boolean;
  /** The numbers of the two sides' forms. */
  readonly forms: readonly [number, number];
}

interface Model {
  readonly league: string;
  readonly names: readonly string[];
  /** Returns every form of a name that a venue might use. */
  readonly formsOf: (name: string) => readonly string[];
  /** The hours between two slots. A side plays at most once in a slot. */
  readonly slotHours: number;
}

const GIVEN = ['Juan', 'Juan Manuel', 'Francisco', 'Daniel', 'Raul', 'Ray', 'Yi', 'Yu'];
const FAMILY = ['Cerundolo', 'Merida', 'Merida Aguilar', 'Rosas', 'Rosas Jr.', 'Zhang', 'Cerundolo Rosas'];

const PLAYERS: Model = {
  league: 'ATP',
  names: GIVEN.flatMap(given => FAMILY.map(family => `${given} ${family}`)),
  formsOf: name => {
    const words = name.split(' ');
    const [first = '', ...rest] = words;
    return [
      name,
      words.slice(0, 2).join(' '),
      [first, words.at(-1)].join(' '),
      rest.join(' '),
      [...rest, first].join(' '),
      [`${first[0]}.`, ...rest].join(' '),
      name.replace(' Jr.', ''),
    ];
  },
  slotHours: 24,
};

const ORGANISATIONS = ['T1', 'Gen.G', 'Team Liquid', 'FURIA', 'Weibo Gaming', 'Liquid Fire', 'Team Fire'];

const SQUADS: Model = {
  league: 'LOL',
  names: ORGANISATIONS.flatMap(name => [name, `${name} Academy`, `${name} fe`, `${name} GC`]),
  formsOf: name => [name, name.replace(/^Team /, ''), name.replace(/ Gaming/, ''), `${name} Esports`, `Team ${name}`],
  slotHours: 1,
};

const MONTH = '2026-11';

function matchesOf({ names }: Model): fc.Arbitrary<readonly Match[]> {
  const flags = { atA: fc.boolean(), atB: fc.boolean(), isTurned: fc.boolean(), isTimed: fc.boolean() };
  const how = fc.record({ ...flags, forms: fc.tuple(fc.nat(6), fc.nat(6)) });
  /** A slot, in which each side plays at most once. */
  const slot = fc
    .tuple(
      fc.shuffledSubarray([...names], { minLength: 2, maxLength: 8 }),
      fc.array(how, { minLength: 4, maxLength: 4 }),
    )
    .map(([playing, ways]) =>
      ways.flatMap((way, at) => {
        const [one, another] = playing.slice(2 * at, 2 * at + 2);
        return one === undefined || another === undefined ? [] : [{ ...way, sides: [one, another] as const }];
      }),
    );
  return fc
    .array(slot, { minLength: 1, maxLength: 6 })
    .map(slots =>
      slots.flatMap((matches, at) => matches.map(it => ({ ...it, day: 1 + Math.floor(at / 3), slot: at % 3 }))),
    );
}

function listingsOf(model: Model, matches: readonly Match[]): readonly VenueEvent[] {
  return matches.flatMap(({ day, slot, sides, atA, atB, isTurned, isTimed, forms }, number) => {
    const hours = model.slotHours === 24 ? 24 * (3 * (day - 1) + slot) : 24 * (day - 1) + slot * model.slotHours;
    const start = Date.parse(`${MONTH}-01T15:00:00Z`) + hours * 3_600_000;
    const startsAt = new Date(start).toISOString();
    const listed: Listed = { league: model.league, date: startsAt.slice(0, 10), startsAt };
    const a = atVenueA(listed, 'x-y', `Cup: ${sides.join(' vs ')}`, { gameId: String(number + 1) });
    const called = sides.map((name, side) => formOf(model, name, forms[side]!));
    const [one = '', another = ''] = isTurned ? called.toReversed() : called;
    const codes = `${model.league === 'LOL' ? clockOf(start) : ''}Q${number + 1}Q`;
    const b = atVenueB(listed, codes, `${one} vs ${another}`, { X: one, Y: another });
    return [...(atA ? [a] : []), ...(atB ? [{ ...b, startsAt: isTimed ? (start as UnixMillis) : null }] : [])];
  });
}

/** Returns the time in New York in winter. */
function clockOf(start: number): string {
  return new Date(start - 5 * 3_600_000).toISOString().slice(11, 16).replace(':', '');
}

/** The forms of each name that are not another name. */
const formsByName = new Map<string, readonly string[]>();

function formOf({ names, formsOf }: Model, name: string, number: number): string {
  const known =
    formsByName.get(name) ?? formsOf(name).filter(it => it === name || !names.some(other => isAlike(it, other)));
  formsByName.set(name, known);
  return known[number % known.length]!;
}

/** Returns whether both names have the same words, in any order. */
function isAlike(one: string, another: string): boolean {
  const words = (text: string) => text.toLowerCase().replaceAll('.', '').split(' ').sort().join(' ');
  return words(one) === words(another);
}

/** Returns the matches with merged listings by their numbers, as `3 = 3`. */
function mergesOf(listed: readonly VenueEvent[]): readonly string[] {
  return buildCatalog(listed, new EventIds()).events.flatMap(({ matching: { keys } }) => {
    const [a, b] = [keys.find(it => it.startsWith('venue_a/')), keys.find(it => it.startsWith('venue_b/'))];
    if (a === undefined || b === undefined) return [];
    return [`${a.slice(a.lastIndexOf('/') + 1)} = ${/Q(\d+)Q$/.exec(b)![1]}`];
  });
}

it.each([
  ['players', PLAYERS],
  ['squads', SQUADS],
] as const)('no name of %s is taken for another person’s', (_, model) => {
  let merges = 0;
  fc.assert(
    fc.property(matchesOf(model), matches => {
      const found = mergesOf(listingsOf(model, matches));
      merges += found.length;
      expect(found.filter(it => it.split(' = ')[0] !== it.split(' = ')[1])).toEqual([]);
    }),
    { numRuns: 200 },
  );
  // Without this check the test would pass if nothing were ever merged.
  expect(merges).toBeGreaterThan(100);
});

it.each([
  ['players', PLAYERS],
  ['squads', SQUADS],
] as const)('every match of %s is found if both venues have its whole names', (_, model) => {
  const plain = matchesOf(model).map(matches => matches.map(it => ({ ...it, forms: [0, 0] as const, isTimed: true })));
  fc.assert(
    fc.property(plain, matches => {
      const both = matches.flatMap(({ atA, atB }, at) => (atA && atB ? [`${at + 1} = ${at + 1}`] : []));
      expect([...mergesOf(listingsOf(model, matches))].sort()).toEqual(both.sort());
    }),
    { numRuns: 60 },
  );
});
