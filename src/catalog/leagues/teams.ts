// The tables of teams, drivers and squads. tables.json names the sections of teams.txt for each table, and the rules by which it is read.
// Each thread that knows the competitions reads both files once.

import { readFileSync } from 'node:fs';
import { assert } from '../../core/domain/result.ts';
import { type TableRules, TeamTable } from './team-table.ts';

interface TableRow extends TableRules {
  readonly sections: readonly string[];
}

/** Lines of teams.txt by section. A section begins with a line `# name`. */
const SECTIONS = new Map(
  textOf('teams.txt')
    .split(/^# /m)
    .slice(1)
    .map(section => [section.slice(0, section.indexOf('\n')), section.slice(section.indexOf('\n'))]),
);

const TABLES = new Map(
  Object.entries<TableRow>(JSON.parse(textOf('tables.json'))).map(([name, { sections, ...rules }]) => [
    name,
    new TeamTable(sections.map(linesOf).join('\n'), rules),
  ]),
);

export function teamTable(name: string): TeamTable {
  const table = TABLES.get(name);
  assert(table !== undefined, `tables.json has no table ${name}`);
  return table;
}

function linesOf(section: string): string {
  const lines = SECTIONS.get(section);
  assert(lines !== undefined, `teams.txt has no section ${section}`);
  return lines;
}

function textOf(file: string): string {
  return readFileSync(new URL(file, import.meta.url), 'utf8');
}
