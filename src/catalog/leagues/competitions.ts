// Every competition, by venue A's slugs and venue B's series, from competitions.json. A row there has only the differences from the rest of
// its family. To add a competition, add a row, and the section of its teams in teams.txt.

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
  /** Null if no complete list exists, and sides are known by their names. */
  readonly teams: TeamTable | null;
  /**
   * Other names of a side, for sides that the venues do not always name in full. It stands in place of `teams`: all other sides are known
   * by their whole names only. The id of a line is its first name as a slug, so that it is never that of a side without a line. Without
   * this table sides are players, whose surname may be enough.
   */
  readonly otherNames?: TeamTable;
  /** IANA zone of the calendar for the dates of games. */
  readonly zone: string;
  /** The order in titles, slugs and tickers. */
  readonly isHomeFirst: boolean;
  /** True if two teams may play each other at both homes on one day before a season, each with half of its squad. */
  readonly hasSplitSquads?: true;
  /** True if the same opponents may play twice on a day; the clock tells the games apart. */
  readonly hasDoubleheaders?: true;
  /** True if the venues may list one game for two days, one after the other. The start decides, which both must state then. */
  readonly daysMayDiffer?: true;
  /** The most milliseconds between two starts of one game, where only the start decides. */
  readonly sameStartMs: number;
  /** `draw`: a third outcome; `tie`: rare, with a settlement of its own; `none`: one side always wins. */
  readonly evenEnd: 'draw' | 'tie' | 'none';
  /** First parts of venue A's slugs. */
  readonly slugs: readonly string[];
  /** First parts of venue B's series; `GAME`, `SPREAD` or another word follows. */
  readonly series: readonly string[];
  /** Differences in settlement between the venues; shown with each market. */
  readonly notes: readonly string[];
}

/** The usual limit. */
export const SAME_START_MS = 90 * MINUTE_MS;

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
