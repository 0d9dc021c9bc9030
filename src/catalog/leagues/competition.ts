// The facts of a competition whose games can be matched between venues: names there, sides, the meaning of dates, and differences in
// settlement. The rows are in competitions.json. Pure.

import { MINUTE_MS } from '../../core/domain/durations.ts';
import type { TeamTable } from './team-table.ts';

export interface Sport {
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
