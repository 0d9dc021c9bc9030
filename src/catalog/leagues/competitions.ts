// All competitions, by venue A's slugs and venue B's series, from competitions.json. A row of that file has only what differs from the rest
// of its family. To add a competition, add a row, and the section of its teams in teams.txt.

import { readFileSync } from 'node:fs';
import { MINUTE_MS } from '../../core/domain/durations.ts';
import { assert } from '../../core/domain/result.ts';
import { type TeamTable, teamTable } from './team-table.ts';

interface Sport {
  readonly id: string;
  readonly name: string;
}

export interface Competition {
  readonly id: string;
  readonly name: string;
  readonly sport: Sport;
  /** The teams. Null means that no complete list exists, so sides are known by their names. */
  readonly teams: TeamTable | null;
  /**
   * The other names of sides that the venues do not always name in full. Only a competition without `teams` has this table. All sides
   * without a line in it are known by their whole names only. The id of a line is its first name as a slug, so that no side without a line
   * has this id. Without this table sides are players, whose surname may be enough.
   */
  readonly otherNames?: TeamTable;
  /** The IANA time zone in which games have their dates. */
  readonly zone: string;
  /** Whether the home side comes first in titles, slugs and tickers. */
  readonly isHomeFirst: boolean;
  /** True if two teams may play each other at both homes on one day before a season, each with half of its squad. */
  readonly hasSplitSquads?: true;
  /** True if the same opponents may play twice on a day; the clock tells the games apart. */
  readonly hasDoubleheaders?: true;
  /** True if the venues may list one game for two successive days. Both venues must then state the start, which decides. */
  readonly daysMayDiffer?: true;
  /** The most milliseconds between two starts of one game, in cases where only the start decides. */
  readonly sameStartMs: number;
  /**
   * How a game may end without a winner. A `draw` is a third outcome. A `tie` is rare, with a settlement of its own. `none` means that one
   * side always wins.
   */
  readonly evenEnd: 'draw' | 'tie' | 'none';
  /** The first parts of venue A's slugs for this competition. */
  readonly slugs: readonly string[];
  /** The first parts of venue B's series for this competition; `GAME`, `SPREAD` or another word follows. */
  readonly series: readonly string[];
  /** The differences in settlement between the venues, which are shown with each market. */
  readonly notes: readonly string[];
}

/** The usual value of `sameStartMs`. */
export const SAME_START_MS = 90 * MINUTE_MS;

/** A row of competitions.json: a competition, with names in place of values that several rows share. The default of `slugs` is the id. */
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

/** Returns the competition of a series, and the rest of the series' name: `KXNBASPREAD` → NBA, `SPREAD`. */
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

/**
 * Returns the part of a series after that of a known competition: `KXNBATEAM` → `TEAM`. Returns null if the series begins with no known
 * competition.
 */
export function restOfSeries(series: string): string | null {
  for (let end = series.length - 1; end > 0; end--) if (BY_SERIES.has(series.slice(0, end))) return series.slice(end);
  return null;
}
