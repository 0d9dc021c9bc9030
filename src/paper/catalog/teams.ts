// Teams and players, with the codes and names of both venues, from teams.json. The venues' codes differ sometimes; a matcher of their
// markets must handle that.

import { readFileSync } from 'node:fs';
import type { Team } from './listings.ts';

export type LeagueCode = 'nba' | 'nfl' | 'nhl' | 'mlb' | 'epl' | 'atp' | 'wta';

/**
 * Full name and venue A's abbreviation follow from the rest where they are absent. Venue A uses full names for clubs of baseball and soccer.
 * The place of a player is the surname: venue B's titles have no more. His code is the first letters of the surname, so that brothers share
 * a code, and the younger brother has a key of his own. Tien's code is the end of venue B's tickers for draws.
 */
type Row = readonly [
  code: string,
  place: string,
  nickname: string,
  name?: string | null,
  abbreviation?: string,
  key?: string,
];

const ROWS: Readonly<Record<LeagueCode, readonly Row[]>> = JSON.parse(
  readFileSync(new URL('teams.json', import.meta.url), 'utf8'),
);

/** By league and key, which is the code as a rule. A player with another key plays at the opening only. */
export const TEAMS: Readonly<Record<LeagueCode, ReadonlyMap<string, Team>>> = {
  nba: tableOf('nba'),
  nfl: tableOf('nfl'),
  nhl: tableOf('nhl'),
  mlb: tableOf('mlb'),
  epl: tableOf('epl'),
  atp: tableOf('atp'),
  wta: tableOf('wta'),
};

function tableOf(league: LeagueCode): Map<string, Team> {
  return new Map(ROWS[league].map(row => [row[5] ?? row[0], teamOf(row)]));
}

function teamOf([code, place, nickname, name, abbreviation]: Row): Team {
  const team = { code, place, nickname, name: name ?? `${place} ${nickname}` };
  return abbreviation === undefined ? team : { ...team, abbreviation };
}
