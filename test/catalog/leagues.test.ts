// The tables of competitions, teams and other names: no two teams of a table can be mistaken for one another.

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { COMPETITIONS } from '../../src/catalog/leagues/competitions.ts';
import { normalized, slugOf, type TeamTable, teamTable } from '../../src/catalog/leagues/team-table.ts';

const SQUADS = teamTable('squads');

const TABLES: readonly (readonly [string, TeamTable])[] = [
  ...COMPETITIONS.flatMap(({ id, teams }) => (teams === null ? [] : [[id, teams] as const])),
  ['esports', SQUADS],
  ['drivers', teamTable('drivers')],
  ['constructors', teamTable('constructors')],
];

it.each(TABLES)('%s has each id and each whole name once, and no empty one', (_, { teams }) => {
  const [ids, names] = [teams.map(({ id }) => id), teams.map(({ name }) => slugOf(name))];
  expect(new Set(ids).size).toBe(ids.length);
  expect(new Set(names).size).toBe(names.length);
  expect([...ids, ...names].filter(text => !/^[a-z0-9][a-z0-9-]*$/.test(text))).toEqual([]);
});

it.each(TABLES)('%s finds each of its teams by its whole name', (_, table) => {
  for (const team of table.teams)
    expect([team.name, table.allNamed(team.name).includes(team)]).toEqual([team.name, true]);
});

it('a squad with other names has its own name as its id, so that no unknown squad has that id', () => {
  expect(SQUADS.teams.filter(({ id, name }) => slugOf(name) !== id)).toEqual([]);
});

it.each('Academy, Youth, Junior, fe, Female, GC, Challengers, Blue, 2'.split(', '))(
  'the second squad of an organisation, %s, is not its first',
  mark => {
    for (const { name } of SQUADS.teams) expect([name, SQUADS.allNamed(`${name} ${mark}`)]).toEqual([name, []]);
  },
);

it('a slug and a series are those of one competition', () => {
  const [slugs, series] = [COMPETITIONS.flatMap(it => it.slugs), COMPETITIONS.flatMap(it => it.series)];
  expect(new Set(slugs).size).toBe(slugs.length);
  expect(new Set(series).size).toBe(series.length);
  expect(new Set(COMPETITIONS.map(({ id }) => id)).size).toBe(COMPETITIONS.length);
});

it.each([
  ['Los Angeles L', 'los angeles l'],
  ['  Félix  Auger-Aliassime ', 'felix auger aliassime'],
  ['St. Louis', 'st louis'],
  ['Brighton & Hove', 'brighton and hove'],
  ['N’Golo Kanté', 'ngolo kante'],
  ['Bodø/Glimt', 'bodo glimt'],
  ['76ers', '76ers'],
  ['', ''],
  ['Динамо', ''],
])('%j is compared as %j', (text, expected) => {
  expect(normalized(text)).toBe(expected);
});

it('a plain name has the same result with a space before it', () => {
  const words = fc.array(fc.stringMatching(/^[A-Za-z0-9]{1,6}$/), { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(words, named => {
      const text = named.join(' ');
      expect(normalized(text)).toBe(normalized(` ${text}`));
    }),
  );
});

it('a name as a part of an id has no spaces', () => {
  expect(slugOf('Los Angeles L')).toBe('los-angeles-l');
});
