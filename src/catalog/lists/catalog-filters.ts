// Reads the filters of catalog lists from a query (contract §6). An error names the parameter and the rule. Check workers and main
// thread.

import { isoMillisOf } from '../../domain/iso-time.ts';
import { fail, ok, type Result } from '../../domain/result.ts';
import type { Page } from '../../wire/page-token.ts';
import { COMPETITIONS, SPORTS } from '../leagues/competitions.ts';

/** Indices in COMPETITIONS that the caller wants; null: all. */
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

const RFC_3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})$/i;

/** Reads RFC 3339 with its zone as Unix milliseconds. */
export function readTime(name: string, text: string): Result<number, string> {
  const at = RFC_3339.test(text) ? isoMillisOf(text) : null;
  return at === null ? fail(`${name}: must be a time like 2026-11-20T18:30:00Z`) : ok(at);
}
