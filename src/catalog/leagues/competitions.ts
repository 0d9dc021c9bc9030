// Every competition, by venue A's slugs and venue B's series, from competitions.json. A row there has only the differences from the rest of
// its family. To add a competition, add a row, and the section of its teams in teams.txt.

import { readFileSync } from 'node:fs';
import { MINUTE_MS } from '../../core/domain/durations.ts';
import { assert } from '../../core/domain/result.ts';
import type { Competition, Sport } from './competition.ts';
import { teamTable } from './teams.ts';

/** A competition, with names for values that several rows share. The default of `slugs` is the id. */
interface Row extends Omit<Competition, 'sport' | 'teams' | 'otherNames' | 'sameStartMs' | 'slugs'> {
  readonly sport: string;
  readonly teams: string | null;
  readonly otherNames?: string;
  readonly sameStartMinutes: number;
  readonly slugs?: readonly string[];
}

interface CompetitionsFile {
  readonly sports: Readonly<Record<string, string>>;
  readonly notes: Readonly<Record<string, string>>;
  readonly families: readonly { readonly common: Partial<Row>; readonly competitions: readonly Partial<Row>[] }[];
}

const FILE: CompetitionsFile = JSON.parse(readFileSync(new URL('competitions.json', import.meta.url), 'utf8'));

export const SPORTS: readonly Sport[] = Object.entries(FILE.sports).map(([id, name]) => ({ id, name }));

export const COMPETITIONS: readonly Competition[] = FILE.families.flatMap(({ common, competitions }) =>
  competitions.map(row => competitionOf({ ...common, ...row } as Row)),
);

function competitionOf({ sport, teams, otherNames, sameStartMinutes, notes, slugs, ...rest }: Row): Competition {
  const { id, name, series, zone } = rest;
  assert([id, name, zone, series, sameStartMinutes].every(Boolean), `competitions.json: ${id} lacks a field`);
  return {
    ...rest,
    sport: named(
      SPORTS.find(it => it.id === sport),
      sport,
    ),
    teams: teams === null ? null : teamTable(teams),
    ...(otherNames === undefined ? {} : { otherNames: teamTable(otherNames) }),
    sameStartMs: sameStartMinutes * MINUTE_MS,
    slugs: slugs ?? [id],
    notes: notes.map(note => named(FILE.notes[note], note)),
  };
}

function named<T>(value: T | undefined, name: string): T {
  assert(value !== undefined, `competitions.json has no ${name}`);
  return value;
}

const BY_SLUG = new Map(COMPETITIONS.flatMap(it => it.slugs.map(slug => [slug, it])));
const BY_SERIES = new Map(COMPETITIONS.flatMap(it => it.series.map(series => [series, it])));

export function competitionOfSlug(slug: string): Competition | null {
  return BY_SLUG.get(slug) ?? null;
}

/** The competition of a series, and the rest of its name: `KXNBASPREAD` → NBA, `SPREAD`. */
export function competitionOfSeries<Word extends string>(
  series: string,
  words: readonly Word[],
): { readonly competition: Competition; readonly word: Word } | null {
  for (const word of words) {
    const competition = series.endsWith(word) ? BY_SERIES.get(series.slice(0, -word.length)) : undefined;
    if (competition !== undefined) return { competition, word };
  }
  return null;
}

/** The part of a series after that of a known competition: `KXNBATEAM` → `TEAM`. Null if the series begins with none. */
export function restOfSeries(series: string): string | null {
  for (let end = series.length - 1; end > 0; end--) if (BY_SERIES.has(series.slice(0, end))) return series.slice(end);
  return null;
}
