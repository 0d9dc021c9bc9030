// The fixtures. The opening is relative to the start of the service: some games are in progress, others follow. Later calendar days have
// fixtures of their own, which do not depend on that start. Pairings do not depend on the seed, so that tickers are predictable. The seed
// sets the strength of teams. Pure.

import { DAY_MS, MINUTE_MS } from '../../core/domain/durations.ts';
import type { UnixMillis } from '../../core/domain/numbers.ts';
import { Random } from '../../core/runtime/random.ts';
import { limits } from '../../limits.ts';
import { easternTime } from './eastern-time.ts';
import { numberOf } from './identity.ts';
import { LEAGUES, type League, type LeagueCode, TEAMS } from './leagues.ts';
import type { Game, Team } from './listings.ts';

export interface Fixture {
  readonly league: League;
  readonly game: Game;
  /** The time at which the venues list the game. The default is some days before the game, as the venues do. */
  readonly listedAt?: UnixMillis;
}

type Row = readonly [startsAfterMinutes: number, league: LeagueCode, home: string, away: string];

/**
 * The fixtures of the opening. Some make it hard to match the venues' listings: teams meet twice in a week with the home side swapped. One
 * city has two clubs. Two players share surname and code. The code of one player is that of a draw.
 */
const ROWS: readonly Row[] = [
  [-100, 'nfl', 'KC', 'BUF'],
  [-85, 'nba', 'DEN', 'MIN'],
  [-70, 'mlb', 'LAD', 'SD'],
  [-60, 'nhl', 'NYR', 'NYI'],
  [-50, 'nba', 'LAL', 'BOS'],
  [-40, 'atp', 'SIN', 'ALC'],
  [-35, 'epl', 'LFC', 'ARS'],
  [-30, 'nhl', 'EDM', 'CGY'],
  [-25, 'wta', 'SWI', 'SAB'],
  [-20, 'nba', 'GSW', 'PHX'],
  [-15, 'nfl', 'NYG', 'PHI'],

  [45, 'nba', 'NYK', 'MIA'],
  [60, 'epl', 'MUN', 'CFC'],
  [75, 'nhl', 'TOR', 'MTL'],
  [90, 'atp', 'ZVE', 'FRI'],
  [120, 'nba', 'MIL', 'CHI'],
  [150, 'nfl', 'DAL', 'DET'],
  [180, 'nhl', 'COL', 'VGK'],
  [240, 'epl', 'TOT', 'NEW'],
  [270, 'mlb', 'NYY', 'HOU'],
  [300, 'wta', 'GAU', 'RYB'],
  [420, 'nba', 'DAL', 'SAS'],
  [540, 'atp', 'CER', 'BUB'],
  [600, 'nhl', 'BOS', 'BUF'],
  [690, 'wta', 'KOS', 'OSA'],
  [780, 'mlb', 'SEA', 'AZ'],

  [900, 'nba', 'LAC', 'OKC'],
  [1_020, 'atp', 'CER2', 'RUB'],
  [1_110, 'epl', 'EVE', 'SUN'],
  [1_200, 'nfl', 'GB', 'SF'],
  [1_320, 'nba', 'TOR', 'ATL'],
  [1_440, 'nfl', 'BAL', 'CIN'],
  [1_530, 'mlb', 'CHC', 'CWS'],
  [1_790, 'mlb', 'NYY', 'HOU'],
  [1_800, 'nhl', 'LA', 'FLA'],

  [2_880, 'nba', 'BOS', 'LAL'],
  [3_000, 'nfl', 'NYJ', 'JAC'],
  [3_600, 'epl', 'AVL', 'FUL'],
  [4_320, 'nba', 'PHI', 'BKN'],
  [4_440, 'nfl', 'DEN', 'LA'],
  [5_760, 'nba', 'LAL', 'BOS'],
  [5_820, 'nhl', 'NYI', 'NYR'],
  [7_200, 'epl', 'ARS', 'MCI'],
  [8_640, 'mlb', 'NYM', 'ATL'],
  [10_080, 'nfl', 'BUF', 'KC'],
  [10_200, 'epl', 'BRE', 'LFC'],
  [1_650, 'atp', 'TIEN', 'BUB'],
];

type Slot = readonly [minuteOfDay: number, league: LeagueCode, half: 0 | 1 | null];

/**
 * The start times of every day, in UTC. At nearly any time a game is in progress. Two games of a league take their teams from different
 * halves of it.
 */
const SLOTS: readonly Slot[] = [
  [0, 'nba', 0],
  [60, 'nhl', 0],
  [210, 'nba', 1],
  [345, 'atp', null],
  [450, 'wta', null],
  [555, 'epl', 0],
  [660, 'epl', 1],
  [765, 'mlb', 0],
  [915, 'nfl', 0],
  [1_080, 'mlb', 1],
  [1_200, 'nfl', 1],
  [1_290, 'nhl', 1],
];

/** The opening is relative to the start of the service, rounded down to this step. */
const ROUNDING_MS = 15 * MINUTE_MS;
/** The deviation of the stronger team's advantage, in deviations of the margin. */
const EDGE_DEVIATION = 0.45;
/** The least that a team is expected to score, as a share of the usual points. */
const STRENGTH_MIN = 0.3;

export function fixturesAround(now: UnixMillis, seed: number): readonly Fixture[] {
  const base = Math.floor(now / ROUNDING_MS) * ROUNDING_MS;
  const random = new Random(seed);
  return ROWS.map(([startsAfterMinutes, code, homeCode, awayCode]) => {
    const startsAt = (base + startsAfterMinutes * MINUTE_MS) as UnixMillis;
    return fixture(code, [teamOf(code, homeCode), teamOf(code, awayCode)], startsAt, random);
  });
}

/** Returns the day in UTC, counted in days since 1970. */
export function dayOf(at: UnixMillis): number {
  return Math.floor(at / DAY_MS);
}

export function startOfDay(day: number): UnixMillis {
  return (day * DAY_MS) as UnixMillis;
}

/** Returns all fixtures of one day. They are listed a week before. */
export function fixturesOfDay(day: number, seed: number): readonly Fixture[] {
  const listedAt = startOfDay(day - limits.paperSeasonDaysMax);
  const random = new Random(numberOf(9, 'season', String(seed), String(day)));
  return SLOTS.map(([minute, code, half]) => {
    const startsAt = (startOfDay(day) + minute * MINUTE_MS) as UnixMillis;
    return { ...fixture(code, pairOfDay(code, half, day), startsAt, random), listedAt };
  });
}

/**
 * Returns the pairing of a day. In turn each team plays each other team at home. Of several players with one code only the first takes
 * part.
 */
function pairOfDay(code: LeagueCode, half: 0 | 1 | null, day: number): readonly [Team, Team] {
  const all = [...TEAMS[code]].filter(([key, team]) => key === team.code).map(([, team]) => team);
  const teams = half === null ? all : all.filter((_, index) => index % 2 === half);
  const home = day % teams.length;
  const distance = 1 + (Math.floor(day / teams.length) % (teams.length - 1));
  return [teams[home]!, teams[(home + distance) % teams.length]!];
}

function fixture(code: LeagueCode, [home, away]: readonly [Team, Team], startsAt: UnixMillis, random: Random): Fixture {
  const league = LEAGUES[code];
  const [first, second] = league.isHomeFirst ? [home, away] : [away, home];
  const id = `${code}-${abbreviationOf(first)}-${abbreviationOf(second)}-${easternTime(startsAt).date}`;
  const strength = strengthOf(league, random);
  return { league, game: { id, league: code, home, away, startsAt, lengthMs: league.lengthMs, strength } };
}

/** Returns the abbreviation in venue A's slugs. */
export function abbreviationOf(team: Team): string {
  return team.abbreviation ?? team.code.toLowerCase();
}

function teamOf(league: LeagueCode, code: string): Team {
  return TEAMS[league].get(code)!;
}

function strengthOf({ scoring }: League, random: Random): Game['strength'] {
  const edge = (EDGE_DEVIATION * scoring.deviation * random.normal()) / 2;
  const pace = 1 + 0.03 * random.normal();
  const rounded = (points: number, usual: number) =>
    Math.round(100 * Math.max(STRENGTH_MIN * usual, points * pace)) / 100;
  return {
    home: rounded(scoring.home + edge, scoring.home),
    away: rounded(scoring.away - edge, scoring.away),
    deviation: scoring.deviation,
  };
}
