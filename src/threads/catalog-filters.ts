// What lists of the catalog are filtered by, as it stands in a query (contract §6): what is wrong names the parameter and the rule.
// Order workers.

import { COMPETITIONS, SPORTS } from '../catalog/leagues/competitions.ts';
import { fail, ok, type Result } from '../domain/result.ts';
import type { Page } from '../wire/page-token.ts';

/** Indices in COMPETITIONS of those that are wanted; null: all. */
export function readCompetitions({ sport, competition }: Page['filters']): Result<ReadonlySet<number> | null, string> {
  if (sport !== undefined && !SPORTS.some(({ id }) => id === sport)) return fail('sport: no such sport');
  if (competition !== undefined && !COMPETITIONS.some(({ id }) => id === competition)) {
    return fail('competition: no such competition');
  }
  if (sport === undefined && competition === undefined) return ok(null);
  const wanted = COMPETITIONS.flatMap(({ id, sport: own }, index) =>
    (sport === undefined || own.id === sport) && (competition === undefined || id === competition) ? [index] : [],
  );
  return ok(new Set(wanted));
}

const DATE_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})$/i;

/** Unix milliseconds of RFC 3339. */
export function readTime(name: string, text: string): Result<number, string> {
  const at = DATE_TIME.test(text) && isOfCalendar(text.slice(0, SECONDS_END)) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? fail(`${name}: must be a time like 2026-11-20T18:30:00Z`) : ok(at);
}

const SECONDS_END = '2026-11-20T18:30:00'.length;

/** `Date` takes the 31st of February for the 3rd of March, and the hour 24 for the next day. */
function isOfCalendar(time: string): boolean {
  const at = Date.parse(`${time}Z`);
  return !Number.isNaN(at) && new Date(at).toISOString().slice(0, SECONDS_END) === time.toUpperCase();
}
